# SPDX-License-Identifier: BSD-3-Clause
"""Scores, positions and CIGARs against the oracle; what may be given as pairs and options."""
import copy
import gc
import pickle
import random
import unittest

import nwgpu
import oracle

# From BLOSUM62, typed off its published table.
BLOSUM62 = {"WW": 11, "LL": 4, "KK": 5, "AA": 4, "WL": -2, "WK": -3, "WA": -3, "LK": -2, "LA": -1, "KA": -1}


def blosum62(a, b):
    return BLOSUM62.get(a + b, BLOSUM62.get(b + a))


def equal_or(match, mismatch):
    return lambda a, b: match if a == b else -mismatch


def span(alignment):
    return alignment.query_begin, alignment.query_end, alignment.target_begin, alignment.target_end


class AlignTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = nwgpu.Context("cpu", threads=2)
        cls.addClassCleanup(cls.context.close)

    def align(self, queries, targets, **options):
        options.setdefault("scoring", nwgpu.dna())
        return self.context.align(queries, targets, **options)

    def cigars(self, queries, targets, **options):
        return [alignment.cigar for alignment in self.align(queries, targets, **options)]


class Answers(AlignTest):
    def compare(self, letters, scoring, pair_score, gap_open, gap_extend, seed):
        draw = random.Random(seed)
        queries, targets = (["".join(draw.choices(letters, k=draw.randrange(0, 16))) for _ in range(120)]
                            for _ in range(2))
        for mode, free in oracle.MODES.items():
            found = self.align(queries, targets, scoring=scoring, mode=mode)
            self.assertEqual(len(found), len(queries))
            for a, query, target in zip(found, queries, targets):
                expected = oracle.align(query, target, pair_score, gap_open, gap_extend, free)
                case = f"{scoring} mode={mode} query={query!r} target={target!r}"
                self.assertEqual(a.status, nwgpu.Status.OK, case)
                self.assertEqual((a.score, span(a), a.cigar), expected, case)
                parts = query[a.query_begin:a.query_end], target[a.target_begin:a.target_end]
                self.assertEqual(nwgpu.rescore(*parts, a.cigar, scoring), a.score, case)

    def test_dna(self):
        self.compare("ACGT", nwgpu.dna(), equal_or(2, 4), 4, 2, seed=1)

    def test_other_costs(self):
        self.compare("AC", nwgpu.dna(match=3, mismatch=1, gap_open=0, gap_extend=2), equal_or(3, 1), 0, 2, seed=2)
        self.compare("AC", nwgpu.dna(5, 4, 10, 1), equal_or(5, 4), 10, 1, seed=3)

    def test_edit_distance(self):
        self.compare("ab ", nwgpu.uniform(0, 1, 0, 1), equal_or(0, 1), 0, 1, seed=4)

    def test_protein(self):
        self.compare("WLKA", nwgpu.matrix("blosum62"), blosum62, 11, 1, seed=5)

    def test_matrix_text(self):
        text = "# two letters\n  P Q\nP 3 -2\nQ -2 4\n"
        scores = {"PP": 3, "PQ": -2, "QP": -2, "QQ": 4}
        for given in (text, text.encode()):
            self.compare("PQ", nwgpu.matrix(text=given, gap_open=2, gap_extend=3), lambda a, b: scores[a + b], 2, 3,
                         seed=6)

    def test_free_ends_by_name(self):
        free = {"query_begin", "target_end"}
        query, target = "TTTACGTAC", "ACGTACGGG"
        found, = self.align(query, target, mode=free)
        expected = oracle.align(query, target, equal_or(2, 4), 4, 2, free)
        self.assertEqual((found.score, span(found), found.cigar), expected)
        self.assertEqual(found.cigar, "6=")

    def test_the_module_makes_a_context(self):
        found, = nwgpu.align("GATTACA", "GATACA", scoring=nwgpu.dna(), device="cpu", threads=1)
        self.assertEqual(found, (0, 0, nwgpu.Status.OK, 6, 0, 7, 0, 6, "2=1I4=", ""))


