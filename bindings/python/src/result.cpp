// SPDX-License-Identifier: BSD-3-Clause
#include "result.hpp"

#include <algorithm>
#include <string>

namespace nwgpu_python {

namespace {

PyTypeObject * result_type;
PyTypeObject * column_type;

// An array of a result, for numpy: it has a buffer, which cannot be written to.
struct Column {
    Object owner;
    void const * data = nullptr;
    char const * format = "B";
    int dimensions = 1;
    Py_ssize_t item = 1, shape[2] = {}, strides[2] = {};
};

int get_buffer(PyObject * self, Py_buffer * view, int flags) noexcept
{
    Column & column = value_of<Column>(self);
    view->obj = nullptr;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "the arrays of a result cannot be written to");
        return -1;
    }
    view->obj = Py_NewRef(self);
    view->buf = const_cast<void *>(column.data);
    view->len = column.item * column.shape[0] * (column.dimensions == 2 ? column.shape[1] : 1);
    view->readonly = 1;
    view->itemsize = column.item;
    view->format = flags & PyBUF_FORMAT ? const_cast<char *>(column.format) : nullptr;
    view->ndim = column.dimensions;
    view->shape = flags & PyBUF_ND ? column.shape : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? column.strides : nullptr;
    view->suboffsets = nullptr;
    view->internal = nullptr;
    return 0;
}

template <typename Number>
constexpr char const * format_of = nullptr;
template <>
constexpr char const * format_of<uint64_t> = "Q";
template <>
constexpr char const * format_of<int64_t> = "q";
template <>
constexpr char const * format_of<uint32_t> = "I";
template <>
constexpr char const * format_of<int32_t> = "i";

// `columns` 1: an array of `rows` numbers.
template <typename Number>
Object make_column(PyObject * owner, Number const * data, uint64_t rows, Py_ssize_t columns = 1)
{
    Object object = Object::take(make_empty<Column>(column_type, nullptr, nullptr));
    Column & column = value_of<Column>(object.get());
    column.owner = Object::share(owner);
    column.data = data;
    column.format = format_of<Number>;
    column.dimensions = columns == 1 ? 1 : 2;
    column.item = sizeof(Number);
    column.shape[0] = static_cast<Py_ssize_t>(rows);
    column.shape[1] = columns;
    column.strides[0] = column.item * columns;
    column.strides[1] = column.item;
    return object;
}

enum class Name { pairs, queries, targets, statuses, scores, spans, runs, offsets };

Object get_column(PyObject * self, Name name)
{
    Result & result = value_of<Result>(self);
    nwgpu_result const * const handle = result.handle.get();
    uint64_t const count = nwgpu_result_count(handle);
    uint64_t const * const pairs = nwgpu_result_pairs(handle);
    auto const made = [&](std::vector<uint64_t> & kept, auto number_of) {
        if (kept.empty()) {
            kept.resize(std::max(count, uint64_t{1})); // so that there is an address
            for (uint64_t entry = 0; entry < count; ++entry)
                kept[entry] = (result.pairing.*number_of)(pairs[entry]);
        }
        return make_column<uint64_t>(self, kept.data(), count);
    };
    switch (name) {
    case Name::pairs:
        return make_column(self, pairs, count);
    case Name::queries:
        return made(result.queries, &Pairing::query);
    case Name::targets:
        return made(result.targets, &Pairing::target);
    case Name::statuses:
        return make_column(self, nwgpu_result_statuses(handle), count);
    case Name::scores:
        return make_column(self, nwgpu_result_scores(handle), count);
    case Name::spans: {
        uint64_t const * const spans = nwgpu_result_spans(handle);
        return spans ? make_column(self, spans, count, 4) : Object::share(Py_None);
    }
    case Name::runs:
    case Name::offsets:
        break;
    }
    uint32_t const * runs = nullptr;
    uint64_t const * offsets = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_status const status = nwgpu_result_cigars(handle, &runs, &offsets, &error);
    if (status == NWGPU_ERROR_NO_TRACE)
        return Object::share(Py_None);
    if (status != NWGPU_OK)
        throw LibraryError{error};
    return name == Name::runs ? make_column(self, runs, offsets[count]) : make_column(self, offsets, count + 1);
}

