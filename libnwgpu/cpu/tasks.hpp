// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a piece as tasks, those first that take longest: groups of short pairs for the lanes of a LaneBatch, and
// single pairs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "backend/backend.hpp"
#include "base/team.hpp"
#include "base/uninitialized.hpp"
#include "cpu/batch/lane_batch.hpp"

namespace nwgpu::cpu {

// A pair of fewer cells is not worth the waiting between threads.
constexpr double least_long_cells = 2e7;

struct Task {
    double cells = 0;
    std::uint32_t begin = 0; // in the order of the pairs
    std::uint16_t count = 0; // of pairs, no more than there are lanes
    bool shared = false;     // a pair that takes one thread longer than all take for the rest
    bool refused = false;    // lacked memory beside other tasks
};

class Tasks {
public:
    // While they are made; the codes of short pairs are gone when tasks are sorted, for which there are two of each.
    static constexpr std::uint64_t bytes_per_pair = 2 * sizeof(Task) + sizeof(std::uint32_t);

    // Groups have `least` pairs at least (0: a third of the lanes), and `lane_bytes` (0: no limit) hold their
    // LaneBatch; without `lanes` there are none.
    Tasks(Piece const & piece, LaneRules const & rules, bool lanes, std::size_t least, std::uint64_t lane_bytes,
          Team & team);

    std::span<Task> all() { return tasks_; }
    std::span<Task const> all() const { return tasks_; }
    // As indices of piece.pairs.
    std::span<std::uint32_t const> pairs(Task const & task) const { return {order_.data() + task.begin, task.count}; }
    // Upper bound of what a LaneBatch takes for these groups.
    std::uint64_t lane_bytes() const { return lane_bytes_; }

private:
    struct Grouping;

    void add_alone(Piece const & piece, std::uint64_t k, std::uint64_t place);
    void group(Piece const & piece, Grouping const & rules, std::uint64_t count);
    void sort();
    void share();

    Team & team_;
    Array<std::uint32_t> order_;
    Array<Task> tasks_; // pieces of the order
    std::uint64_t lane_bytes_ = 0;
};

} // namespace nwgpu::cpu
