# SPDX-License-Identifier: BSD-3-Clause
"""Whole outputs on real data, byte for byte.  They hold on every machine, because CIGARs follow one tie rule.

NWGPU_RENEW_GOLDEN=1 writes them anew; look at the difference before committing it.
"""
import gzip
import os
import re
import unittest

import support
from support import DATA, GOLDEN

COW, PIG = DATA / "ortholog_pairs_cow.faa.gz", DATA / "ortholog_pairs_pig.faa.gz"
HUMAN, ORANG = DATA / "mt_human.fa.gz", DATA / "mt_orang.fa.gz"


class Golden(support.CommandTest):
    def check(self, name, *arguments):
        text = self.run_nwgpu(*arguments).stdout
        # What is not the same everywhere: version and command line.
        text = re.sub(r"\tVN:\d\S*\tCL:[^\n]*", "", text)
        text = re.sub(r"# Program: nwgpu .*\n# Commandline: .*\n", "# Program: nwgpu\n", text)
        if os.environ.get("NWGPU_RENEW_GOLDEN"):
            (GOLDEN / name).write_text(text)
        self.assertEqual(text, (GOLDEN / name).read_text(), f"{name}: {arguments}")

    def test_proteins_tsv(self):
        self.check("proteins.tsv", "align", "--verify", "--pair", "zip", COW, PIG)

    def test_proteins_best(self):
        self.check("proteins_best.tsv", "align", "--score-only", "--pair", "best", COW, PIG)

    def test_proteins_pair(self):
        self.file("list.tsv", "ref|XP_024839253.1|\tref|XP_020955778.1|\nref|XP_005213177.2|\tref|XP_020937885.1|\n")
        self.check("proteins.pair", "align", "--pairs", "list.tsv", "--format", "pair", COW, PIG)

    def test_mitochondria_paf(self):
        self.check("mitochondria.paf", "align", "--verify", "--format", "paf", "--cs", HUMAN, ORANG)

    def test_mitochondria_local(self):
        self.check("mitochondria_local.tsv", "align", "--verify", "--mode", "local", "-B", 8, "--cigar-style", "m", HUMAN, ORANG)

    def test_hiv_top(self):
        strains = support.read_fasta(gzip.decompress((DATA / "hiv1_five_strains.fa.gz").read_bytes()).decode())
        self.file("hxb2.fa", support.fasta(HXB2=strains.pop("HXB2")))
        self.file("other.fa", support.fasta(**dict(list(strains.items())[:1])))
        self.check("hiv_top.tsv", "align", "--verify", "--mode", "local", "--top", 12, "other.fa", "hxb2.fa")

    def test_hiv_sam(self):
        strains = support.read_fasta(gzip.decompress((DATA / "hiv1_five_strains.fa.gz").read_bytes()).decode())
        self.file("hxb2.fa", support.fasta(HXB2=strains.pop("HXB2")))
        self.file("others.fa", support.fasta(**strains))
        self.check("hiv.sam", "align", "--verify", "--mode", "overlap", "--both-strands", "--format", "sam", "others.fa",
                   "hxb2.fa")

    def test_realign_sam(self):
        records = self.run_nwgpu("realign", "--cigar-style", "eqx", DATA / "ex1.bam",
                                 DATA / "ex1_ref.fa.gz").stdout.splitlines(keepends=True)
        self.file("reads.sam", "".join(record for record in records[:150] if not record.startswith("@PG")))
        self.check("realign.sam", "realign", "--mode", "semiglobal", "--margin", 5, "reads.sam", DATA / "ex1_ref.fa.gz")


if __name__ == "__main__":
    unittest.main()
