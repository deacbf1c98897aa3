// SPDX-License-Identifier: BSD-3-Clause
// The path through a region in linear memory: a small region is computed with all its trace bits and walked; a large
// one is swept with boundaries kept on a grid, and the blocks that the path crosses, last first, are regions again
// (docs/proofs.md, lemma 4).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/aligned_buffer.hpp"
#include "cpu/pair/blocks_ahead.hpp"
#include "cpu/pair/sweep.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

template <class Field>
class PathFinder {
public:
    using Cell = typename Field::Cell;

    // `floored`: no cell is below 0, and the path begins where none of its ways attains that.  `cuts`: of the grid of a
    // region that is cut in its turn, each way.
    PathFinder(Field const & field, PairView const & pair, CigarStyle style, bool floored, Extent const & extent,
               int threads, std::uint64_t cuts, std::size_t max_trace_bytes, Monitor & monitor) :
        field_{field},
        pair_{pair},
        style_{style},
        floored_{floored},
        extent_{extent},
        threads_{threads},
        cuts_{cuts},
        max_trace_bytes_{max_trace_bytes},
        monitor_{monitor}
    {}

    path::Cursor cursor; // set by the caller to the end of the path
    CigarBuilder cigar;

    // Other threads, too, sweep blocks on the way, so many ahead at most.
    void look_ahead(std::uint64_t blocks) { blocks_ahead_ = std::vector<TracedBlock>(blocks); }

    bool fits_trace(Region const & region) const
    {
        Field const traced = path_field(field_);
        if (!keeps_lanes(field_) && region.cols() > traced.max_cols())
            return false;
        if (region.rows() <= field_.strip_rows() && region.cols() <= narrowest_block(field_)) // the smallest
            return true;
        if (extent_.everything())
            return trace_bytes(traced, region.rows(), region.cols()) <= static_cast<double>(max_trace_bytes_);
        RegionTrace layout;
        return plan_trace(traced, region, extent_, layout) <= max_trace_bytes_;
    }

    // The job of a region; the caller sets its boundaries.
    SweepJob<Field> job(Region const & region) const
    {
        SweepJob<Field> job;
        job.pair = pair_;
        job.region = region;
        job.extent = extent_;
        job.monitor = &monitor_;
        return job;
    }

    // Walks from the cursor, which lies inside the region, until it leaves it.
    void walk_region(Region const & region, Boundary<Cell> & top, Boundary<Cell> & left, std::int64_t corner)
    {
        walk_region(region, top, left, corner, [](BoundaryView<Cell>) {});
    }
    // The same; `find_end` is given the right boundary and may then set the cursor.
    template <class FindEnd>
    void walk_region(Region const & region, Boundary<Cell> & top, Boundary<Cell> & left, std::int64_t corner,
                     FindEnd const & find_end)
    {
        SweepJob<Field> sweep = job(region);
        sweep.top = top.view();
        sweep.left = left.view();
        sweep.corner = corner;
        if (fits_trace(region)) {
            Field const traced = path_field(field_);
            RegionTrace trace;
            trace.bits = trace_bits_.grow(plan_trace(traced, region, extent_, trace));
            sweep.trace = &trace;
            Sweep<Field>{traced, sweep}.run();
            find_end(sweep.left);
            walk_trace(trace);
            return;
        }
        Grid grid{field_.kept_code(), grid_shape(field_, region, cuts_, narrowest_block(field_)), region,
                  field_.strip_rows(), extent_};
        sweep.keep = &grid;
        sweep.threads = threads_;
        Sweep<Field>{field_, sweep}.run();
        find_end(sweep.left);
        walk_grid(region, grid);
    }

