// SPDX-License-Identifier: BSD-3-Clause
// The pairs of letters that earlier alignments of a pair have used up: cells that no further one may go through
// diagonally.  Runs of such cells, sorted into boxes of `box_cols` columns and the rows of a strip.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nwgpu::cpu {

class UsedCells {
public:
    static constexpr std::uint64_t box_cols = 64;

    explicit UsedCells(std::uint64_t box_rows) : box_rows_{box_rows} {}

    // The cells of letters row + k and col + k, k < length.
    void add(std::uint64_t row, std::uint64_t col, std::uint64_t length);
    // Whether any cell of these rows lies in the box column, that is among letters box_cols * box .. of the target.
    bool any(std::uint64_t row, std::uint64_t rows, std::uint64_t box) const;
    // Bit c of mask[r] becomes 1 where letter row + r may not be aligned with letter box_cols * box + c.
    void fill(std::uint64_t row, std::uint64_t rows, std::uint64_t box, std::uint64_t * mask) const;

    bool empty() const { return boxes_.empty(); }
    std::uint64_t bytes() const { return runs_ * sizeof(Run) * 2 + boxes_.size() * 96; }

private:
    struct Run {
        std::uint64_t row, col, length;
        bool meets(std::uint64_t begin, std::uint64_t end) const { return row < end && begin < row + length; }
    };
    // Calls visit(run) for the runs of a box column that meet the rows, until it returns true.
    template <class Visit>
    bool visit(std::uint64_t row, std::uint64_t rows, std::uint64_t box, Visit const & visit) const;

    std::uint64_t box_rows_, runs_ = 0;
    std::unordered_map<std::uint64_t, std::vector<Run>> boxes_;
};

} // namespace nwgpu::cpu
