# SPDX-License-Identifier: BSD-3-Clause
"""Columns: the same answers as align() gives, in arrays that lie in the library and keep it."""
import gc
import pickle
import unittest

import nwgpu

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

QUERIES, TARGETS = ["GATTACA", "GAT-ACA", "", "ACGTACGT"], ["GATACA", "GATACA", "AC", "ACGT"]


@unittest.skipIf(numpy is None, "numpy is not there")
class ArraysTest(unittest.TestCase):
    def setUp(self):
        self.context = nwgpu.Context("cpu", threads=2)
        self.addCleanup(self.context.close)

    def same(self, arrays, alignments):
        self.assertEqual(len(arrays), len(alignments))
        for entry, a in enumerate(alignments):
            self.assertEqual((arrays.queries[entry], arrays.targets[entry]), (a.query, a.target))
            self.assertEqual((arrays.statuses[entry], arrays.message(entry)), (a.status, a.message))
            self.assertEqual(arrays.scores[entry], a.score or 0)
            self.assertEqual(arrays.cigar(entry), a.cigar)
            places = (a.query_begin, a.query_end, a.target_begin, a.target_end)
            found = [None] * 4 if arrays.spans is None else arrays.spans[entry].tolist()
            self.assertEqual([None if at == nwgpu.Arrays.NOWHERE else at for at in found], list(places))

    def test_the_same_as_alignments(self):
        for options in (dict(), dict(pairs="all"), dict(pairs=[(3, 0), (1, 1), (3, 0)]), dict(mode="local", top=2),
                        dict(output="score"), dict(output="end"), dict(output="span"), dict(pairs=[])):
            with self.subTest(options):
                options["scoring"] = nwgpu.dna()
                self.same(self.context.arrays(QUERIES, TARGETS, **options),
                          self.context.align(QUERIES, TARGETS, **options))

    def test_output_arrays(self):
        arrays = nwgpu.align(QUERIES, TARGETS, scoring="dna", output="arrays")
        self.assertEqual(arrays.scores.tolist(), [6, 0, -8, -4])
        self.assertEqual(arrays.statuses.tolist(), [0, nwgpu.Status.INVALID_SEQUENCE, 0, 0])
        self.assertEqual((arrays.runs >> 4).tolist(), [2, 1, 4, 2, 4, 4])
        self.assertEqual(arrays.offsets.tolist(), [0, 3, 3, 4, 6])
        self.assertEqual(repr(arrays), "<nwgpu.Arrays: 4 entries, 1 failed>")
        self.assertEqual([arrays.scores.dtype, arrays.spans.dtype, arrays.runs.dtype], ["int64", "uint64", "uint32"])

    def test_arrays_keep_the_library_and_cannot_be_written(self):
        arrays = self.context.arrays(QUERIES, TARGETS, scoring="dna")
        self.assertFalse(arrays.scores.flags.owndata)
        scores, runs = arrays.scores, arrays.runs[1:]
        with self.assertRaises(ValueError):
            scores[0] = 1
        for copy in (pickle.dumps, __import__("copy").copy):
            self.assertRaises(TypeError, copy, arrays)
        del arrays
        self.context.close()
        gc.collect()
        churn = [bytes(64) for _ in range(10000)]  # freed memory would be used again
        self.assertEqual((scores.tolist(), runs.tolist()[-1] & 15, len(churn)), ([6, 0, -8, -4], 7, 10000))

    def test_traceback(self):
        queries, targets = self.context.sequences(QUERIES), self.context.sequences(TARGETS)
        scores = self.context.arrays(queries, targets, scoring="dna", output="score")
        self.assertIsNone(scores.runs)
        every = self.context.align(queries, targets, scoring="dna")
        self.same(self.context.traceback(queries, targets, scores), every)
        self.same(self.context.traceback(queries, targets, scores, [3, 0]), [every[3], every[0]])
        self.same(self.context.traceback(queries, targets, scores, numpy.flatnonzero(scores.scores > 0)), every[:1])
        self.same(self.context.traceback(queries, targets, scores, []), [])
        with self.assertRaises(nwgpu.Error) as raised:
            self.context.traceback(targets, queries, scores)
        self.assertEqual(raised.exception.status, nwgpu.Status.INVALID_ARGUMENT)
        with self.assertRaises(nwgpu.Error):
            self.context.traceback(queries, targets, scores, [4])

    def test_letters_with_offsets(self):
        letters = numpy.frombuffer("".join(QUERIES).encode(), dtype=numpy.uint8)
        offsets = numpy.cumsum([0] + [len(query) for query in QUERIES])
        queries = self.context.sequences(letters, offsets)
        self.same(self.context.arrays(queries, TARGETS, scoring="dna"),
                  self.context.align(QUERIES, TARGETS, scoring="dna"))
        self.assertEqual(len(self.context.sequences(b"", [])), 0)
        self.assertRaises(ValueError, self.context.sequences, b"ACGT", [0, 5])
        self.assertRaises(nwgpu.Error, self.context.sequences, b"ACGT", [2, 1])

    @unittest.skipIf(pandas is None, "pandas is not there")
    def test_pandas(self):
        frame = self.context.arrays(QUERIES, TARGETS, scoring="dna").to_pandas()
        self.assertEqual(list(frame.columns), ["query", "target", "status", "score", "query_begin", "query_end",
                                               "target_begin", "target_end", "cigar", "message"])
        self.assertEqual(frame.score.sum(), -6)
        self.assertTrue(frame.score.isna().tolist() == frame.query_begin.isna().tolist() == [False, True, False, False])
        self.assertEqual(frame.status.tolist(), ["OK", "INVALID_SEQUENCE", "OK", "OK"])
        self.assertEqual(frame.cigar[3], "4I4=")
        self.assertIn("letter '-'", frame.message[1])
        ends = self.context.arrays(QUERIES, TARGETS, scoring="dna", output="end").to_pandas()
        self.assertTrue(ends.query_begin.isna().all() and not ends.query_end.isna().all() and "cigar" not in ends)


class ScoringByName(unittest.TestCase):
    def test_names(self):
        for name, scoring in (("BLOSUM62", nwgpu.matrix("BLOSUM62")), ("dna", nwgpu.dna())):
            self.assertEqual(nwgpu.align("ACWT", "ACT", scoring=name), nwgpu.align("ACWT", "ACT", scoring=scoring))

    def test_what_is_none_is_told(self):
        with self.assertRaisesRegex(nwgpu.Error, "no built-in matrix is named 'BLOSUM63'"):
            nwgpu.align("A", "A", scoring="BLOSUM63")
        with self.assertRaisesRegex(TypeError, r"scoring is \(2, 4\): give dna\(\), matrix\(\) or uniform\(\)"):
            nwgpu.align("A", "A", scoring=(2, 4))


if __name__ == "__main__":
    unittest.main()
