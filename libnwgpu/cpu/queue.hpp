// SPDX-License-Identifier: BSD-3-Clause
// Hands the tasks of a piece out to threads, largest first, as many at a time as memory allows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>

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
    struct InLine;
    std::optional<Means> means_of(Task & task) const;
    bool try_take(std::uint64_t bytes);
    void wait_for(std::uint64_t bytes, std::size_t ticket);
    void wake_waiting();

    Work & work_;
    Monitor & monitor_;
    std::atomic<std::size_t> ticket_{0};  // of the next task
    std::atomic<std::uint64_t> taken_{0}; // bytes
    std::atomic<int> waiting_{0};         // threads, for memory
    std::mutex mutex_;                    // of their tickets: the first one is served first
    std::set<std::size_t> tickets_;
};

} // namespace nwgpu::cpu
