// SPDX-License-Identifier: BSD-3-Clause
// A rectangle of the matrix, cut into blocks by a grid of kept boundaries.  They, and the best score of every block,
// are at all times those of the matrix in which used cells cannot be aligned: the blocks that hold cells used up last
// are computed again, and so are blocks to the right and below as far as a boundary changes (docs/proofs.md, lemma 21).
//
//      . . . . .        path from s to e through blocks B: those are computed again, then the blocks x,
//      . s B . .        whose top or left boundary is another now; changes die out quickly, since what
//      . . B e x        goes on from the path loses score on the way
//      . . . x .
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/pair/pair_plan.hpp"
#include "cpu/pair/path_finder.hpp"
#include "cpu/top/masked_field.hpp"

namespace nwgpu::cpu {

class TopRegion {
public:
    using Field = MaskedField;
    using Cell = Field::Cell;

    // What the regions of a pair share.
    struct Tools {
        Field const & field;
        PathFinder<Field> & finder;
        PairPlan const & plan;
    };
    struct Start { // what a region is computed from
        Boundary<Cell> top, left;
        std::int64_t corner = 0;
    };

    TopRegion(Tools const & tools, Region const & region, Start start) :
        tools_{tools},
        region_{region},
        grid_{tools.field.kept_code(),
              grid_shape(tools.field, region, tools.plan.cuts, tools.plan.block_cols),
              region,
              strip_rows(),
              Band{},
              true},
        rows_{grid_.row_cuts.size() - 1},
        cols_{grid_.col_cuts.size() - 1}
    {
        bests_.resize(rows_ * cols_);
        changed_.resize(rows_ * cols_);
        std::uint64_t const strips = (region_.rows() + strip_rows() - 1) / strip_rows();
        std::uint64_t const parts_of_strip = grid_.col_cuts.size();
        std::vector<TileBest> parts(strips * parts_of_strip);
        SweepJob<Field> sweep = job(region_, start.top, start.left, start.corner);
        std::int64_t const lower_left = start.left.first[region_.rows() - 1],
                           upper_right = start.top.first[region_.cols() - 1];
        sweep.keep = &grid_;
        sweep.part_bests = parts.data();
        Sweep<Field>{tools_.field, sweep}.run();
        for (std::uint64_t s = 0; s < strips; ++s)
            for (std::uint64_t c = 0; c < cols_; ++c) {
                TileBest & best = best_of(s / grid_.shape.strips_apart, c);
                if (parts[s * parts_of_strip + c].before(best))
                    best = parts[s * parts_of_strip + c];
            }
        grid_.row_cuts[rows_].store(0, sweep.top, region_.cols(), lower_left);
        grid_.col_cuts[cols_].store(0, sweep.left, region_.rows(), upper_right);
    }

    // The strip counts from the region's first.
    TileBest best() const
    {
        return *std::min_element(bests_.begin(), bests_.end(),
                                 [](TileBest const & a, TileBest const & b) { return a.before(b); });
    }
    Boundary<Cell> bottom() const { return PathFinder<Field>::slice(grid_.row_cuts[rows_], 0, region_.cols()); }
    Boundary<Cell> right() const { return PathFinder<Field>::slice(grid_.col_cuts[cols_], 0, region_.rows()); }

    // The path to best(), as far as it lies in the region, with the finder's cursor; returns its end.
    path::Cursor walk_from_best() { return tools_.finder.walk_from_best(region_, grid_, best(), true); }
    // On from the finder's cursor, which lies in the region.
    void walk() { tools_.finder.walk_grid(region_, grid_); }

