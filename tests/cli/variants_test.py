# SPDX-License-Identifier: BSD-3-Clause
"""Real reads, aligned and realigned: bcftools calls no variant from the records that it does not call from minimap2's.

The reads lie in NWGPU_SHARED_DATA, else in shared/data beside the sources; without them the tests are skipped.
"""
import gzip
import shutil
import subprocess
import unittest

import support
from support import SHARED_DATA

READS = SHARED_DATA / "reads"
LAMBDA = "lambda_amplicon_ref.fa.gz", "lambda_amplicon_ont_r10.fastq.gz"
HUMAN = "na12878_chr22_ref.fa.gz", "na12878_chr22.fastq.gz"
SARS = "../genomes/MN908947.3_sars_cov_2.fa.gz", "sarscov2_illumina_R1.fastq.gz", "sarscov2_illumina_R2.fastq.gz"


@unittest.skipUnless(READS.is_dir(), f"no reads in {READS}: NWGPU_SHARED_DATA says where they are")
@unittest.skipUnless(shutil.which("minimap2"), "minimap2 is not installed")
@support.needs_samtools
@support.needs_bcftools
class Variants(support.CommandTest):
    def mapped(self, preset, reference, *reads):
        """minimap2's records, sorted."""
        self.file("t.fa", gzip.decompress((READS / reference).read_bytes()))
        self.reads = [READS / name for name in reads]
        with open(self.folder / "mapped.sam", "wb") as out:
            subprocess.run(["minimap2", "-a", "-x", preset, "-t", "2", "t.fa", *self.reads], cwd=self.folder,
                           check=True, stdout=out, stderr=subprocess.DEVNULL)
        self.samtools("sort", "-o", "mapped.bam", "mapped.sam")

    def variants(self, name, *options):
        def bcftools(*arguments, stdin=None):
            return subprocess.run(["bcftools", *arguments], cwd=self.folder, input=stdin, check=True,
                                  capture_output=True).stdout
        piled = bcftools("mpileup", "-O", "u", "-d", "1000", *options, "-f", "t.fa", name)
        called = bcftools("norm", "-f", "t.fa", stdin=bcftools("call", "-m", "-v", stdin=piled)).decode()
        fields = (line.split("\t") for line in called.splitlines() if not line.startswith("#"))
        return {tuple(field[i] for i in (0, 1, 3, 4)) for field in fields}

    def check(self, name, *options):
        explained, found = self.variants("mapped.bam", *options), self.variants(name, *options)
        self.assertTrue(found, "no variants: this shows nothing")
        self.assertLessEqual(found, explained)

    def check_realigned(self, *options):
        self.run_nwgpu("realign", "-o", "realigned.bam", "mapped.bam", "t.fa")
        self.samtools("sort", "-o", "out.bam", "realigned.bam")
        self.check("out.bam", *options)

    def check_aligned(self, preset, *options):
        self.run_nwgpu("align", "-x", preset, "--sort", "-o", "out.bam", *self.reads, "t.fa")
        self.check("out.bam", *options)

    def test_nanopore_reads_of_an_amplicon(self):
        self.mapped("map-ont", *LAMBDA)
        self.check_realigned("-X", "ont")
        self.check_aligned("ont", "-X", "ont")

    def test_short_reads_of_a_human(self):
        self.mapped("sr", *HUMAN)
        self.check_realigned()
        self.check_aligned("sr")

    def test_pairs_of_a_virus(self):
        """With = and X in place of M, which are weighed as runs apart, there would be two variants more."""
        self.mapped("sr", *SARS)
        self.check_realigned()


if __name__ == "__main__":
    unittest.main()
