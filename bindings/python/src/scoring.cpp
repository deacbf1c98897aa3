// SPDX-License-Identifier: BSD-3-Clause
#include "scoring.hpp"

#include <vector>

#include "arguments.hpp"
#include "letters.hpp"

namespace nwgpu_python {

namespace {

PyTypeObject * scoring_type;

void set_alphabet(Scoring & scoring, PyObject * alphabet)
{
    if (alphabet == Py_None)
        return;
    constexpr Choice alphabets[] = {{"dna", 0}, {"protein", 1}};
    bool const is_dna = choose(alphabets, alphabet, "alphabet") == 0;
    scoring.scheme.letter_codes = nwgpu_alphabet_letter_codes(is_dna ? "dna" : "protein");
}

void set_matrix(Scoring & scoring, PyObject * name, PyObject * content)
{
    nwgpu_matrix * matrix = nullptr;
    if (name != Py_None)
        call(nwgpu_matrix_create, utf8(name), &matrix);
    else {
        char * text = nullptr;
        Py_ssize_t size = 0;
        require(PyBytes_AsStringAndSize(content, &text, &size));
        call(nwgpu_matrix_parse, text, static_cast<uint64_t>(size), &matrix);
    }
    scoring.matrix.reset(matrix);
    scoring.scheme.alphabet_size = nwgpu_matrix_alphabet_size(matrix);
    scoring.scheme.matrix = nwgpu_matrix_scores(matrix);
    scoring.scheme.letter_codes = nwgpu_matrix_letter_codes(matrix);
}

// Scoring(match, mismatch, gap_open, gap_extend, alphabet, name of a matrix, its text as bytes)
int initialize(PyObject * self, PyObject * arguments, PyObject *) noexcept
{
    return guarded(
        [&] {
            PyObject *match, *mismatch, *gap_open, *gap_extend, *alphabet, *name, *content;
            if (!PyArg_ParseTuple(arguments, "OOOOOOO", &match, &mismatch, &gap_open, &gap_extend, &alphabet, &name,
                                  &content))
                throw PythonError{};
            Scoring scoring;
            scoring.scheme.match = integer<int32_t>(match, "match");
            scoring.scheme.mismatch = integer<int32_t>(mismatch, "mismatch");
            scoring.scheme.gap_open = integer<int32_t>(gap_open, "gap_open");
            scoring.scheme.gap_extend = integer<int32_t>(gap_extend, "gap_extend");
            if (name == Py_None && content == Py_None)
                set_alphabet(scoring, alphabet);
            else
                set_matrix(scoring, name, content);
            std::swap(value_of<Scoring>(self), scoring);
            return 0;
        },
        -1);
}

// The runs of a CIGAR in BAM's encoding; ValueError where the text is none.
std::vector<uint32_t> runs_of(PyObject * given)
{
    constexpr std::string_view operations = "MIDNSHP=X"; // in the order of BAM's numbers
    constexpr uint32_t longest = (uint32_t{1} << 28) - 1;
    std::string_view const cigar = utf8(given);
    std::vector<uint32_t> runs;
    if (cigar == "*")
        return runs;
    uint32_t length = 0;
    bool has_length = false;
    for (char const letter : cigar) {
        if (letter >= '0' && letter <= '9') {
            length = length * 10 + static_cast<uint32_t>(letter - '0');
            has_length = true;
            if (length > longest)
                fail(PyExc_ValueError, "a run of a CIGAR has at most %u letters", longest);
            continue;
        }
        std::size_t const operation = operations.find(letter);
        if (!has_length || operation == operations.npos)
            fail(PyExc_ValueError, "not a CIGAR: %R", given);
        runs.push_back(length << 4 | static_cast<uint32_t>(operation));
        length = 0;
        has_length = false;
    }
    if (has_length || runs.empty())
        fail(PyExc_ValueError, "not a CIGAR: %R", given);
    return runs;
}

} // namespace

Object make_scoring_type()
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, const_cast<char *>("A scoring scheme; made by uniform(), dna() or matrix().")},
        {Py_tp_new, reinterpret_cast<void *>(make_empty<Scoring>)},
        {Py_tp_init, reinterpret_cast<void *>(initialize)},
        {Py_tp_dealloc, reinterpret_cast<void *>(destroy<Scoring>)},
        {0, nullptr},
    };
    static PyType_Spec specification = {"nwgpu._core.Scoring", sizeof(Holder<Scoring>), 0,
                                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    Object type = Object::take(PyType_FromSpec(&specification));
    scoring_type = reinterpret_cast<PyTypeObject *>(type.get());
    return type;
}

std::pair<nwgpu_scoring const *, Object> scoring_of(PyObject * given)
{
    Object scoring =
        PyUnicode_Check(given)
            ? Object::take(PyObject_CallFunctionObjArgs(attribute("nwgpu._scoring", "named").get(), given, nullptr))
            : Object::share(given);
    if (!PyObject_TypeCheck(scoring.get(), scoring_type))
        fail(PyExc_TypeError, "scoring is %R: give dna(), matrix() or uniform(), or the name of a matrix", given);
    return {&value_of<Scoring>(scoring.get()).scheme, std::move(scoring)};
}

PyObject * rescore(PyObject *, PyObject * arguments) noexcept
{
    return guarded([&] {
        PyObject *query, *target, *cigar, *scoring;
        if (!PyArg_ParseTuple(arguments, "OOUO", &query, &target, &cigar, &scoring))
            throw PythonError{};
        Batch const from = one(query), to = one(target);
        std::vector<uint32_t> const runs = runs_of(cigar);
        auto const [scheme, owner] = scoring_of(scoring);
        int64_t score = 0;
        call(nwgpu_cigar_score, from.letters, from.offsets[1], to.letters, to.offsets[1], scheme, runs.data(),
             uint64_t{runs.size()}, &score);
        return Object::take(PyLong_FromLongLong(score));
    });
}

PyObject * matrix_names(PyObject *, PyObject *) noexcept
{
    return guarded([] {
        Object list = Object::take(PyList_New(0));
        for (uint64_t index = 0; index < nwgpu_matrix_count(); ++index) {
            nwgpu_matrix_info info = NWGPU_MATRIX_INFO_INIT;
            call(nwgpu_matrix_describe, index, &info);
            require(PyList_Append(list.get(), text(info.name).get()));
        }
        return list;
    });
}

} // namespace nwgpu_python
