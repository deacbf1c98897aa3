# SPDX-License-Identifier: BSD-3-Clause
"""What the compiled half of the package (nwgpu._core) makes and raises."""
from __future__ import annotations

import enum
import logging
import typing

_logger = logging.getLogger("nwgpu")
_logger.addHandler(logging.NullHandler())


def log(level: int, text: str) -> None:
    """Called with whatever the library has to say; levels as in nwgpu_log_level."""
    _logger.log(logging.INFO if level == 0 else logging.WARNING, "%s", text)


class Status(enum.IntEnum):
    """nwgpu_status_code; the names are the header's without NWGPU_ and ERROR_."""

    OK = 0
    INVALID_ARGUMENT = 1
    INVALID_SEQUENCE = 2
    UNSUPPORTED = 3
    TOO_LARGE = 4
    INVALID_MATRIX = 5
    NOT_FOUND = 6
    BUSY = 7
    OUT_OF_HOST_MEMORY = 10
    OUT_OF_DEVICE_MEMORY = 11
    MEMORY_LIMIT = 12
    NO_DEVICE = 20
    DEVICE = 21
    DEVICE_LOST = 22
    CANCELLED = 30
    NO_TRACE = 31
    CHECKPOINT = 32
    DEADLINE = 33
    CALLBACK = 34
    COMMUNICATION = 35
    BELOW_MIN_SCORE = 40
    INTERNAL = 99

    @classmethod
    def _missing_(cls, value: object) -> Status:
        """A later library may have statuses that this file does not know."""
        assert isinstance(value, int)
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        return member


class Error(Exception):
    """A call of the library that failed as a whole.

    status     a Status
    pair       index of the offending pair, or None
    cuda_code  the cudaError_t, or 0
    """

    def __init__(self, message: str, status: Status, pair: int | None = None, cuda_code: int = 0):
        super().__init__(message)
        self.status = status
        self.pair = pair
        self.cuda_code = cuda_code

    def __str__(self) -> str:
        return f"{self.args[0]} ({self.status.name})"

    def __reduce__(self):
        return type(self), (self.args[0], self.status, self.pair, self.cuda_code)


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
