# SPDX-License-Identifier: BSD-3-Clause
"""The types of what nwgpu.align() and its like take."""
from __future__ import annotations

import collections.abc
import os
import typing

if typing.TYPE_CHECKING:
    from ._core import Sequences
    from ._scoring import Scoring

#: One sequence or several: text, bytes and other buffers of bytes, records, and collections of them
Letters = typing.Union[str, bytes, bytearray, memoryview, typing.Any]
Given = typing.Union["Sequences", Letters]

Mode = typing.Literal["global", "local", "semiglobal", "overlap", "extend", "extend_left", "extend_to_end"]
End = typing.Literal["query_begin", "query_end", "target_begin", "target_end"]
Output = typing.Literal["score", "end", "span", "cigar"]


class Options(typing.TypedDict, total=False):
    """The keywords of nwgpu.align(), which explains them, but for `output`."""

    scoring: typing.Required[Scoring | str]
    mode: Mode | collections.abc.Collection[End]
    pairs: typing.Literal["zip", "all"] | collections.abc.Iterable[typing.Any]
    cigar_style: typing.Literal["eqx", "m"]
    ties: typing.Literal["first", "last_end", "gaps_first"]
    band: tuple[int, int] | None
    top: int
    best: int | None
    all_equal: bool
    min_score: int | None
    progress: typing.Callable[[int, int], bool | None] | None
    deadline: float
    every_cell: bool
    checkpoint: str | os.PathLike[str] | None
    checkpoint_seconds: float
    resume: bool