class Batches(AlignTest):
    def test_a_bad_pair_harms_no_other(self):
        found = self.align(["ACGT", "AC-T", "GG"], ["ACGT", "ACGT", "GG"])
        self.assertEqual([a.status for a in found], [nwgpu.Status.OK, nwgpu.Status.INVALID_SEQUENCE, nwgpu.Status.OK])
        self.assertEqual([a.cigar for a in found], ["4=", None, "2="])
        self.assertEqual([a.score for a in found], [8, None, 4])
        self.assertEqual(span(found[1]), (None,) * 4)
        self.assertIn("'-' at position 2", found[1].message)

    def test_which_pairs(self):
        def indices(*arguments, **options):
            return [(a.query, a.target) for a in self.align(*arguments, **options)]

        self.assertEqual(indices(["A", "C"], ["A", "C"]), [(0, 0), (1, 1)])
        self.assertEqual(indices("A", ["A", "C", "G"], pairs="all"), [(0, 0), (0, 1), (0, 2)])
        self.assertEqual(indices(["A", "C", "G"], "A", pairs="all"), [(0, 0), (1, 0), (2, 0)])
        self.assertEqual(indices(["A", "C"], ["A", "C"], pairs="all"), [(0, 0), (0, 1), (1, 0), (1, 1)])
        self.assertEqual(self.cigars(["A", "C"], ["A", "C"], pairs="all"), ["1=", "1X", "1X", "1="])
        self.assertEqual(indices(["A", "C"], ["AA", "CC", "GG"], pairs=[(1, 2), (0, 1)]), [(1, 2), (0, 1)])
        self.assertEqual(self.cigars(["A", "C"], ["AA", "C", "G"], pairs=iter([(1, 1), (0, 2)])), ["1=", "1X"])
        self.assertEqual(indices(["A"], ["C"], pairs=[]), [])
        self.assertEqual(indices([], []), [])
        self.assertEqual(indices([], ["A", "C"], pairs="all"), [])

    def test_zip_needs_equal_numbers(self):
        for queries, targets in ((["A"] * 2, ["A"] * 3), ("A", ["A", "C"]), (["A", "C"], "A"), ([], "A")):
            with self.assertRaisesRegex(ValueError, "pairs='all' aligns each query with each target"):
                self.align(queries, targets)

    def test_pairs_that_do_not_exist(self):
        with self.assertRaises(nwgpu.Error) as caught:
            self.align(["A"], ["A"], pairs=[(0, 1)])
        self.assertIs(caught.exception.status, nwgpu.Status.INVALID_ARGUMENT)
        self.assertEqual(caught.exception.pair, 0)
        for pairs in ([(0, -1)], [(0, 2**64)]):
            self.assertRaises(OverflowError, self.align, "A", "A", pairs=pairs)
        self.assertRaises(ValueError, self.align, "A", "A", pairs=[(0, 0, 0)])
        self.assertRaises(TypeError, self.align, "A", "A", pairs=[(0, 0.5)])
        self.assertRaises(TypeError, self.align, "A", "A", pairs=None)

    def test_letters_of_alphabets(self):
        self.assertEqual(self.cigars("acgu", "ACGT"), ["4="])
        self.assertEqual(self.cigars("aC", "AC", scoring=nwgpu.uniform(2, 4, 4, 2)), ["1X1="])
        self.assertEqual(self.cigars("mK*", "MK*", scoring=nwgpu.uniform(2, 4, 4, 2, alphabet="protein")), ["3="])
        self.assertRaises(ValueError, nwgpu.uniform, 2, 4, 4, 2, alphabet="rna")


