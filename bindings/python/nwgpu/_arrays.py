# SPDX-License-Identifier: BSD-3-Clause
"""The result of a call as columns: numpy arrays over the library's memory."""
from __future__ import annotations

import typing

from ._types import Status

if typing.TYPE_CHECKING:
    import numpy
    import pandas

    from . import _core


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

    The arrays cannot be written to.  They lie in the library, uncopied, and each keeps it alive.
    """

    NOWHERE = 2**64 - 1

    def __init__(self, result: _core.Result):
        import numpy

        self._result = result
        self.pairs: numpy.ndarray = numpy.asarray(result.pairs)
        self.queries: numpy.ndarray = numpy.asarray(result.queries)
        self.targets: numpy.ndarray = numpy.asarray(result.targets)
        self.statuses: numpy.ndarray = numpy.asarray(result.statuses)
        self.scores: numpy.ndarray = numpy.asarray(result.scores)
        self.spans: numpy.ndarray | None = None if result.spans is None else numpy.asarray(result.spans)
        self.runs: numpy.ndarray | None = None
        self.offsets: numpy.ndarray | None = None
        if result.runs is not None:
            self.runs, self.offsets = numpy.asarray(result.runs), numpy.asarray(result.offsets)

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        failed = int((self.statuses != 0).sum())
        return f"<nwgpu.Arrays: {len(self)} entries, {failed} failed>"

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("Arrays cannot be copied or pickled, as they lie in the library: copy the arrays that you need")

    def cigar(self, entry: int) -> str | None:
        """The text of an entry's CIGAR; None where the pair failed or no CIGARs were asked for."""
        entry = range(len(self))[entry]
        if self.runs is None or self.statuses[entry] != 0:
            return None
        return self._result.cigar(entry)

    def message(self, entry: int) -> str:
        """Why the pair of an entry failed; empty where it did not."""
        return self._result.message(range(len(self))[entry])

    def to_pandas(self) -> pandas.DataFrame:
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
