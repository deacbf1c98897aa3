# SPDX-License-Identifier: BSD-3-Clause
"""Every output format: fields against an independent computation, and what samtools says."""
import gzip
import re
import unittest

import support
from support import affine_score, columns, edits_and_md, fasta, needs_samtools, sam_records

TARGET = "GGATTACAGATTACACCGTAGGCTAACGTTNNAC"
QUERIES = {"same": TARGET, "short": "GATTACACGTAGGCT", "other": "CCCCCCCC", "reverse": "GTTNNAACGTTAGCCTACGGTGTA",
           "ambiguous": "ACGTTNNAC", "lower": "ggattacagattac"}


class Case(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("q.fa", fasta(**QUERIES))
        self.file("t.fa", fasta(target=TARGET))

    def align(self, *arguments, **options):
        return self.run_nwgpu("align", "--verify", *arguments, "q.fa", "t.fa", **options).stdout


class Paf(Case):
    def test_fields(self):
        lines = self.align("--mode", "local", "--both-strands", "--format", "paf", "--cs").splitlines()
        self.assertEqual(len(lines), len(QUERIES))
        for line in lines:
            fields = line.split("\t")
            tags = {tag[:2]: tag[5:] for tag in fields[12:]}
            query = QUERIES[fields[0]]
            self.assertEqual((int(fields[1]), int(fields[6]), fields[5]), (len(query), len(TARGET), "target"))
            begin, end, target_begin, target_end = (int(fields[i]) for i in (2, 3, 7, 8))
            if fields[4] == "-":
                query = query[::-1].translate(str.maketrans("ACGT", "TGCA"))
                begin, end = len(query) - end, len(query) - begin
            aligned = list(columns(tags["cg"], query, TARGET, begin, target_begin))
            self.assertEqual(sum(a != "-" for a, _ in aligned), end - begin)
            self.assertEqual(sum(b != "-" for _, b in aligned), target_end - target_begin)
            edits, _ = edits_and_md(aligned)
            self.assertEqual(int(fields[9]), len(aligned) - edits)
            self.assertEqual(int(fields[10]), len(aligned))
            self.assertEqual(int(tags["NM"]), edits)
            self.assertEqual(int(tags["AS"]), affine_score(aligned))
            self.assertEqual(self.expand_cs(tags["cs"]), len(aligned))
        self.assertEqual([line.split("\t")[4] for line in lines][3], "-")

    def expand_cs(self, cs):
        """The number of columns of a cs tag."""
        parts = re.findall(r":(\d+)|\*([a-z][a-z])|\+([a-z]+)|-([a-z]+)", cs)
        self.assertEqual("".join((f":{m}" if m else f"*{s}" if s else f"+{i}" if i else f"-{d}") for m, s, i, d in parts), cs)
        return sum(int(m) if m else 1 if s else len(i or d) for m, s, i, d in parts)

    def test_gap_compressed_divergence(self):
        self.file("q.fa", fasta(q="A" * 10 + "C" * 10))
        self.file("t.fa", fasta(t="A" * 10 + "GGG" + "C" * 10))
        self.assertIn("NM:i:3\tAS:i:30\tde:f:0.0476\tcg:Z:10=3D10=", self.align("--format", "paf"))


class Sam(Case):
    def check(self, text, options=()):
        records = sam_records(text)
        for record in records:
            query = record["seq"]
            if record["flag"] == "4":
                self.assertEqual((record["rname"], record["pos"], record["mapq"], record["cigar"]), ("*", "0", "0", "*"))
                continue
            aligned = list(columns(record["cigar"], query, TARGET, 0, int(record["pos"]) - 1))
            letters = sum(n for n, op in support.runs(record["cigar"]) if op in "MIS=X")
            self.assertEqual(letters, len(query))
            edits, md = edits_and_md(aligned)
            self.assertEqual((record["tags"]["NM"], record["tags"]["MD"]), (str(edits), md))
            self.assertIn(int(record["mapq"]), range(61))
        return records

    def test_records(self):
        for mode in ("global", "local", "semiglobal", "overlap", "extend", "extend-left",
                     "extend-to-end"):
            records = self.check(self.align("--mode", mode, "--both-strands", "--format", "sam"))
            self.assertEqual([record["qname"] for record in records], list(QUERIES))
        local = self.check(self.align("--mode", "local", "--both-strands", "--format", "sam"))
        self.assertEqual(local[3]["flag"], "16")
        self.assertIn("S", local[1]["cigar"] + local[2]["cigar"])

    def test_what_an_extension_leaves_is_clipped(self):
        """As a local alignment does; where nothing is aligned, the read is unmapped."""
        for mode, query, target, where in (("extend", "ACGTACGTCCC", "ACGTACGTGGGG", ("1", "8=3S")),
                                           ("extend-left", "CCCACGTACGT", "GGGGACGTACGT", ("5", "3S8="))):
            self.file("q.fa", fasta(some=query, none="TATATTTA"))
            self.file("u.fa", fasta(u=target))
            for other in (mode, "local"):
                text = self.run_nwgpu("align", "--mode", other, "--format", "sam", "q.fa", "u.fa").stdout
                some, none = sam_records(text)
                self.assertEqual((some["flag"], some["pos"], some["cigar"], some["seq"]), ("0", *where, query))
                self.assertEqual(some["tags"]["NM"], "0")
                if other != "local":
                    self.assertEqual((none["flag"], none["cigar"], none["seq"]), ("4", "*", "TATATTTA"))

    def test_header(self):
        lines = self.align("--format", "sam", "--rg", r"ID:a\tSM:b").splitlines()
        self.assertEqual(lines[0], "@HD\tVN:1.6\tSO:unsorted")
        self.assertEqual(lines[1], f"@SQ\tSN:target\tLN:{len(TARGET)}")
        self.assertEqual(lines[2], "@RG\tID:a\tSM:b")
        self.assertRegex(lines[3], r"^@PG\tID:nwgpu\tPN:nwgpu\tVN:\d+\.\d+\.\d+\tCL:.*nwgpu align .*q\.fa t\.fa$")
        self.assertTrue(all(line.endswith("\tRG:Z:a") for line in lines[4:]))

    def test_quality_follows_the_strand(self):
        self.file("q.fq", "@forward\nGGATT\n+\nABCDE\n@reverse\nAATCC\n+\nABCDE\n")
        text = self.run_nwgpu("align", "--mode", "semiglobal", "--both-strands", "--format", "sam", "q.fq", "t.fa").stdout
        forward, reverse = sam_records(text)
        self.assertEqual((forward["flag"], forward["seq"], forward["qual"]), ("0", "GGATT", "ABCDE"))
        self.assertEqual((reverse["flag"], reverse["seq"], reverse["qual"]), ("16", "GGATT", "EDCBA"))

    def test_nothing_aligned_is_unmapped(self):
        self.file("q.fa", fasta(q="AAAA"))
        self.file("c.fa", fasta(t="CCCC"))
        record, = sam_records(self.run_nwgpu("align", "--mode", "local", "--format", "sam", "q.fa", "c.fa").stdout)
        self.assertEqual((record["flag"], record["cigar"], record["seq"]), ("4", "*", "AAAA"))

    def test_all_pairs_give_one_primary_record(self):
        self.file("two.fa", fasta(t1="ACGT", t2="ACGA"))
        text = self.run_nwgpu("align", "--pair", "all", "--format", "sam", "two.fa", "two.fa").stdout
        self.assertEqual([(r["qname"], r["rname"], r["flag"]) for r in sam_records(text)],
                         [("t1", "t1", "0"), ("t1", "t2", "256"), ("t2", "t1", "256"), ("t2", "t2", "0")])

    def test_all_pairs_on_both_strands_give_one_primary_record(self):
        """The strands of a query are one query: of each one record is primary, whichever strand it is of."""
        self.file("q.fa", fasta(q1="AACCGTTAGG", q2="TCATTGCGAA"))
        self.file("t.fa", fasta(t1="AACCGTTAGG", t2="CCTAACGGTT", t3="TTCGCAATGA"))  # t2, t3: q1, q2 reversed
        text = self.run_nwgpu("align", "--verify", "--pair", "all", "--both-strands", "--mode", "local", "--format",
                              "sam", "q.fa", "t.fa").stdout
        records = sam_records(text)
        self.assertEqual([(r["qname"], r["rname"]) for r in records],
                         [(q, t) for q in ("q1", "q2") for t in ("t1", "t2", "t3")])
        self.assertEqual([(records[i]["flag"], records[i]["cigar"]) for i in (0, 1, 5)],
                         [("0", "10="), ("272", "10="), ("16", "10=")])
        for q in ("q1", "q2"):
            self.assertEqual(sum(not int(r["flag"]) & 256 for r in records if r["qname"] == q), 1)

    def test_the_best_of_a_pair_are_secondary(self):
        self.file("r.fa", fasta(r="GAAC"))
        self.file("s.fa", fasta(s="GAAAAC"))
        arguments = ["align", "--verify", "--mode", "local", "--top", 3]
        text = self.run_nwgpu(*arguments, "--format", "sam", "r.fa", "s.fa").stdout
        self.assertEqual([(r["flag"], r["pos"], r["cigar"]) for r in sam_records(text)],
                         [("0", "1", "3=1S"), ("256", "4", "1S3="), ("256", "3", "1S2=1S")])
        lines = self.run_nwgpu(*arguments, "--format", "paf", "r.fa", "s.fa").stdout.splitlines()
        self.assertEqual([line.split("\t")[7:9] for line in lines], [["0", "3"], ["3", "6"], ["2", "4"]])

    def test_scores_beyond_32_bits(self):
        text = self.align("-A", 1 << 30, "--ambiguous", "match", "--format", "sam")
        record = sam_records(text)[0]
        self.assertNotIn("AS", record["tags"])
        self.assertEqual(int(record["tags"]["zs"]), len(TARGET) << 30)

    def test_protein(self):
        self.file("p.fa", fasta(p="MKVLAAGWWF*"))
        record, = sam_records(self.run_nwgpu("align", "--format", "sam", "p.fa", "p.fa").stdout)
        self.assertEqual((record["cigar"], record["seq"]), ("11=", "MKVLAAGWWFX"))

    @needs_samtools
    def test_samtools_reads_all(self):
        options = ["--mode", "semiglobal", "--both-strands"]
        for name in ("sam", "bam", "cram"):
            self.align(*options, "-o", f"out.{name}")
            self.samtools("quickcheck", "-v", f"out.{name}")
        sam, bam = self.samtools("view", "out.sam"), self.samtools("view", "out.bam")
        self.assertEqual(sam, bam)
        self.check(sam)
        # CRAM does not keep = and X.
        cram = [line.split("\t")[:5] for line in self.samtools("view", "out.cram").splitlines()]
        self.assertEqual(cram, [line.split("\t")[:5] for line in sam.splitlines()])

    @needs_samtools
    def test_many_runs(self):
        """More than 65535 CIGAR runs: htslib puts them into the CG tag and back."""
        self.file("q.fa", fasta(q="ACGTT" * 40000))
        self.file("t.fa", fasta(t="ACGTA" * 40000))
        self.run_nwgpu("align", "-o", "out.bam", "q.fa", "t.fa")
        self.samtools("quickcheck", "-v", "out.bam")
        record, = sam_records(self.samtools("view", "out.bam"))
        self.assertEqual(record["cigar"], "4=1X" * 40000)


class OtherFormats(Case):
    def test_cigar(self):
        lines = self.align("--format", "cigar").splitlines()
        self.assertEqual(lines[0], f"{len(TARGET)}=")
        self.assertEqual(lines, [row["cigar"] for row in self.rows("q.fa", "t.fa")])

    def test_suffix_chooses_the_format(self):
        self.align("-o", "out.paf")
        self.assertEqual((self.folder / "out.paf").read_text(), self.align("--format", "paf"))
        self.align("-o", "out")
        self.assertEqual((self.folder / "out").read_text(), self.align())

    def test_pair_is_laid_out_as_emboss_does(self):
        """An alignment that EMBOSS needle printed (EMBOSS documentation, IXI_234 x IXI_236)."""
        first = ("TSPASIRPPAGPSSRPAMVSSRRTRPSPPGPRRPTGRPCCSAAPRRPQATGGWKTCSGTCTTSTSTRHRGRSGWSARTTTAACLRASRKSMRAACSRSAG"
                 "SRPNRFAPTLMSSCITSTTGPPAWAGDRSHE")
        second = ("TSPASIRPPAGPSSRPAMVSSRRPSPPPPRRPPGRPCCSAAPPRPQATGGWKTCSGTCTTSTSTRHRGRSGWSARTTTAACLRASRKSMRAACSRG"
                  "SRPPRFAPPLMSSCITSTTGPPPPAGDRSHE")
        self.file("a.fa", fasta(IXI_234=first))
        self.file("b.fa", fasta(IXI_236=second))
        text = self.run_nwgpu("align", "--protein", "-O", 9, "--format", "pair", "a.fa", "b.fa").stdout
        for line in ("# Aligned_sequences: 2", "# 1: IXI_234", "# 2: IXI_236", "# Matrix: BLOSUM62", "# Gap_penalty: 10.0",
                     "# Extend_penalty: 1.0", "# Length: 131", "# Identity:     120/131 (91.6%)",
                     "# Similarity:   120/131 (91.6%)", "# Gaps:           4/131 ( 3.1%)", "# Score: 617.0"):
            self.assertIn(line + "\n", text)
        self.assertIn("\n"
                      "IXI_234           51 GGWKTCSGTCTTSTSTRHRGRSGWSARTTTAACLRASRKSMRAACSRSAG    100\n"
                      "                     |||||||||||||||||||||||||||||||||||||||||||||||  |\n"
                      "IXI_236           49 GGWKTCSGTCTTSTSTRHRGRSGWSARTTTAACLRASRKSMRAACSR--G     96\n"
                      "\n"
                      "IXI_234          101 SRPNRFAPTLMSSCITSTTGPPAWAGDRSHE    131\n"
                      "                     |||.||||.|||||||||||||..|||||||\n"
                      "IXI_236           97 SRPPRFAPPLMSSCITSTTGPPPPAGDRSHE    127\n"
                      "\n", text)

    def test_pair_counts_reverse_positions_down(self):
        self.file("q.fa", fasta(q="TAATCCGG"))
        text = self.align("--mode", "local", "--both-strands", "--format", "pair")
        self.assertIn("q                  6 GGATTA      1\n", text)


class Inputs(Case):
    def test_compressed_inputs_are_the_same(self):
        plain = self.align()
        data = (self.folder / "q.fa").read_bytes()
        self.file("q.fa", gzip.compress(data))
        self.assertEqual(self.align(), plain)
        self.file("q.fa", support.bgzf(data))
        self.assertEqual(self.align(), plain)
        self.file("q.fa", gzip.compress(data[:100]) + gzip.compress(data[100:]))
        self.assertEqual(self.align(), plain)

    def test_lines_of_any_kind(self):
        plain = self.align()
        wrapped = "".join(f"> {name} and > more\r\n" + "".join(letters[i:i + 7] + "\r\n" for i in range(0, len(letters), 7))
                          + "\r\n" for name, letters in QUERIES.items())
        self.file("q.fa", wrapped)
        self.assertEqual(self.align(), plain)
        self.file("q.fa", wrapped.rstrip())
        self.assertEqual(self.align(), plain)

    def test_wrapped_fastq(self):
        plain = self.align()
        self.file("q.fa", "".join(f"@{name}\n{letters[:9]}\n{letters[9:]}\n+{name}\n{'@' * len(letters[:9])}\n"
                                  f"{'+' * len(letters[9:])}\n" for name, letters in QUERIES.items()))
        self.assertEqual(self.align(), plain)

    def test_real_fastq_style(self):
        self.file("q.fa", "@a 1:N:0\nACGT\n+\nIIII\n\n@b\n\n+\n\n@c\nAC\n+\n@I\n")
        self.assertEqual([row["query"] for row in self.rows("q.fa", "t.fa")], ["a", "b", "c"])


if __name__ == "__main__":
    unittest.main()
