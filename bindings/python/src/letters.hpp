// SPDX-License-Identifier: BSD-3-Clause
// Sequences that Python gives, as letters that lie end to end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "python.hpp"

namespace nwgpu_python {

// Sequence i is letters[offsets[i]] .. letters[offsets[i + 1] - 1].  Keeps the letters, or the object that has them.
struct Batch {
    uint8_t const * letters = nullptr;
    std::vector<uint64_t> offsets;
    std::unique_ptr<uint8_t[]> copy;
    Object owner;

    uint64_t count() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

// One sequence or an iterable of them; _letters.py says what a sequence is.
Batch several(PyObject * given);

// One sequence, and where its parts begin and the last one ends.
Batch parts(PyObject * letters, PyObject * offsets);

// One sequence; TypeError for anything else.
Batch one(PyObject * given);

// The text of a str or bytes without a copy; nothing for other objects.  UnicodeEncodeError unless it is ASCII.
std::optional<std::string_view> plain(PyObject * given);

// Counts and indices: a buffer of integers of 64 bits with `columns` in each row, or an iterable of integers (of pairs
// of them, with 2 columns).  OverflowError for negative ones.
std::vector<uint64_t> indices(PyObject * given, Py_ssize_t columns);

} // namespace nwgpu_python