    void walk_trace(RegionTrace const & trace)
    {
        if (!keeps_lanes(field_)) {
            path::walk(trace, trace.region.row_begin, trace.region.col_begin, pair_, style_, floored_, cursor, cigar);
            return;
        }
        auto const walk = [&](auto const & bits) {
            path::walk(bits, bits.row_begin, bits.col_begin, pair_, style_, floored_, cursor, cigar);
        };
        while (!cursor.stopped && cursor.i > trace.region.row_begin && cursor.j > trace.region.col_begin)
            if (field_.has_diagonals())
                walk(LaneCells{*this, trace, trace.diagonals(cursor.i - 1, cursor.j - 1)});
            else
                walk(tile(trace, cursor.i - 1, cursor.j - 1, nullptr));
    }

    // The end of the best path of a region whose lanes were kept.
    path::Cursor best_end(RegionTrace const & trace, TileBest const & best)
    {
        auto const lane_rows = static_cast<std::uint64_t>(trace.part(best.row, best.col).kept.rows_per_lane);
        std::uint64_t const rows = std::min(lane_rows, trace.region.row_end - best.row);
        std::int8_t scores[most_tile_rows];
        tile(trace, best.row + rows - 1, best.col, scores);
        auto const row = static_cast<std::uint64_t>(std::max_element(scores, scores + rows) - scores);
        return {best.row + row + 1, best.col + 1};
    }

    // Walks through the blocks of a swept region.
    void walk_grid(Region const & region, Grid const & grid)
    {
        std::uint64_t const rows = grid.shape.strips_apart * field_.strip_rows(), cols = grid.shape.cols_apart;
        std::uint64_t const least = ceil_div(cursor.i - region.row_begin, rows) + // that are left to cross
                                    ceil_div(cursor.j - region.col_begin, cols);
        if (blocks_ahead_.empty() || least < few_blocks ||
            (!keeps_lanes(field_) && cols > path_field(field_).max_cols()) ||
            trace_bytes(path_field(field_), std::min(rows, region.rows()), cols) >
                static_cast<double>(max_trace_bytes_))
            return walk_blocks(region, grid, nullptr);
        BlocksAhead ahead{blocks_ahead_, region, rows, cols, cursor, monitor_};
        struct End {
            BlocksAhead & ahead;
            ~End() { ahead.end(); }
        };
        monitor_.team().run(threads_, [&](int k) {
            if (k == 0) {
                End const at_end{ahead};
                walk_blocks(region, grid, &ahead);
            } else {
                ahead.help(
                    [&](BlockPlace const & place, TracedBlock & block) { trace_block(region, grid, place, block); });
            }
        });
    }

    // The same; `ahead`, if not null: has perhaps swept some of the blocks.
    void walk_blocks(Region const & region, Grid const & grid, BlocksAhead * ahead)
    {
        while (!cursor.stopped && cursor.i > region.row_begin && cursor.j > region.col_begin) {
            monitor_.throw_if_stopped();
            if (ahead)
                if (RegionTrace const * const trace = ahead->enter(cursor)) {
                    walk_trace(*trace);
                    continue;
                }
            Block const block = block_of(region, grid, cursor.i - 1, cursor.j - 1);
            Region const part{block.region.row_begin, cursor.i, block.region.col_begin, cursor.j};
            Boundary<Cell> top = slice(grid.row_cuts[block.row_cut], part.col_begin - region.col_begin, part.cols());
            Boundary<Cell> left = slice(grid.col_cuts[block.col_cut], part.row_begin - region.row_begin, part.rows());
            walk_region(part, top, left, block.corner);
        }
    }

    // The path to the best score of a swept region, into the cursor and the CIGAR; returns the path's end.  The
    // sweep knows the strip and the first column of the score; its row is on the right boundary of the part of the
    // block that ends there, which is also the first part of the path.  Without `walk` only the end is found.
    path::Cursor walk_from_best(Region const & whole, Grid const & grid, TileBest const & best, bool walk)
    {
        path::Cursor const end = walk_to_best(whole, grid, best, walk);
        if (walk)
            walk_grid(whole, grid);
        return end;
    }

    struct Block {
        Region region;
        std::uint64_t row_cut = 0, col_cut = 0;
        std::int64_t corner = 0; // where scores are absolute
    };

