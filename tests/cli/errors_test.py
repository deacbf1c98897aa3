# SPDX-License-Identifier: BSD-3-Clause
"""Bad input, bad options and full disks: a clear message, the right exit code, nothing written lost."""
import gzip
import os
import unittest

import support
from support import DATA, bgzf, fasta


class BadInput(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("t.fa", fasta(t="ACGTACGT"))

    def fails(self, message, *arguments, command="align"):
        """Exit code 1, one line on stderr that holds `message`; returns standard output."""
        done = self.run_nwgpu(command, *arguments, code=1)
        self.assertRegex(done.stderr.splitlines()[-1], r"^nwgpu: error: .*")
        self.assertIn(message, done.stderr)
        return done.stdout

    def query_fails(self, content, message, name="q.fa", *options):
        return self.fails(message, *options, self.file(name, content), "t.fa")

    def test_empty_file(self):
        self.query_fails("", "q.fa: the file is empty")

    def test_no_records(self):
        self.query_fails("\n\n", "q.fa: no records")

    def test_no_name(self):
        self.query_fails(">a\nAC\n>  \nAC\n", "q.fa:3: '>' without a name")

    def test_not_fasta(self):
        self.query_fails("hello\n", "q.fa:1: a record begins with '>' (FASTA) or '@' (FASTQ); found 'hello'")

    def test_missing_file(self):
        self.fails("no.fa: No such file", "no.fa", "t.fa")
        self.fails(".: Is a directory", ".", "t.fa")

    def test_letter_outside_the_alphabet(self):
        """Its pair has a status, and the others are aligned."""
        def warned(content, message, *options):
            self.file("q.fa", content)
            done = self.run_nwgpu("align", *options, "q.fa", "t.fa", code=2)
            name = content[1]
            self.assertIn(f"warning: pair '{name}' x 't': q.fa:1: record '{name}': {message}", done.stderr)
            return [line.split("\t")[2] for line in done.stdout.splitlines()[1:]]
        statuses = warned(">b\nACGT\nACJT\n>a\nACGT\n>c\nAC\n", "letter 'J' at position 7 is not in the DNA alphabet (--mask", "--dna")
        self.assertEqual(statuses, ["invalid_sequence", "ok", "ok"])
        warned(">a\nACG\x07\n", "byte 0x07 at position 4", "--dna")
        warned(">p\nMKVW7L\n", "letter '7' at position 5 is not in the protein alphabet", "--protein", "-A", 2)
        warned(">a\nACG--TACGT\n", "gap characters in the input: letter '-' at position 4; align sequences without gaps")

    def test_bad_target(self):
        """Each pair of it fails, no other; of competing targets the good one wins."""
        self.file("q.fa", fasta(q="ACGTACGT"))
        self.file("two.fa", fasta(bad="ACGTACJT", good="ACGTTCGT"))
        done = self.run_nwgpu("align", "--dna", "--pair", "all", "q.fa", "two.fa", code=2)
        self.assertEqual([line.split("\t")[1:3] for line in done.stdout.splitlines()[1:]],
                         [["bad", "invalid_sequence"], ["good", "ok"]])
        self.assertIn("two.fa:1: record 'bad': letter 'J'", done.stderr)
        done = self.run_nwgpu("align", "--dna", "--pair", "best", "q.fa", "two.fa")
        self.assertIn("q\tgood\tok\t", done.stdout)

    def test_dna_against_protein(self):
        self.file("dna.fa", fasta(d="ACGTTGCANNACGT"))
        self.file("p.fa", fasta(p="MKVLAAGWWFEQ"))
        for pair, words in ((("dna.fa", "p.fa"), "query looks like DNA, the first target like a protein"),
                            (("p.fa", "dna.fa"), "query looks like a protein, the first target like DNA")):
            self.fails(words, *pair)
            self.run_nwgpu("align", "--protein", *pair)
        self.file("peptide.fa", fasta(p="GAT"))
        self.run_nwgpu("align", "peptide.fa", "p.fa")
        self.fails("--matrix BLOSUM62 is of proteins, but --dna", "--dna", "--matrix", "BLOSUM62", "t.fa", "t.fa")
        self.fails("--matrix EDNAFULL is of DNA, but --protein", "--protein", "--matrix", "EDNAFULL", "t.fa", "t.fa")
        done = self.run_nwgpu("align", "--matrix", "BLOSUM62", "t.fa", "t.fa")
        self.assertIn("the sequences look like DNA, matrix BLOSUM62 is of proteins", done.stderr)

    def test_options_that_formats_cannot_honour(self):
        self.fails("--cs goes with --format paf, not tsv", "--cs", "t.fa", "t.fa")
        self.fails("--rg goes with --format sam, bam and cram, not paf", "--rg", "ID:a", "--format", "paf", "t.fa", "t.fa")
        done = self.run_nwgpu("align", "--cigar-style", "eqx", "-o", "out.cram", "t.fa", "t.fa")
        self.assertIn("warning: CRAM does not keep = and X", done.stderr)
        self.fails("--ambiguous x: must be a cost", "--ambiguous", "x", "t.fa", "t.fa")
        self.fails("--ambiguous is for DNA", "--ambiguous", "match", "--protein", "t.fa", "t.fa")
        self.fails("need alignments", "--score-only", "--min-identity", "0.5", "t.fa", "t.fa")
        self.fails("not in range", "--min-identity", "90", "t.fa", "t.fa")

    def test_fastq(self):
        self.query_fails("@a\nACGT\n+\nII\n@b\nAC\n+\nII\n", "q.fq:4: quality has 2 letters, the sequence of line 2 has 4", "q.fq")
        self.query_fails("@a\nACGT\n+\nIIIII\n", "quality has 5 letters", "q.fq")
        self.query_fails("@a\nACGT\n+\n", "quality has 0 letters", "q.fq")
        self.query_fails("@a\nACGT\n", "q.fq:2: the file ends within a FASTQ record", "q.fq")
        self.query_fails("@a\nAC\n+\nI\x01\n", "quality letters must lie between", "q.fq")

    def test_truncated_gzip(self):
        packed = gzip.compress(fasta(**{f"r{i}": "ACGTTGCA" * 9 for i in range(99)}).encode() + os.urandom(999))
        self.query_fails(packed[:-200], "q.fa.gz: truncated or damaged", "q.fa.gz")
        broken = bytearray(bgzf(fasta(r="ACGT" * 500).encode()))
        broken[40] ^= 0xFF
        self.query_fails(bytes(broken), "q.fa.gz: truncated or damaged", "q.fa.gz")

    def test_truncated_bgzf(self):
        data = fasta(r="ACGT" * 500).encode()
        self.query_fails(bgzf(data, end=False), "q.fa.gz: truncated file: the bgzf end-of-file block is missing", "q.fa.gz")
        self.query_fails(bgzf(data)[:-60], "q.fa.gz: truncated", "q.fa.gz")

    def test_unequal_numbers(self):
        self.file("q.fa", fasta(a="AC", b="AC"))
        out = self.fails("t.fa: ends after record 1, but q.fa has more", "--pair", "zip", "q.fa", "t.fa")
        self.assertEqual(out.count("\n"), 2)

    def test_which_pairs(self):
        self.file("q.fa", fasta(a="AC", b="AC"))
        self.fails("say --pair zip, all or best", "q.fa", "q.fa")

    def test_pairs_file(self):
        self.file("list.tsv", "t\tt\nt\tx\n")
        self.fails("list.tsv:2: no target is named 'x'", "--pairs", "list.tsv", "t.fa", "t.fa")
        self.file("list.tsv", "t t\n")
        self.fails("list.tsv:1: a line must be", "--pairs", "list.tsv", "t.fa", "t.fa")
        self.file("twice.fa", fasta(a="AC") + fasta(a="AC"))
        self.fails("two records are named 'a'", "--pairs", "list.tsv", "twice.fa", "t.fa")

    def test_sam_names(self):
        self.file("twice.fa", fasta(a="AC") + fasta(a="AC"))
        self.fails("two queries are named 'a'", "--format", "sam", "twice.fa", "t.fa")
        self.fails("two targets are named 'a'", "--format", "sam", "t.fa", "twice.fa")
        self.query_fails(fasta(**{"q" * 255: "AC"}), "SAM names have 1 to 254", "q.fa", "--format", "sam")
        self.file("strange.fa", fasta(**{"a,b": "AC"}))
        self.fails("target 'a,b': not a name that SAM allows", "--format", "sam", "t.fa", "strange.fa")

    def test_what_formats_cannot_hold(self):
        self.file("empty.fa", ">e\n")
        self.fails("has 0 letters: SAM holds", "--format", "sam", "t.fa", "empty.fa")
        for name in ("bam", "cram"):
            self.fails("cannot hold protein letters: use --format sam", "--protein", "--format", name, "t.fa", "t.fa")
        self.fails("--score-only goes with --format tsv", "--score-only", "--format", "paf", "t.fa", "t.fa")

    def test_matrix_file(self):
        self.file("m.txt", "  A C\nA 1 2\n")
        self.fails("--matrix m.txt: line 2", "--matrix", "m.txt", "t.fa", "t.fa")
        self.fails("built-in matrix: BLOSUM45", "--matrix", "NOSUCH", "t.fa", "t.fa")

    def test_algorithm(self):
        self.fails("no algorithm is called 'cpu9'", "--algorithm", "cpu9", "t.fa", "t.fa")
        self.fails("takes linear gaps only: gap_open must be 0, it is 4", "--algorithm", "cpu1-st-row", "t.fa", "t.fa")
        for mode in ("overlap", "extend", "extend-left"):
            self.fails("without free ends and extension", "--algorithm", "swat-serial", "--mode", mode, "t.fa", "t.fa")
        self.fails("cpu3-st-diagrow: rows (rows of a tile) must be a number from 1", "--algorithm", "cpu3-st-diagrow:rows=0", "t.fa", "t.fa")

    def test_reads(self):
        bam = (DATA / "ex1.bam").read_bytes()
        (self.folder / "cut.bam").write_bytes(bam[:-28])
        self.fails("cut.bam: truncated file: the end-of-file block is missing", "cut.bam", DATA / "ex1_ref.fa.gz",
                   command="realign")
        self.fails("t.fa: no record 'chr1', to which reads are mapped", DATA / "ex1.bam", "t.fa", command="realign")
        self.fails("no.fa: No such file", DATA / "ex1.bam", "no.fa", command="realign")
        self.fails("not a SAM, BAM or CRAM file", "t.fa", "t.fa", command="realign")
        self.file("r.sam", "@SQ\tSN:t\tLN:9\nr\t0\tt\t1\t9\t2M\t*\t0\t0\tAC\t*\n")
        self.fails("'t' has 8 letters, the reads' header says 9", "r.sam", "t.fa", command="realign")
        self.file("r.sam", "@SQ\tSN:t\tLN:8\nr\t0\tt\t8\t9\t2M\t*\t0\t0\tAC\t*\n")
        self.fails("mapped beyond the end", "r.sam", "t.fa", command="realign")
        self.file("r.sam", "@SQ\tSN:t\tLN:8\nr\t0\tt\t1\t9\t2M\t*\t0\t0\tACG\t*\n")
        self.fails("r.sam:2: record 1 is damaged", "r.sam", "t.fa", command="realign")


class BadUsage(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("t.fa", fasta(t="ACGTACGT"))

    def fails(self, message, *arguments):
        self.assertIn(message, self.run_nwgpu(*arguments, code=1).stderr)

    def test_options(self):
        pair = ["t.fa", "t.fa"]
        self.fails("subcommand is required")
        self.fails("QUERY is required", "align")
        self.fails("TARGET is required", "align", "t.fa")
        self.fails("--mode", "align", "--mode", "nonsense", *pair)
        self.fails("not in range", "align", "-B", "-4", *pair)
        self.fails("not in range", "align", "-O", "1073741825", *pair)
        self.fails("not in range", "align", "-E", "99999999999999999999", *pair)
        self.fails("excludes", "align", "-A", "3", "--matrix", "BLOSUM62", *pair)
        self.fails("excludes", "align", "--mode", "local", "--free-ends", "query-end", *pair)
        self.fails("LOWER not above UPPER", "align", "--band", "3,2", *pair)
        self.fails("--band", "align", "--band", "3", *pair)
        self.fails("--top goes with --mode local", "align", "--top", "2", *pair)
        self.fails("not in range", "align", "--mode", "local", "--top", "0", *pair)
        self.fails("--top goes with neither", "align", "--mode", "local", "--top", "2", "--both-strands", *pair)
        self.fails("only one of QUERY and TARGET", "align", "-", "-")
        self.fails("-o t.fa is an input file", "align", "-o", "t.fa", *pair)
        self.fails("--both-strands is for DNA", "align", "--protein", "--both-strands", *pair)
        self.fails("--rg needs one line with an ID", "align", "--format", "sam", "--rg", "SM:x", *pair)
        self.fails("must be auto, cpu, cuda, cuda:N, cuda:N,M or all", "align", "--device", "gpu", *pair)
        self.fails("must be device numbers", "align", "--device", "cuda:x", *pair)
        self.fails("--margin needs free target ends", "realign", "--margin", "5", *pair)
        self.fails("--margin", "realign", "--mode", "semiglobal", "--margin=-5", *pair)
        self.assertEqual((self.folder / "t.fa").read_text(), fasta(t="ACGTACGT"))

    def test_a_gpu_asked_for_by_name_is_not_replaced(self):
        doctor = self.run_nwgpu("doctor").stdout
        if "not used" not in doctor:
            self.skipTest("there is a GPU")
        self.fails("nwgpu doctor", "align", "--device", "cuda", "t.fa", "t.fa")

    def test_help_and_version(self):
        self.assertRegex(self.run_nwgpu("--version").stdout, r"^nwgpu \d+\.\d+\.\d+")
        for command in ("align", "realign"):
            help_text = self.run_nwgpu(command, "-h").stdout
            self.assertIn("Examples:", help_text)
            self.assertIn("Exit codes:", help_text)


class BadOutput(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("t.fa", fasta(t="ACGTACGT"))

    def test_unwritable(self):
        done = self.run_nwgpu("align", "-o", "no/such/folder.tsv", "t.fa", "t.fa", code=1)
        self.assertIn("no/such/folder.tsv: No such file or directory", done.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        for name in ("tsv", "paf", "sam", "bam", "cram", "cigar", "pair"):
            done = self.run_nwgpu("align", "-o", "/dev/full", "--format", name, "t.fa", "t.fa", code=1)
            self.assertIn("/dev/full: No space left on device", done.stderr, name)
            with open("/dev/full", "w") as full:
                done = self.run_nwgpu("align", "--format", name, "t.fa", "t.fa", code=1, stdout=full)
            self.assertIn("standard output: No space left on device", done.stderr, name)
        with open("/dev/full", "w") as full:
            self.run_nwgpu("doctor", code=1, stdout=full)
            self.run_nwgpu("--version", code=1, stdout=full)
            self.run_nwgpu("realign", DATA / "ex1.bam", DATA / "ex1_ref.fa.gz", code=1, stdout=full)


if __name__ == "__main__":
    unittest.main()
