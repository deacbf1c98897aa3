# SPDX-License-Identifier: BSD-3-Clause
"""The context: where and with how many threads pairs are aligned, and the calls that align them."""
from __future__ import annotations

import collections.abc
import typing

from . import _core
from ._arrays import Arrays
from ._options import Given, Letters, Options, Output
from ._types import Alignment, Estimate


class _Handle:
    """What Context and Sequences have in common: they own what lies in the library."""

    __slots__ = ()

    def close(self) -> None:
        raise NotImplementedError

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError(f"{type(self).__name__} cannot be copied or pickled: it owns what lies in the library")

    def __enter__(self) -> typing.Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Sequences(_core.Sequences, _Handle):
    """Sequences that lie in the library, on the GPU, too, for many calls.  Made by Context.sequences()."""


class Context(_core.Context, _Handle):
    """An engine with its threads and memory: keep it for many calls, and close it (or use `with`).

    device            "auto" (the GPU gets long pairs where there is one), "cpu", "cuda", "cuda:N", or several GPUs, to
                      which the pairs of a call are dealt out: "cuda:0,1", or "all"; see devices()
    threads           of the CPU; 0: all that the process may use
    max_device_bytes  0: what is free, less a margin
    max_host_bytes    what one call may allocate; 0: no limit
    cpu_isa           "avx3", "avx2", "sse4", "sse2", "neon", or None for the best there is
    algorithm         a published algorithm that computes in place of the engine: "NAME" or "NAME:parameter=value,...";
                      see algorithms()

    Threads may share a context: their calls wait for each other, as the library takes one at a time.  What the library
    has to say goes to the logger "nwgpu".  Errors: INVALID_ARGUMENT; NO_DEVICE or UNSUPPORTED for a GPU that is asked
    for by name and cannot be had; NOT_FOUND for an algorithm that there is not.
    """

    def __init__(self, device: str = "auto", *, threads: int = 0, max_device_bytes: int = 0, max_host_bytes: int = 0,
                 cpu_isa: str | None = None, algorithm: str | None = None):
        backend, colon, ordinals = device.partition(":")
        given = ordinals.split(",") if colon else []
        if colon and not (backend == "cuda" and all(number.isdecimal() for number in given)):
            raise ValueError(f"device = {device!r} is none of 'auto', 'cpu', 'cuda', 'cuda:N', 'cuda:N,M', 'all'")
        numbers: list[int] | None = [int(number) for number in given]
        if device == "all":
            backend, numbers = "cuda", None
        super().__init__(backend, numbers, threads, max_device_bytes, max_host_bytes, cpu_isa, algorithm)
        #: what computes: "cpu:avx3", "cuda:sm_90", or "cuda:sm_90+cpu:avx3" where "auto" chooses pair by pair
        self.backend = self._backend()
        self.threads = self._threads()

    def sequences(self, sequences: Letters, offsets: Letters = None) -> Sequences:
        """Copies sequences into the library, for use in many calls: one str or bytes-like, or an iterable of them.

        With offsets, `sequences` are the letters of all, end to end, and offsets say where each begins, and where the
        last one ends: sequence i is sequences[offsets[i]:offsets[i + 1]].
        """
        return Sequences(self, sequences, offsets)

    @typing.overload
    def align(self, queries: Given, targets: Given, *, output: Output = ...,
              **options: typing.Unpack[Options]) -> list[Alignment]: ...

    @typing.overload
    def align(self, queries: Given, targets: Given, *, output: typing.Literal["arrays"],
              **options: typing.Unpack[Options]) -> Arrays: ...

    def align(self, queries, targets, **options):
        """Aligns pairs: nwgpu.align() tells the options and the result."""
        found = self._align(queries, targets, options, False)
        return found if isinstance(found, list) else Arrays(found)

    def arrays(self, queries: Given, targets: Given, *, output: Output = "cigar",
               **options: typing.Unpack[Options]) -> Arrays:
        """Aligns pairs as align() does, and gives columns, which lie in the library: numpy arrays without copies.
        align(output="arrays") is arrays(output="cigar")."""
        found = self._align(queries, targets, {"output": output, **options}, True)
        assert not isinstance(found, list)
        return Arrays(found)

    def traceback(self, queries: Given, targets: Given, arrays: Arrays,
                  entries: collections.abc.Iterable[int] | None = None, *,
                  progress: typing.Callable[[int, int], bool | None] | None = None, deadline: float = 0.0) -> Arrays:
        """The CIGARs of an earlier call of arrays() with the same sequences that did not ask for them: of the entries
        whose indices are given, in that order, or of all.  Errors: INVALID_ARGUMENT for other sequences."""
        return Arrays(self._traceback(queries, targets, arrays._result, entries, progress, deadline))

    def estimate(self, queries: Given, targets: Given, *, output: Output = "cigar",
                 **options: typing.Unpack[Options]) -> Estimate:
        """What align() with the same arguments would take, before it is made."""
        return Estimate(*self._estimate(queries, targets, {"output": output, **options}))
