# SPDX-License-Identifier: BSD-3-Clause
"""Compressed input that is damaged in the middle, while threads decompress ahead: never taken for its end."""
import random
import struct
import unittest

import support
from support import bgzf, fasta

BLOCK = 20000
LETTERS = "=ACMGRSVTWYHKDBN"


def bam_record(name, pos, letters, flag):
    name = name.encode() + b"\0"
    codes = [LETTERS.index(letter) for letter in letters] + [0] * (len(letters) % 2)
    packed = bytes(codes[i] << 4 | codes[i + 1] for i in range(0, len(codes), 2))
    fixed = struct.pack("<iiBBHHHIiii", 0, pos, len(name), 60, 4680, 1, flag, len(letters), -1, -1, 0)
    body = fixed + name + struct.pack("<I", len(letters) << 4) + packed + b"\x1e" * len(letters)
    return struct.pack("<I", len(body)) + body


class DamagedInput(support.CommandTest):
    """Files of 60 blocks."""

    def setUp(self):
        super().setUp()
        choose = random.Random(7)
        reference = "".join(choose.choice("ACGT") for _ in range(2000))
        self.file("ref.fa", fasta(chr1=reference))
        self.reads = [(f"r{k}", at, reference[at:at + 60]) for k, at in enumerate(choose.randrange(1900) for _ in range(10000))]

    def bam(self, order="unsorted", flag=0):
        """What is before the records, and these."""
        header = f"@HD\tVN:1.6\tSO:{order}\n@SQ\tSN:chr1\tLN:2000\n".encode()
        head = b"BAM\1" + struct.pack("<I", len(header)) + header + struct.pack("<II5sI", 1, 5, b"chr1\0", 2000)
        return head, [bam_record(*read, flag) for read in self.reads]

    @staticmethod
    def pieces(data):
        return [data[i:i + BLOCK] for i in range(0, len(data), BLOCK)]

    def damaged(self, pieces, at):
        """(file, intact bytes) of each kind of damage to the block of a piece."""
        blocks = [bgzf(piece, len(piece), end=False) for piece in pieces] + [bgzf(b"")]
        self.assertGreater(len(blocks), at + 5)
        bad, before, behind = blocks[at], b"".join(blocks[:at]), b"".join(blocks[at + 1:])
        intact = sum(len(piece) for piece in pieces[:at])
        yield before + bad[:len(bad) // 2] + blocks[-1], intact
        for byte in (0, 17, len(bad) // 2, len(bad) - 8):  # magic, size of the block, data, CRC
            broken = bytearray(bad)
            broken[byte] ^= 0x80
            yield before + bytes(broken) + behind, intact

    def check_bam(self, head, records, at, commands, whole=False):
        """whole: records lie within blocks, as most programs write them."""
        pieces = self.pieces(head + b"".join(records))
        if whole:
            pieces = [head] + [b"".join(records[k:k + 160]) for k in range(0, len(records), 160)]
        for number, (content, intact) in enumerate(self.damaged(pieces, at)):
            self.file("cut.bam", content)
            count, end = 0, len(head)
            while end + len(records[count]) <= intact:
                end += len(records[count])
                count += 1
            for arguments in commands:
                done = self.run_nwgpu(*arguments, code=1)
                self.assertIn(f"cut.bam: record {count + 1} is damaged", done.stderr, f"block {at}, damage {number}")
                self.assertIn(f"r{count - 1}\t", done.stdout, "what comes before is written")
                self.assertNotIn(f"r{count}\t", done.stdout)

    def test_bam(self):
        commands = (("realign", "cut.bam", "ref.fa"), ("realign", "-t", 1, "cut.bam", "ref.fa"),
                    ("align", "--mode", "semiglobal", "--pair", "all", "cut.bam", "ref.fa"))
        head, records = self.bam()
        for at in (1, 2, 3, 12, 50):
            for whole in (False, True):
                self.check_bam(head, records, at + whole, commands if at == 50 else commands[:1], whole)

    def test_records_that_wait(self):
        """For mates, which may be behind the damage."""
        for order in ("unsorted", "queryname"):
            self.check_bam(*self.bam(order, 0x41), 30, (("realign", "cut.bam", "ref.fa"),))

    def test_bgzf(self):
        fastq = "".join(f"@{name}\n{letters}\n+\n{'I' * 60}\n" for name, _, letters in self.reads).encode()
        for at in (1, 50):
            for number, (content, _) in enumerate(self.damaged(self.pieces(fastq), at)):
                self.file("cut.fq.gz", content)
                done = self.run_nwgpu("align", "--mode", "semiglobal", "--pair", "all", "cut.fq.gz", "ref.fa", code=1)
                self.assertIn("cut.fq.gz: truncated or damaged", done.stderr, f"block {at}, damage {number}")

    def test_intact(self):
        head, records = self.bam()
        self.file("whole.bam", bgzf(head + b"".join(records), BLOCK))
        self.assertEqual(self.run_nwgpu("realign", "whole.bam", "ref.fa").stdout.count("\nr"), len(records))


if __name__ == "__main__":
    unittest.main()
