// SPDX-License-Identifier: BSD-3-Clause
// Boundaries that a sweep keeps of a region, as a grid of lines.  Where not everything is computed, each line has only
// the stretch that strips reach.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/allocated.hpp"
#include "base/ceil_div.hpp"
#include "cpu/pair/extent.hpp"
#include "cpu/pair/field.hpp"
#include "cpu/pair/kept_line.hpp"

namespace nwgpu::cpu {

struct Region {
    std::uint64_t row_begin = 0, row_end = 0, col_begin = 0, col_end = 0;
    std::uint64_t rows() const { return row_end - row_begin; }
    std::uint64_t cols() const { return col_end - col_begin; }
};

struct GridShape {
    std::uint64_t strips_apart = 1, cols_apart = UINT64_MAX;
};

// A block costs `lanes` extra steps per strip, so it should not be too narrow.
template <class Field>
std::uint64_t narrowest_block(Field const & field)
{
    return std::min(field.max_cols(), 16 * static_cast<std::uint64_t>(field.lanes()));
}

// Row cuts lie between strips that are computed at once; there are at most `cuts` of them.
constexpr std::uint64_t strips_apart(std::uint64_t strips, std::uint64_t cuts, std::uint64_t at_once)
{
    return ceil_div(std::max<std::uint64_t>(1, ceil_div(strips, cuts)), at_once) * at_once;
}

// A grid whose blocks are a small share of the region: at most `cuts` cuts each way, and blocks not below `narrowest`.
template <class Field>
GridShape grid_shape(Field const & field, Region const & region, std::uint64_t cuts, std::uint64_t narrowest)
{
    std::uint64_t const strips = ceil_div(region.rows(), field.strip_rows());
    return {strips_apart(strips, cuts, field.strips_at_once()), std::max(narrowest, ceil_div(region.cols(), cuts))};
}

// Boundaries kept at every `strips_apart`-th strip and every `cols_apart`-th column of a region, its own top and left
// included.
class Grid {
public:
    GridShape shape;
    std::vector<KeptLine> row_cuts, col_cuts;

    Grid() = default;
    // Not initialised.  `closed`: the bottom and the right of the region are lines, too.
    Grid(KeptCode const & code, GridShape const & its_shape, Region const & region, std::uint64_t strip_rows,
         Extent const & extent, bool closed = false) :
        shape{its_shape}
    {
        shape.cols_apart = std::min(shape.cols_apart, region.cols());
        std::uint64_t const rows_apart = shape.strips_apart * strip_rows;
        std::uint64_t const rows = ceil_div(region.rows(), rows_apart) + closed,
                            cols = ceil_div(region.cols(), shape.cols_apart) + closed;
        // Calls visit(lines, begin, end of the line, block) for every line.
        auto const for_each_line = [&](auto const & visit) {
            for (std::uint64_t k = 0; k < rows; ++k) {
                // The strip above writes it, the one below reads it.
                std::uint64_t const row = std::min(region.row_begin + k * rows_apart, region.row_end);
                std::uint64_t const above = k == 0 ? row : row - strip_rows;
                std::uint64_t const below = std::min(row + strip_rows, region.row_end);
                auto const [begin, end] = extent.columns(above, below, region.col_begin, region.col_end);
                visit(row_cuts, begin - region.col_begin, end - region.col_begin, shape.cols_apart);
            }
            for (std::uint64_t k = 0; k < cols; ++k) {
                std::uint64_t const col = region.col_begin + k * shape.cols_apart;
                auto const [begin, end] = extent.rows(col, strip_rows, region.row_begin, region.row_end);
                visit(col_cuts, begin - region.row_begin, end - region.row_begin, rows_apart);
            }
        };
        std::uint64_t bytes = 0;
        for_each_line([&](auto const &, std::uint64_t begin, std::uint64_t end, std::uint64_t block) {
            bytes += words_bytes(code, end - begin) + corners_bytes(code, begin, end, block);
        });
        row_cuts.reserve(rows);
        col_cuts.reserve(cols);
        memory_.reset(new std::byte[bytes]);
        std::byte * next = memory_.get();
        for_each_line([&](auto & lines, std::uint64_t begin, std::uint64_t end, std::uint64_t block) {
            auto * const corners = reinterpret_cast<std::int64_t *>(next);
            next += corners_bytes(code, begin, end, block);
            lines.emplace_back(code, begin, end, block, next, corners);
            next += words_bytes(code, end - begin);
        });
    }

    // What one takes that has so many cuts of a region, without a band: `lines` of it are what a band may use.
    struct Size {
        std::uint64_t lines, all;
    };
    static Size size(KeptCode const & code, std::uint64_t row_cuts, std::uint64_t col_cuts, std::uint64_t rows,
                     std::uint64_t cols)
    {
        std::uint64_t const lines = row_cuts * line_bytes(code, cols) + col_cuts * line_bytes(code, rows);
        return {lines, allocated(lines + (code.scores ? 2 * row_cuts * col_cuts * sizeof(std::int64_t) : 0), 3)};
    }
    // Bytes of a line, what is known about it included.
    static std::uint64_t line_bytes(KeptCode const & code, std::uint64_t cells)
    {
        return words_bytes(code, cells) + sizeof(KeptLine);
    }

private:
    static std::uint64_t words_bytes(KeptCode const & code, std::uint64_t cells)
    {
        return ceil_div(cells * code.bytes, sizeof(std::int64_t)) * sizeof(std::int64_t);
    }
    static std::uint64_t corners_bytes(KeptCode const & code, std::uint64_t begin, std::uint64_t end,
                                       std::uint64_t block)
    {
        return code.scores ? KeptLine::corners(begin, end, block) * sizeof(std::int64_t) : 0;
    }

    std::unique_ptr<std::byte[]> memory_;
};

// A grid of an extent in no more memory than `lines` of the whole region take: lines are shorter, so there are more.
template <class Field>
GridShape banded_grid_shape(Field const & field, Region const & region, Extent const & extent, std::uint64_t lines,
                            std::uint64_t narrowest)
{
    std::uint64_t const strips = ceil_div(region.rows(), field.strip_rows());
    std::uint64_t const reach = extent.width() + 2 * field.strip_rows();
    auto const line = [&](std::uint64_t cells, std::uint64_t block) { // with corners of all blocks that it may touch
        return Grid::line_bytes(field.kept_code(), cells) +
               (field.kept_code().scores ? (cells / block + 2) * sizeof(std::int64_t) : 0);
    };
    std::uint64_t const each =
        line(std::min(region.cols(), reach), narrowest) + line(std::min(region.rows(), reach), field.strip_rows());
    std::uint64_t const whole = Grid::line_bytes(field.kept_code(), region.cols()) +
                                Grid::line_bytes(field.kept_code(), region.rows()); // as a grid of everything has them
    std::uint64_t const most = std::max<std::uint64_t>({1, lines / each, lines / whole});
    return {ceil_div(strips, most), std::max(narrowest, ceil_div(region.cols(), most))};
}

} // namespace nwgpu::cpu
