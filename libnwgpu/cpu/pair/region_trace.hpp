// SPDX-License-Identifier: BSD-3-Clause
// What a sweep leaves of a region for a path: all trace bits, or what its lanes keep in their place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ceil_div.hpp"
#include "cpu/pair/field.hpp"
#include "cpu/pair/grid.hpp"

namespace nwgpu::cpu {

// Where the diagonal attains H in the rows of one lane.
class LaneDiagonals {
public:
    LaneDiagonals(std::uint8_t const * kept, KeptLayout const & layout, std::uint64_t lane, std::uint64_t first_row,
                  std::uint64_t first_col) :
        row_begin{first_row},
        col_begin{first_col},
        row_bytes_{layout.row_bytes()},
        step_bytes_{layout.step_bytes()},
        bytes_{kept + lane * step_bytes_ + layout.place(static_cast<std::int64_t>(lane)) / 8},
        bit_{layout.place(static_cast<std::int64_t>(lane)) % 8}
    {}

    std::uint64_t const row_begin, col_begin;

    // How many cells they attain one after the other from (i, j) on, but `most` at most.
    std::uint64_t run(std::uint64_t i, std::uint64_t j, std::uint64_t most) const
    {
        std::uint8_t const * const cell = bytes_ + (j - 1 - col_begin) * step_bytes_ + (i - 1 - row_begin) * row_bytes_;
        std::size_t const back = step_bytes_ + row_bytes_;
        std::uint64_t n = 0;
        while (n < most && cell[-static_cast<std::ptrdiff_t>(n * back)] >> bit_ & 1)
            ++n;
        return n;
    }

private:
    std::size_t row_bytes_, step_bytes_;
    std::uint8_t const * bytes_;
    std::size_t bit_;
};

// All trace bits of a region, or what its lanes keep for the path.
struct RegionTrace {
    struct Part { // what one call of a kernel computes
        TraceLayout layout;
        KeptLayout kept;
        std::size_t offset = 0;
        std::uint64_t row_begin = 0, col_begin = 0;
        std::size_t diagonals_offset = 0;
    };
    Region region;
    std::uint64_t strip_rows = 0, part_cols = 0;
    std::size_t parts_in_strip = 0; // 1 where there are trace bits
    std::vector<Part> parts;
    std::uint8_t * bits = nullptr;

    Part const & part(std::uint64_t row, std::uint64_t col) const
    {
        return parts[(row - region.row_begin) / strip_rows * parts_in_strip + (col - region.col_begin) / part_cols];
    }
    // Of the lane of a row, in the part of a column.
    LaneDiagonals diagonals(std::uint64_t row, std::uint64_t col) const
    {
        Part const & of = part(row, col);
        auto const lane_rows = static_cast<std::uint64_t>(of.kept.rows_per_lane);
        std::uint64_t const lane = (row - of.row_begin) / lane_rows;
        return {bits + of.diagonals_offset, of.kept, lane, of.row_begin + lane * lane_rows, of.col_begin};
    }
    bool bit(std::uint64_t i, std::uint64_t j, TracePlane plane) const
    {
        std::uint64_t const row = i - 1 - region.row_begin;
        Part const & strip = parts[row / strip_rows];
        return strip.layout.bit(bits + strip.offset, row % strip_rows, j - 1 - strip.col_begin, plane);
    }
    bool diagonal(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_diagonal); }
    bool vertical(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_vertical); }
    bool horizontal(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_horizontal); }
    bool e_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_e_opens); }
    bool f_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_f_opens); }
};

template <class Field>
std::size_t part_bytes(Field const & field, std::uint64_t rows, std::uint64_t cols)
{
    if (!keeps_lanes(field))
        return aligned_bytes(trace_layout(field, rows).bytes(cols));
    return aligned_bytes(field.kept_bytes(rows, cols)) +
           (field.has_diagonals() ? aligned_bytes(field.kept_layout(rows, cols).cell_bytes()) : 0);
}

// Lays out the trace of a region; returns its bytes.
template <class Field>
std::size_t plan_trace(Field const & field, Region const & region, Extent const & extent, RegionTrace & trace)
{
    trace.region = region;
    trace.strip_rows = field.strip_rows();
    trace.part_cols = std::min(field.max_cols(), region.cols());
    trace.parts_in_strip = ceil_div(region.cols(), trace.part_cols);
    trace.parts.clear();
    trace.parts.reserve(ceil_div(region.rows(), trace.strip_rows) * trace.parts_in_strip);
    std::size_t bytes = 0;
    for (std::uint64_t row = region.row_begin; row < region.row_end; row += trace.strip_rows) {
        std::uint64_t const rows = std::min(trace.strip_rows, region.row_end - row);
        auto const [low, high] = extent.columns(row, row + rows, region.col_begin, region.col_end);
        for (std::uint64_t col = region.col_begin; col < region.col_end; col += trace.part_cols) {
            std::uint64_t const begin = std::max(low, col), end = std::min(high, col + trace.part_cols);
            std::uint64_t const cols = begin < end ? end - begin : 0;
            trace.parts.push_back({trace_layout(field, rows), {}, bytes, row, begin});
            if (keeps_lanes(field)) {
                trace.parts.back().kept = field.kept_layout(rows, cols);
                trace.parts.back().diagonals_offset = bytes + aligned_bytes(field.kept_bytes(rows, cols));
            }
            bytes += cols > 0 ? part_bytes(field, rows, cols) : 0;
        }
    }
    return bytes;
}

// The same of all cells, and without the layout.
template <class Field>
double trace_bytes(Field const & field, std::uint64_t rows, std::uint64_t cols)
{
    std::uint64_t const part_rows = std::min(field.strip_rows(), rows), part_cols = std::min(field.max_cols(), cols);
    std::uint64_t const down = rows / part_rows, across = cols / part_cols; // whole parts
    std::uint64_t const last_rows = rows % part_rows, last_cols = cols % part_cols;
    auto const strip = [&](std::uint64_t r) {
        return static_cast<double>(across) * static_cast<double>(part_bytes(field, r, part_cols)) +
               (last_cols > 0 ? static_cast<double>(part_bytes(field, r, last_cols)) : 0);
    };
    return static_cast<double>(down) * strip(part_rows) + (last_rows > 0 ? strip(last_rows) : 0);
}

} // namespace nwgpu::cpu
