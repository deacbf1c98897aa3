# SPDX-License-Identifier: BSD-3-Clause
"""Where output goes: suffixes, compression, the file's name while it is written, and what messages look like."""
import gzip
import os
import random
import re
import shutil
import unittest

import support
from support import DATA, fasta, needs_samtools


class Suffixes(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("q.fa", fasta(q="ACGTACGT"))

    def test_gz_is_bgzf(self):
        for name in ("tsv", "paf", "sam", "cigar", "pair"):
            self.run_nwgpu("align", "-o", f"out.{name}", "q.fa", "q.fa")
            self.run_nwgpu("align", "-o", f"out.{name}.gz", "q.fa", "q.fa")
            packed = (self.folder / f"out.{name}.gz").read_bytes()
            self.assertEqual(packed[-28:], support.bgzf(b""), name)
            plain = (self.folder / f"out.{name}").read_text()
            lines = [line.replace(f"out.{name}.gz", f"out.{name}") for line in gzip.decompress(packed).decode().splitlines()]
            self.assertEqual(lines, plain.splitlines(), name)

    def test_gz_of_protein_sam(self):
        self.file("p.fa", fasta(p="MKVLAAGWWF"))
        self.run_nwgpu("align", "-o", "out.sam.gz", "p.fa", "p.fa")
        self.assertIn(b"\tMKVLAAGWWF\t", gzip.decompress((self.folder / "out.sam.gz").read_bytes()))

    def test_format_wins_and_gz_stays(self):
        self.run_nwgpu("align", "--format", "paf", "-o", "out.x.gz", "q.fa", "q.fa")
        self.assertTrue(gzip.decompress((self.folder / "out.x.gz").read_bytes()).startswith(b"q\t8\t0\t8\t+\tq"))

    def test_unknown_suffixes_are_errors(self):
        for name in ("out.txt", "out.gz", "out.pafx", "out.txt.gz"):
            done = self.run_nwgpu("align", "-o", name, "q.fa", "q.fa", code=1)
            self.assertIn(f"-o {name}: its suffix names no format; add --format", done.stderr)
            self.assertFalse((self.folder / name).exists())
        for name in ("out.bam.gz", "out.cram.gz"):
            self.assertIn("is compressed already", self.run_nwgpu("align", "-o", name, "q.fa", "q.fa", code=1).stderr)

    def test_compression_level(self):
        """The same lines, more of them to a byte; what is not compressed has no level."""
        chance = random.Random(20261124)
        query = "".join(chance.choice("ACGT") for _ in range(20000))
        self.file("long.fa", fasta(q=query))
        for name in ("out.bam", "out.cram", "out.sam.gz", "out.fasta.gz"):
            sizes, lines = {}, {}
            for level in ("0", "1", "6", "9", None):
                option = ["--compression-level", level] if level else []
                self.run_nwgpu("align", *option, "-o", name, "long.fa", "long.fa")
                path = self.folder / name
                sizes[level] = path.stat().st_size
                if name.endswith(".gz"):
                    lines[level] = gzip.decompress(path.read_bytes()).decode()
                elif shutil.which("samtools"):
                    lines[level] = self.samtools("view", name)
                else:
                    lines[level] = ""
            records = {re.sub(r"\tCL:[^\n]*", "", text) for text in lines.values()}
            self.assertEqual(len(records), 1, name)
            self.assertGreater(sizes["0"], 2 * sizes["1"], (name, sizes))
            self.assertLess(sizes["9"], sizes["1"] + 16, (name, sizes))
            if name != "out.cram":
                self.assertGreater(sizes["0"], len(query) // 2, (name, sizes))
                self.assertLess(abs(sizes["1" if name == "out.bam" else "6"] - sizes[None]), 100, (name, sizes))  # but for the command line in @PG

    def test_compression_level_of_realign(self):
        sizes = []
        for level in (0, 9):
            self.run_nwgpu("realign", "--compression-level", level, "-o", "out.bam", DATA / "ex1.bam", DATA / "ex1_ref.fa.gz")
            sizes.append((self.folder / "out.bam").stat().st_size)
        self.assertGreater(sizes[0], 2 * sizes[1])

    def test_bad_compression_levels(self):
        for level in ("-1", "10", "x", "1.5", ""):
            done = self.run_nwgpu("align", f"--compression-level={level}", "-o", "out.bam", "q.fa", "q.fa", code=1)
            self.assertIn("--compression-level", done.stderr, level)
        for name in ("out.tsv", "out.sam", "-"):
            done = self.run_nwgpu("align", "--compression-level", 1, "-o", name, "q.fa", "q.fa", code=1)
            self.assertIn("--compression-level goes with --format bam and cram, and with files named .gz", done.stderr, name)

    def test_realign(self):
        self.run_nwgpu("realign", "-o", "out.sam.gz", DATA / "ex1.bam", DATA / "ex1_ref.fa.gz")
        packed = (self.folder / "out.sam.gz").read_bytes()
        self.assertEqual(packed[-28:], support.bgzf(b""))
        done = self.run_nwgpu("realign", "-o", "out.paf", DATA / "ex1.bam", DATA / "ex1_ref.fa.gz", code=1)
        self.assertIn("realign writes sam, bam or cram, not paf", done.stderr)


class Parts(support.CommandTest):
    """An output has its name when it is complete, not before."""

    def setUp(self):
        super().setUp()
        self.file("q.fa", fasta(a="ACGT", b="ACGT"))
        self.file("t.fa", fasta(t="ACGT"))

    @needs_samtools
    def test_a_failed_run_leaves_the_older_file(self):
        for name in ("out.bam", "out.sam", "out.tsv", "out.paf.gz"):
            self.file(name, "older")
            done = self.run_nwgpu("align", "-o", name, "--pair", "zip", "q.fa", "t.fa", code=1)
            self.assertEqual((self.folder / name).read_text(), "older")
            self.assertIn(f"nwgpu: what was written is in {self.folder.resolve() / name}.part", done.stderr)
            self.run_nwgpu("align", "-o", name, "q.fa", "t.fa")
            self.assertNotEqual((self.folder / name).read_bytes(), b"older")
            self.assertFalse((self.folder / f"{name}.part").exists())
        self.samtools("quickcheck", "out.bam")

    def test_nothing_appears_under_the_name(self):
        self.run_nwgpu("align", "-o", "new.bam", "--pair", "zip", "q.fa", "t.fa", code=1)
        self.assertFalse((self.folder / "new.bam").exists())

    def test_a_link_stays_one(self):
        (self.folder / "real").mkdir()
        self.file("real/out.tsv", "older")
        os.symlink("real/out.tsv", self.folder / "link.tsv")
        self.run_nwgpu("align", "-o", "link.tsv", "q.fa", "t.fa")
        self.assertTrue((self.folder / "link.tsv").is_symlink())
        self.assertTrue((self.folder / "real/out.tsv").read_text().startswith("query\t"))


class Messages(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("t.fa", fasta(t="ACGTACGT"))

    def test_unknown_commands(self):
        for given, meant in (("algin", "align"), ("realing", "realign"), ("docter", "doctor")):
            self.assertIn(f"no command is called '{given}': did you mean {meant}?", self.run_nwgpu(given, code=1).stderr)
        self.assertIn("no command is called 'phylogeny' (", self.run_nwgpu("phylogeny", code=1).stderr)

    def test_sizes(self):
        for size in ("1.5G", "0.5T", "800M", "1.5gib", "20000000", "20000KB"):
            self.run_nwgpu("align", "--max-memory", size, "--plan", "t.fa", "t.fa")
        for size in ("1.5X", "G", "-1G", "1GG", "nan"):
            done = self.run_nwgpu("align", f"--max-memory={size}", "t.fa", "t.fa", code=1)
            self.assertIn(f"'{size}' is not a size", done.stderr)

    def test_control_bytes_are_escaped(self):
        self.file("bad.fa", b"\x1b[2J\x07oops\n")
        self.assertIn("found '\\x1b[2J\\x07oops'", self.run_nwgpu("align", "bad.fa", "t.fa", code=1).stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_help_that_cannot_be_written_fails(self):
        with open("/dev/full", "w") as full:
            for arguments in (["-h"], ["align", "-h"], ["realign", "-h"]):
                self.run_nwgpu(*arguments, code=1, stdout=full)


if __name__ == "__main__":
    unittest.main()