template <Name name>
PyObject * column(PyObject * self, void *) noexcept
{
    return guarded([&] { return get_column(self, name); });
}

template <Name name>
PyGetSetDef getter(char const * text)
{
    return {text, column<name>, nullptr, nullptr, nullptr};
}

uint64_t entry_of(Result const & result, PyObject * given)
{
    uint64_t const entry = PyLong_AsUnsignedLongLong(given);
    if (PyErr_Occurred())
        throw PythonError{};
    if (entry >= nwgpu_result_count(result.handle.get()))
        fail(PyExc_IndexError, "there is no entry %R", given);
    return entry;
}

PyObject * cigar(PyObject * self, PyObject * given) noexcept
{
    return guarded([&] {
        Result const & result = value_of<Result>(self);
        uint64_t const entry = entry_of(result, given);
        uint32_t const * runs = nullptr;
        uint64_t const * offsets = nullptr;
        call(nwgpu_result_cigars, result.handle.get(), &runs, &offsets);
        uint64_t const begin = offsets[entry], count = offsets[entry + 1] - begin;
        std::string letters(10 * count + 2, '\0'); // 9 digits and a letter are the longest run
        letters.resize(nwgpu_cigar_to_text(runs + begin, count, letters.data(), letters.size()));
        return text(letters);
    });
}

PyObject * message(PyObject * self, PyObject * given) noexcept
{
    return guarded([&] {
        Result const & result = value_of<Result>(self);
        nwgpu_error why = NWGPU_ERROR_INIT;
        nwgpu_result_pair_error(result.handle.get(), entry_of(result, given), &why);
        return text(why.message);
    });
}

} // namespace

Object make_result_type()
{
    static PyGetSetDef columns[] = {getter<Name::pairs>("pairs"),
                                    getter<Name::queries>("queries"),
                                    getter<Name::targets>("targets"),
                                    getter<Name::statuses>("statuses"),
                                    getter<Name::scores>("scores"),
                                    getter<Name::spans>("spans"),
                                    getter<Name::runs>("runs"),
                                    getter<Name::offsets>("offsets"),
                                    {nullptr, nullptr, nullptr, nullptr, nullptr}};
    static PyMethodDef methods[] = {method("cigar", cigar, METH_O, "The CIGAR of an entry that is OK, as text."),
                                    method("message", message, METH_O, "Why the pair of an entry failed."),
                                    {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, reinterpret_cast<void *>(destroy<Result>)},
        {Py_tp_getset, columns},
        {Py_tp_methods, methods},
        {0, nullptr},
    };
    static PyType_Spec specification = {"nwgpu._core.Result", sizeof(Holder<Result>), 0,
                                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    Object type = Object::take(PyType_FromSpec(&specification));
    result_type = reinterpret_cast<PyTypeObject *>(type.get());
    return type;
}

Object make_column_type()
{
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, reinterpret_cast<void *>(destroy<Column>)},
        {Py_bf_getbuffer, reinterpret_cast<void *>(get_buffer)},
        {0, nullptr},
    };
    static PyType_Spec specification = {"nwgpu._core.Column", sizeof(Holder<Column>), 0,
                                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    Object type = Object::take(PyType_FromSpec(&specification));
    column_type = reinterpret_cast<PyTypeObject *>(type.get());
    return type;
}

Object make_result(nwgpu_result * handle, Pairing pairing)
{
    std::unique_ptr<nwgpu_result, Result::Destroy> owned{handle};
    Object object = Object::take(make_empty<Result>(result_type, nullptr, nullptr));
    Result & result = value_of<Result>(object.get());
    result.handle = std::move(owned);
    result.pairing = std::move(pairing);
    return object;
}

Result & result_of(PyObject * given)
{
    if (!PyObject_TypeCheck(given, result_type))
        fail(PyExc_TypeError, "%R is no result of arrays()", given);
    return value_of<Result>(given);
}

} // namespace nwgpu_python
