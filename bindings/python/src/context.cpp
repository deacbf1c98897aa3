// SPDX-License-Identifier: BSD-3-Clause
#include "context.hpp"

#include <nwgpu/nwgpu_experimental.h>

#include <algorithm>
#include <vector>

#include "arguments.hpp"
#include "letters.hpp"

namespace nwgpu_python {

namespace {

PyTypeObject * sequences_type;

// Sequences may outlive the context that was given it, so that it belongs to the process.  An exception may be set:
// that of a progress function.
void log(void *, int32_t level, char const * message)
{
    PyGILState_STATE const state = PyGILState_Ensure();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject * const answer = PyObject_CallFunction(types.log, "is", static_cast<int>(level), message);
    if (!answer)
        PyErr_WriteUnraisable(types.log);
    Py_XDECREF(answer);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(state);
}

std::shared_ptr<SharedContext> const & shared(PyObject * self) { return value_of<Context>(self).shared; }

// Context(backend, devices, threads, max_device_bytes, max_host_bytes, cpu_isa, algorithm)
int initialize_context(PyObject * self, PyObject * arguments, PyObject *) noexcept
{
    return guarded(
        [&] {
            PyObject *backend, *given, *threads, *device_bytes, *host_bytes, *isa, *algorithm;
            if (!PyArg_ParseTuple(arguments, "UOOOOOO", &backend, &given, &threads, &device_bytes, &host_bytes, &isa,
                                  &algorithm))
                throw PythonError{};
            constexpr Choice backends[] = {
                {"auto", NWGPU_BACKEND_AUTO}, {"cpu", NWGPU_BACKEND_CPU}, {"cuda", NWGPU_BACKEND_CUDA}};
            nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
            options.backend = choose(backends, backend, "device");
            std::vector<int32_t> devices; // None: all there are
            if (given == Py_None)
                options.device_count = NWGPU_ALL_DEVICES;
            else
                for (uint64_t const device : indices(given, 1))
                    devices.push_back(static_cast<int32_t>(std::min<uint64_t>(device, INT32_MAX)));
            if (devices.size() == 1)
                options.device = devices[0];
            else if (!devices.empty()) {
                options.devices = devices.data();
                options.device_count = devices.size();
            }
            options.cpu_threads = integer<int32_t>(threads, "threads");
            options.max_device_bytes = integer<uint64_t>(device_bytes, "max_device_bytes");
            options.max_host_bytes = integer<uint64_t>(host_bytes, "max_host_bytes");
            options.cpu_isa = isa == Py_None ? nullptr : utf8(isa);
            options.log = log;
            auto made = std::make_shared<SharedContext>();
            {
                Unlocked const unlocked;
                call(nwgpu_context_create, &options, &made->handle);
            }
            if (algorithm != Py_None)
                call(nwgpu_context_set_algorithm, made->handle, utf8(algorithm));
            value_of<Context>(self).shared = std::move(made);
            return 0;
        },
        -1);
}

PyObject * close_context(PyObject * self, PyObject *) noexcept
{
    return guarded([&] {
        OneCall const one{shared(self)};
        // From here on no cancel() finds the handle; one that has found it is over, as it holds Python's lock.
        nwgpu_context * const handle = std::exchange(shared(self)->handle, nullptr);
        {
            Unlocked const unlocked;
            nwgpu_context_destroy(handle);
        }
        return Object::share(Py_None);
    });
}

PyObject * cancel(PyObject * self, PyObject *) noexcept
{
    nwgpu_context_cancel(shared(self)->handle);
    return Py_NewRef(Py_None);
}

PyObject * trim(PyObject * self, PyObject *) noexcept
{
    return guarded([&] {
        OneCall const one{shared(self)};
        call(nwgpu_context_trim, open_handle(*shared(self)));
        return Object::share(Py_None);
    });
}

PyObject * backend_name(PyObject * self, PyObject *) noexcept
{
    return guarded([&] { return text(nwgpu_context_backend_name(shared(self)->handle)); });
}

PyObject * thread_count(PyObject * self, PyObject *) noexcept
{
    return PyLong_FromLong(nwgpu_context_threads(shared(self)->handle));
}

// Sequences(context, given, offsets or None)
int initialize_sequences(PyObject * self, PyObject * arguments, PyObject *) noexcept
{
    return guarded(
        [&] {
            PyObject *context, *given, *offsets;
            if (!PyArg_ParseTuple(arguments, "OOO", &context, &given, &offsets))
                throw PythonError{};
            Batch const batch = offsets == Py_None ? several(given) : parts(given, offsets);
            Sequences & sequences = value_of<Sequences>(self);
            sequences.context = value_of<Context>(context).shared;
            OneCall const one{sequences.context};
            nwgpu_context * const handle = open_handle(*sequences.context);
            Unlocked const unlocked;
            call(nwgpu_sequences_create, handle, batch.letters, batch.offsets.data(), batch.count(), &sequences.handle);
            sequences.count = batch.count();
            return 0;
        },
        -1);
}

Py_ssize_t count(PyObject * self) noexcept { return static_cast<Py_ssize_t>(value_of<Sequences>(self).count); }

PyObject * close_sequences(PyObject * self, PyObject *) noexcept
{
    return guarded([&] {
        Sequences & sequences = value_of<Sequences>(self);
        if (sequences.context) {
            OneCall const one{sequences.context};
            nwgpu_sequences_destroy(std::exchange(sequences.handle, nullptr));
        }
        return Object::share(Py_None);
    });
}

} // namespace

OneCall::OneCall(std::shared_ptr<SharedContext> context) : context_{std::move(context)}
{
    if (context_->caller == std::this_thread::get_id())
        fail(PyExc_RuntimeError, "a progress function may not use the context that calls it");
    bool has_lock = context_->calls.try_lock();
    while (!has_lock) {
        {
            Unlocked const unlocked;
            has_lock = context_->calls.try_lock_for(std::chrono::milliseconds{50});
        }
        if (!has_lock)
            require(PyErr_CheckSignals()); // Ctrl-C ends the wait
    }
    context_->caller = std::this_thread::get_id();
}

OneCall::~OneCall()
{
    context_->caller = std::thread::id{};
    context_->calls.unlock();
}

nwgpu_context * open_handle(SharedContext const & context)
{
    if (!context.handle)
        fail(PyExc_ValueError, "Context is closed");
    return context.handle;
}

bool is_sequences(PyObject * given) { return PyObject_TypeCheck(given, sequences_type) != 0; }

Object make_context_type()
{
    static PyMethodDef methods[] = {
        method("_align", align, METH_VARARGS, "align(queries, targets, options)"),
        method("_estimate", estimate, METH_VARARGS, "estimate(queries, targets, options)"),
        method("_traceback", traceback, METH_VARARGS,
               "traceback(queries, targets, result, entries or None, progress, deadline)"),
        method("_backend", backend_name, METH_NOARGS, nullptr),
        method("_threads", thread_count, METH_NOARGS, nullptr),
        method("close", close_context, METH_NOARGS,
               "Ends its threads and gives memory back; waits for a call that is under way.  May be called again."),
        method("cancel", cancel, METH_NOARGS,
               "Ends the call that runs at this moment, if there is one, with Error CANCELLED; for other threads."),
        method("trim", trim, METH_NOARGS, "Gives cached memory back to the system."),
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {
        {Py_tp_new, reinterpret_cast<void *>(make_empty<Context>)},
        {Py_tp_init, reinterpret_cast<void *>(initialize_context)},
        {Py_tp_dealloc, reinterpret_cast<void *>(destroy<Context>)},
        {Py_tp_methods, methods},
        {0, nullptr},
    };
    static PyType_Spec specification = {"nwgpu._core.Context", sizeof(Holder<Context>), 0,
                                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return Object::take(PyType_FromSpec(&specification));
}

Object make_sequences_type()
{
    static PyMethodDef methods[] = {
        method("close", close_sequences, METH_NOARGS,
               "Gives their memory back now instead of at garbage collection; may be called again."),
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {
        {Py_tp_new, reinterpret_cast<void *>(make_empty<Sequences>)},
        {Py_tp_init, reinterpret_cast<void *>(initialize_sequences)},
        {Py_tp_dealloc, reinterpret_cast<void *>(destroy<Sequences>)},
        {Py_tp_methods, methods},
        {Py_sq_length, reinterpret_cast<void *>(count)},
        {0, nullptr},
    };
    static PyType_Spec specification = {"nwgpu._core.Sequences", sizeof(Holder<Sequences>), 0,
                                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    Object type = Object::take(PyType_FromSpec(&specification));
    sequences_type = reinterpret_cast<PyTypeObject *>(type.get());
    return type;
}

} // namespace nwgpu_python
