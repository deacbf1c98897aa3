# SPDX-License-Identifier: BSD-3-Clause
"""Compressed input that is damaged in the middle, while threads decompress ahead: never taken for its end."""
import random
import struct
import unittest

import support
from support import bgzf, fasta

BLOCK = 20000
LETTERS = "=ACMGRSVTWYHKDBN"


def bam_record(name, pos, letters):
    name = name.encode() + b"\0"
    codes = [LETTERS.index(letter) for letter in letters] + [0] * (len(letters) % 2)
    packed = bytes(codes[i] << 4 | codes[i + 1] for i in range(0, len(codes), 2))
    fixed = struct.pack("<iiBBHHHIiii", 0, pos, len(name), 60, 4680, 1, 0, len(letters), -1, -1, 0)
    body = fixed + name + struct.pack("<I", len(letters) << 4) + packed + b"\x1e" * len(letters)
    return struct.pack("<I", len(body)) + body


class DamagedInput(support.CommandTest):
    """Files of 60 blocks; each kind of damage is in block 50."""

    def setUp(self):
        super().setUp()
        choose = random.Random(7)
        reference = "".join(choose.choice("ACGT") for _ in range(2000))
        self.file("ref.fa", fasta(chr1=reference))
        header = b"@SQ\tSN:chr1\tLN:2000\n"
        self.head = b"BAM\1" + struct.pack("<I", len(header)) + header + struct.pack("<II5sI", 1, 5, b"chr1\0", 2000)
        places = [choose.randrange(1900) for _ in range(10000)]
        self.records = [bam_record(f"r{k}", at, reference[at:at + 60]) for k, at in enumerate(places)]
        self.fastq = "".join(f"@r{k}\n{reference[at:at + 60]}\n+\n{'I' * 60}\n" for k, at in enumerate(places)).encode()

    def damaged(self, data):
        """(file, intact bytes) of each kind of damage."""
        whole = bgzf(data, BLOCK)
        blocks, end = [], 0
        while end < len(whole):
            size = struct.unpack_from("<H", whole, end + 16)[0] + 1
            blocks.append(whole[end:end + size])
            end += size
        at = 50
        self.assertGreater(len(blocks), at + 5)
        bad, before, behind = blocks[at], b"".join(blocks[:at]), b"".join(blocks[at + 1:])
        yield before + bad[:len(bad) // 2] + blocks[-1], at * BLOCK
        for byte in (0, 17, len(bad) // 2, len(bad) - 8):  # magic, size of the block, data, CRC
            broken = bytearray(bad)
            broken[byte] ^= 0x80
            yield before + bytes(broken) + behind, at * BLOCK

    def test_bam(self):
        data = self.head + b"".join(self.records)
        for number, (content, intact) in enumerate(self.damaged(data)):
            self.file("cut.bam", content)
            count, end = 0, len(self.head)
            while end + len(self.records[count]) <= intact:
                end += len(self.records[count])
                count += 1
            for arguments in (("realign", "cut.bam", "ref.fa"),
                              ("align", "--mode", "semiglobal", "--pair", "all", "cut.bam", "ref.fa")):
                done = self.run_nwgpu(*arguments, code=1)
                self.assertIn(f"cut.bam: record {count + 1} is damaged", done.stderr, f"damage {number}")
                self.assertIn(f"r{count - 1}\t", done.stdout, "what comes before is written")
                self.assertNotIn(f"r{count}\t", done.stdout)

    def test_bgzf(self):
        for number, (content, _) in enumerate(self.damaged(self.fastq)):
            self.file("cut.fq.gz", content)
            done = self.run_nwgpu("align", "--mode", "semiglobal", "--pair", "all", "cut.fq.gz", "ref.fa", code=1)
            self.assertIn("cut.fq.gz: truncated or damaged", done.stderr, f"damage {number}")

    def test_intact(self):
        self.file("whole.bam", bgzf(self.head + b"".join(self.records), BLOCK))
        self.assertEqual(self.run_nwgpu("realign", "whole.bam", "ref.fa").stdout.count("\nr"), len(self.records))


if __name__ == "__main__":
    unittest.main()
