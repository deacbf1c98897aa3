// SPDX-License-Identifier: BSD-3-Clause
// Why a call ends before its work is done: the caller's progress function, nwgpu_context_cancel, the deadline.
#pragma once

#include <chrono>
#include <string>

#include "backend/backend.hpp"
#include "call_state.hpp"
#include "nwgpu/nwgpu.h"

namespace nwgpu::capi {

class Control {
public:
    // Throws Error invalid_argument for a bad struct; `given` may be NULL.
    Control(nwgpu_control const * given, CallState const & call);
    Control(Control const &) = delete;

    // What engines call: false when the call has to end.  Nothing that the caller's function throws gets through.
    Progress progress();
    // Runs `work`, and gives an end by progress() the status and message of its reason.
    template <typename Work>
    void run(Work && work)
    {
        try {
            work();
        } catch (Error const & error) {
            if (error.status == Status::cancelled && reason_ != Status::ok)
                throw Error{reason_, message_};
            throw;
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    bool goes_on(std::uint64_t done, std::uint64_t total);
    bool end(Status reason, std::string message);

    nwgpu_control control_;
    CallState const & call_;
    Clock::time_point const begin_ = Clock::now();
    Status reason_ = Status::ok;
    std::string message_;
};

} // namespace nwgpu::capi