class Options(AlignTest):
    def test_outputs(self):
        fields = {"score": 0, "end": 2, "span": 4, "cigar": 5}
        for output, count in fields.items():
            found, = self.align("TTACGTT", "ACG", mode="local", output=output)
            order = (found.query_end, found.target_end, found.query_begin, found.target_begin, found.cigar)
            self.assertEqual(order, (5, 3, 2, 0, "3=")[:count] + (None,) * (5 - count), output)
            self.assertEqual(found.score, 6)

    def test_cigar_style(self):
        self.assertEqual(self.cigars("ACGTACGT", "ACCTACGT", cigar_style="m"), ["8M"])

    def test_ties(self):
        found = [self.cigars("AA", "A", ties=ties)[0] for ties in ("first", "last_end", "gaps_first")]
        self.assertEqual(found, ["1I1=", "1I1=", "1=1I"])

    def test_band(self):
        self.assertEqual(self.cigars("ACGTACGT", "CGTACGTA"), ["1I7=1D"])
        self.assertEqual(self.cigars("ACGTACGT", "CGTACGTA", band=(0, 0)), ["8X"])
        outside, = self.align("ACGT", "ACGTACGT", band=(0, 3))
        self.assertIs(outside.status, nwgpu.Status.INVALID_ARGUMENT)

    def test_top(self):
        found = self.align(["GAAC", "TTT", "CC"], "GAAAAC", pairs="all", mode="local", top=3)
        self.assertEqual([(a.query, a.score, a.cigar) for a in found],
                         [(0, 6, "3="), (0, 6, "3="), (0, 4, "2="), (1, 0, "*"), (2, 2, "1="), (2, 2, "1=")])

    def test_best(self):
        def found(**options):
            alignments = self.align(["GAAC", "TTT"], ["GAAAAC", "TT", "GAAC", "A1", "GAAC"], pairs="all", **options)
            return [(a.query, a.target, a.score) for a in alignments]
        self.assertEqual(found(best=1), [(0, 2, 8), (0, 3, None), (1, 1, -2), (1, 3, None)])
        self.assertEqual(found(best=1, all_equal=True, min_score=0), [(0, 2, 8), (0, 4, 8), (0, 3, None), (1, 3, None)])
        alone, = self.align("GAAC", ["TTT", "GAAC"], pairs="all", best=1)
        self.assertEqual((alone.target, alone.cigar), (1, "4="))
        self.assertRaises(ValueError, found, all_equal=True)
        self.assertRaises(nwgpu.Error, found, best=0)

    def test_min_score(self):
        good, bad = self.align(["GATTACA", "TTTTTTT"], ["GATACA", "GATACA"], min_score=6)
        self.assertEqual((good.score, good.cigar), (6, "2=1I4="))
        self.assertIs(bad.status, nwgpu.Status.BELOW_MIN_SCORE)
        self.assertEqual((bad.score, bad.cigar, bad.message), (None, None, "the best score is below min_score"))
        found = self.align(["GAAC", "TTT"], "GAAAAC", pairs="all", mode="local", top=3, min_score=5)
        self.assertEqual([(a.query, a.status.name, a.score) for a in found],
                         [(0, "OK", 6), (0, "OK", 6), (1, "BELOW_MIN_SCORE", None)])
        self.assertRaises(ValueError, self.align, "A", "A", min_score=2**63)
        self.assertRaises(TypeError, self.align, "A", "A", min_score=1.5)

    def test_algorithms(self):
        by_name = {algorithm.name: algorithm for algorithm in nwgpu.algorithms()}
        self.assertGreater(len(by_name), 10)
        row = by_name["cpu1-st-row"]
        self.assertEqual((row.backend, row.affine, row.modes, row.output), ("cpu", False, ("global",), "cigar"))
        linear = nwgpu.dna(gap_open=0)
        found, = nwgpu.align("GATTACA", "GATACA", scoring=linear, device="cpu", algorithm="cpu1-st-row")
        self.assertEqual(found, self.align("GATTACA", "GATACA", scoring=linear)[0])
        with nwgpu.Context("cpu", algorithm="cpu1-st-row") as context, self.assertRaises(nwgpu.Error) as caught:
            context.align("A", "A", scoring=nwgpu.dna())  # affine
        self.assertIs(caught.exception.status, nwgpu.Status.UNSUPPORTED)
        with self.assertRaises(nwgpu.Error) as caught:
            nwgpu.align("A", "A", scoring=linear, algorithm="none")
        self.assertIs(caught.exception.status, nwgpu.Status.NOT_FOUND)

    def test_unknown_names(self):
        for option in ("mode", "output", "ties", "cigar_style", "pairs"):
            with self.assertRaisesRegex(ValueError, f"{option} = 'other' is none of '"):
                self.align("A", "A", **{option: "other"})
        self.assertRaises(ValueError, self.align, "A", "A", pairs="list")
        self.assertRaises(ValueError, self.align, "A", "A", mode=["query_middle"])
        self.assertRaises(TypeError, self.align, "A", "A", modus="local")

    def test_no_option_is_dropped(self):
        self.assertRaises(ValueError, self.align, "A", "A", resume=True)
        self.assertRaises(ValueError, self.align, "A", "A", checkpoint_seconds=1)

    def test_numbers_beyond_a_field_are_not_cut(self):
        self.assertRaisesRegex(ValueError, "gap_open = 4294967300 is out of range", nwgpu.dna, gap_open=2**32 + 4)
        self.assertRaises(ValueError, self.align, "A", "A", mode="local", top=2**64 + 1)
        self.assertRaises(ValueError, self.align, "A", "A", top=-1)
        self.assertRaises(ValueError, self.align, "A", "A", band=(0, 2**63))
        self.assertRaises(ValueError, nwgpu.Context, "cpu", threads=2**32 + 1)
        self.assertRaises(TypeError, nwgpu.dna, mismatch=1.5)

    def test_costs_are_not_negative(self):
        with self.assertRaises(nwgpu.Error) as caught:
            self.align("A", "A", scoring=nwgpu.dna(mismatch=-4))
        self.assertIs(caught.exception.status, nwgpu.Status.INVALID_ARGUMENT)


