// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "arguments.hpp"
#include "letters.hpp"
#include "scoring.hpp"

namespace nwgpu_python {

namespace {

constexpr std::chrono::milliseconds between_looks{50};

constexpr int32_t arrays = -1;
constexpr Choice outputs[] = {{"score", NWGPU_OUTPUT_SCORE},
                              {"end", NWGPU_OUTPUT_END},
                              {"span", NWGPU_OUTPUT_SPAN},
                              {"cigar", NWGPU_OUTPUT_CIGAR},
                              {"arrays", arrays}};
constexpr Choice cigar_styles[] = {{"eqx", NWGPU_CIGAR_EQX}, {"m", NWGPU_CIGAR_M}};
constexpr Choice tie_rules[] = {
    {"first", NWGPU_TIES_FIRST}, {"last_end", NWGPU_TIES_LAST_END}, {"gaps_first", NWGPU_TIES_GAPS_FIRST}};
constexpr Choice pairings[] = {{"zip", NWGPU_PAIRING_ZIP}, {"all", NWGPU_PAIRING_ALL}};
constexpr Choice free_ends[] = {{"query_begin", NWGPU_FREE_QUERY_BEGIN},
                                {"query_end", NWGPU_FREE_QUERY_END},
                                {"target_begin", NWGPU_FREE_TARGET_BEGIN},
                                {"target_end", NWGPU_FREE_TARGET_END}};
constexpr int32_t of_target = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
constexpr int32_t all_ends = of_target | NWGPU_FREE_QUERY_BEGIN | NWGPU_FREE_QUERY_END;
constexpr Choice modes[] = { // those below 0 stand for free ends, as docs/conventions.md defines them
    {"global", NWGPU_MODE_GLOBAL},
    {"local", NWGPU_MODE_LOCAL},
    {"semiglobal", -of_target},
    {"overlap", -all_ends},
    {"extend", NWGPU_MODE_EXTEND},
    {"extend_left", NWGPU_MODE_EXTEND_LEFT},
    {"extend_to_end", -(NWGPU_FREE_QUERY_END | NWGPU_FREE_TARGET_END)}};

void set_mode(nwgpu_align_options & options, PyObject * given)
{
    if (PyUnicode_Check(given)) {
        int32_t const mode = choose(modes, given, "mode");
        options.mode = mode < 0 ? int32_t{NWGPU_MODE_FREE_ENDS} : mode;
        options.free_ends = mode < 0 ? -mode : 0;
        return;
    }
    options.mode = NWGPU_MODE_FREE_ENDS;
    options.free_ends = 0;
    Object const ends = Object::take(PySequence_List(given));
    for (Py_ssize_t i = 0; i < PyList_Size(ends.get()); ++i)
        options.free_ends |= choose(free_ends, PyList_GetItem(ends.get(), i), "mode");
}

void set_band(nwgpu_band & band, PyObject * given)
{
    Object const ends = Object::take(PySequence_Tuple(given));
    if (PyTuple_Size(ends.get()) != 2)
        fail(PyExc_ValueError, "band = %R is no pair (lower, upper)", given);
    band.lower = integer<int64_t>(PyTuple_GetItem(ends.get(), 0), "lower");
    band.upper = integer<int64_t>(PyTuple_GetItem(ends.get(), 1), "upper");
}

} // namespace

void Watch::call_at_progress(PyObject * function)
{
    if (function != Py_None && !PyCallable_Check(function))
        fail(PyExc_TypeError, "progress is %R, which cannot be called", function);
    function_ = function == Py_None ? Object{} : Object::share(function);
}

void Watch::set(nwgpu_control & control)
{
    control.progress = called;
    control.progress_user = this;
    next_look_ = std::chrono::steady_clock::now() + between_looks;
}

void Watch::raise_what_was_raised() const
{
    if (has_raised_)
        throw PythonError{};
}

int32_t Watch::called(void * given, uint64_t done, uint64_t total)
{
    Watch & watch = *static_cast<Watch *>(given);
    if (!watch.function_) { // nothing to do but to look for signals, and that not too often
        auto const now = std::chrono::steady_clock::now();
        if (now < watch.next_look_)
            return 0;
        watch.next_look_ = now + between_looks;
    }
    PyGILState_STATE const state = PyGILState_Ensure();
    watch.has_raised_ = watch.has_raised_ || PyErr_CheckSignals() < 0;
    bool const goes_on = !watch.has_raised_ && watch.may_go_on(done, total);
    PyGILState_Release(state);
    return goes_on ? 0 : 1;
}

bool Watch::may_go_on(uint64_t done, uint64_t total)
{
    if (!function_)
        return true;
    PyObject * const answer = PyObject_CallFunction(function_.get(), "KK", static_cast<unsigned long long>(done),
                                                    static_cast<unsigned long long>(total));
    has_raised_ = !answer;
    Py_XDECREF(answer);
    return answer && answer != Py_False;
}

uint64_t Pairing::query(uint64_t pair) const
{
    return kind == NWGPU_PAIRING_LIST ? chosen[2 * pair] : kind == NWGPU_PAIRING_ALL ? pair / targets : pair;
}

uint64_t Pairing::target(uint64_t pair) const
{
    return kind == NWGPU_PAIRING_LIST ? chosen[2 * pair + 1] : kind == NWGPU_PAIRING_ALL ? pair % targets : pair;
}

Options::Options(PyObject * keywords)
{
    options.output = NWGPU_OUTPUT_CIGAR;
    options.control = &control_;
    watch.set(control_);
    Py_ssize_t position = 0;
    PyObject *name, *value;
    while (PyDict_Next(keywords, &position, &name, &value))
        read(name, value);
    if (!scoring)
        fail(PyExc_TypeError, "scoring has to be given, by name: scoring=nwgpu.dna(), or scoring=\"BLOSUM62\"");
    if (!folder_ && (checkpoint_.resume || checkpoint_.seconds != 0))
        fail(PyExc_ValueError, "resume and checkpoint_seconds need checkpoint, a folder");
    if (!options.best && best_.all_equal)
        fail(PyExc_ValueError, "all_equal needs best");
    options.pairing = pairing.kind;
}

void Options::read(PyObject * name, PyObject * value)
{
    auto const is = [name](char const * option) { return PyUnicode_CompareWithASCIIString(name, option) == 0; };
    if (is("scoring"))
        std::tie(scoring, scoring_owner_) = scoring_of(value);
    else if (is("mode"))
        set_mode(options, value);
    else if (is("output")) {
        int32_t const output = choose(outputs, value, "output");
        wants_arrays = output == arrays;
        options.output = wants_arrays ? int32_t{NWGPU_OUTPUT_CIGAR} : output;
    } else if (is("pairs")) {
        if (PyUnicode_Check(value))
            pairing.kind = choose(pairings, value, "pairs");
        else {
            pairing.kind = NWGPU_PAIRING_LIST;
            pairing.chosen = indices(value, 2);
        }
    } else if (is("cigar_style"))
        options.cigar_style = choose(cigar_styles, value, "cigar_style");
    else if (is("ties"))
        options.ties = choose(tie_rules, value, "ties");
    else if (is("band")) {
        if (value != Py_None) {
            set_band(band_, value);
            options.band = &band_;
        }
    } else if (is("top")) {
        top_.alignments = integer<uint64_t>(value, "top");
        options.top = top_.alignments == 1 ? nullptr : &top_;
    } else if (is("best")) {
        if (value != Py_None) {
            best_.targets = integer<uint64_t>(value, "best");
            options.best = &best_;
        }
    } else if (is("all_equal")) {
        best_.all_equal = truth(value);
    } else if (is("min_score")) {
        if (value != Py_None) {
            min_score_ = integer<int64_t>(value, "min_score");
            options.min_score = &min_score_;
        }
    } else if (is("progress"))
        watch.call_at_progress(value);
    else if (is("deadline"))
        control_.deadline_seconds = number(value);
    else if (is("every_cell"))
        options.every_cell = truth(value);
    else if (is("checkpoint")) {
        if (value != Py_None) {
            PyObject * folder = nullptr;
            if (!PyUnicode_FSConverter(value, &folder))
                throw PythonError{};
            folder_ = Object::take(folder);
            checkpoint_.folder = PyBytes_AsString(folder);
            options.checkpoint = &checkpoint_;
        }
    } else if (is("checkpoint_seconds"))
        checkpoint_.seconds = number(value);
    else if (is("resume"))
        checkpoint_.resume = truth(value);
    else
        fail(PyExc_TypeError, "align() has no option %R; help(nwgpu.align) lists them", name);
}

} // namespace nwgpu_python
