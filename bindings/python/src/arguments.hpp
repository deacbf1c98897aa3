// SPDX-License-Identifier: BSD-3-Clause
// Arguments as the library wants them: numbers in range, and names for its choices.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>

#include "python.hpp"

namespace nwgpu_python {

// An integer.  TypeError for another object, ValueError where the type cannot hold it.
template <std::integral Integer>
Integer integer(PyObject * given, char const * what)
{
    Object const number = Object::take(PyNumber_Index(given));
    if constexpr (std::same_as<Integer, uint64_t>) {
        uint64_t const value = PyLong_AsUnsignedLongLong(number.get());
        if (value != static_cast<uint64_t>(-1) || !PyErr_Occurred())
            return value;
        PyErr_Clear();
    } else {
        int overflow = 0;
        long long const value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
        if (overflow == 0 && value >= std::numeric_limits<Integer>::min() &&
            value <= std::numeric_limits<Integer>::max())
            return static_cast<Integer>(value);
    }
    fail(PyExc_ValueError, "%s = %R is out of range", what, given);
}

double number(PyObject * given);
bool truth(PyObject * given);
char const * utf8(PyObject * given); // of a str, which keeps it; TypeError, ValueError for one with a NUL

struct Choice {
    char const * name;
    int32_t value;
};

// The constant of that name; ValueError with the names that there are.
int32_t choose(std::span<Choice const> choices, PyObject * given, char const * what);

} // namespace nwgpu_python
