# SPDX-License-Identifier: BSD-3-Clause
"""The context: where and with how many threads pairs are aligned, and the calls that align them."""
from __future__ import annotations

import array
import contextlib
import ctypes
import itertools
import logging
import operator
import os
import signal
import threading
import typing
import weakref

from ._arrays import Arrays, Owner
from ._letters import batch
from ._library import ALL_DEVICES, BACKEND, CIGAR, FREE, LOG, MODE, NONE, OUTPUT, PAIRING, TIES, AlignOptions, Band, \
    Checkpoint, ContextOptions, Control, Error, ErrorInfo, EstimateInfo, LogFunction, Pair, ProgressFunction, \
    Status, Top, call, choose, library
from ._scoring import Scoring, cigar_text, named

_MODES = {  # as docs/conventions.md defines them
    "global": (MODE["global"], 0),
    "local": (MODE["local"], 0),
    "semiglobal": (MODE["free_ends"], FREE["target_begin"] | FREE["target_end"]),
    "overlap": (MODE["free_ends"], sum(FREE.values())),
    "extend": (MODE["free_ends"], FREE["query_end"] | FREE["target_end"]),
}

_PAIRING_BY_NAME = {name: PAIRING[name] for name in ("zip", "all")}

_logger = logging.getLogger("nwgpu")
_logger.addHandler(logging.NullHandler())


@LogFunction  # one for the whole process: sequences may outlive the context that was given it
def _log(_, level, text):
    _logger.log(logging.WARNING if level >= LOG["warning"] else logging.INFO, "%s", text.decode("utf-8", "replace"))


class Alignment(typing.NamedTuple):
    """An alignment.  None stands for what was not asked for, and for all that a failed pair has not."""

    query: int                #: which of the queries
    target: int               #: which of the targets
    status: Status            #: OK, or why this pair could not be aligned
    score: int | None
    query_begin: int | None   #: positions count from 0, ends are exclusive
    query_end: int | None
    target_begin: int | None
    target_end: int | None
    cigar: str | None         #: I: letters only in the query, D: only in the target; "*" has no columns
    message: str              #: what `status` is about, in English; empty if OK


class Estimate(typing.NamedTuple):
    """What a call would take.  The bytes are upper bounds that it keeps to, the seconds a prediction."""

    pairs: int
    cells: int
    host_bytes: int
    device_bytes: int
    seconds: float
    plan: str  #: a line for each group of pairs, for people


class _Progress:
    """The progress function of one call: keeps what the caller's raised, and lets Ctrl-C in.

    No exception can cross the library.  One that a signal handler raises would be lost, as Python runs handlers where
    it enters a function, before any `try`: so SIGINT is noted, and its handler called where exceptions are kept.
    """

    def __init__(self, user):
        self._user = user
        self._raised = None
        self._noted = None  # arguments of the handler
        self._handler = signal.getsignal(signal.SIGINT)
        self.function = ProgressFunction(self._called)

    def call(self, *arguments):
        notes = callable(self._handler) and threading.current_thread() is threading.main_thread()
        if notes:
            signal.signal(signal.SIGINT, self._note)
        try:
            call(*arguments)
        except Error:
            if self._raised is None:
                raise
        finally:
            if notes:
                signal.signal(signal.SIGINT, self._handler)
        if self._raised is not None:
            raise self._raised
        self._handle_noted()

    def _called(self, _, done, total):
        try:
            self._handle_noted()
            return int(self._user is not None and self._user(done, total) is False)
        except BaseException as exception:
            self._raised = exception
            return 1

    def _note(self, *arguments):
        self._noted = arguments

    def _handle_noted(self):
        if self._noted is not None:
            arguments, self._noted = self._noted, None
            self._handler(*arguments)


