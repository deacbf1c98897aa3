// SPDX-License-Identifier: BSD-3-Clause
// The methods of Context that align.
#include <optional>

#include "arguments.hpp"
#include "context.hpp"
#include "letters.hpp"
#include "result.hpp"

namespace nwgpu_python {

namespace {

// What may be given as queries or targets: Sequences, or letters that are copied once, for this call.
class Input {
public:
    explicit Input(PyObject * given)
    {
        if (is_sequences(given))
            held_ = &value_of<Sequences>(given);
        else
            batch_ = several(given);
    }
    Input(Input const &) = delete;
    ~Input() { nwgpu_sequences_destroy(view_); }

    uint64_t count() const { return held_ ? held_->count : batch_.count(); }

    // Before the call, with Python's lock.
    void check(SharedContext const & context) const
    {
        if (held_ && held_->context.get() != &context)
            fail(PyExc_ValueError, "the sequences are of another context");
        if (held_ && !held_->handle)
            fail(PyExc_ValueError, "Sequences is closed");
    }

    // In the call, without it.
    nwgpu_sequences const * open(nwgpu_context * context)
    {
        if (held_)
            return held_->handle;
        call(nwgpu_sequences_create_view, context, batch_.letters, batch_.offsets.data(), batch_.count(), &view_);
        return view_;
    }

private:
    Sequences * held_ = nullptr;
    Batch batch_;
    nwgpu_sequences * view_ = nullptr;
};

// The arguments of a call, and the lock of its context.
class Problem {
public:
    Problem(PyObject * self, PyObject * queries, PyObject * targets, PyObject * keywords) :
        options{keywords}, queries_{queries}, targets_{targets}, one_{value_of<Context>(self).shared}
    {
        SharedContext & shared = *value_of<Context>(self).shared;
        context_ = open_handle(shared);
        queries_.check(shared);
        targets_.check(shared);
        options.pairing.targets = targets_.count();
        if (options.pairing.kind == NWGPU_PAIRING_ZIP && queries_.count() != targets_.count()) {
            fail(PyExc_ValueError,
                 "pairs='zip' needs as many queries as targets, not %llu and %llu; pairs='all' aligns each query with "
                 "each target",
                 static_cast<unsigned long long>(queries_.count()), static_cast<unsigned long long>(targets_.count()));
        }
    }

    // Calls the function of the library with all that its problem is; other Python threads run meanwhile.
    template <typename Function, typename Output>
    void call_library(Function function, Output * output)
    {
        std::vector<uint64_t> const & chosen = options.pairing.chosen;
        static_assert(sizeof(nwgpu_pair) == 2 * sizeof(uint64_t));
        auto const * const pairs = chosen.empty() ? nullptr : reinterpret_cast<nwgpu_pair const *>(chosen.data());
        Unlocked const unlocked;
        call(function, context_, queries_.open(context_), targets_.open(context_), pairs, uint64_t{chosen.size() / 2},
             options.scoring, &options.options, output);
    }

    Options options;

private:
    Input queries_, targets_;
    OneCall one_;
    nwgpu_context * context_;
};

// Runs a call that a Watch watches: what that has raised is what the call ends with.
template <typename Function>
void watched(Watch const & watch, Function function)
{
    try {
        function();
    } catch (LibraryError const &) {
        watch.raise_what_was_raised();
        throw;
    }
    watch.raise_what_was_raised();
}

} // namespace

PyObject * align(PyObject * self, PyObject * arguments) noexcept
{
    return guarded([&] {
        PyObject *queries, *targets, *keywords;
        int wants_arrays = 0;
        if (!PyArg_ParseTuple(arguments, "OOO!p", &queries, &targets, &PyDict_Type, &keywords, &wants_arrays))
            throw PythonError{};
        nwgpu_result * handle = nullptr;
        Pairing pairing;
        {
            Problem problem{self, queries, targets, keywords};
            watched(problem.options.watch, [&] { problem.call_library(nwgpu_align, &handle); });
            pairing = std::move(problem.options.pairing);
            wants_arrays = wants_arrays || problem.options.wants_arrays;
        }
        Object result = make_result(handle, std::move(pairing));
        return wants_arrays ? std::move(result) : alignments(handle, result_of(result.get()).pairing);
    });
}

PyObject * estimate(PyObject * self, PyObject * arguments) noexcept
{
    return guarded([&] {
        PyObject *queries, *targets, *keywords;
        if (!PyArg_ParseTuple(arguments, "OOO!", &queries, &targets, &PyDict_Type, &keywords))
            throw PythonError{};
        nwgpu_estimate found = NWGPU_ESTIMATE_INIT;
        Problem problem{self, queries, targets, keywords};
        watched(problem.options.watch, [&] { problem.call_library(nwgpu_align_estimate, &found); });
        return Object::take(Py_BuildValue(
            "KKKKds", static_cast<unsigned long long>(found.pairs), static_cast<unsigned long long>(found.cells),
            static_cast<unsigned long long>(found.host_bytes), static_cast<unsigned long long>(found.device_bytes),
            found.seconds, found.plan));
    });
}

PyObject * traceback(PyObject * self, PyObject * arguments) noexcept
{
    return guarded([&] {
        PyObject *queries, *targets, *earlier, *entries, *progress;
        double deadline = 0;
        if (!PyArg_ParseTuple(arguments, "OOOOOd", &queries, &targets, &earlier, &entries, &progress, &deadline))
            throw PythonError{};
        Result const & result = result_of(earlier);
        std::vector<uint64_t> chosen;
        if (entries != Py_None)
            chosen = indices(entries, 1);
        static constexpr uint64_t none[] = {0}; // no entries are not all entries
        uint64_t const * const list = entries == Py_None ? nullptr : chosen.empty() ? none : chosen.data();
        Input query{queries}, target{targets};
        nwgpu_control control = NWGPU_CONTROL_INIT;
        Watch watch;
        watch.call_at_progress(progress);
        watch.set(control);
        control.deadline_seconds = deadline;
        nwgpu_result * handle = nullptr;
        SharedContext & shared = *value_of<Context>(self).shared;
        OneCall const one{value_of<Context>(self).shared};
        nwgpu_context * const context = open_handle(shared);
        query.check(shared);
        target.check(shared);
        watched(watch, [&] {
            Unlocked const unlocked;
            call(nwgpu_traceback, context, query.open(context), target.open(context), result.handle.get(), list,
                 uint64_t{chosen.size()}, &control, &handle);
        });
        return make_result(handle, result.pairing);
    });
}

} // namespace nwgpu_python
