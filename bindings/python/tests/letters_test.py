# SPDX-License-Identifier: BSD-3-Clause
"""What is one sequence, what are several, and what is refused because it would be aligned as something else."""
import array
import collections
import pathlib
import tempfile
import types
import unittest

import nwgpu

try:
    import numpy
except ImportError:
    numpy = None
try:
    from Bio import Seq, SeqRecord
except ImportError:
    Seq = SeqRecord = None
try:
    import pyarrow
except ImportError:
    pyarrow = None
try:
    import pysam
except ImportError:
    pysam = None
try:
    import pyfastx
except ImportError:
    pyfastx = None


class BytesText:
    """A sequence as Biopython has it: bytes() gives its letters, iterating its letters as texts."""

    def __init__(self, letters):
        self.letters = letters

    def __len__(self):
        return len(self.letters)

    def __iter__(self):
        return iter(self.letters)

    def __bytes__(self):
        return self.letters.encode()


class Text:
    """A sequence as Biopython had it before 1.79, without bytes()."""

    def __init__(self, letters):
        self.letters = letters

    def __getitem__(self, index):  # iterates, too, as far as it raises IndexError
        return self.letters[index]

    def __iter__(self):
        return iter(self.letters)

    def __str__(self):
        return self.letters


class Lines(Text):
    """A record that iterates over its lines, as that of pyfaidx."""

    def __iter__(self):
        return iter([self.letters[:4], self.letters[4:]])


class Record:
    """A record as Biopython has it; iterating it gives letters, too."""

    def __init__(self, seq):
        self.seq = seq

    def __iter__(self):
        return iter(self.seq)


class LettersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = nwgpu.Context("cpu", threads=1)
        cls.addClassCleanup(cls.context.close)

    def cigars(self, queries, targets):
        return [a.cigar for a in self.context.align(queries, targets, scoring=nwgpu.dna())]

    def assert_one(self, one, letters="GATTACA"):
        """It is one sequence, alone and in a list, and has these letters."""
        whole = f"{len(letters)}="
        self.assertEqual(self.cigars(one, letters), [whole])
        self.assertEqual(self.cigars([one, "A"], (letters, one)), [whole, self.cigars("A", letters)[0]])
        self.assertEqual(nwgpu.rescore(one, letters, whole, nwgpu.dna()), 2 * len(letters))
        with self.context.sequences(one) as held:
            self.assertEqual(len(held), 1)

    def assert_refused(self, given, message):
        for call in (lambda: self.cigars(given, "GATTACA"), lambda: self.cigars("GATTACA", given),
                     lambda: self.context.sequences(given)):
            self.assertRaisesRegex(TypeError, message, call)


class One(LettersTest):
    def test_texts_and_buffers(self):
        letters = b"GATTACA"
        for one in (letters.decode(), letters, bytearray(letters), memoryview(letters),
                    memoryview(b"G.A.T.T.A.C.A")[::2], memoryview(letters[::-1])[::-1], array.array("B", letters),
                    array.array("b", letters)):
            self.assert_one(one)
        self.assertEqual(self.cigars(b"", bytearray()), ["*"])
        self.assertEqual(self.cigars([], []), [])

    def test_sequences_and_records(self):
        for one in (BytesText("GATTACA"), Text("GATTACA"), Lines("GATTACA"), Record("GATTACA"),
                    Record(BytesText("GATTACA")), Record(Text("GATTACA"))):
            self.assert_one(one)
        self.assertEqual(self.cigars(BytesText(""), Record("")), ["*"])

    @unittest.skipUnless(Seq, "Biopython is not installed")
    def test_biopython(self):
        for one in (Seq.Seq("GATTACA"), Seq.MutableSeq("GATTACA"), SeqRecord.SeqRecord(Seq.Seq("GATTACA"), id="a"),
                    SeqRecord.SeqRecord(Seq.MutableSeq("GATTACA"))):
            self.assert_one(one)
        self.assertRaises(Seq.UndefinedSequenceError, self.cigars, Seq.Seq(None, length=7), "GATTACA")

    def test_records_by_their_attributes(self):
        for name in ("seq", "sequence", "query_sequence"):
            self.assert_one(types.SimpleNamespace(**{name: "GATTACA"}, name="read"))
        self.assertRaises(TypeError, self.cigars, types.SimpleNamespace(query_sequence=None), "A")

    def reads(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "reads.fa")
        path.write_text(">a\nGATTACA\n>b\nACA\n")
        return str(path)

    @unittest.skipUnless(pysam, "pysam is not installed")
    def test_pysam(self):
        with pysam.FastxFile(self.reads()) as reads:
            kept = [types.SimpleNamespace(sequence=read.sequence) for read in reads]
        with pysam.FastxFile(self.reads(), persist=True) as reads:
            self.assertEqual(self.cigars(reads, kept), ["7=", "3="])
        segment = pysam.AlignedSegment()
        segment.query_sequence = "GATTACA"
        self.assert_one(segment)

    @unittest.skipUnless(pyfastx, "pyfastx is not installed")
    def test_pyfastx(self):
        fasta = pyfastx.Fasta(self.reads())
        self.assert_one(fasta["a"])
        self.assertEqual(self.cigars(list(fasta), ["GATTACA", "ACA"]), ["7=", "3="])

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_numpy(self):
        letters = numpy.frombuffer(b"GATTACA", dtype=numpy.uint8)
        for one in (letters, letters.astype(numpy.int8), letters.view("S1"), numpy.bytes_(b"GATTACA"),
                    numpy.str_("GATTACA"), numpy.repeat(letters, 2)[::2]):
            self.assert_one(one)


