// SPDX-License-Identifier: BSD-3-Clause
// The types Context and Sequences.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "python.hpp"

namespace nwgpu_python {

// A context that threads share: the library takes one call at a time.
struct SharedContext {
    nwgpu_context * handle = nullptr; // NULL: closed.  Set with the lock of calls and Python's own lock held
    std::timed_mutex calls;
    std::atomic<std::thread::id> caller{};

    ~SharedContext() { nwgpu_context_destroy(handle); }
};

// Holds the lock of calls; waits for it while other Python threads run.  RuntimeError where this thread holds it
// already, which is what a progress function would do.
class OneCall {
public:
    explicit OneCall(std::shared_ptr<SharedContext> context);
    OneCall(OneCall const &) = delete;
    ~OneCall();

private:
    std::shared_ptr<SharedContext> context_;
};

struct Context {
    std::shared_ptr<SharedContext> shared = std::make_shared<SharedContext>();

    ~Context() { nwgpu_context_destroy(std::exchange(shared->handle, nullptr)); } // though sequences may live on
};

struct Sequences {
    std::shared_ptr<SharedContext> context;
    nwgpu_sequences * handle = nullptr; // NULL: closed
    uint64_t count = 0;

    ~Sequences() { nwgpu_sequences_destroy(handle); }
};

Object make_context_type();
Object make_sequences_type();

bool is_sequences(PyObject * given);
nwgpu_context * open_handle(SharedContext const & context); // ValueError where it is closed

// Methods of Context that align; align.cpp.
PyObject * align(PyObject * self, PyObject * arguments) noexcept;
PyObject * estimate(PyObject * self, PyObject * arguments) noexcept;
PyObject * traceback(PyObject * self, PyObject * arguments) noexcept;

} // namespace nwgpu_python