    // The cells of letters row + k and col + k, k < length, which lie in the region, are used up.
    void note_used(std::uint64_t row, std::uint64_t col, std::uint64_t length)
    {
        std::uint64_t const i = row - region_.row_begin, j = col - region_.col_begin;
        for (std::uint64_t k = 0; k < length;) {
            std::uint64_t const r = (i + k) / block_rows(), c = (j + k) / grid_.shape.cols_apart;
            change(r, c);
            k = std::min((r + 1) * block_rows() - i, (c + 1) * grid_.shape.cols_apart - j);
        }
    }
    // The boundaries that it is computed from are others now.
    void note_start(Start const & start)
    {
        if (grid_.row_cuts[0].before(0) != start.corner)
            change(0, 0);
        std::int64_t before = start.corner;
        for (std::uint64_t col = 0; col < cols_; ++col) {
            std::uint64_t const begin = col * grid_.shape.cols_apart,
                                n = std::min(grid_.shape.cols_apart, region_.cols() - begin);
            bool corner = false;
            if (update(grid_.row_cuts[0], begin, start.top.view() + begin, n, before, corner))
                change(0, col);
            if (corner)
                change(0, col + 1);
            before = start.top.first[begin + n - 1];
        }
        before = start.corner;
        for (std::uint64_t row = 0; row < rows_; ++row) {
            std::uint64_t const begin = row * block_rows(), n = std::min(block_rows(), region_.rows() - begin);
            bool corner = false;
            if (update(grid_.col_cuts[0], begin, start.left.view() + begin, n, before, corner))
                change(row, 0);
            if (corner)
                change(row + 1, 0);
            before = start.left.first[begin + n - 1];
        }
    }
    void compute_changed()
    {
        // A block changes none but those right of it and below.
        for (std::uint64_t row = 0; row < rows_; ++row)
            for (std::uint64_t col = 0; col < cols_; ++col)
                if (std::exchange(changed_[row * cols_ + col], false))
                    compute_again(row, col);
    }

private:
    std::uint64_t strip_rows() const { return tools_.field.strip_rows(); }
    std::uint64_t block_rows() const { return grid_.shape.strips_apart * strip_rows(); }
    TileBest & best_of(std::uint64_t row, std::uint64_t col) { return bests_[row * cols_ + col]; }
    void change(std::uint64_t row, std::uint64_t col)
    {
        if (row < rows_ && col < cols_)
            changed_[row * cols_ + col] = true;
    }

    SweepJob<Field> job(Region const & region, Boundary<Cell> & top, Boundary<Cell> & left, std::int64_t corner) const
    {
        SweepJob<Field> sweep = tools_.finder.job(region);
        sweep.top = top.view();
        sweep.left = left.view();
        sweep.corner = corner;
        sweep.use(tools_.plan);
        return sweep;
    }

    void compute_again(std::uint64_t row, std::uint64_t col)
    {
        std::uint64_t const above = row * block_rows(), before = col * grid_.shape.cols_apart;
        auto const block =
            tools_.finder.block_of(region_, grid_, region_.row_begin + above, region_.col_begin + before);
        Region const & part = block.region;
        Boundary<Cell> top = tools_.finder.slice(grid_.row_cuts[row], before, part.cols());
        Boundary<Cell> left = tools_.finder.slice(grid_.col_cuts[col], above, part.rows());
        std::int64_t const lower_left = left.first[part.rows() - 1], upper_right = top.first[part.cols() - 1];
        SweepJob<Field> sweep = job(part, top, left, block.corner);
        Sweep<Field>{tools_.field, sweep}.run();
        TileBest & best = best_of(row, col) = sweep.best;
        best.strip += above / strip_rows();

        bool corner = false;
        if (update(grid_.row_cuts[row + 1], before, top.view(), part.cols(), lower_left, corner))
            change(row + 1, col);
        if (update(grid_.col_cuts[col + 1], above, left.view(), part.rows(), upper_right, corner))
            change(row, col + 1);
        if (corner)
            change(row + 1, col + 1);
    }

    // The n cells of a block on a kept line; `before`: H of the cell before them.  Returns whether anything changed;
    // sets `corner` if the last score did.
    static bool update(KeptLine & line, std::uint64_t begin, BoundaryView<Cell const> now, std::uint64_t n,
                       std::int64_t before, bool & corner)
    {
        Boundary<Cell> const kept = PathFinder<Field>::slice(line, begin, n);
        bool const same = std::equal(now.first, now.first + n, kept.first.get()) &&
                          std::equal(now.second, now.second + n, kept.second.get());
        corner |= kept.first[n - 1] != now.first[n - 1];
        line.store(begin, now, n, before);
        return !same;
    }

    Tools const tools_;
    Region const region_;
    Grid grid_;
    std::uint64_t const rows_, cols_; // of blocks
    std::vector<TileBest> bests_;     // [rows_][cols_]
    std::vector<char> changed_;       // the same: blocks that have to be computed again
};

} // namespace nwgpu::cpu