class Several(LettersTest):
    def test_iterables(self):
        texts = ["GATTACA", "ACA"]
        for several in (texts, tuple(texts), iter(texts), (text for text in texts), map(str.encode, texts),
                        collections.deque(texts), {"a": "GATTACA", "b": "ACA"}.values()):
            self.assertEqual(self.cigars(several, texts), ["7=", "3="])

    def test_single_letters_in_a_list_are_sequences(self):
        self.assertEqual(self.cigars(list("AC"), ["A", "G"]), ["1=", "1X"])

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_numpy(self):
        rows = numpy.frombuffer(b"ACGTACCT", dtype=numpy.uint8).reshape(2, 4)
        for several in (rows, rows.view("S1"), numpy.array(["ACGT", "ACCT"]), numpy.array([b"ACGT", b"ACCT"]),
                        numpy.array(["ACGT", "ACCT"], dtype=object)):
            self.assertEqual(self.cigars(several, ["ACGT", "ACGT"]), ["4=", "2=1X1="])
        self.assertEqual(self.cigars(rows[:, ::-1][0], b"TGCA"), ["4="])
        for kind in ("S", "U", object):  # of 11 letters: numpy calls them "S11"
            texts = ["ACGTACGTACG"] * 2
            self.assertEqual(self.cigars(numpy.array(texts, dtype=kind), texts), ["11="] * 2)

    def test_arrow(self):
        class Array:  # as pyarrow has it: items are no texts
            def to_pylist(self):
                return ["GATTACA", "ACA"]

            def __iter__(self):
                return iter([object()] * 2)

        self.assertEqual(self.cigars(Array(), ["GATTACA", "ACA"]), ["7=", "3="])

    @unittest.skipUnless(pyarrow, "pyarrow is not installed")
    def test_arrays_of_arrow(self):
        texts = ["CC", "GATTACA", "", "ACA"]
        for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.binary(), pyarrow.large_binary()):
            given = pyarrow.array([text.encode() for text in texts]).cast(kind)
            self.assertEqual(self.cigars(given, texts), ["2=", "7=", "*", "3="])
            self.assertEqual(self.cigars(given[1:], texts[1:]), ["7=", "*", "3="])
            self.assertEqual(self.cigars(pyarrow.chunked_array([given[:2], given[2:]]), texts), ["2=", "7=", "*", "3="])
            self.assertEqual(self.cigars(given[:0], []), [])
        self.assert_refused(pyarrow.array(["A", None]), "NoneType is no sequence")
        self.assert_refused(pyarrow.array([1, 2]), "int is no sequence")

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_pairs_in_numpy(self):
        found = self.context.align(["A", "C"], ["A", "C"], pairs=numpy.array([[1, 1], [0, 0]]), scoring=nwgpu.dna())
        self.assertEqual([(a.query, a.target, a.cigar) for a in found], [(1, 1, "1="), (0, 0, "1=")])
        for kind in ("i8", "u8", "i4", "u1"):
            self.assertEqual(self.cigars_of_pairs(numpy.array([[1, 0]], dtype=kind)), ["1X"])
        self.assertRaises(OverflowError, self.cigars_of_pairs, numpy.array([[1, -1]]))
        self.assertRaises(ValueError, self.cigars_of_pairs, numpy.array([[1, 0, 0]]))
        self.assertRaises(TypeError, self.cigars_of_pairs, numpy.array([[1.0, 0.0]]))

    def cigars_of_pairs(self, pairs):
        return [a.cigar for a in self.context.align(["A", "C"], ["A", "C"], pairs=pairs, scoring=nwgpu.dna())]


class Refused(LettersTest):
    def test_what_has_no_order(self):
        for given in ({"GATTACA": "ACA"}, collections.OrderedDict(GATTACA=1), {"GATTACA", "ACA"},
                      frozenset(["GATTACA"]), {"GATTACA": 1}.keys()):
            self.assert_refused(given, "no order.*give a list")

    def test_what_is_no_sequence(self):
        for given in (None, 7, pathlib.Path("GATTACA"), [1, 2], [None], ["A", ["C"]], [{"A": "C"}],
                      array.array("i", [65, 67])):
            self.assert_refused(given, "")

    def test_arrays_of_characters(self):
        self.assert_refused(array.array("u", "GATTACA"), "may be one sequence or many")

    def test_other_letters_than_ascii(self):
        self.assertRaises(UnicodeEncodeError, self.cigars, "Ä", "AC")

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_numpy(self):
        self.assert_refused(numpy.array(list("GATTACA")), "may be one sequence or many")
        self.assert_refused(numpy.array([list("GATTACA")]), "may be one sequence or many")
        for kind in ("i4", "f8", "?"):
            self.assert_refused(numpy.zeros(7, dtype=kind), "")


if __name__ == "__main__":
    unittest.main()