    // The block of the grid that holds a row and a column of the region.
    Block block_of(Region const & region, Grid const & grid, std::uint64_t row, std::uint64_t col) const
    {
        std::uint64_t const block_rows = grid.shape.strips_apart * field_.strip_rows();
        Block block;
        block.row_cut = (row - region.row_begin) / block_rows;
        block.col_cut = (col - region.col_begin) / grid.shape.cols_apart;
        block.region.row_begin = region.row_begin + block.row_cut * block_rows;
        block.region.row_end = std::min(block.region.row_begin + block_rows, region.row_end);
        block.region.col_begin = region.col_begin + block.col_cut * grid.shape.cols_apart;
        block.region.col_end = std::min(block.region.col_begin + grid.shape.cols_apart, region.col_end);
        if constexpr (!Field::relative) {
            KeptLine const & cut = grid.row_cuts[block.row_cut];
            if (std::uint64_t const first = std::max(cut.begin, block.region.col_begin - region.col_begin);
                first < cut.end)
                block.corner = cut.before(first);
        }
        return block;
    }

    // Entries that the cut does not have lie outside the extent: none of the part's strips reads them, but for that
    // before the first one.  Of scores a slice begins where a block does.
    static Boundary<Cell> slice(KeptLine const & cut, std::uint64_t begin, std::uint64_t n)
    {
        Boundary<Cell> part(n);
        std::uint64_t const first = std::max(begin, cut.begin), last = std::min(begin + n, cut.end);
        if (first < last)
            cut.load(first, part.view() + (first - begin), last - first);
        if constexpr (!Field::relative)
            if (begin < first && first < last) { // an edge, along which a gap goes on
                part.first[first - begin - 1] = cut.before(first);
                part.second[first - begin - 1] = cut.gap_before(first);
            }
        return part;
    }

private:
    static constexpr std::uint64_t few_blocks = 8;

    // On any thread: the whole block, wherever the path enters it.
    void trace_block(Region const & region, Grid const & grid, BlockPlace const & place, TracedBlock & to) const
    {
        Block const block =
            block_of(region, grid, region.row_begin + place.row_cut * grid.shape.strips_apart * field_.strip_rows(),
                     region.col_begin + place.col_cut * grid.shape.cols_apart);
        Region const & part = block.region;
        Boundary<Cell> top = slice(grid.row_cuts[block.row_cut], part.col_begin - region.col_begin, part.cols());
        Boundary<Cell> left = slice(grid.col_cuts[block.col_cut], part.row_begin - region.row_begin, part.rows());
        SweepJob<Field> sweep = job(part);
        sweep.top = top.view();
        sweep.left = left.view();
        sweep.corner = block.corner;
        Field const traced = path_field(field_);
        to.trace.bits = to.bits.grow(plan_trace(traced, part, extent_, to.trace));
        sweep.trace = &to.trace;
        Sweep<Field>{traced, sweep}.run();
    }

    // The first part of walk_from_best(): within the block that holds the score.
    path::Cursor walk_to_best(Region const & whole, Grid const & grid, TileBest const & best, bool walk)
    {
        std::uint64_t const strip_begin = whole.row_begin + best.strip * field_.strip_rows();
        std::uint64_t const strip_end = std::min(strip_begin + best.strips * field_.strip_rows(), whole.row_end);
        Block const block = block_of(whole, grid, strip_begin, best.col);
        Region const part{block.region.row_begin, strip_end, block.region.col_begin, best.col + 1};
        Boundary<Cell> top = slice(grid.row_cuts[block.row_cut], part.col_begin - whole.col_begin, part.cols());
        Boundary<Cell> left = slice(grid.col_cuts[block.col_cut], part.row_begin - whole.row_begin, part.rows());
        path::Cursor end;
        auto const find_end = [&](BoundaryView<Cell> right) {
            Cell const * const first = right.first + (strip_begin - part.row_begin);
            Cell const * const last = right.first + part.rows();
            Cell const * const found = std::find(first, last, static_cast<Cell>(best.score));
            if (found == last)
                throw Error{Status::internal, "the end of an alignment was not found again"};
            end = cursor = {strip_begin + static_cast<std::uint64_t>(found - first) + 1, best.col + 1};
        };
        if (walk) {
            walk_region(part, top, left, block.corner, find_end);
            return end;
        }
        SweepJob<Field> sweep = job(part);
        sweep.top = top.view();
        sweep.left = left.view();
        sweep.corner = block.corner;
        sweep.threads = threads_;
        Sweep<Field>{field_, sweep}.run();
        find_end(sweep.left);
        return end;
    }

