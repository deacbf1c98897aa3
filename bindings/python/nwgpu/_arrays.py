# SPDX-License-Identifier: BSD-3-Clause
"""The result of a call as columns: numpy arrays over the library's memory."""
from __future__ import annotations

import ctypes
import weakref

from ._library import NONE, Error, ErrorInfo, Status, call, library
from ._scoring import cigar_text


class Arrays:
    """What a call found, in columns: an entry for each pair, in order (with `top` for each alignment).

    pairs      uint64 [n]: the number of each entry's pair
    queries    uint64 [n]: which query that is
    targets    uint64 [n]: which target
    statuses   int32 [n]: a Status; 0 is OK
    scores     int64 [n]; 0 for pairs that failed
    spans      uint64 [n, 4]: query begin, query end, target begin, target end, or None where only scores were asked
               for; NOWHERE (2**64 - 1) stands for a position that was not asked for or that a failed pair has not
    runs       uint32: the CIGARs of all entries, length << 4 | operation as in BAM, or None where none were asked for
    offsets    uint64 [n + 1]: entry i has runs[offsets[i]:offsets[i + 1]]; None without runs

    The arrays cannot be written to.  Those but queries and targets lie in the library, uncopied; each keeps it alive.
    """

    NOWHERE = NONE

    def __init__(self, owner: Owner, queries_and_targets):
        handle = owner.handle
        count = library.nwgpu_result_count(handle)
        self._owner = owner
        self.pairs = owner.array(library.nwgpu_result_pairs(handle), count)
        self.statuses = owner.array(library.nwgpu_result_statuses(handle), count)
        self.scores = owner.array(library.nwgpu_result_scores(handle), count)
        self._columns_of = queries_and_targets
        self.queries, self.targets = queries_and_targets(self.pairs)
        self.spans = self.runs = self.offsets = None
        spans = library.nwgpu_result_spans(handle)
        if spans:
            self.spans = owner.array(spans, 4 * count).reshape(count, 4)
        runs, offsets = ctypes.c_void_p(), ctypes.POINTER(ctypes.c_uint64)()
        try:
            call("nwgpu_result_cigars", handle, ctypes.byref(runs), ctypes.byref(offsets))
        except Error as error:
            if error.status != Status.NO_TRACE:
                raise
        else:
            self.offsets = owner.array(offsets, count + 1)
            self.runs = owner.array(ctypes.cast(runs, ctypes.POINTER(ctypes.c_uint32)), int(self.offsets[-1]))

    def __len__(self):
        return len(self.scores)

    def __repr__(self):
        failed = int((self.statuses != 0).sum())
        return f"<nwgpu.Arrays: {len(self)} entries, {failed} failed>"

    def __reduce__(self):
        raise TypeError("Arrays cannot be copied or pickled, as they lie in the library: copy the arrays that you need")

    def cigar(self, entry: int) -> str | None:
        """The text of an entry's CIGAR; None where the pair failed or no CIGARs were asked for."""
        entry = range(len(self))[entry]
        if self.runs is None or self.statuses[entry] != 0:
            return None
        runs = self.runs[int(self.offsets[entry]):int(self.offsets[entry + 1])]
        return cigar_text(runs.ctypes.data, len(runs))

    def message(self, entry: int) -> str:
        """Why the pair of an entry failed; empty where it did not."""
        why = ErrorInfo()
        library.nwgpu_result_pair_error(self._owner.handle, range(len(self))[entry], ctypes.byref(why))
        return why.message.decode("utf-8", "replace")

    def to_pandas(self):
        """A DataFrame with the columns of Alignment; what a failed pair has not is missing (pandas.NA)."""
        import numpy
        import pandas

        ok = self.statuses == 0

        def column(values, known):
            return pandas.arrays.IntegerArray(numpy.where(known, values, 0).astype("int64"), ~known)

        names = {status: Status(int(status)).name for status in numpy.unique(self.statuses)}
        columns = {"query": self.queries, "target": self.targets,
                   "status": [names[status] for status in self.statuses], "score": column(self.scores, ok)}
        if self.spans is not None:
            for number, name in enumerate(("query_begin", "query_end", "target_begin", "target_end")):
                columns[name] = column(self.spans[:, number], ok & (self.spans[:, number] != self.NOWHERE))
        if self.runs is not None:
            columns["cigar"] = [self.cigar(entry) for entry in range(len(self))]
        columns["message"] = ["" if fine else self.message(entry) for entry, fine in enumerate(ok)]
        return pandas.DataFrame(columns)


class Owner:
    """Owns a result of the library for as long as an array over it lives."""

    def __init__(self, handle):
        self.handle = handle
        weakref.finalize(self, library.nwgpu_result_destroy, handle)

    def array(self, begin, count):
        """A numpy array over `count` items at a pointer, which keeps the result."""
        import numpy

        kind = begin._type_
        if count == 0:
            empty = numpy.empty(0, dtype=kind)
            empty.flags.writeable = False
            return empty
        memory = (kind * count).from_address(ctypes.addressof(begin.contents))
        memory.owner = self  # numpy keeps `memory`
        view = numpy.frombuffer(memory, dtype=kind)
        view.flags.writeable = False
        return view
