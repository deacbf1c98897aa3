// SPDX-License-Identifier: BSD-3-Clause
// Every kind of call over nwgpu.h, each with its answer as text.  All that this folder knows of the interface is here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/c_handles.hpp"

namespace nwgpu::test {

// What a call has made, and what is said of it.
struct Answer {
    nwgpu_status status = NWGPU_OK;
    std::vector<std::string> pairs; // of each pair: what was found, or the name of its status
};

class Call {
public:
    explicit Call(std::string name) : name_{std::move(name)} {}
    virtual ~Call() = default;
    std::string const & name() const { return name_; }

    // Makes what the call needs, and calls; all that is allocated meanwhile is the library's.
    virtual nwgpu_status run(nwgpu_context * context) = 0;
    // Of the run before, which gave OK.
    virtual std::vector<std::string> answer() const = 0;
    // Frees what the run has made.
    virtual void clear() = 0;

private:
    std::string const name_;
};

// One of each kind; checkpoints are kept below `folder`.
std::vector<std::unique_ptr<Call>> all_calls(std::string const & folder);

// With so many threads.  Null when it could not be made; `status`, where given, says why.
Context try_context(int threads, nwgpu_status * status = nullptr);

} // namespace nwgpu::test
