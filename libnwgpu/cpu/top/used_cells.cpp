// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/top/used_cells.hpp"

#include <algorithm>

namespace nwgpu::cpu {

namespace {

std::uint64_t key_of(std::uint64_t box_row, std::uint64_t box) { return box_row << 32 | box; } // both below 2^31

} // namespace

void UsedCells::add(std::uint64_t row, std::uint64_t col, std::uint64_t length)
{
    for (std::uint64_t part; length > 0; length -= part) {
        part = std::min({length, box_cols - col % box_cols, box_rows_ - row % box_rows_});
        boxes_[key_of(row / box_rows_, col / box_cols)].push_back({row, col, part});
        ++runs_;
        row += part;
        col += part;
    }
}

template <class Visit>
bool UsedCells::visit(std::uint64_t row, std::uint64_t rows, std::uint64_t box, Visit const & visit) const
{
    for (std::uint64_t box_row = row / box_rows_; box_row * box_rows_ < row + rows; ++box_row)
        if (auto const found = boxes_.find(key_of(box_row, box)); found != boxes_.end())
            for (Run const & run : found->second)
                if (run.meets(row, row + rows) && visit(run))
                    return true;
    return false;
}

bool UsedCells::any(std::uint64_t row, std::uint64_t rows, std::uint64_t box) const
{
    return visit(row, rows, box, [](Run const &) { return true; });
}

void UsedCells::fill(std::uint64_t row, std::uint64_t rows, std::uint64_t box, std::uint64_t * mask) const
{
    std::fill_n(mask, rows, std::uint64_t{0});
    visit(row, rows, box, [&](Run const & run) {
        for (std::uint64_t k = 0; k < run.length; ++k)
            if (std::uint64_t const r = run.row + k - row; r < rows)
                mask[r] |= std::uint64_t{1} << (run.col + k) % box_cols;
        return false;
    });
}

} // namespace nwgpu::cpu
