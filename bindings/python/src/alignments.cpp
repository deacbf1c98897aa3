// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "result.hpp"

namespace nwgpu_python {

namespace {

// A tuple as it grows.
class Tuple {
public:
    explicit Tuple(Py_ssize_t size) : tuple_{Object::take(PyTuple_New(size))} {}

    void add(Object item) { require(PyTuple_SetItem(tuple_.get(), size_++, item.release())); }
    void add(uint64_t number) { add(Object::take(PyLong_FromUnsignedLongLong(number))); }
    void add_missing(int count)
    {
        for (int i = 0; i < count; ++i)
            add(Object::share(Py_None));
    }
    PyObject * get() const { return tuple_.get(); }

private:
    Object tuple_;
    Py_ssize_t size_ = 0;
};

// Makes nwgpu.Alignment of a tuple of its fields: what the type's own __new__ does, without Python code.
class AlignmentMaker {
public:
    AlignmentMaker() : make_tuple_{reinterpret_cast<newfunc>(PyType_GetSlot(&PyTuple_Type, Py_tp_new))} {}

    Object operator()(Tuple const & fields) const
    {
        Object const arguments = Object::take(PyTuple_Pack(1, fields.get()));
        return Object::take(make_tuple_(reinterpret_cast<PyTypeObject *>(types.alignment), arguments.get(), nullptr));
    }

private:
    newfunc make_tuple_;
};

struct Columns {
    explicit Columns(nwgpu_result const * result) :
        count{nwgpu_result_count(result)},
        pairs{nwgpu_result_pairs(result)},
        statuses{nwgpu_result_statuses(result)},
        scores{nwgpu_result_scores(result)},
        spans{nwgpu_result_spans(result)}
    {
        if (nwgpu_result_cigars(result, &runs, &offsets, nullptr) != NWGPU_OK)
            runs = nullptr;
    }

    uint64_t count;
    uint64_t const * pairs;
    nwgpu_status const * statuses;
    int64_t const * scores;
    uint64_t const * spans;          // NULL: scores only
    uint32_t const * runs = nullptr; // NULL: no CIGARs
    uint64_t const * offsets = nullptr;
};

void add_answer(Tuple & fields, Columns const & columns, uint64_t entry, std::string & cigar)
{
    fields.add(Object::share(types.ok));
    fields.add(Object::take(PyLong_FromLongLong(columns.scores[entry])));
    for (uint64_t i = 4 * entry; i < 4 * entry + 4; ++i) {
        if (columns.spans && columns.spans[i] != UINT64_MAX)
            fields.add(columns.spans[i]);
        else
            fields.add_missing(1);
    }
    if (columns.runs) {
        uint64_t const begin = columns.offsets[entry], count = columns.offsets[entry + 1] - begin;
        cigar.resize(10 * count + 2); // 9 digits and a letter are the longest run
        cigar.resize(nwgpu_cigar_to_text(columns.runs + begin, count, cigar.data(), cigar.size()));
        fields.add(text(cigar));
    } else
        fields.add_missing(1);
    fields.add(text(""));
}

void add_failure(Tuple & fields, nwgpu_result const * result, uint64_t entry)
{
    nwgpu_error why = NWGPU_ERROR_INIT;
    nwgpu_result_pair_error(result, entry, &why);
    fields.add(Object::take(PyObject_CallFunction(types.status, "i", static_cast<int>(why.status))));
    fields.add_missing(6);
    fields.add(text(why.message));
}

} // namespace

Object alignments(nwgpu_result const * result, Pairing const & pairing)
{
    Columns const columns{result};
    AlignmentMaker const make;
    std::string cigar;
    Object list = Object::take(PyList_New(static_cast<Py_ssize_t>(columns.count)));
    for (uint64_t entry = 0; entry < columns.count; ++entry) {
        Tuple fields{10};
        fields.add(pairing.query(columns.pairs[entry]));
        fields.add(pairing.target(columns.pairs[entry]));
        if (columns.statuses[entry] == NWGPU_OK)
            add_answer(fields, columns, entry, cigar);
        else
            add_failure(fields, result, entry);
        require(PyList_SetItem(list.get(), static_cast<Py_ssize_t>(entry), make(fields).release()));
    }
    return list;
}

} // namespace nwgpu_python