class _Handle:
    """Owns a handle of the library."""

    def __init__(self, handle, destroy):
        self._pointer = handle
        self._finalizer = weakref.finalize(self, destroy, handle)

    def __reduce__(self):
        raise TypeError(f"{type(self).__name__} cannot be copied or pickled: it owns what lies in the library")

    @property
    def _handle(self):
        if not self._finalizer.alive:
            raise ValueError(f"{type(self).__name__} is closed")
        return self._pointer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Sequences(_Handle):
    """Sequences that lie in the library, on the GPU, too, for many calls.  Made by Context.sequences()."""

    def __init__(self, context: Context, sequences, offsets=None):
        letters, offsets = batch(sequences, offsets)
        count = max(len(offsets) - 1, 0)
        handle = ctypes.c_void_p()
        call("nwgpu_sequences_create", context._handle, letters,
             (ctypes.c_uint64 * len(offsets)).from_buffer(offsets) if count else None, count, ctypes.byref(handle))
        super().__init__(handle, library.nwgpu_sequences_destroy)
        self._context = context
        self._count = count

    def __len__(self):
        return self._count

    def close(self) -> None:
        """Gives their memory back now instead of at garbage collection; may be called again."""
        with self._context._one_call():
            self._finalizer()


class Context(_Handle):
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
        backend, colon, numbers = ("cuda", "", "") if device == "all" else device.partition(":")
        devices = numbers.split(",") if colon else []
        if colon and not (backend == "cuda" and all(number.isdecimal() for number in devices)):
            raise ValueError(f"device = {device!r} is none of 'auto', 'cpu', 'cuda', 'cuda:N', 'cuda:N,M', 'all'")
        options = ContextOptions(
            backend=choose(BACKEND, backend, "device"), device=int(devices[0]) if devices else 0, cpu_threads=threads,
            device_count=ALL_DEVICES if device == "all" else len(devices) if len(devices) > 1 else 0,
            max_device_bytes=max_device_bytes, max_host_bytes=max_host_bytes,
            cpu_isa=None if cpu_isa is None else cpu_isa.encode())
        if len(devices) > 1:
            options.devices = (ctypes.c_int32 * len(devices))(*map(int, devices))
        options.log = _log
        handle = ctypes.c_void_p()
        call("nwgpu_context_create", ctypes.byref(options), ctypes.byref(handle))
        super().__init__(handle, library.nwgpu_context_destroy)
        self._lock = threading.RLock()         # held by a call
        self._cancel_lock = threading.RLock()  # held for a moment: what is destroyed cannot be cancelled
        self._busy = False
        if algorithm is not None:
            call("nwgpu_context_set_algorithm", handle, algorithm.encode())
        #: what computes: "cpu:avx3", "cuda:sm_90", or "cuda:sm_90+cpu:avx3" where "auto" chooses pair by pair
        self.backend = library.nwgpu_context_backend_name(handle).decode()
        self.threads = library.nwgpu_context_threads(handle)

    def close(self) -> None:
        """Ends its threads and gives memory back; waits for a call that is under way.  May be called again."""
        with self._one_call(), self._cancel_lock:
            self._finalizer()

    def cancel(self) -> None:
        """Ends the call that runs at this moment, if there is one, with Error CANCELLED; for other threads."""
        with self._cancel_lock:
            if self._finalizer.alive:
                library.nwgpu_context_cancel(self._pointer)

    def trim(self) -> None:
        """Gives cached memory back to the system."""
        with self._one_call():
            call("nwgpu_context_trim", self._handle)

    def sequences(self, sequences, offsets=None) -> Sequences:
        """Copies sequences into the library, for use in many calls: one str or bytes-like, or an iterable of them.

        With offsets, `sequences` are the letters of all, end to end, and offsets say where each begins, and where the
        last one ends: sequence i is sequences[offsets[i]:offsets[i + 1]].
        """
        with self._one_call():
            return Sequences(self, sequences, offsets)

    def align(self, queries, targets, **options) -> list[Alignment] | Arrays:
        """Aligns pairs: nwgpu.align() tells the options and the result."""
        if options.get("output") == "arrays":
            return self.arrays(queries, targets, **{**options, "output": "cigar"})
        with self._problem(queries, targets, **options) as (arguments, progress, pair_of, has_cigars):
            handle = ctypes.c_void_p()
            try:
                progress.call("nwgpu_align", *arguments, ctypes.byref(handle))
                return _alignments(handle, pair_of, has_cigars)
            finally:
                library.nwgpu_result_destroy(handle)

    def arrays(self, queries, targets, **options) -> Arrays:
        """Aligns pairs as align() does, and gives columns, which lie in the library: numpy arrays without copies.
        align(output="arrays") is arrays(output="cigar")."""
        with self._problem(queries, targets, **options) as (arguments, progress, pair_of, _):
            handle = ctypes.c_void_p()
            progress.call("nwgpu_align", *arguments, ctypes.byref(handle))
            return Arrays(Owner(handle), pair_of.columns)

    def traceback(self, queries, targets, arrays: Arrays, entries=None, *, progress=None, deadline=0.0) -> Arrays:
        """The CIGARs of an earlier call of arrays() with the same sequences that did not ask for them: of the entries
        whose indices are given, in that order, or of all.  Errors: INVALID_ARGUMENT for other sequences."""
        progress = _Progress(progress)
        control = Control(deadline_seconds=deadline)
        control.progress = progress.function
        chosen = None if entries is None else array.array("Q", map(operator.index, entries))
        count = 0 if chosen is None else len(chosen)
        listed = None if chosen is None else (ctypes.c_uint64 * max(count, 1))(*chosen)
        with self._one_call(), contextlib.ExitStack() as stack:
            queries, targets = (self._own(given, stack) for given in (queries, targets))
            handle = ctypes.c_void_p()
            progress.call("nwgpu_traceback", self._handle, queries._handle, targets._handle, arrays._owner.handle,
                          listed, count, ctypes.byref(control), ctypes.byref(handle))
            return Arrays(Owner(handle), arrays._columns_of)

    def estimate(self, queries, targets, **options) -> Estimate:
        """What align() with the same arguments would take, before it is made."""
        with self._problem(queries, targets, **options) as (arguments, *_):
            info = EstimateInfo()
            call("nwgpu_align_estimate", *arguments, ctypes.byref(info))
        return Estimate(info.pairs, info.cells, info.host_bytes, info.device_bytes, info.seconds, info.plan.decode())

    @contextlib.contextmanager
    def _one_call(self):
        with self._lock:
            if self._busy:
                raise RuntimeError("a progress function may not use the context that calls it")
            self._busy = True
            try:
                yield
            finally:
                self._busy = False

    @contextlib.contextmanager
    def _problem(self, queries, targets, *, scoring: Scoring, mode="global", output="cigar", pairs="zip",
                 cigar_style="eqx", ties="first", band=None, top=1, min_score=None, progress=None, deadline=0.0,
                 every_cell=False, checkpoint=None, checkpoint_seconds=0.0, resume=False):
        """Holds what a call is about: its arguments in C, its progress function, a function from a pair's number to
        those of its sequences, and whether there will be CIGARs."""
        mode, free_ends = _mode(mode)
        if isinstance(scoring, str):
            scoring = named(scoring)
        if not isinstance(scoring, Scoring):
            raise TypeError(f"scoring is {scoring!r}: give dna(), matrix() or uniform(), or the name of a matrix")
        pairing = choose(_PAIRING_BY_NAME, pairs, "pairs") if isinstance(pairs, str) else PAIRING["list"]
        options = AlignOptions(
            mode=mode, free_ends=free_ends, output=choose(OUTPUT, output, "output"),
            cigar_style=choose(CIGAR, cigar_style, "cigar_style"), ties=choose(TIES, ties, "ties"), pairing=pairing,
            every_cell=every_cell)
        if band is not None:
            lower, upper = band
            options.band = ctypes.pointer(Band(lower=lower, upper=upper))
        if top != 1:
            options.top = ctypes.pointer(Top(alignments=top))
        if min_score is not None:
            least = ctypes.c_int64(operator.index(min_score))
            if least.value != min_score:
                raise ValueError(f"min_score = {min_score!r} is out of range")
            options.min_score = ctypes.pointer(least)
        if checkpoint is None:
            if resume or checkpoint_seconds:
                raise ValueError("resume and checkpoint_seconds need checkpoint, a folder")
        else:
            options.checkpoint = ctypes.pointer(Checkpoint(folder=os.fsencode(checkpoint), seconds=checkpoint_seconds,
                                                           resume=resume))
        progress = _Progress(progress)
        control = Control(deadline_seconds=deadline)
        control.progress = progress.function
        options.control = ctypes.pointer(control)

        chosen = [(query, target) for query, target in pairs] if pairing == PAIRING["list"] else []
        listed = (Pair * len(chosen)).from_buffer_copy(array.array("Q", itertools.chain.from_iterable(chosen)))
        with self._one_call(), contextlib.ExitStack() as stack:
            queries, targets = (self._own(given, stack) for given in (queries, targets))
            arguments = (self._handle, queries._handle, targets._handle, listed if chosen else None, len(chosen),
                         ctypes.byref(scoring.scheme), ctypes.byref(options))
            if pairing == PAIRING["zip"] and len(queries) != len(targets):
                raise ValueError(f"pairs='zip' needs as many queries as targets, not {len(queries)} and "
                                 f"{len(targets)}; pairs='all' aligns each query with each target")
            pair_of = _PairOf(pairing, chosen, len(targets))
            yield arguments, progress, pair_of, output == "cigar"

    def _own(self, given, stack):
        """The sequences in the library; those that are copied for this call are given back with the stack."""
        if isinstance(given, Sequences):
            if given._context is not self:
                raise ValueError("the sequences are of another context")
            return given
        sequences = Sequences(self, given)
        stack.callback(sequences._finalizer)
        return sequences


