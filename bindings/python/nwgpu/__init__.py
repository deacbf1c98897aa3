# SPDX-License-Identifier: BSD-3-Clause
"""Exact pairwise sequence alignment on CPU and GPU: libnwgpu from Python.

    import nwgpu
    a, = nwgpu.align("GATTACA", "GATACA", scoring=nwgpu.dna())
    print(a.score, a.cigar)                      # 6 2=1I4=

Scores: higher is better.  Costs are numbers >= 0, as in nwgpu.h; a gap of k letters costs gap_open + k * gap_extend.
Positions count from 0, ends are exclusive.  CIGARs as in SAM: I is in the query only, D in the target only.
"""
from __future__ import annotations

import typing

try:
    from . import _core
except ImportError as failure:
    raise ImportError(f"nwgpu: cannot load the library ({failure}); a package that was compiled for an installed "
                      "library finds it where the system's loader does, or in LD_LIBRARY_PATH") from failure
from ._arrays import Arrays
from ._context import Context, Sequences
from ._options import Given, Options, Output
from ._scoring import Scoring, dna, matrix, matrix_names, rescore, uniform
from ._types import Alignment, Error, Estimate, Status
from ._version import VERSION as __version__

__all__ = [
    "Algorithm", "Alignment", "Arrays", "Context", "Device", "Error", "Estimate", "Scoring", "Sequences", "Status",
    "algorithms", "align", "build_info", "devices", "dna", "matrix", "matrix_names", "rescore", "uniform", "version",
]


@typing.overload
def align(queries: Given, targets: Given, *, device: str = ..., threads: int = ..., algorithm: str | None = ...,
          output: Output = ..., **options: typing.Unpack[Options]) -> list[Alignment]: ...


@typing.overload
def align(queries: Given, targets: Given, *, device: str = ..., threads: int = ..., algorithm: str | None = ...,
          output: typing.Literal["arrays"], **options: typing.Unpack[Options]) -> Arrays: ...


def align(queries, targets, *, device="auto", threads=0, algorithm=None, **options):
    """Aligns pairs of sequences, exactly, in a Context made for this call (for many calls, keep one: it is the same).

    queries, targets    one sequence or several, or Context.sequences().  One sequence is ASCII text, bytes, anything
                        with a one-dimensional buffer of bytes (bytearray, memoryview, a numpy array of uint8 or S1), a
                        Seq or SeqRecord of Biopython; several are a list or another iterable of them.  What has no
                        order (dict, set) is refused, and so is an array of single characters
    device, threads, algorithm
                        as in Context

    Options, by name alone:

    scoring             dna(), matrix() or uniform(), or a name: "dna", "BLOSUM62"; has to be given
    mode                "global", "local", "semiglobal" (free: both ends of the target), "overlap" (free: all four),
                        "extend_to_end" (free: the ends of query and target), "extend" (from both begins to the best
                        end anywhere), "extend_left" (from the best begin anywhere to both ends), or a collection of
                        "query_begin", "query_end",
                        "target_begin", "target_end": there, letters outside the alignment cost nothing.  ["global"]
    output              "score", "end", "span", "cigar": each has what the one before it has; "arrays": Arrays with
                        CIGARs, columns without copies, for large batches (Context.arrays has the other levels).
                        ["cigar"]
    pairs               "zip": the i-th query with the i-th target, in equal numbers; "all": each query with each
                        target; or a list of (query, target) indices.  ["zip"]
    cigar_style         "eqx": = and X; "m": M for both.  ["eqx"]
    ties                which of several best alignments: "first", "last_end", "gaps_first" (docs/exactness.md)
    band                (lower, upper): only cells with lower <= target - query <= upper letters exist
    top                 local: so many alignments per pair, best first, of which no two align the same two letters.  [1]
    best                entries for the pairs of each query with the best scores alone: so many, the best first, of equal
                        scores in the order of the pairs; then those that failed.  Paths are computed for them alone
    all_equal           with best: and for all others with the score of the last one
    min_score           a pair whose best score is lower has the status BELOW_MIN_SCORE and no score, positions or CIGAR;
                        with top, lower alignments are left out, and with best such pairs.  Global pairs that cannot reach it are given up early
    progress            called with the cells done and the cells in all, at least every 100 ms; returning False ends
                        the call with Error CANCELLED, and an exception ends it and is raised again
    deadline            ends the call with Error DEADLINE after so many seconds.  [0: none]
    every_cell          compute also the cells that provably matter for no optimum; the answer is the same
    checkpoint          a folder in which a long run of one pair saves itself every checkpoint_seconds [0: every 60]
    resume              go on from what is saved there

    Result: an alignment for each pair, in order (with top: those of a pair are neighbours; with best: one for each
    chosen pair, query by query).  A pair that cannot be
    aligned, say with a letter outside the alphabet, has another status than OK and harms no other; it raises nothing.
    Raises Error where the call fails as a whole, ValueError and TypeError for arguments that are none.  Threads:
    other Python threads run meanwhile.  Ctrl-C ends a call within 100 ms.
    """
    with Context(device, threads=threads, algorithm=algorithm) as context:
        return context.align(queries, targets, **options)


def version() -> str:
    """The version of the library that is loaded."""
    return _core.version()


def build_info() -> str:
    """How that library was built: "cuda=none cpu=avx3,avx2,sse4,sse2"."""
    return _core.build_info()


class Device(typing.NamedTuple):
    name: str     #: what Context() takes: "cpu", "cuda:0"
    memory: int   #: bytes of the GPU, or of the machine
    summary: str  #: a line: name, memory, capabilities; of the CPU its instruction sets, the one in use first


def devices() -> list[Device]:
    """The CPU, and the GPUs that can be used."""
    return [Device("cpu" if name == "cpu" else f"{name}:{number}", memory, summary)
            for name, number, memory, summary in _core.devices()]


class Algorithm(typing.NamedTuple):
    """A published algorithm, for comparison and study; the engine is faster."""

    name: str               #: for the option `algorithm`
    backend: str            #: "cpu" or "cuda"
    affine: bool            #: False: gap_open must be 0
    modes: tuple[str, ...]  #: of "global", "local", "free_ends"
    output: str             #: the most that it finds
    paper: str
    trace: str
    parameters: str         #: with their usual values
    limits: str
    summary: str


def algorithms() -> list[Algorithm]:
    """The published algorithms, in the order of the papers."""
    backends, outputs = ("auto", "cpu", "cuda"), ("score", "end", "span", "cigar")  # in the order of nwgpu.h
    return [Algorithm(name, backends[backend], bool(affine),
                      tuple(mode for bit, mode in enumerate(("global", "local", "free_ends")) if modes >> bit & 1),
                      outputs[output], *texts)
            for name, backend, affine, modes, output, *texts in _core.algorithms()]
