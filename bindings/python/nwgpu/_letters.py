# SPDX-License-Identifier: BSD-3-Clause
"""What may be given as one sequence and as several, in letters.

The compiled half of the package reads str and bytes, alone and in lists and tuples, itself; all else comes here.
"""
from __future__ import annotations

import array
import collections.abc
import contextlib
import re
import typing

_RECORDS = ("seq", "sequence", "query_sequence")  # Biopython and pyfastx; pysam's FastxRecord and AlignedSegment


def letters(sequence) -> bytes:
    """The letters of one sequence: see one_sequence().  Raises TypeError for anything else."""
    found = one_sequence(sequence)
    if found is None:
        raise TypeError(f"{type(sequence).__name__} is no sequence: give a text, or one byte for each letter")
    return found


def columns(given) -> tuple[typing.Any, array.array[int]] | None:
    """The letters and offsets of an array of texts or bytes of Arrow without nulls, uncopied; None for all else."""
    if not hasattr(given, "__arrow_c_array__") and not hasattr(given, "__arrow_c_stream__"):
        return None
    if hasattr(given, "combine_chunks"):  # a ChunkedArray
        given = given.combine_chunks()
    text_type = str(getattr(given, "type", ""))
    if text_type not in ("string", "binary", "large_string", "large_binary") or given.null_count or not len(given):
        return None
    _, offsets, text = given.buffers()
    numbers = memoryview(offsets).cast("B").cast("q" if text_type.startswith("large") else "i")
    return b"" if text is None else text, array.array("q", numbers[given.offset:given.offset + len(given) + 1])


def many(given) -> list[bytes] | list[str]:
    """The letters of each sequence of an iterable; one sequence alone is a list of one."""
    if hasattr(given, "to_pylist"):  # an array of Arrow
        given = given.to_pylist()
    one = one_sequence(given)
    if one is not None:
        return [one]
    if isinstance(given, (collections.abc.Mapping, collections.abc.Set)):
        raise TypeError(f"{type(given).__name__} has no order of sequences by which they could be paired: give a list, "
                        "list(d.values()) of a dict")
    return [letters(item) for item in given]


def one_sequence(given) -> bytes | None:
    """The letters if `given` is one sequence, None if it is something else.  One sequence is

    str (ASCII), and bytes
    a record with an attribute that is one sequence: of Biopython, pysam, pyfastx
    what bytes() turns into as many letters as it has items (Bio.Seq)
    a one-dimensional buffer of single bytes (bytearray, memoryview, numpy arrays of uint8 and S1)
    a collection of texts that str() joins (a record of pyfaidx, which iterates over its lines)
    """
    if isinstance(given, bytes):
        return given
    if isinstance(given, str):
        return given.encode("ascii")
    if isinstance(given, (list, tuple, collections.abc.Mapping, collections.abc.Set)):
        return None
    for name in _RECORDS:
        if hasattr(given, name):
            return letters(getattr(given, name))
    if isinstance(given, collections.abc.Iterator):  # after the records, as those of pyfastx are iterators, too
        return None
    if hasattr(type(given), "__bytes__") and hasattr(type(given), "__len__"):  # a path has bytes, but no length
        found = bytes(given)
        return found if len(found) == len(given) else None
    with contextlib.suppress(TypeError):
        given = memoryview(given)
    if isinstance(given, memoryview):
        return _of_buffer(given)
    if isinstance(given, collections.abc.Iterable):
        items = list(given)
        if items and all(isinstance(item, str) for item in items) and "".join(items) == str(given):
            return str(given).encode("ascii")
    return None


def _of_buffer(view: memoryview) -> bytes | None:
    # Of an item, as in the module struct: "11s" is a text of 11 letters; numpy and array have "w", a character.
    found = re.fullmatch(r"[@=<>!]?1?([Bbcswu])", view.format)
    if view.ndim != 1 or found is None:
        return None
    if found[1] in ("w", "u"):
        raise TypeError("an array of single characters may be one sequence or many: give \"\".join(array), or a list")
    return view.tobytes()