class _PairOf:
    """From a pair's number to those of its query and target."""

    def __init__(self, pairing, chosen, targets):
        self._pairing = pairing
        self._chosen = chosen
        self._targets = targets

    def __call__(self, number):
        if self._pairing == PAIRING["list"]:
            return self._chosen[number]
        return (number, number) if self._pairing == PAIRING["zip"] else divmod(number, self._targets)

    def columns(self, numbers):
        """The same of an array of numbers."""
        if self._pairing == PAIRING["zip"]:
            return numbers, numbers
        if self._pairing == PAIRING["all"]:
            return numbers // max(self._targets, 1), numbers % max(self._targets, 1)
        import numpy
        chosen = numpy.array(self._chosen, dtype="uint64").reshape(-1, 2)
        return chosen[numbers, 0], chosen[numbers, 1]


def _mode(mode):
    if isinstance(mode, str):
        return choose(_MODES, mode, "mode")
    return MODE["free_ends"], sum(choose(FREE, end, "mode") for end in set(mode))


def _alignments(result, pair_of, has_cigars) -> list[Alignment]:
    count = library.nwgpu_result_count(result)
    if count == 0:
        return []
    spans = library.nwgpu_result_spans(result)
    places = [None if place == NONE else place for place in spans[:4 * count]] if spans else [None] * (4 * count)
    cigars = _cigars(result, count) if has_cigars else itertools.repeat(None)
    entries = zip(library.nwgpu_result_pairs(result)[:count], library.nwgpu_result_statuses(result)[:count],
                  library.nwgpu_result_scores(result)[:count], cigars)
    alignments = []
    for i, (pair, status, score, cigar) in enumerate(entries):
        query, target = pair_of(pair)
        if status == Status.OK:
            alignments.append(Alignment(query, target, Status.OK, score, *places[4 * i:4 * i + 4], cigar, ""))
        else:
            why = ErrorInfo()
            library.nwgpu_result_pair_error(result, i, ctypes.byref(why))
            message = why.message.decode("utf-8", "replace")
            alignments.append(Alignment(query, target, Status(status), *[None] * 6, message))
    return alignments


def _cigars(result, count):
    runs, offsets = ctypes.c_void_p(), ctypes.POINTER(ctypes.c_uint64)()
    call("nwgpu_result_cigars", result, ctypes.byref(runs), ctypes.byref(offsets))
    begins = offsets[:count + 1]
    for begin, end in zip(begins, begins[1:]):
        yield cigar_text((runs.value or 0) + 4 * begin, end - begin)
