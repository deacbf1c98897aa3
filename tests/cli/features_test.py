# SPDX-License-Identifier: BSD-3-Clause
"""What the command adds to the library, with each option that changes how pairs are computed: both strands, and the best
target.  What is expected is put together from calls of one strand and each target; tests/conformance/features_test.cpp
compares those with the oracle."""
import random
import unittest

import support
from support import fasta

# Name: options, or why the command refuses them.
OPTIONS = {
    "global": ["--mode", "global"],
    "local": ["--mode", "local"],
    "extend": ["--mode", "extend"],
    "extend left": ["--mode", "extend-left"],
    "free ends": ["--free-ends", "query-begin,target-end"],
    "band": ["--band=-60,150"],
    "threads": ["-t", "3"],
    "limit": ["--max-memory", "2M"],
    "every cell": ["--every-cell"],
    "deadline": ["--deadline", "100"],
    "verify": ["--verify"],
    "style": ["--cigar-style", "m"],
    "protein scores": ["--matrix", "EDNAFULL", "-O", "10", "-E", "1"],
}
REFUSED = {
    "top": (["--mode", "local", "--top", "3"], "--top goes with neither --both-strands nor --pair best"),
    "checkpoint": (["--checkpoint", "run"], "a checkpoint belongs to one pair"),
}


def reverse_complement(sequence):
    return sequence[::-1].translate(str.maketrans("ACGT", "TGCA"))


class Features(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.seed = random.randrange(2**32)
        draw = random.Random(self.seed)
        targets = {name: "".join(draw.choices("ACGT", k=length)) for name, length in (("t", 400), ("u", 360))}
        queries = {"same": targets["t"][60:380], "turned": reverse_complement(targets["u"][20:330]),
                   "either": "ACGT" * 80, "none": "".join(draw.choices("ACGT", k=330))}
        self.lengths = {name: len(query) for name, query in queries.items()}
        self.file("t.fa", fasta(**targets))
        self.file("q.fa", fasta(**queries))
        self.file("r.fa", fasta(**{name: reverse_complement(query) for name, query in queries.items()}))

    def expected(self, options):
        """Of equal strands the forward one; positions are those of the query as it was given."""
        def turned(row):
            length = self.lengths[row["query"]]
            return {**row, "strand": "-", "query_begin": str(length - int(row["query_end"])),
                    "query_end": str(length - int(row["query_begin"]))}

        both = [self.rows("--pair", "all", *options, name, "t.fa") for name in ("q.fa", "r.fa")]
        return [{**plus, "strand": "+"} if int(plus["score"]) >= int(minus["score"]) else turned(minus)
                for plus, minus in zip(*both, strict=True)]

    def test_both_strands(self):
        for name, options in OPTIONS.items():
            with self.subTest(name, seed=self.seed):
                rows = self.rows("--both-strands", "--pair", "all", *options, "q.fa", "t.fa")
                expected = self.expected(options)
                self.assertEqual(rows, expected)
                self.assertEqual({row["strand"] for row in rows}, {"+", "-"})

    def test_best_target(self):
        """Of equal targets the first."""
        for name, options in OPTIONS.items():
            with self.subTest(name, seed=self.seed):
                rows = self.rows("--both-strands", "--pair", "best", *options, "q.fa", "t.fa")
                first, second = self.expected(options)[0::2], self.expected(options)[1::2]
                self.assertEqual(rows, [t if int(t["score"]) >= int(u["score"]) else u for t, u in zip(first, second)])

    def test_refused(self):
        for name, (options, reason) in REFUSED.items():
            for command in (["--both-strands", "--pair", "all"], ["--pair", "best"]):
                with self.subTest(name, command=command):
                    done = self.run_nwgpu("align", *command, *options, "q.fa", "t.fa", code=1)
                    self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    unittest.main()
