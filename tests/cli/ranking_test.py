# SPDX-License-Identifier: BSD-3-Clause
"""Honest records: mapping qualities, primary records, limits, RNA, and what an ambiguous letter is worth."""
import json
import math
import random
import unittest

import support
from support import fasta, needs_samtools, sam_records


def letters(draw, count):
    return "".join(draw.choices("ACGT", k=count))


def reverse_complement(sequence):
    return sequence[::-1].translate(str.maketrans("ACGT", "TGCA"))


def expected_mapq(best, second, unit=2):
    """The formula of docs/conventions.md."""
    return 0 if best <= 0 else int(min(60, max(0, 40 * (1 - max(second, 0) / best) * math.log(best / unit))))


class Mapq(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.seed = random.randrange(2**32)
        self.draw = random.Random(self.seed)
        self.target = letters(self.draw, 600)
        self.file("t.fa", fasta(t=self.target))

    def sam(self, *options):
        return sam_records(self.run_nwgpu("align", "--verify", "--format", "sam", *options).stdout)

    def test_nothing_competes(self):
        self.file("q.fa", fasta(q=self.target[100:200]))
        record, = self.sam("--mode", "semiglobal", "q.fa", "t.fa")
        self.assertEqual(record["mapq"], "255")
        paf = self.run_nwgpu("align", "--mode", "semiglobal", "--format", "paf", "q.fa", "t.fa").stdout
        self.assertEqual(paf.split("\t")[11], "255")

    def test_strands(self):
        other = letters(random.Random(1), 100)
        queries = {"forward": self.target[100:200], "backward": reverse_complement(self.target[300:400]), "other": other}
        self.file("q.fa", fasta(**queries))
        self.file("r.fa", fasta(**{name: reverse_complement(query) for name, query in queries.items()}))
        for mode in ("semiglobal", "local"):
            plus = [int(row["score"]) for row in self.rows("--mode", mode, "q.fa", "t.fa")]
            minus = [int(row["score"]) for row in self.rows("--mode", mode, "r.fa", "t.fa")]
            wanted = [expected_mapq(max(pair), min(pair)) for pair in zip(plus, minus)]
            records = self.sam("--mode", mode, "--both-strands", "q.fa", "t.fa")
            self.assertEqual([int(r["mapq"]) for r in records], wanted, f"{mode} seed={self.seed}")
            lines = self.run_nwgpu("align", "--mode", mode, "--both-strands", "--format", "paf", "q.fa", "t.fa").stdout
            self.assertEqual([int(line.split("\t")[11]) for line in lines.splitlines()], wanted, f"seed={self.seed}")
            self.assertEqual(wanted[:2], [60, 60])
            self.assertLess(wanted[2], 60)

    def test_targets(self):
        """The same query among copies: no quality where a second one is as good, much where it is far away."""
        copy = list(self.target)
        copy[150] = "A" if copy[150] != "A" else "C"
        self.file("three.fa", fasta(other=letters(self.draw, 600), same=self.target, near="".join(copy)))
        self.file("q.fa", fasta(unique=self.target[100:200], twice=self.target[300:400]))
        rows = self.rows("--mode", "semiglobal", "--pair", "all", "q.fa", "three.fa")
        for how in ("best", "all"):
            records = self.sam("--mode", "semiglobal", "--pair", how, "q.fa", "three.fa")
            primary = [r for r in records if not int(r["flag"]) & 256]
            self.assertEqual([(r["qname"], r["rname"]) for r in primary], [("unique", "same"), ("twice", "same")])
            for record in primary:
                scores = sorted((int(row["score"]) for row in rows if row["query"] == record["qname"]), reverse=True)
                self.assertEqual(int(record["mapq"]), expected_mapq(*scores[:2]), f"seed={self.seed}")
            self.assertTrue(all(r["mapq"] == "0" for r in records if int(r["flag"]) & 256))
        self.assertEqual(primary[1]["mapq"], "0")
        self.assertTrue(0 < int(primary[0]["mapq"]) < 30)

    def test_parts_of_a_query_do_not_compete(self):
        query = self.target[:150] + letters(self.draw, 10)
        other = letters(self.draw, 150)
        self.file("two.fa", fasta(t=self.target, other=other))
        self.file("q.fa", fasta(q=query + other[:120]))
        first, second = self.sam("--mode", "local", "--pair", "all", "q.fa", "two.fa")
        self.assertEqual((first["flag"], first["mapq"], second["flag"]), ("0", "60", "256"), f"seed={self.seed}")

    def test_list_in_any_order(self):
        """In SAM the pairs of a query stand together, and the best is primary."""
        self.file("q.fa", fasta(a=self.target[:60], b=self.target[200:260]))
        self.file("two.fa", fasta(bad=letters(self.draw, 300), good=self.target))
        self.file("list.tsv", "b\tbad\na\tbad\nb\tgood\na\tgood\n")
        records = self.sam("--mode", "local", "--pairs", "list.tsv", "q.fa", "two.fa")
        self.assertEqual([(r["qname"], r["rname"], int(r["flag"]) & 256) for r in records],
                         [("b", "bad", 256), ("b", "good", 0), ("a", "bad", 256), ("a", "good", 0)])
        names = [(row["query"], row["target"]) for row in self.rows("--pairs", "list.tsv", "q.fa", "two.fa")]
        self.assertEqual(names, [("b", "bad"), ("a", "bad"), ("b", "good"), ("a", "good")])

    def test_batches_do_not_show(self):
        """One query with more targets than a batch holds: one primary record, the best."""
        targets = {f"t{i}": letters(self.draw, 2000) for i in range(800)}
        targets["t700"] = targets["t700"][:1000] + self.target + targets["t700"][1000:]
        self.file("many.fa", fasta(**targets))
        self.file("q.fa", fasta(q=self.target, p=self.target[:99]))
        records = self.sam("--mode", "local", "--pair", "all", "q.fa", "many.fa")
        self.assertEqual(len(records), 1600)
        self.assertEqual([(r["qname"], r["rname"], r["mapq"]) for r in records if int(r["flag"]) & 256 == 0],
                         [("q", "t700", "60"), ("p", "t700", "60")], f"seed={self.seed}")


class Limits(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(5)
        self.target = letters(self.draw, 400)
        half = self.target[:50] + letters(self.draw, 50)
        noisy = "".join("A" if i % 4 == 0 else c for i, c in enumerate(self.target[200:300]))
        self.file("q.fa", fasta(good=self.target[100:200], half=half, noisy=noisy, other=letters(self.draw, 100)))
        self.file("t.fa", fasta(t=self.target))

    def statuses(self, *options):
        return [row["status"] for row in self.rows(*options, "q.fa", "t.fa")]

    def test_statuses(self):
        local = ("--mode", "local")
        self.assertEqual(self.statuses(*local), ["ok"] * 4)
        self.assertEqual(self.statuses(*local, "--min-score", 90), ["ok", "ok", "low_score", "low_score"])
        self.assertEqual(self.statuses(*local, "--min-coverage", 0.9)[:2], ["ok", "low_coverage"])
        self.assertEqual(self.statuses("--mode", "semiglobal", "--min-identity", 0.95),
                         ["ok", "low_identity", "low_identity", "low_identity"])
        self.assertEqual(self.statuses("--mode", "semiglobal", "--score-only", "--min-score", 100), ["ok", "low_score", "low_score", "low_score"])

    def test_formats(self):
        options = ["align", "--mode", "semiglobal", "--min-score", 100]
        done = self.run_nwgpu(*options, "--format", "sam", "q.fa", "t.fa")
        records = sam_records(done.stdout)
        self.assertEqual([r["flag"] for r in records], ["0", "4", "4", "4"])
        self.assertTrue(all((r["rname"], r["pos"], r["cigar"], r["mapq"]) == ("*", "0", "*", "0") for r in records[1:]))
        self.assertIn("note: 3 of 4 alignments are below the limits that were set", done.stderr)
        self.assertEqual(len(self.run_nwgpu(*options, "--format", "paf", "q.fa", "t.fa").stdout.splitlines()), 1)
        cigars = self.run_nwgpu(*options, "--format", "cigar", "q.fa", "t.fa").stdout.splitlines()
        self.assertEqual((cigars[0], cigars[1:]), ("100=", ["*"] * 3))

    def test_what_is_below_min_score_has_no_score(self):
        def scores(*options):
            done = self.run_nwgpu("align", *options, "--format", "json", "--columns", "query,status,score", "q.fa", "t.fa")
            self.assertNotIn("warning", done.stderr)
            return [(row["query"], row["status"], row["score"]) for row in map(json.loads, done.stdout.splitlines())]

        semiglobal = ("--mode", "semiglobal", "--min-score", 100)
        low = [(name, "low_score", None) for name in ("half", "noisy", "other")]
        for options in ((), ("--score-only",)):
            self.assertEqual(scores(*semiglobal, *options), [("good", "ok", 200), *low])
        both = scores(*semiglobal, "--both-strands")  # they compete: the mapping quality needs all scores
        self.assertEqual([status for _, status, _ in both], ["ok", "low_score", "low_score", "low_score"])
        self.assertNotIn(None, [score for *_, score in both])
        top = scores("--mode", "local", "--top", 3, "--min-score", 90)
        self.assertEqual([row for row in top if row[0] != "half"], [("good", "ok", 200), *low[1:]])

    def test_note_without_limits(self):
        done = self.run_nwgpu("align", "--mode", "semiglobal", "q.fa", "t.fa")
        self.assertIn("note: 1 of 4 alignments have a score below 0", done.stderr)
        self.assertEqual(self.run_nwgpu("align", "-q", "--mode", "semiglobal", "q.fa", "t.fa").stderr, "")
        self.assertEqual(self.run_nwgpu("align", "-x", "edit", "q.fa", "t.fa").stderr, "")

    def test_one_record_says_that_a_query_has_no_place(self):
        self.file("two.fa", fasta(t=self.target, u=letters(self.draw, 300)))
        records = sam_records(self.run_nwgpu("align", "--mode", "semiglobal", "--pair", "all", "--min-score", 100,
                                             "--format", "sam", "q.fa", "two.fa").stdout)
        self.assertEqual([(r["qname"], r["flag"]) for r in records],
                         [("good", "0"), ("half", "4"), ("noisy", "4"), ("other", "4")])


class Rna(support.CommandTest):
    @needs_samtools
    def test_u_is_t(self):
        self.file("q.fa", fasta(q="ACGUUGCAUGGCAUUACGG"))
        self.file("t.fa", fasta(t="ACGUAGCAUGGCAGUUACGG"))
        self.file("dna.fa", fasta(t="ACGTAGCATGGCAGTTACGG"))
        for name in ("sam", "bam"):
            done = self.run_nwgpu("align", "-o", f"out.{name}", "q.fa", "t.fa")
            self.assertIn("note: SAM, BAM and CRAM have no U: it is written as T", done.stderr)
            record, = sam_records(self.samtools("view", f"out.{name}"))
            self.assertEqual((record["seq"], record["cigar"]), ("ACGTTGCATGGCATTACGG", "4=1X8=1D6="))
            new, = sam_records(self.samtools("calmd", f"out.{name}", "dna.fa"))
            self.assertEqual((record["tags"]["NM"], record["tags"]["MD"]), (new["tags"]["NM"], new["tags"]["MD"]))
            self.assertEqual(record["tags"]["MD"], "4A8^G6")
        self.assertNotIn("no U", self.run_nwgpu("align", "--format", "sam", "dna.fa", "dna.fa").stderr)

    def test_md_of_rna_targets(self):
        self.file("q.fa", fasta(q="ACGAACGUACG"))
        self.file("t.fa", fasta(t="ACGUACGUUACG"))
        record, = sam_records(self.run_nwgpu("align", "--format", "sam", "q.fa", "t.fa").stdout)
        self.assertNotIn("U", record["tags"]["MD"])


class Ambiguous(support.CommandTest):
    def score(self, query, target, *options):
        self.file("q.fa", fasta(q=query))
        self.file("t.fa", fasta(t=target))
        row, = self.rows("--verify", "--dna", *options, "q.fa", "t.fa")
        return int(row["score"])

    def test_costs(self):
        for letter in "NRYSWKMBDHVn":
            for other in ("A", letter):
                self.assertEqual(self.score(f"ACGT{letter}ACGT", f"ACGT{other}ACGT"), 15)
                self.assertEqual(self.score(f"ACGT{letter}ACGT", f"ACGT{other}ACGT", "--ambiguous", 3), 13)
            self.assertEqual(self.score(f"ACGT{letter}ACGT", f"ACGT{letter}ACGT", "--ambiguous", "match"), 18)
        self.assertEqual(self.score("ACGTNACGT", "ACGTAACGT", "--ambiguous", "match"), 12)
        self.assertEqual(self.score("ACGTNACGT", "ACGTAACGT", "-B", 0), 16)  # never more than a mismatch
        self.assertEqual(self.score("ACGTUACGT", "ACGTTACGT"), 18)

    def test_gaps_of_assemblies_do_not_align(self):
        draw = random.Random(3)
        first, second = letters(draw, 50), letters(draw, 60)
        self.file("q.fa", fasta(q=first + "N" * 1000 + second))
        self.file("t.fa", fasta(t=second + "N" * 1000 + first))
        rows = self.rows("--verify", "--mode", "local", "--top", 2, "q.fa", "t.fa")
        self.assertEqual([(row["score"], row["cigar"]) for row in rows], [("120", "60="), ("100", "50=")])
        old, = self.rows("--ambiguous", "match", "--mode", "local", "q.fa", "t.fa")
        self.assertGreater(int(old["score"]), 1990)

    def test_one_scoring_in_all_batches(self):
        """Records without ambiguous letters have the scores that they have beside those with some."""
        draw = random.Random(4)
        plain = {f"p{i}": letters(draw, 300) for i in range(20)}
        self.file("t.fa", fasta(t=letters(draw, 300)))
        self.file("plain.fa", fasta(**plain))
        self.file("mixed.fa", fasta(n="ACGNN") + fasta(**plain))
        self.assertEqual(self.rows("mixed.fa", "t.fa")[1:], self.rows("plain.fa", "t.fa"))


if __name__ == "__main__":
    unittest.main()
