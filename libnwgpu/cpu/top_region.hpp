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

#include "cpu/masked_field.hpp"
#include "cpu/pair_plan.hpp"
#include "cpu/path_finder.hpp"

namespace nwgpu::cpu {

template <class KeptScore>
class TopRegion {
public:
    using Field = MaskedField<KeptScore>;
    using Cell = typename Field::Cell;

    // What the regions of a pair share.
    struct Tools {
        Field const & field;
        PathFinder<Field> & finder;
        PairPlan const & plan;
    };
    struct Start { // what a region is computed from
        Border<Cell> top, left;
        std::int64_t corner = 0;
    };

    TopRegion(Tools const & tools, Region const & region, Start start) :
        tools_{tools},
        region_{region},
        corner_{start.corner},
        grid_{grid_shape(tools.field, region, tools.plan.cuts, tools.plan.block_cols), {}, {}}
    {
        grid_.allocate(region_, strip_rows(), Band{});
        rows_ = grid_.row_cuts.size();
        cols_ = grid_.col_cuts.size();
        bests_.resize(rows_ * cols_);
        changed_.resize(rows_ * cols_);
        std::uint64_t const strips = (region_.rows() + strip_rows() - 1) / strip_rows();
        std::vector<TileBest> parts(strips * cols_);
        SweepJob<Field> sweep = job(region_, start.top, start.left, corner_);
        sweep.keep = &grid_;
        sweep.part_bests = parts.data();
        Sweep<Field>{tools_.field, sweep}.run();
        for (std::uint64_t s = 0; s < strips; ++s)
            for (std::uint64_t c = 0; c < cols_; ++c) {
                TileBest & best = best_of(s / grid_.shape.strips_apart, c);
                if (parts[s * cols_ + c].before(best))
                    best = parts[s * cols_ + c];
            }
        // Its own last boundaries are the last cuts.
        copy_line(grid_.row_cuts.emplace_back(region_.cols()).line(), sweep.top, region_.cols());
        copy_line(grid_.col_cuts.emplace_back(region_.rows()).line(), sweep.left, region_.rows());
    }

    // The strip counts from the region's first.
    TileBest best() const
    {
        return *std::min_element(bests_.begin(), bests_.end(),
                                 [](TileBest const & a, TileBest const & b) { return a.before(b); });
    }
    Line<KeptScore const> bottom() const { return grid_.row_cuts[rows_].line(); }
    Line<KeptScore const> right() const { return grid_.col_cuts[cols_].line(); }

    // The path to best(), as far as it lies in the region, with the finder's cursor; returns its end.
    path::Cursor walk_from_best() { return tools_.finder.walk_from_best(region_, grid_, best(), true, corner_); }
    // On from the finder's cursor, which lies in the region.
    void walk() { tools_.finder.walk_grid(region_, grid_, corner_); }

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
        if (std::exchange(corner_, start.corner) != start.corner)
            change(0, 0);
        for (std::uint64_t col = 0; col < cols_; ++col) {
            std::uint64_t const begin = col * grid_.shape.cols_apart;
            bool corner = false;
            if (update(grid_.row_cuts[0].line() + begin, start.top.line() + begin,
                       std::min(grid_.shape.cols_apart, region_.cols() - begin), corner))
                change(0, col);
            if (corner)
                change(0, col + 1);
        }
        for (std::uint64_t row = 0; row < rows_; ++row) {
            std::uint64_t const begin = row * block_rows();
            bool corner = false;
            if (update(grid_.col_cuts[0].line() + begin, start.left.line() + begin,
                       std::min(block_rows(), region_.rows() - begin), corner))
                change(row, 0);
            if (corner)
                change(row + 1, 0);
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

    SweepJob<Field> job(Region const & region, Border<Cell> & top, Border<Cell> & left, std::int64_t corner) const
    {
        SweepJob<Field> sweep = tools_.finder.job(region);
        sweep.top = top.line();
        sweep.left = left.line();
        sweep.corner = corner;
        sweep.threads = tools_.plan.threads;
        sweep.tile_cols = tools_.plan.tile_cols;
        return sweep;
    }

    void compute_again(std::uint64_t row, std::uint64_t col)
    {
        std::uint64_t const above = row * block_rows(), before = col * grid_.shape.cols_apart;
        auto const block =
            tools_.finder.block_of(region_, grid_, region_.row_begin + above, region_.col_begin + before, corner_);
        Region const & part = block.region;
        Border<Cell> top = tools_.finder.slice(grid_.row_cuts[row], before, part.cols());
        Border<Cell> left = tools_.finder.slice(grid_.col_cuts[col], above, part.rows());
        SweepJob<Field> sweep = job(part, top, left, block.corner);
        Sweep<Field>{tools_.field, sweep}.run();
        TileBest & best = best_of(row, col) = sweep.best;
        best.strip += above / strip_rows();

        bool corner = false;
        if (update(grid_.row_cuts[row + 1].line() + before, std::as_const(top).line(), part.cols(), corner))
            change(row + 1, col);
        if (update(grid_.col_cuts[col + 1].line() + above, std::as_const(left).line(), part.rows(), corner))
            change(row, col + 1);
        if (corner)
            change(row + 1, col + 1);
    }

    // Returns whether anything changed; sets `corner` if the last score did.
    static bool update(Line<KeptScore> kept, Line<Cell const> now, std::uint64_t n, bool & corner)
    {
        if (std::equal(now.first, now.first + n, kept.first) && std::equal(now.second, now.second + n, kept.second))
            return false;
        corner |= kept.first[n - 1] != now.first[n - 1];
        copy_line(kept, now, n);
        return true;
    }

    Tools const tools_;
    Region const region_;
    std::int64_t corner_; // score at the upper left corner
    Grid<Field> grid_;
    std::uint64_t rows_ = 0, cols_ = 0; // of blocks
    std::vector<TileBest> bests_;       // [rows_][cols_]
    std::vector<char> changed_;         // the same: blocks that have to be computed again
};

} // namespace nwgpu::cpu