class Helpers(unittest.TestCase):
    def assert_fails(self, status, function, *arguments, **options):
        with self.assertRaises(nwgpu.Error) as caught:
            function(*arguments, **options)
        self.assertIs(caught.exception.status, status)
        self.assertIn(status.name, str(caught.exception))

    def test_rescore(self):
        self.assertEqual(nwgpu.rescore("GATTACA", b"GATACA", "2=1I4=", nwgpu.dna()), 6)
        self.assertEqual(nwgpu.rescore("GATTACA", "GATACA", "1D7I5D", nwgpu.dna()), -(6 + 4 + 14 + 4 + 10))
        self.assertEqual(nwgpu.rescore("", "", "*", nwgpu.dna()), 0)
        self.assert_fails(nwgpu.Status.INVALID_ARGUMENT, nwgpu.rescore, "GATTACA", "GATACA", "3=1I4=", nwgpu.dna())
        self.assert_fails(nwgpu.Status.INVALID_ARGUMENT, nwgpu.rescore, "AC", "AG", "2=", nwgpu.dna())
        self.assert_fails(nwgpu.Status.INVALID_SEQUENCE, nwgpu.rescore, "A-", "AC", "2M", nwgpu.dna())
        for text in ("", "3", "=", "3=*", "*3=", "3Q", "3= 2I", f"{2**28}="):
            self.assertRaises(ValueError, nwgpu.rescore, "AAA", "AAA", text, nwgpu.dna())

    def test_matrices(self):
        names = nwgpu.matrix_names()
        self.assertLessEqual({"BLOSUM62", "PAM250", "NUC.4.4"}, set(names))
        for name in names:
            nwgpu.matrix(name)
        self.assert_fails(nwgpu.Status.NOT_FOUND, nwgpu.matrix, "BLOSUM63")
        self.assert_fails(nwgpu.Status.INVALID_MATRIX, nwgpu.matrix, text="A C\nA 1\n")
        self.assertRaises(TypeError, nwgpu.matrix)

    def test_a_scoring_keeps_its_matrix(self):
        schemes = [nwgpu.matrix("BLOSUM62", gap_open=i) for i in range(50)]
        for scoring in schemes[::7]:
            self.assertEqual(nwgpu.rescore("WL", "WK", "2M", scoring), 9)

    def test_copies_outlive_the_scoring(self):
        """They share nothing with what garbage collection has given back."""
        text = "  W L K A\n" + "".join(f"{a} " + " ".join(str(blosum62(a, b)) for b in "WLKA") + "\n" for a in "WLKA")
        made = {"name": lambda: nwgpu.matrix("BLOSUM62", gap_open=3),
                "text": lambda: nwgpu.matrix(text=text, gap_open=3),
                "uniform": lambda: nwgpu.uniform(11, 2, 3, 1, alphabet="protein")}
        for kind, make in made.items():
            for duplicate in (copy.copy, copy.deepcopy, lambda scoring: pickle.loads(pickle.dumps(scoring))):
                with self.subTest(kind, duplicate=duplicate):
                    scoring = make()
                    expected, shown = nwgpu.rescore("WWWA", "WWA", "2=1I1=", scoring), repr(scoring)
                    copied = duplicate(duplicate(scoring))
                    del scoring
                    gc.collect()
                    others = [nwgpu.matrix(text=f"  W A\nW {i} 0\nA 0 {i}\n") for i in range(50)]  # take what was freed
                    self.assertEqual(nwgpu.rescore("WWWA", "WWA", "2=1I1=", copied), expected)
                    self.assertEqual(repr(copied), shown)
                    del others


if __name__ == "__main__":
    unittest.main()
