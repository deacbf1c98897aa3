# SPDX-License-Identifier: BSD-3-Clause
"""Scoring schemes and CIGARs."""
from __future__ import annotations

import functools
import typing

from . import _core
from ._options import Letters


class Scoring(_core.Scoring):
    """A scoring scheme; made by uniform(), dna() or matrix().  May be copied and pickled."""

    def __init__(self, match: int, mismatch: int, gap_open: int, gap_extend: int, alphabet: str | None = None,
                 name: str | None = None, text: bytes | None = None):
        super().__init__(match, mismatch, gap_open, gap_extend, alphabet, name, text)
        self._arguments = match, mismatch, gap_open, gap_extend, alphabet, name, text

    def __repr__(self) -> str:
        match, mismatch, gap_open, gap_extend, alphabet, name, text = self._arguments
        if name is None and text is None:
            return f"nwgpu.uniform({match}, {mismatch}, {gap_open}, {gap_extend}, alphabet={alphabet!r})"
        return f"nwgpu.matrix({name!r}, gap_open={gap_open}, gap_extend={gap_extend})"

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return type(self), self._arguments  # makes the same scoring again


def uniform(match: int, mismatch: int, gap_open: int, gap_extend: int, *,
            alphabet: typing.Literal["dna", "protein"] | None = None) -> Scoring:
    """Match and mismatch; every number is >= 0, as in nwgpu.h.

    match is added for an equal pair; mismatch is a *cost*, subtracted for any other.  A gap of k letters costs
    gap_open + k * gap_extend.  Edit distance is uniform(0, 1, 0, 1): the score is minus the distance.

    alphabet: None compares bytes as they are; "dna" has ACGT and the IUPAC codes, U is T; "protein" has A-Z and '*'.
    Both fold case, and a pair with any other letter gets the status INVALID_SEQUENCE.
    """
    return Scoring(match, mismatch, gap_open, gap_extend, alphabet)


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
    return Scoring(0, 0, gap_open, gap_extend, None, name, content)


@functools.lru_cache(maxsize=16)
def named(name: str) -> Scoring:
    """What a name means where a scoring is asked for: "dna" is dna(), "BLOSUM62" matrix("BLOSUM62")."""
    return dna() if name.lower() == "dna" else matrix(name)


def matrix_names() -> list[str]:
    """The matrices that are built in."""
    return _core.matrix_names()


def rescore(query: Letters, target: Letters, cigar: str, scoring: Scoring | str) -> int:
    """Scores a CIGAR from nothing but the two aligned parts, to check an answer:

        rescore(query[a.query_begin:a.query_end], target[a.target_begin:a.target_end], a.cigar, scoring) == a.score

    Errors: INVALID_ARGUMENT when the CIGAR does not fit the lengths or a run of = or X does not hold, INVALID_SEQUENCE.
    """
    return _core.rescore(query, target, cigar, scoring)
