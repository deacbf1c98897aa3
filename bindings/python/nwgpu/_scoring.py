# SPDX-License-Identifier: BSD-3-Clause
"""Scoring schemes and CIGARs."""
from __future__ import annotations

import ctypes
import functools
import re
import weakref

from ._letters import letters
from ._library import MatrixInfo, ScoringScheme, call, choose, library

_OPERATIONS = "MIDNSHP=X"  # in the order of BAM's numbers
_LONGEST_RUN = 2**28 - 1


class Scoring:
    """A scoring scheme; made by uniform(), dna() or matrix().  May be copied and pickled."""

    def __init__(self, scheme: ScoringScheme, text: str, make):
        self.scheme = scheme
        self._text = text
        self._make = make  # makes the same scoring again

    def __repr__(self):
        return f"nwgpu.{self._text}"

    def __reduce__(self):
        return self._make, ()


def uniform(match: int, mismatch: int, gap_open: int, gap_extend: int, *, alphabet: str | None = None) -> Scoring:
    """Match and mismatch; every number is >= 0, as in nwgpu.h.

    match is added for an equal pair; mismatch is a *cost*, subtracted for any other.  A gap of k letters costs
    gap_open + k * gap_extend.  Edit distance is uniform(0, 1, 0, 1): the score is minus the distance.

    alphabet: None compares bytes as they are; "dna" has ACGT and the IUPAC codes, U is T; "protein" has A-Z and '*'.
    Both fold case, and a pair with any other letter gets the status INVALID_SEQUENCE.
    """
    scheme = ScoringScheme(match=match, mismatch=mismatch, gap_open=gap_open, gap_extend=gap_extend)
    if alphabet is not None:
        name = choose({"dna": b"dna", "protein": b"protein"}, alphabet, "alphabet")
        scheme.letter_codes = library.nwgpu_alphabet_letter_codes(name)
    return Scoring(scheme, f"uniform({match}, {mismatch}, {gap_open}, {gap_extend}, alphabet={alphabet!r})",
                   functools.partial(uniform, match, mismatch, gap_open, gap_extend, alphabet=alphabet))


def dna(match: int = 2, mismatch: int = 4, gap_open: int = 4, gap_extend: int = 2) -> Scoring:
    """uniform() with the letters of DNA and RNA.  mismatch and the gaps are costs >= 0; k gap letters cost 4 + 2k."""
    return uniform(match, mismatch, gap_open, gap_extend, alphabet="dna")


def matrix(name: str | None = None, *, text: str | bytes | None = None, gap_open: int = 11,
           gap_extend: int = 1) -> Scoring:
    """A built-in matrix (matrix_names() lists them; case does not matter), or one in NCBI's text format.

    Costs are >= 0: a gap of k letters costs gap_open + k * gap_extend, by default 11 + k.
    Errors: NOT_FOUND, INVALID_MATRIX (the message has the line).
    """
    if (name is None) == (text is None):
        raise TypeError("matrix() takes a name or a text")
    content = None if text is None else text.encode() if isinstance(text, str) else bytes(text)
    handle = ctypes.c_void_p()
    if content is None:
        call("nwgpu_matrix_create", name.encode(), ctypes.byref(handle))
    else:
        call("nwgpu_matrix_parse", content, len(content), ctypes.byref(handle))
    size = library.nwgpu_matrix_alphabet_size(handle)
    scheme = ScoringScheme(gap_open=gap_open, gap_extend=gap_extend, alphabet_size=size)
    scheme.matrix = library.nwgpu_matrix_scores(handle)
    scheme.letter_codes = library.nwgpu_matrix_letter_codes(handle)
    weakref.finalize(scheme, library.nwgpu_matrix_destroy, handle)  # it points into the matrix
    return Scoring(scheme, f"matrix({name!r}, gap_open={gap_open}, gap_extend={gap_extend})",
                   functools.partial(matrix, name, text=content, gap_open=gap_open, gap_extend=gap_extend))


def named(name: str) -> Scoring:
    """What a name means where a scoring is asked for: "dna" is dna(), "BLOSUM62" matrix("BLOSUM62")."""
    return dna() if name.lower() == "dna" else matrix(name)


def matrix_names() -> list[str]:
    """The matrices that are built in."""
    names = []
    for index in range(library.nwgpu_matrix_count()):
        info = MatrixInfo()
        call("nwgpu_matrix_describe", index, ctypes.byref(info))
        names.append(info.name.decode())
    return names


def cigar_text(runs, count: int) -> str:
    """The text of `count` runs, "*" for none."""
    buffer = ctypes.create_string_buffer(10 * count + 2)  # 9 digits and a letter are the longest run
    library.nwgpu_cigar_to_text(runs, count, buffer, len(buffer))
    return buffer.value.decode()


def cigar_runs(text: str) -> ctypes.Array:
    """The runs of a CIGAR in BAM's encoding; raises ValueError where the text is none."""
    found = re.findall(r"(\d+)([MIDNSHP=X])", text, re.ASCII)
    if ("".join(length + operation for length, operation in found) or "*") != text:
        raise ValueError(f"not a CIGAR: {text[:80]!r}")
    if any(int(length) > _LONGEST_RUN for length, _ in found):
        raise ValueError(f"a run of a CIGAR has at most {_LONGEST_RUN} letters")
    runs = [int(length) << 4 | _OPERATIONS.index(operation) for length, operation in found]
    return (ctypes.c_uint32 * len(runs))(*runs)


def rescore(query, target, cigar: str, scoring: Scoring) -> int:
    """Scores a CIGAR from nothing but the two aligned parts, to check an answer:

        rescore(query[a.query_begin:a.query_end], target[a.target_begin:a.target_end], a.cigar, scoring) == a.score

    Errors: INVALID_ARGUMENT when the CIGAR does not fit the lengths or a run of = or X does not hold, INVALID_SEQUENCE.
    """
    query, target, runs, score = letters(query), letters(target), cigar_runs(cigar), ctypes.c_int64()
    call("nwgpu_cigar_score", query, len(query), target, len(target), ctypes.byref(scoring.scheme), runs, len(runs),
         ctypes.byref(score))
    return score.value
