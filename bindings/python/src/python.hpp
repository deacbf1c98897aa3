// SPDX-License-Identifier: BSD-3-Clause
// Python's limited API of 3.11, with owned references and C++ exceptions; errors of the library as Python's.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000 // one module for every Python from 3.11 on
#include <Python.h>

#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include <nwgpu/nwgpu.h>

namespace nwgpu_python {

// A Python exception is set.
struct PythonError {};

// A call of the library that failed.
struct LibraryError {
    nwgpu_error error;
};

// Owns a reference to an object.
class Object {
public:
    Object() = default;
    Object(Object && other) noexcept : object_{std::exchange(other.object_, nullptr)} {}
    Object & operator=(Object && other) noexcept
    {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Object() { Py_XDECREF(object_); }

    // What a function of Python gave: a new reference, or NULL with an exception set, which throws PythonError.
    static Object take(PyObject * object)
    {
        if (!object)
            throw PythonError{};
        return Object{object};
    }
    static Object share(PyObject * object) { return Object{Py_NewRef(object)}; }

    PyObject * get() const { return object_; }
    PyObject * release() { return std::exchange(object_, nullptr); }
    explicit operator bool() const { return object_ != nullptr; }

private:
    explicit Object(PyObject * object) : object_{object} {}

    PyObject * object_ = nullptr;
};

// Lets other Python threads run for as long as it lives.
class Unlocked {
public:
    Unlocked() : state_{PyEval_SaveThread()} {}
    Unlocked(Unlocked const &) = delete;
    ~Unlocked() { PyEval_RestoreThread(state_); }

private:
    PyThreadState * state_;
};

// Raises TypeError, ValueError or the like; `format` as PyErr_Format has it.
template <typename... Arguments>
[[noreturn]] void fail(PyObject * type, char const * format, Arguments... arguments)
{
    PyErr_Format(type, format, arguments...);
    throw PythonError{};
}

// For functions that answer -1 (or less) with an exception set.
inline void require(int answer)
{
    if (answer < 0)
        throw PythonError{};
}

// Calls function(arguments..., &error) of the library; throws LibraryError.
template <typename Function, typename... Arguments>
void call(Function function, Arguments... arguments)
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    if (function(arguments..., &error) != NWGPU_OK)
        throw LibraryError{error};
}

// What the Python half of the package defines (_types.py); set when the module is imported.
struct Types {
    PyObject * error;     // nwgpu.Error(message, status, pair or None, cuda_code)
    PyObject * status;    // nwgpu.Status(number)
    PyObject * ok;        // nwgpu.Status.OK
    PyObject * alignment; // nwgpu.Alignment
    PyObject * log;       // log(level, text)
};
inline Types types{};

Object text(std::string_view utf8); // bytes that are no UTF-8 are replaced
Object attribute(char const * module, char const * name);
void raise(nwgpu_error const & error) noexcept; // sets nwgpu.Error

// The value of `function`, or `failed` with a Python exception set.
template <typename Function, typename Value>
Value guarded(Function function, Value failed) noexcept
{
    try {
        return function();
    } catch (PythonError const &) {
    } catch (LibraryError const & failure) {
        raise(failure.error);
    } catch (std::bad_alloc const &) {
        PyErr_NoMemory();
    } catch (std::exception const & failure) {
        PyErr_SetString(PyExc_RuntimeError, failure.what());
    }
    return failed;
}

template <typename Function>
PyObject * guarded(Function function) noexcept
{
    return guarded([&]() -> PyObject * { return function().release(); }, static_cast<PyObject *>(nullptr));
}

// ---- Types whose objects hold a C++ value ----

template <typename Value>
struct Holder {
    PyObject_HEAD Value value;
};

template <typename Value>
Value & value_of(PyObject * object)
{
    return reinterpret_cast<Holder<Value> *>(object)->value;
}

inline void free_memory(PyObject * object) noexcept
{
    PyTypeObject * const type = Py_TYPE(object);
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

template <typename Value>
PyObject * make_empty(PyTypeObject * type, PyObject *, PyObject *) noexcept
{
    auto const allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
    PyObject * const object = allocate(type, 0);
    if (!object)
        return nullptr;
    return guarded(
        [&] {
            try {
                new (&value_of<Value>(object)) Value{};
                return object;
            } catch (...) {
                free_memory(object);
                throw;
            }
        },
        static_cast<PyObject *>(nullptr));
}

template <typename Value>
void destroy(PyObject * object) noexcept
{
    value_of<Value>(object).~Value();
    free_memory(object);
}

template <typename Function>
PyMethodDef method(char const * name, Function function, int flags, char const * documentation)
{
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), flags, documentation};
}

} // namespace nwgpu_python
