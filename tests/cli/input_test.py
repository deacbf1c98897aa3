# SPDX-License-Identifier: BSD-3-Clause
"""Compressed input: the same answers as from the plain file, or a message that names the file; never fewer records."""
import bz2
import gzip
import lzma
import shutil
import struct
import subprocess
import unittest
import zlib

import support
from support import bgzf, fasta

LETTERS = "ACGTTGCAAC"
RECORDS = "".join(f"@r{i} words\n{LETTERS * (1 + i % 90)}\n+\n{'I' * len(LETTERS) * (1 + i % 90)}\n" for i in range(900))


def zstd(data):
    return subprocess.run(["zstd", "-c"], input=data, check=True, capture_output=True).stdout


def gzip_member(text, flags):
    """Not compressed; with those of the fields of a header: 2 its checksum, 4 extra bytes, 8 a name."""
    header = b"\x1f\x8b\x08" + bytes([flags]) + bytes(6)
    header += b"\x04\0ab\0\0" if flags & 4 else b""
    header += b"name.fa\0" if flags & 8 else b""
    header += struct.pack("<H", zlib.crc32(header) & 0xFFFF) if flags & 2 else b""
    pack = zlib.compressobj(0, zlib.DEFLATED, -15)
    return header + pack.compress(text) + pack.flush() + struct.pack("<II", zlib.crc32(text), len(text))


PACKERS = {"gzip": gzip.compress, "bgzf": bgzf, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstd}


class CompressedInput(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("t.fa", fasta(t="ACGTACGT"))
        self.plain = RECORDS.encode()
        shown = [line for line in self.run_nwgpu("doctor").stdout.splitlines() if line.startswith("input files")]
        self.assertEqual(len(shown), 1)
        self.kinds = shown[0][len("input files"):].strip().split(", ")
        self.assertEqual(self.kinds[:3], ["plain", "gzip", "bgzf"])

    def packed(self):
        """(kind, packer) of each kind that the build reads and that can be made here."""
        for kind, pack in PACKERS.items():
            if kind in self.kinds and (kind != "zstd" or shutil.which("zstd")):
                yield kind, pack

    def align(self, name, **options):
        return self.run_nwgpu("align", "--mode", "local", "--format", "sam", name, "t.fa", **options)

    def records(self, name):
        """What a run says of the queries: @PG, which holds the name of the file, is left out."""
        return [line for line in self.align(name).stdout.splitlines() if not line.startswith("@PG")]

    def test_same_as_plain(self):
        expected = self.records(self.file("q.fq", self.plain))
        self.assertEqual(sum(not line.startswith("@") for line in expected), 900)
        half = RECORDS.index("@r450 ") + 7  # within a line
        for kind, pack in self.packed():
            self.assertEqual(self.records(self.file("q." + kind, pack(self.plain))), expected)
            if kind != "bgzf":  # two streams in one file are one text
                parts = pack(self.plain[:half]) + pack(self.plain[half:])
                self.assertEqual(self.records(self.file("two." + kind, parts)), expected)

    def test_header_of_second_gzip_member_anywhere(self):
        piece = 1 << 17  # that the command reads of a file
        second = gzip_member(b">b\nACGT\n", 14)
        for before in range(1, 28):  # bytes of the second header that are in the first piece
            letters = piece - 100
            while (size := len(gzip_member(b">a\n" + b"A" * letters + b"\n", 8))) != piece - before:
                letters += piece - before - size
            file = self.file("q.fa.gz", gzip_member(b">a\n" + b"A" * letters + b"\n", 8) + second)
            done = self.run_nwgpu("align", "--score-only", "-q", file, "t.fa")
            self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()[1:]], ["a", "b"],
                             f"{before} bytes of the header before the end of a piece")

    def test_truncated(self):
        for kind, pack in self.packed():
            whole = pack(self.plain)
            for end in (len(whole) - 1, len(whole) // 2, 30):
                name = self.file("q." + kind, whole[:end])
                done = self.align(name, code=1)
                self.assertIn(f"nwgpu: error: {name}: truncated", done.stderr)

    def test_damaged(self):
        for kind, pack in self.packed():
            broken = bytearray(pack(self.plain))
            broken[-6] ^= 0xFF  # of the last checksum; letters damaged before it may be reported first, as letters
            name = self.file("q." + kind, bytes(broken))
            self.assertIn(f"nwgpu: error: {name}: truncated or damaged", self.align(name, code=1).stderr)

    def test_kind_that_the_build_lacks(self):
        for kind in ("bzip2", "xz"):
            if kind not in self.kinds:
                done = self.align(self.file("q", PACKERS[kind](self.plain)), code=1)
                self.assertIn(f"nwgpu: error: q: compressed with {kind}, which this build cannot read", done.stderr)


class Lines(support.CommandTest):
    def test_longer_than_the_buffer(self):
        """Records of one line each, whose ends lie before, at and behind those of the buffer of 256 KiB."""
        self.file("t.fa", fasta(t="ACGTACGT"))
        size = 1 << 18
        lengths = [size - 5, size - 1, size, size + 1, 3, 5 * size // 2, 0, 7]
        for end in ("\n", "\r\n"):
            text = "".join(f">r{i}{end}{'ACGTT' * (n // 5)}{'G' * (n % 5)}{end}" for i, n in enumerate(lengths))
            for last in (text, text.rstrip()):
                self.file("q.fa", last)
                rows = self.rows("--mode", "local", "--score-only", "--columns", "query,query_length", "q.fa", "t.fa")
                self.assertEqual([row["query"] for row in rows], [f"r{i}" for i in range(len(lengths))])
                self.assertEqual([int(row["query_length"]) for row in rows], lengths)


if __name__ == "__main__":
    unittest.main()
