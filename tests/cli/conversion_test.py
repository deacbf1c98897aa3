# SPDX-License-Identifier: BSD-3-Clause
"""Formats for other programs, and reads with their tags: judged by bcftools, samtools and Biopython where they are."""
import importlib.util
import json
import random
import shutil
import subprocess
import unittest

import support
from support import DATA, fasta, needs_bcftools, needs_samtools, sam_records

needs_biopython = unittest.skipUnless(importlib.util.find_spec("Bio"), "Biopython is not installed")
needs_pandas = unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
needs_needle = unittest.skipUnless(shutil.which("needle") and shutil.which("water"), "EMBOSS is not installed")
COW, PIG = DATA / "ortholog_pairs_cow.faa.gz", DATA / "ortholog_pairs_pig.faa.gz"


def letters(draw, count, alphabet="ACGT"):
    return "".join(draw.choices(alphabet, k=count))


def mutate(draw, sequence, rate, alphabet="ACGT"):
    out = ""
    for letter in sequence:
        kind = draw.random()
        if kind < rate / 2:
            out += draw.choice(alphabet)
        elif kind < rate * 0.75:
            out += letter + letters(draw, draw.randint(1, 5), alphabet)
        elif kind >= rate:
            out += letter
    return out


class Tables(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("q.fa", fasta(a="ACGTACGTACGT", b="ACGTTTACGTGGGACGT", c="ACGTAC"))
        self.file("t.fa", fasta(t="GGACGTACGTACGTGG"))

    def test_columns(self):
        names = ["query", "identity", "matches", "mismatches", "gaps", "gap_openings", "columns", "edits", "query_length",
                 "target_length", "query_coverage", "aligned_target", "score", "cigar", "cs", "strand", "pident", "qstart"]
        rows = self.rows("--mode", "semiglobal", "--columns", ",".join(names), "q.fa", "t.fa")
        self.assertEqual(list(rows[0]), names)
        self.assertEqual(list(rows[0].values()), ["a", "1.000000", "12", "0", "0", "0", "12", "0", "12", "16", "1.000000",
                                                  "12", "24", "12=", ":12", "+", "100.000", "1"])
        for row in rows:
            runs = support.runs(row["cigar"])
            self.assertEqual(int(row["matches"]), sum(n for n, op in runs if op == "="))
            self.assertEqual(int(row["mismatches"]), sum(n for n, op in runs if op == "X"))
            self.assertEqual(int(row["gaps"]), sum(n for n, op in runs if op in "ID"))
            self.assertEqual(int(row["gap_openings"]), sum(op in "ID" for _, op in runs))
            self.assertEqual(int(row["columns"]), sum(n for n, _ in runs))
        done = self.run_nwgpu("align", "--columns", "query,nonsense", "q.fa", "t.fa", code=1)
        self.assertIn("--columns nonsense: there is no such column; there are query target", done.stderr)
        self.assertIn("--columns goes with", self.run_nwgpu("align", "--columns", "query", "--format", "paf", "q.fa", "t.fa",
                                                           code=1).stderr)

    def test_json_lines(self):
        self.file("odd.fa", b'>a"\\b\nACGT\n')
        lines = self.run_nwgpu("align", "-o", "out.jsonl", "odd.fa", "t.fa")
        record, = [json.loads(line) for line in (self.folder / "out.jsonl").read_text().splitlines()]
        self.assertEqual((record["query"], record["status"], record["matches"]), ('a"\\b', "ok", 4))
        lines = self.run_nwgpu("align", "--score-only", "--format", "json", "q.fa", "t.fa").stdout.splitlines()
        for line, row in zip(lines, self.rows("--score-only", "q.fa", "t.fa"), strict=True):
            record = json.loads(line)
            self.assertEqual((record["score"], record["cigar"]), (int(row["score"]), None))

    @needs_pandas
    def test_pandas(self):
        import pandas
        self.run_nwgpu("align", "--mode", "local", "-o", "out.m8", "q.fa", "t.fa")
        self.run_nwgpu("align", "--mode", "local", "-o", "out.json", "q.fa", "t.fa")
        table = pandas.read_csv(self.folder / "out.m8", sep="\t", header=None)
        other = pandas.read_json(self.folder / "out.json", lines=True)
        self.assertEqual(table.shape, (3, 12))
        self.assertTrue((table[6] - 1 == other["query_begin"]).all() and (table[7] == other["query_end"]).all())
        self.assertTrue((table[3] == other["matches"] + other["mismatches"] + other["gaps"]).all())

    def test_m8_counts_the_reverse_strand_down(self):
        self.file("r.fa", fasta(r="CCACGTTT"))
        self.file("u.fa", fasta(u="TTTAAACGTGGTT"))
        fields = self.run_nwgpu("align", "-x", "blastn", "--format", "m8", "r.fa", "u.fa").stdout.split("\t")
        self.assertEqual(fields[6:10], ["1", "8", "11", "4"])

    def test_terminal_cuts_long_cigars(self):
        """script(1) is a terminal."""
        if not shutil.which("script"):
            self.skipTest("script is not installed")
        self.file("q.fa", fasta(q="ACGTT" * 100))
        self.file("t.fa", fasta(t="ACGTA" * 100))
        done = subprocess.run(["script", "-qec", f"{support.NWGPU} align q.fa t.fa", "/dev/null"], cwd=self.folder,
                              capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL)
        self.assertIn("4=1X4=1X4=1X", done.stdout)
        self.assertTrue(done.stdout.splitlines()[-1].rstrip().endswith("..."), done.stdout)
        self.assertTrue(self.rows("q.fa", "t.fa")[0]["cigar"].endswith("4=1X"))


class Letters(support.CommandTest):
    @needs_biopython
    def test_biopython_reads_all(self):
        from Bio import AlignIO
        rows = self.rows("--pair", "zip", COW, PIG)
        parsed = {}
        for name, form in (("out.fasta", "fasta"), ("out.maf", "maf"), ("out.pair", "emboss")):
            self.run_nwgpu("align", "--pair", "zip", "-o", name, COW, PIG)
            with open(self.folder / name) as file:
                parsed[form] = list(AlignIO.parse(file, form, 2) if form == "fasta" else AlignIO.parse(file, form))
            self.assertEqual(len(parsed[form]), len(rows), form)
        for row, one, two, three in zip(rows, parsed["fasta"], parsed["maf"], parsed["emboss"], strict=True):
            query, target = str(one[0].seq), str(one[1].seq)
            self.assertEqual((str(two[1].seq), str(two[0].seq)), (query, target))
            self.assertEqual((str(three[0].seq), str(three[1].seq)), (query, target))
            self.assertEqual((one[0].id, one[1].id), (row["query"], row["target"]))
            self.assertEqual(two[0].annotations["start"], int(row["target_begin"]))
            cigar = "".join("I" if b == "-" else "D" if a == "-" else "=" if a == b else "X" for a, b in zip(query, target))
            self.assertEqual(cigar, "".join(op * n for n, op in support.runs(row["cigar"])))

    def test_maf_positions_of_the_reverse_strand(self):
        self.file("r.fa", fasta(r="GGGTAACGGTT"))  # AACCGTTACCC, of which AACCGTTA fits
        self.file("u.fa", fasta(u="TTAACCGTTATT"))
        text = self.run_nwgpu("align", "--mode", "local", "--both-strands", "--format", "maf", "r.fa", "u.fa").stdout
        self.assertIn("a score=16\ns u 2 8 + 12 AACCGTTA\ns r 0 8 - 11 AACCGTTA\n", text)

    def test_names_and_lines_of_pair(self):
        self.file("long.fa", fasta(a_name_that_is_longer="ACGTACGTACGT"))
        text = self.run_nwgpu("align", "--format", "pair", "--name-width", 0, "--width", 10, "long.fa", "long.fa").stdout
        self.assertIn("a_name_that_is_longer      1 ACGTACGTAC     10\n", text)
        text = self.run_nwgpu("align", "--format", "pair", "long.fa", "long.fa").stdout
        self.assertIn("a_name_that_i      1 ACGTACGTACGT     12\n", text)


class Self(support.CommandTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(11)
        first = letters(draw, 60)
        self.records = {f"s{i}": mutate(draw, first, 0.1 * i) for i in range(5)}
        self.file("s.fa", fasta(**self.records))

    def test_each_pair_once(self):
        rows = self.rows("--pair", "self", "s.fa")
        names = list(self.records)
        self.assertEqual([(row["query"], row["target"]) for row in rows],
                         [(names[i], names[j]) for i in range(5) for j in range(i + 1, 5)])
        every = {(row["query"], row["target"]): row for row in self.rows("--pair", "all", "s.fa", "s.fa")}
        for row in rows:
            self.assertEqual(row, every[row["query"], row["target"]])
        self.assertIn("takes one file", self.run_nwgpu("align", "--pair", "self", "s.fa", "s.fa", code=1).stderr)
        self.assertIn("goes with --pair self", self.run_nwgpu("align", "--format", "phylip", "--pair", "all", "s.fa", "s.fa",
                                                              code=1).stderr)

    def test_matrices(self):
        rows = self.rows("--pair", "self", "--columns", "query,target,identity", "s.fa")
        identity = {(row["query"], row["target"]): float(row["identity"]) for row in rows}
        lines = self.run_nwgpu("align", "--pair", "self", "--format", "phylip", "s.fa").stdout.splitlines()
        self.assertEqual(lines[0], "5")
        distances = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in lines[1:]}
        table = [line.split("\t") for line in
                 self.run_nwgpu("align", "--pair", "self", "--format", "matrix", "s.fa").stdout.splitlines()]
        self.assertEqual(table[0], ["", *self.records])
        for i, a in enumerate(self.records):
            for j, b in enumerate(self.records):
                expected = 1 if a == b else identity[min(a, b), max(a, b)]
                self.assertAlmostEqual(distances[a][j], 1 - expected, places=5)
                self.assertAlmostEqual(float(table[i + 1][j + 1]), expected, places=5)

    def test_batches_do_not_show(self):
        draw = random.Random(12)
        self.file("many.fa", fasta(**{f"m{i}": letters(draw, 2000) for i in range(60)}))
        rows = self.rows("--score-only", "--pair", "self", "many.fa")
        self.assertEqual([(r["query"], r["target"]) for r in rows],
                         [(f"m{i}", f"m{j}") for i in range(60) for j in range(i + 1, 60)])


class Variants(support.CommandTest):
    def bcftools(self, *arguments):
        return subprocess.run(["bcftools", *map(str, arguments)], cwd=self.folder, check=True, text=True,
                              capture_output=True).stdout

    @needs_bcftools
    @needs_samtools
    def test_bcftools(self):
        """norm changes nothing, and consensus of the target is the query."""
        seed = random.randrange(2**32)
        for round in range(30):
            draw = random.Random(seed + round)
            alphabet = draw.choice(["ACGT", "AC", "AAAC"])
            target = letters(draw, 300, alphabet)
            query = mutate(draw, target, draw.choice([0.02, 0.1, 0.3]), alphabet)
            words = f"seed={seed + round} query={query} target={target}"
            self.file("t.fa", fasta(t=target))
            self.file("q.fa", fasta(q=query))
            self.run_nwgpu("align", "-o", "out.vcf.gz", "q.fa", "t.fa")
            self.bcftools("index", "-f", "out.vcf.gz")
            lines = [line for line in self.bcftools("view", "-H", "out.vcf.gz").splitlines()]
            normed = self.bcftools("norm", "-f", "t.fa", "out.vcf.gz")
            self.assertEqual([line for line in normed.splitlines() if not line.startswith("#")], lines, words)
            made = support.read_fasta(self.bcftools("consensus", "-f", "t.fa", "out.vcf.gz"))["t"]
            self.assertEqual(made, query, words)

    @needs_bcftools
    def test_gap_at_the_begin(self):
        """A record shows it with the letter behind it, which may differ as well."""
        for query, target, record in (("TACAACTC", "GAACAACTC", "t 1 . GA T"), ("GTACAACTC", "AACAACTC", "t 1 . A GT"),
                                      ("ACAACTC", "GAACAACTC", "t 1 . GAA A"), ("CACCAACTC", "ACAACTC", "t 1 . A CAC")):
            self.file("t.fa", fasta(t=target))
            self.file("q.fa", fasta(q=query))
            self.run_nwgpu("align", "-o", "out.vcf.gz", "q.fa", "t.fa")
            self.bcftools("index", "-f", "out.vcf.gz")
            lines = [line.split("\t")[:5] for line in self.bcftools("view", "-H", "out.vcf.gz").splitlines()]
            made = support.read_fasta(self.bcftools("consensus", "-f", "t.fa", "out.vcf.gz"))["t"]
            self.assertEqual((lines, made), ([record.split()], query))

    def test_records(self):
        self.file("t.fa", fasta(t="ACGTTTTACGGCACACAT", u="ACGUACGT"))
        self.file("q.fa", fasta(q="ACGTTTACTGCACACACAT", r="ACGUACGA"))
        text = self.run_nwgpu("align", "--pair", "zip", "--format", "vcf", "q.fa", "t.fa").stdout
        self.assertEqual([line.split("\t")[:5] for line in text.splitlines() if not line.startswith("#")],
                         [["t", "3", ".", "GT", "G"], ["t", "10", ".", "G", "T"], ["t", "11", ".", "G", "GCA"],
                          ["u", "8", ".", "T", "A"]])
        self.assertIn("##contig=<ID=u,length=8>", text)
        done = self.run_nwgpu("align", "--pair", "all", "--format", "vcf", "q.fa", "t.fa", code=1)
        self.assertIn("has a second alignment, with query 'r'", done.stderr)
        self.assertIn("vcf is for DNA", self.run_nwgpu("align", "--pair", "zip", "--format", "vcf", COW, PIG, code=1).stderr)


class Reads(support.CommandTest):
    """Reads of other formats, with what they carry."""

    def setUp(self):
        super().setUp()
        draw = random.Random(2)
        self.target = letters(draw, 300)
        self.file("t.fa", fasta(t=self.target))

    def test_comments(self):
        read = self.target[50:90]
        self.file("q.fq", f"@q MM:Z:C+m,5,12;\tML:B:C,200,3\tRG:Z:x y\n{read}\n+\n{'I' * 40}\n"
                          f"@p 1:N:0:ACGT qs:f:7.5\n{read}\n+\n{'I' * 40}\n")
        options = ["align", "--mode", "semiglobal", "--format", "sam"]
        first, second = sam_records(self.run_nwgpu(*options, "-y", "q.fq", "t.fa").stdout)
        self.assertEqual((first["tags"]["MM"], first["tags"]["ML"], first["tags"]["NM"]), ("C+m,5,12;", "C,200,3", "0"))
        self.assertEqual(second["tags"]["qs"], "7.5")
        self.assertNotIn("MM", sam_records(self.run_nwgpu(*options, "q.fq", "t.fa").stdout)[0]["tags"])
        self.file("bad.fq", "@q XX:B:Q,3\nACGT\n+\nIIII\n")
        self.assertIn("bad.fq:1: the tags of its comment are faulty", self.run_nwgpu(*options, "-y", "bad.fq", "t.fa", code=1).stderr)

    @needs_samtools
    def test_bam_reads(self):
        """The letters as they were read, once each, with their tags and read groups; both strands find them."""
        one, two = self.target[20:100], self.target[150:230]
        back = two[::-1].translate(str.maketrans("ACGT", "TGCA"))
        quality = "".join(chr(33 + i % 40) for i in range(80))
        self.file("r.sam", "@HD\tVN:1.6\n@SQ\tSN:old\tLN:999\n@RG\tID:g\tSM:s\n"
                  f"u\t4\t*\t0\t0\t*\t*\t0\t0\t{one}\t{quality}\tRG:Z:g\tMM:Z:C+m,1;\tNM:i:7\n"
                  f"m\t16\told\t5\t9\t80M\t*\t0\t0\t{back}\t{quality}\tRG:Z:g\n"
                  f"m\t272\told\t50\t9\t80M\t*\t0\t0\t*\t*\n"
                  f"m\t2064\told\t70\t9\t40M40H\t*\t0\t0\t{one[:40]}\t*\n"
                  f"p\t77\t*\t0\t0\t*\t*\t0\t0\t{one}\t{quality}\n"
                  f"p\t141\t*\t0\t0\t*\t*\t0\t0\t{two}\t{quality}\n")
        self.samtools("view", "-b", "-o", "r.bam", "r.sam")
        expected = [("u", "0", "21", one, quality), ("m", "0", "151", two, quality[::-1]), ("p/1", "0", "21", one, quality),
                    ("p/2", "0", "151", two, quality)]
        for name in ("r.sam", "r.bam"):
            text = self.run_nwgpu("align", "--both-strands", "--mode", "semiglobal", "--format", "sam", name, "t.fa").stdout
            found = sam_records(text)
            self.assertEqual([(r["qname"], r["flag"], r["pos"], r["seq"], r["qual"]) for r in found], expected)
            self.assertEqual((found[0]["tags"]["MM"], found[0]["tags"]["NM"], found[0]["tags"]["RG"]), ("C+m,1;", "0", "g"))
            self.assertIn("@RG\tID:g\tSM:s\n", text)
        self.assertEqual(len(self.rows("r.bam", "t.fa")), 4)
        with open(self.folder / "r.bam", "rb") as bam:
            piped = subprocess.run([support.NWGPU, "align", "-", "t.fa"], cwd=self.folder, stdin=bam, capture_output=True)
        self.assertEqual(piped.stdout.decode().count("\n"), 5)

    @needs_samtools
    @support.needs_picard
    def test_sorted_with_index(self):
        draw = random.Random(6)
        self.file("two.fa", fasta(t=self.target, u=letters(draw, 500)))
        reads = {f"r{i}": letters(draw, 30) if i % 9 == 0 else self.target[k:k + 50]
                 for i, k in enumerate(draw.choices(range(250), k=200))}
        self.file("q.fa", fasta(**reads))
        options = ["align", "--mode", "local", "--both-strands", "--pair", "best", "--min-score", 60, "--rg",
                   "ID:a\\tSM:b\\tPL:ONT", "q.fa", "two.fa"]
        self.run_nwgpu(*options, "-o", "plain.bam")
        self.samtools("sort", "-o", "expected.bam", "plain.bam")
        for name, index in (("out.bam", "out.bam.bai"), ("out.cram", "out.cram.crai"), ("out.sam", None)):
            self.run_nwgpu(*options, "--sort", "-o", name)
            found, expected = ([record for record in sam_records(self.samtools("view", file))] for file in (name, "expected.bam"))
            self.assertEqual([(r["qname"], r["rname"], r["pos"], r["flag"]) for r in found],
                             [(r["qname"], r["rname"], r["pos"], r["flag"]) for r in expected])
            if index:
                self.assertTrue((self.folder / index).exists())
                count = sum(r["rname"] == "t" and int(r["pos"]) <= 100 <= int(r["pos"]) + 49 for r in expected)
                self.assertGreater(count, 5)
                self.assertEqual(int(self.samtools("view", "-c", name, "t:100-100")), count)
        self.assertEqual([kind for kind in self.picard("out.bam", "two.fa") if kind.startswith("ERROR")], [])


class Presets(support.CommandTest):
    def test_parameters(self):
        self.file("q.fa", fasta(q="ACGTACGTTACG"))
        for name, options in {"edit": ["-A", 0, "-B", 1, "-O", 0, "-E", 1], "wfa": ["-A", 0, "-B", 4, "-O", 6, "-E", 2],
                              "minimap2": ["--mode", "local", "--both-strands"],
                              "ont": ["--mode", "local", "--both-strands"],
                              "blastn": ["-A", 2, "-B", 3, "-O", 5, "-E", 2, "--mode", "local", "--both-strands"],
                              "hifi": ["-A", 1, "-B", 4, "-O", 6, "-E", 2, "--mode", "local", "--both-strands"],
                              "sr": ["-A", 2, "-B", 8, "-O", 12, "-E", 2, "--mode", "local", "--both-strands"]}.items():
            self.file("t.fa", fasta(t="GGACGTCGTTAACG"))
            self.assertEqual(self.rows("-x", name, "q.fa", "t.fa"), self.rows(*options, "q.fa", "t.fa"), name)
        self.assertEqual(self.rows("-x", "sr", "--mode", "global", "--one-strand", "-B", 4, "-O", 4, "q.fa", "t.fa"),
                         self.rows("q.fa", "t.fa"))
        for options, cigar in ((("-x", "sr"), "4M"), (("-x", "sr", "--cigar-style", "eqx"), "4="), ((), "4=")):
            self.file("u.fa", fasta(u="ACGT"))
            record, = sam_records(self.run_nwgpu("align", *options, "--format", "sam", "u.fa", "u.fa").stdout)
            self.assertEqual(record["cigar"], cigar, options)
        self.assertEqual(self.rows("-x", "blastp", "--pair", "zip", COW, PIG), self.rows("--mode", "local", "--pair", "zip", COW, PIG))

    @needs_needle
    def test_emboss(self):
        """needle and water give the same scores, in points of which ours are halves."""
        draw = random.Random(8)
        for round in range(6):
            protein = round % 2 == 0
            target = letters(draw, 60, "ARNDCQEGHILKMFPSTWYV" if protein else "ACGT")
            query = mutate(draw, target[5:50], 0.2, "ARNDCQEGHILKMFPSTWYV" if protein else "ACGT")
            self.file("q.fa", fasta(q=query))
            self.file("t.fa", fasta(t=target))
            for name in ("needle", "water"):
                out = subprocess.run([name, "-asequence", "q.fa", "-bsequence", "t.fa", "-auto", "-stdout", "-gapopen", "10",
                                      "-gapextend", "0.5"], cwd=self.folder, capture_output=True, text=True).stdout
                score = next(line.split()[-1] for line in out.splitlines() if line.startswith("# Score:"))
                row, = self.rows("--verify", "-x", name, "q.fa", "t.fa")
                self.assertEqual(int(row["score"]), 2 * float(score), f"{name} {query} {target}")
                text = self.run_nwgpu("align", "-x", name, "--format", "pair", "q.fa", "t.fa").stdout
                self.assertIn(f"# Gap_penalty: 10.0\n# Extend_penalty: 0.5\n", text)
                self.assertIn(f"# Score: {float(score):.1f}\n", text)


if __name__ == "__main__":
    unittest.main()
