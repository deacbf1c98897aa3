// SPDX-License-Identifier: BSD-3-Clause
// Hands the tasks of a piece out to threads, largest first, as many at a time as memory allows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "backend/monitor.hpp"
#include "cpu/work.hpp"

namespace nwgpu::cpu {

class Queue {
public:
    // Both live longer than this.
    Queue(Work & work, Monitor & monitor) : work_{work}, monitor_{monitor} {}

    struct Turn {
        Task * task = nullptr;
        Means means;
    };

    // The next task; none: all are given out.  A thread that has to wait for memory helps others with their pairs.
    // Pairs that have to be alone are marked as refused.
    std::optional<Turn> take();
    // When the task is done.
    void give_back(Turn const & turn);

private:
    std::optional<Turn> take_next();
    bool has_room();

    Work & work_;
    Monitor & monitor_;
    std::atomic<std::size_t> ticket_{0}; // where memory has no limit
    std::mutex mutex_;                   // of what follows
    std::size_t next_ = 0;
    std::optional<Means> next_means_; // of a single pair, once they are known
    std::uint64_t taken_ = 0;         // bytes
};

} // namespace nwgpu::cpu
