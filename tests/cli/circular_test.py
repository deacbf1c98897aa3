# SPDX-License-Identifier: BSD-3-Clause
"""--circular: the best rotation, of several the first one, against the alignments of all rotations."""
import json
import random
import re
import unittest

import support
from support import fasta, needs_samtools, sam_records

MODES = [["--mode", mode]
         for mode in ("global", "local", "semiglobal", "overlap", "extend", "extend-left", "extend-to-end")]
MODES += [["--free-ends", "query-begin,target-end"], ["-A", "0", "-B", "1", "-O", "0", "-E", "1"],
          ["-A", "1", "-B", "3", "-O", "0", "-E", "2"], ["--matrix", "EDNAFULL", "-O", "10", "-E", "1"]]


def rotated(sequence, letters):
    return sequence[letters:] + sequence[:letters]


def reverse_complement(sequence):
    return sequence[::-1].translate(str.maketrans("ACGT", "TGCA"))


class Circular(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.seed = random.randrange(2**32)
        self.draw = random.Random(self.seed)

    def changed(self, sequence, alphabet, share):
        return "".join(self.draw.choice(["", letter + letter, self.draw.choice(alphabet)])
                       if self.draw.random() < share else letter for letter in sequence)

    def random_pair(self, alphabet="ACGT", longest=60):
        target = "".join(self.draw.choices(alphabet, k=self.draw.randint(1, longest)))
        query = self.changed(rotated(target, self.draw.randrange(len(target))), alphabet, self.draw.choice([0, .1, .5]))
        if self.draw.random() < 0.2:  # many rotations that are as good as each other
            query = (query[:3] or "A") * self.draw.randint(1, 12)
        return query or "A", target

    def expected(self, query, target, which, options, turn=lambda sequence: sequence):
        """The best score, its rotation, and its alignment."""
        circular = turn(query) if which == "query" else target
        turns = [rotated(circular, k) for k in range(len(circular))]
        self.file("all.fa", fasta(**{f"r{k}": letters for k, letters in enumerate(turns)}))
        self.file("one.fa", fasta(one=target if which == "query" else turn(query)))
        files = ("all.fa", "one.fa") if which == "query" else ("one.fa", "all.fa")
        rows = self.rows(*options, *files)
        best = max(range(len(rows)), key=lambda k: (int(rows[k]["score"]), -k))
        return best, rows[best]

    def check(self, options, which, alphabet="ACGT", pairs=8):
        drawn = [self.random_pair(alphabet) for _ in range(pairs)]
        self.file("q.fa", fasta(**{f"q{k}": query for k, (query, _) in enumerate(drawn)}))
        self.file("t.fa", fasta(**{f"t{k}": target for k, (_, target) in enumerate(drawn)}))
        found = self.rows("--verify", "--circular", which, "--pair", "zip", *options, "q.fa", "t.fa")
        self.assertEqual(len(found), pairs)
        for k, (query, target) in enumerate(drawn):
            rotation, best = self.expected(query, target, which, options)
            for name in ("score", "query_begin", "query_end", "target_begin", "target_end", "cigar"):
                self.assertEqual(found[k][name], best[name], f"{self.seed} {which} {options} {query} {target} {name}")
            self.assertEqual(int(found[k]["rotation"]), rotation, f"{self.seed} {which} {options} {query} {target}")
            self.assertEqual((found[k]["query"], found[k]["target"]), (f"q{k}", f"t{k}"))

    def test_every_mode(self):
        for options in MODES:
            for which in ("query", "target"):
                self.check(["--dna", *options], which)

    def test_proteins(self):
        for which in ("query", "target"):
            self.check(["--protein"], which, "ACDEFGHIKLMNPQRSTVWY")

    def test_strands(self):
        for _ in range(4):
            query, target = self.random_pair()
            query = reverse_complement(query) if self.draw.random() < 0.5 else query
            self.file("q.fa", fasta(q=query))
            self.file("t.fa", fasta(t=target))
            plus, minus = (self.expected(query, target, "query", ["--dna"], turn)
                           for turn in (lambda sequence: sequence, reverse_complement))
            rotation, best = plus if int(plus[1]["score"]) >= int(minus[1]["score"]) else minus
            [found] = self.rows("--dna", "--circular", "query", "--both-strands", "q.fa", "t.fa")
            self.assertEqual((found["score"], found["cigar"], int(found["rotation"])),
                             (best["score"], best["cigar"], rotation), f"{self.seed} {query} {target}")

    def test_few_rotations_are_computed(self):
        """A plasmid that begins elsewhere, with some differences: each rotation alone takes 25 million cells."""
        target = "".join(self.draw.choices("ACGT", k=5000))
        query = self.changed(rotated(target, 1234), "ACGT", 0.03)
        self.file("q.fa", fasta(q=query))
        self.file("t.fa", fasta(t=target))
        [found] = self.rows("--circular", "query", "q.fa", "t.fa")
        self.assertLess(abs(int(found["rotation"]) + 1234 - len(query)), 100)
        self.assertGreater(int(found["score"]), 8000)
        done = self.run_nwgpu("align", "-v", "--circular", "query", "q.fa", "t.fa")
        scored = int(re.search(r"(\d+) rotations of 1 pairs", done.stderr)[1])
        self.assertLess(scored, 200)

    @needs_samtools
    def test_records(self):
        target = "".join(self.draw.choices("ACGT", k=300))
        self.file("q.fq", f"@q XX:i:5\n{rotated(target, 100)}\n+\n{'A' * 50 + 'B' * 250}\n")
        self.file("t.fa", fasta(t=target))
        self.run_nwgpu("align", "-y", "--circular", "query", "-o", "o.sam", "q.fq", "t.fa")
        [record] = sam_records((self.folder / "o.sam").read_text())
        self.assertEqual((record["seq"], record["cigar"]), (target, "300="))
        self.assertEqual(record["qual"], "B" * 100 + "A" * 50 + "B" * 150)
        self.assertEqual((record["tags"]["ro"], record["tags"]["XX"]), ("200", "5"))
        paf = self.run_nwgpu("align", "--circular", "target", "--format", "paf", "q.fq", "t.fa").stdout
        self.assertIn("\tro:i:100\t", paf)
        row = json.loads(self.run_nwgpu("align", "--circular", "query", "--format", "json", "q.fq", "t.fa").stdout)
        self.assertEqual(row["rotation"], 200)

    def test_what_is_refused(self):
        self.file("q.fa", fasta(q="ACGT"))
        for options, message in ((["--band=-1,1"], "--circular goes without --band"),
                                 (["--plan"], "--circular goes without --plan"),
                                 (["--checkpoint", "run"], "--circular goes without --checkpoint"),
                                 (["--mode", "local", "--top", "2"], "--circular goes without --top")):
            done = self.run_nwgpu("align", "--circular", "query", *options, "q.fa", "q.fa", code=1)
            self.assertIn(message, done.stderr)
        done = self.run_nwgpu("align", "--circular", "target", "-o", "o.sam", "q.fa", "q.fa", code=1)
        self.assertIn("use --circular query", done.stderr)

    def test_a_bad_pair_is_told_and_the_rest_goes_on(self):
        self.file("q.fa", fasta(bad="AC1GT", good="GTAC"))
        self.file("t.fa", fasta(t="ACGT"))
        bad, good = self.rows("--dna", "--circular", "query", "q.fa", "t.fa", code=2)
        self.assertEqual((bad["status"], good["status"], good["rotation"]), ("invalid_sequence", "ok", "2"))


if __name__ == "__main__":
    unittest.main()
