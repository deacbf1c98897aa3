// SPDX-License-Identifier: BSD-3-Clause
// Boundaries that a sweep keeps of a region, as a grid of lines.  In a band each line has only the stretch that the
// band's strips reach.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ceil_div.hpp"
#include "cpu/field.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

using path::Band;

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

// Row cuts lie between strips that are computed at once.
constexpr std::uint64_t strips_apart(std::uint64_t strips, std::uint64_t cuts, std::uint64_t at_once)
{
    return ceil_div(std::max<std::uint64_t>(1, strips / cuts), at_once) * at_once;
}

// A grid whose blocks are a small share of the region: about `cuts` cuts each way, and blocks not below `narrowest`.
template <class Field>
GridShape grid_shape(Field const & field, Region const & region, std::uint64_t cuts, std::uint64_t narrowest)
{
    std::uint64_t const strips = ceil_div(region.rows(), field.strip_rows());
    return {strips_apart(strips, cuts, field.strips_at_once()),
            std::min(field.max_cols(), std::max(narrowest, ceil_div(region.cols(), cuts)))};
}

// A grid of a band that takes no more memory: its lines are shorter, so there are more.
template <class Field>
GridShape banded_grid_shape(Field const & field, Region const & region, Band const & band, std::uint64_t cuts,
                            std::uint64_t narrowest)
{
    std::uint64_t const shorter = std::min(region.rows(), region.cols());
    std::uint64_t const line = std::min(shorter, band.width() + 2 * field.strip_rows());
    std::uint64_t const most = cuts * shorter / line;
    return {ceil_div(ceil_div(region.rows(), field.strip_rows()), most),
            std::max(narrowest, ceil_div(region.cols(), most))};
}

// The entries begin .. end of a line; not initialised.
template <class Kept>
struct Cut : Border<Kept> {
    std::uint64_t begin = 0, end = 0;

    explicit Cut(std::uint64_t n) : Cut(0, n) {}
    Cut(std::uint64_t first, std::uint64_t last) : Border<Kept>(last - first), begin{first}, end{last} {}
    Line<Kept> at(std::uint64_t entry) { return this->line() + (entry - begin); }
    Line<Kept const> at(std::uint64_t entry) const { return this->line() + (entry - begin); }
};

// Boundaries kept at every `strips_apart`-th strip and every `cols_apart`-th column of a region, its own top and left
// included.
template <class Field>
struct Grid {
    using Kept = typename Field::Kept;
    GridShape shape;
    std::vector<Cut<Kept>> row_cuts, col_cuts;

    void allocate(Region const & region, std::uint64_t strip_rows, Band const & band)
    {
        std::uint64_t const rows_apart = shape.strips_apart * strip_rows;
        for (std::uint64_t row = region.row_begin; row < region.row_end; row += rows_apart) {
            // The strip above writes it, the one below reads it.
            std::uint64_t const above = row == region.row_begin ? row : row - strip_rows;
            std::uint64_t const below = std::min(row + strip_rows, region.row_end);
            auto const [begin, end] = band.columns(above, below, region.col_begin, region.col_end);
            row_cuts.emplace_back(begin - region.col_begin, end - region.col_begin);
        }
        std::uint64_t const cols_apart = std::min(shape.cols_apart, region.cols());
        for (std::uint64_t col = region.col_begin; col < region.col_end; col += cols_apart) {
            auto const [begin, end] = band.rows(col, strip_rows, region.row_begin, region.row_end);
            col_cuts.emplace_back(begin - region.row_begin, end - region.row_begin);
        }
    }
};

} // namespace nwgpu::cpu
