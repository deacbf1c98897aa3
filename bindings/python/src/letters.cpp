// SPDX-License-Identifier: BSD-3-Clause
#include "letters.hpp"

#include <algorithm>
#include <cstring>

namespace nwgpu_python {

namespace {

// A list or a tuple, without an iterator.
struct Items {
    PyObject * list;
    bool is_list = PyList_Check(list) != 0;
    Py_ssize_t count = is_list ? PyList_Size(list) : PyTuple_Size(list);

    PyObject * operator[](Py_ssize_t index) const // borrowed
    {
        return is_list ? PyList_GetItem(list, index) : PyTuple_GetItem(list, index);
    }
};

Batch of_one(PyObject * given, std::string_view letters)
{
    Batch batch;
    batch.letters = reinterpret_cast<uint8_t const *>(letters.data());
    batch.offsets = {0, letters.size()};
    batch.owner = Object::share(given);
    return batch;
}

// Nothing where an item is neither str nor bytes.  No Python code runs meanwhile, so the items stay as they are.
std::optional<Batch> of_plain_items(Items const & items)
{
    Batch batch;
    batch.offsets.reserve(static_cast<std::size_t>(items.count) + 1);
    batch.offsets.push_back(0);
    for (Py_ssize_t i = 0; i < items.count; ++i) {
        std::optional<std::string_view> const letters = plain(items[i]);
        if (!letters)
            return std::nullopt;
        batch.offsets.push_back(batch.offsets.back() + letters->size());
    }
    batch.copy = std::make_unique_for_overwrite<uint8_t[]>(batch.offsets.back());
    for (Py_ssize_t i = 0; i < items.count; ++i) {
        std::string_view const letters = *plain(items[i]);
        std::copy_n(letters.data(), letters.size(), batch.copy.get() + batch.offsets[static_cast<std::size_t>(i)]);
    }
    batch.letters = batch.copy.get();
    return batch;
}

uint64_t index(PyObject * given)
{
    Object const number = Object::take(PyNumber_Index(given));
    uint64_t const value = PyLong_AsUnsignedLongLong(number.get());
    if (value == static_cast<uint64_t>(-1) && PyErr_Occurred())
        throw PythonError{};
    return value;
}

class Buffer {
public:
    explicit Buffer(PyObject * given) :
        is_there_{PyObject_GetBuffer(given, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) == 0}
    {
        if (!is_there_)
            PyErr_Clear();
    }
    Buffer(Buffer const &) = delete;
    ~Buffer()
    {
        if (is_there_)
            PyBuffer_Release(&view);
    }

    bool has_integers(Py_ssize_t columns) const
    {
        return is_there_ && view.itemsize == 8 && view.format && std::strlen(view.format) == 1 &&
               std::strchr("lLqQ", view.format[0]) && view.ndim == (columns == 1 ? 1 : 2) &&
               (columns == 1 || view.shape[1] == columns);
    }

    Py_buffer view;

private:
    bool is_there_;
};

} // namespace

std::optional<std::string_view> plain(PyObject * given)
{
    if (PyUnicode_Check(given)) {
        Py_ssize_t size = 0;
        char const * const letters = PyUnicode_AsUTF8AndSize(given, &size);
        if (!letters)
            throw PythonError{};
        if (size != PyUnicode_GetLength(given)) // raises
            Object::take(PyUnicode_AsASCIIString(given));
        return std::string_view{letters, static_cast<std::size_t>(size)};
    }
    if (PyBytes_Check(given)) {
        char * letters = nullptr;
        Py_ssize_t size = 0;
        require(PyBytes_AsStringAndSize(given, &letters, &size));
        return std::string_view{letters, static_cast<std::size_t>(size)};
    }
    return std::nullopt;
}

Batch several(PyObject * given)
{
    if (auto const letters = plain(given))
        return of_one(given, *letters);
    if (PyList_Check(given) || PyTuple_Check(given)) {
        if (std::optional<Batch> batch = of_plain_items({given}))
            return std::move(*batch);
    }
    Object const columns =
        Object::take(PyObject_CallFunctionObjArgs(attribute("nwgpu._letters", "columns").get(), given, nullptr));
    if (columns.get() != Py_None)
        return parts(PyTuple_GetItem(columns.get(), 0), PyTuple_GetItem(columns.get(), 1));
    Object const list =
        Object::take(PyObject_CallFunctionObjArgs(attribute("nwgpu._letters", "many").get(), given, nullptr));
    if (std::optional<Batch> batch = of_plain_items({list.get()}))
        return std::move(*batch);
    fail(PyExc_TypeError, "a sequence gave neither str nor bytes");
}

Batch one(PyObject * given)
{
    if (auto const letters = plain(given))
        return of_one(given, *letters);
    Object const bytes =
        Object::take(PyObject_CallFunctionObjArgs(attribute("nwgpu._letters", "letters").get(), given, nullptr));
    return of_one(bytes.get(), plain(bytes.get()).value());
}

Batch parts(PyObject * letters, PyObject * offsets)
{
    Batch batch = one(letters);
    uint64_t const size = batch.offsets.back();
    batch.offsets = indices(offsets, 1);
    if (!batch.offsets.empty() && batch.offsets.back() > size) {
        fail(PyExc_ValueError, "the last offset is %llu, but there are %llu letters",
             static_cast<unsigned long long>(batch.offsets.back()), static_cast<unsigned long long>(size));
    }
    return batch;
}

std::vector<uint64_t> indices(PyObject * given, Py_ssize_t columns)
{
    std::vector<uint64_t> numbers;
    if (Buffer const buffer{given}; buffer.has_integers(columns)) {
        auto const * const first = static_cast<uint64_t const *>(buffer.view.buf);
        numbers.assign(first, first + buffer.view.len / 8);
        bool const is_signed = std::strchr("lq", buffer.view.format[0]) != nullptr;
        if (is_signed && std::ranges::any_of(numbers, [](uint64_t number) { return number >> 63 != 0; }))
            fail(PyExc_OverflowError, "an index is negative");
        return numbers;
    }
    Object const iterator = Object::take(PyObject_GetIter(given));
    while (PyObject * const next = PyIter_Next(iterator.get())) {
        Object const item = Object::take(next);
        if (columns == 1) {
            numbers.push_back(index(item.get()));
            continue;
        }
        Object const pair = Object::take(PySequence_Tuple(item.get()));
        if (PyTuple_Size(pair.get()) != columns)
            fail(PyExc_ValueError, "a pair has two indices, not %zd", PyTuple_Size(pair.get()));
        for (Py_ssize_t i = 0; i < columns; ++i)
            numbers.push_back(index(PyTuple_GetItem(pair.get(), i)));
    }
    if (PyErr_Occurred())
        throw PythonError{};
    return numbers;
}

} // namespace nwgpu_python
