// SPDX-License-Identifier: BSD-3-Clause
// Which call runs on a context, if any, and whether it was cancelled: one atomic number, so that nwgpu_context_cancel,
// from any thread or signal handler, ends the call that runs at that moment and never the one after it.
#pragma once

#include <atomic>
#include <cstdint>

#include "guard.hpp"

namespace nwgpu::capi {

class CallState {
public:
    bool cancelled() const { return (state_.load(std::memory_order_relaxed) & cancelled_bit) != 0; }
    // Ends the running call; false where none runs.
    bool cancel()
    {
        std::uint64_t state = state_.load();
        while ((state & busy_bit) != 0)
            if (state_.compare_exchange_weak(state, state | cancelled_bit))
                return true;
        return false;
    }

private:
    friend class Call;
    static constexpr std::uint64_t busy_bit = 1, cancelled_bit = 2, next = 4; // the rest counts the calls
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "for signal handlers");

    std::atomic<std::uint64_t> state_{0};
};

// One call, from begin to end: throws Error busy where another one is running.
class Call {
public:
    explicit Call(CallState & state) : state_{state.state_}
    {
        std::uint64_t seen = state_.load();
        do {
            if ((seen & CallState::busy_bit) != 0)
                throw Error{Status::busy, "another call is running on this context"};
        } while (!state_.compare_exchange_weak(seen, seen + CallState::next + CallState::busy_bit));
    }
    ~Call() { state_.fetch_and(~(CallState::busy_bit | CallState::cancelled_bit)); }
    Call(Call const &) = delete;

private:
    std::atomic<std::uint64_t> & state_;
};

} // namespace nwgpu::capi