    // Cells of a lane whose diagonals are kept: tiles are computed again only where the path has a gap.
    class LaneCells {
    public:
        LaneCells(PathFinder & finder, RegionTrace const & trace, LaneDiagonals const & diagonals) :
            row_begin{diagonals.row_begin},
            col_begin{diagonals.col_begin},
            finder_{finder},
            trace_{trace},
            diagonals_{diagonals}
        {}

        std::uint64_t const row_begin, col_begin;

        std::uint64_t diagonals(std::uint64_t i, std::uint64_t j, std::uint64_t most) const
        {
            return diagonals_.run(i, j, most);
        }
        bool vertical(std::uint64_t i, std::uint64_t j) const { return tile(i, j).vertical(i, j); }
        bool horizontal(std::uint64_t i, std::uint64_t j) const { return tile(i, j).horizontal(i, j); }
        bool e_opens(std::uint64_t i, std::uint64_t j) const { return tile(i, j).e_opens(i, j); }
        bool f_opens(std::uint64_t i, std::uint64_t j) const { return tile(i, j).f_opens(i, j); }

    private:
        // Walks go up and to the left, so a tile has the rows that are still to come.
        TileBits const & tile(std::uint64_t i, std::uint64_t j) const
        {
            if (!tile_ || j <= tile_->col_begin)
                tile_.emplace(finder_.tile(trace_, i - 1, j - 1, nullptr));
            return *tile_;
        }

        PathFinder & finder_;
        RegionTrace const & trace_;
        LaneDiagonals const diagonals_;
        mutable std::optional<TileBits> tile_;
    };

    // Computes the tile of a cell again, up to this cell; `scores`, if not null: of its last column.
    TileBits tile(RegionTrace const & trace, std::uint64_t row, std::uint64_t col, std::int8_t * scores)
    {
        RegionTrace::Part const & part = trace.part(row, col);
        KeptLayout const & layout = part.kept;
        auto const lane_rows = static_cast<std::uint64_t>(layout.rows_per_lane);
        std::uint64_t const lane = (row - part.row_begin) / lane_rows, step = col - part.col_begin + lane;
        KeptLayout::Period const period = layout.period(static_cast<std::int64_t>(step));
        std::uint64_t const begin = static_cast<std::uint64_t>(period.begin), first = begin < lane ? 0 : begin - lane;
        TileBits const bits{tile_bits_, part.row_begin + lane * lane_rows, part.col_begin + first,
                            static_cast<int>((row - part.row_begin) % lane_rows) + 1};
        std::uint8_t const * const kept =
            trace.bits + part.offset + (static_cast<std::uint64_t>(layout.last_lane) - lane);
        field_.path_tile({pair_.query + bits.row_begin, pair_.target + bits.col_begin, bits.rows,
                          static_cast<int>(col - bits.col_begin) + 1, layout.rows_per_lane, layout.lane_bytes(),
                          kept + layout.left(period.index),
                          kept + layout.above(static_cast<std::int64_t>(first + lane)), tile_bits_, scores});
        return bits;
    }

    Field const & field_;
    PairView pair_;
    CigarStyle style_;
    bool floored_;
    Extent extent_;
    int threads_;
    std::uint64_t cuts_;
    std::size_t max_trace_bytes_;
    Monitor & monitor_;
    AlignedBuffer<std::uint8_t> trace_bits_;
    std::vector<TracedBlock> blocks_ahead_;
    std::uint8_t tile_bits_[TileBits::bytes];
};

} // namespace nwgpu::cpu
