// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <cstring>
#include <string>

namespace nwgpu_python {

double number(PyObject * given)
{
    double const value = PyFloat_AsDouble(given);
    if (value == -1 && PyErr_Occurred())
        throw PythonError{};
    return value;
}

bool truth(PyObject * given)
{
    int const answer = PyObject_IsTrue(given);
    require(answer);
    return answer != 0;
}

char const * utf8(PyObject * given)
{
    Py_ssize_t size = 0;
    char const * const letters = PyUnicode_AsUTF8AndSize(given, &size);
    if (!letters)
        throw PythonError{};
    if (std::strlen(letters) != static_cast<std::size_t>(size))
        fail(PyExc_ValueError, "a text has a null character: %R", given);
    return letters;
}

int32_t choose(std::span<Choice const> choices, PyObject * given, char const * what)
{
    std::string names;
    for (Choice const & choice : choices) {
        if (PyUnicode_Check(given) && PyUnicode_CompareWithASCIIString(given, choice.name) == 0)
            return choice.value;
        names += std::string{names.empty() ? "'" : ", '"} + choice.name + '\'';
    }
    fail(PyExc_ValueError, "%s = %R is none of %s", what, given, names.c_str());
}

} // namespace nwgpu_python
