// SPDX-License-Identifier: BSD-3-Clause
// A sweep computes a rectangular region of the matrix from its top and left boundary, strip by strip, and leaves the
// bottom and right boundary behind.  On the way it can keep boundaries on a grid, or all trace bits.
//
// Tiles go to threads by ticket (tickets.hpp); a tile may use the columns that the strip above has finished, and its
// own strip's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/ceil_div.hpp"
#include "cpu/pair/sweep_job.hpp"
#include "cpu/pair/tickets.hpp"
#include "cpu/pair/wait_for.hpp"

namespace nwgpu::cpu {

template <class Field>
class Sweep {
public:
    Sweep(Field const & field, SweepJob<Field> & job) :
        field_{field},
        job_{job},
        at_once_{job.trace ? 1 : field.strips_at_once()},
        strip_rows_{at_once_ * field.strip_rows()},
        strips_{ceil_div(job.region.rows(), strip_rows_)},
        tickets_{strips_}
    {}

    void run()
    {
        Region const & region = job_.region;
        int const threads =
            static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(job_.threads), strips_));
        state_ = std::make_unique<StripState[]>(strips_);
        if (job_.keep) {
            // From where on the line is known, and to its end; the corner is the score before it.
            auto const keep = [&](KeptLine & cut, BoundaryView<Cell> line, std::uint64_t known, std::uint64_t end) {
                std::uint64_t const begin = std::max(cut.begin, known);
                cut.store(begin, line + begin, std::min(cut.end, end) - begin,
                          begin == known ? job_.corner : static_cast<std::int64_t>(line.first[begin - 1]));
            };
            keep(job_.keep->row_cuts[0], job_.top, first_col() - region.col_begin, last_col() - region.col_begin);
            if (first_col() == region.col_begin)
                keep(job_.keep->col_cuts[0], job_.left, 0, region.rows());
        }
        // Strips overwrite the left boundary, from which the corners of later ones come.
        for (std::uint64_t s = 0; s < strips_; ++s)
            state_[s].corner = s == 0 ? job_.corner : static_cast<std::int64_t>(job_.left.first[s * strip_rows_ - 1]);
        // Of each thread; not initialised: only lanes that are not used read beyond the strip's profile.
        std::size_t const profile_bytes = ceil_div(field_.profile_size(), std::size_t{64}) * 64;
        auto const profiles = std::make_unique_for_overwrite<std::int8_t[]>(
            static_cast<std::size_t>(std::max(1, threads)) * profile_bytes);
        if (job_.skipping)
            job_.skipping->strips.resize(strips_);
        if (threads <= 1) {
            for (std::uint64_t s = 0; s < strips_; ++s)
                strip(s, profiles.get());
        } else {
            bool const by_tiles = !job_.skipping && tiles_at_once() >= least_tiles_per_thread * threads;
            auto const take_part = [&](int k) {
                std::int8_t * const profile = profiles.get() + static_cast<std::size_t>(k) * profile_bytes;
                if (tickets_.come() || !by_tiles)
                    tickets_.take_strips([&](std::uint64_t s) { guarded(s, [&] { strip(s, profile); }); });
                if (by_tiles)
                    tickets_.take_tiles(
                        [&](std::uint64_t s) { return tiles(s); },
                        [&](std::uint64_t s, std::uint64_t number) { guarded(s, [&] { tile(s, number, profile); }); });
            };
            job_.monitor->team().run(threads, take_part,
                                     region.rows() * (last_col() - first_col()) >= cells_worth_waking);
        }
        job_.monitor->throw_if_stopped();
        for (std::uint64_t s = 0; s < strips_; ++s)
            if (state_[s].best.before(job_.best))
                job_.best = state_[s].best;
        if (!job_.extent.everything())
            job_.end_score = banded_end_score();
    }

private:
    using Cell = typename Field::Cell;
    static constexpr std::uint64_t finished = UINT64_MAX;
    // Fewer cells are computed before the threads that were asleep have come.
    static constexpr std::uint64_t cells_worth_waking = 2'000'000;
    // Where there are fewer at the same time, threads take strips.
    static constexpr double least_tiles_per_thread = 1.5;

    std::uint64_t row_begin(std::uint64_t s) const { return job_.region.row_begin + s * strip_rows_; }
    std::uint64_t row_end(std::uint64_t s) const { return std::min(row_begin(s) + strip_rows_, job_.region.row_end); }
    std::pair<std::uint64_t, std::uint64_t> columns(std::uint64_t s) const
    {
        return job_.extent.columns(row_begin(s), row_end(s), first_col(), last_col());
    }
    std::uint64_t first_col() const { return std::max(job_.region.col_begin, job_.panel_begin); }
    std::uint64_t last_col() const { return std::min(job_.region.col_end, job_.panel_end); }

    // Strip s has finished its columns before `col`.
    void finish(std::uint64_t s, std::uint64_t col) { state_[s].done.store(col, std::memory_order_release); }
    // Waits until it has.
    void wait(std::uint64_t s, std::uint64_t col)
    {
        wait_for([&] { return state_[s].done.load(std::memory_order_acquire) >= col; }, *job_.monitor);
    }

    // How many tiles can be computed at the same time, on average.
    double tiles_at_once() const
    {
        double all = 0;
        for (std::uint64_t s = 0; s < strips_; ++s)
            all += static_cast<double>(tiles(s).second - tiles(s).first + 1);
        return all / static_cast<double>(strips_ + tiles(strips_ - 1).second - tiles(0).first);
    }

    // If it fails, nobody waits for this strip.
    template <class Work>
    void guarded(std::uint64_t s, Work const & work)
    {
        try {
            work();
        } catch (...) {
            tickets_.give_up();
            finish(s, finished);
            throw;
        }
    }

    void strip(std::uint64_t s, std::int8_t * profile)
    {
        if constexpr (!Field::relative)
            if (job_.skipping)
                return skipping_strip(s, profile);
        auto const [low, high] = columns(s);
        compute(s, low, high, profile);
    }

    // Numbers of the first and the last tile of a strip; one without columns has one, too.
    std::pair<std::uint64_t, std::uint64_t> tiles(std::uint64_t s) const
    {
        auto const [low, high] = columns(s);
        std::uint64_t const step = std::min(job_.tile_cols, last_col() - first_col()),
                            first = (std::min(low, last_col() - 1) - first_col()) / step;
        return {first, low < high ? (high - 1 - first_col()) / step : first};
    }
    void tile(std::uint64_t s, std::uint64_t number, std::int8_t * profile)
    {
        auto const [low, high] = columns(s);
        std::uint64_t const cols = last_col() - first_col(), step = std::min(job_.tile_cols, cols);
        std::uint64_t const begin = first_col() + number * step;
        if (low < begin)
            wait(s, begin);
        compute(s, std::max(low, begin), std::min(high, first_col() + std::min(cols, (number + 1) * step)), profile);
    }

    // Columns of a strip, which has been computed so far.
    void compute(std::uint64_t s, std::uint64_t begin, std::uint64_t stop, std::int8_t * profile)
    {
        auto const [low, high] = columns(s);
        auto const [low_above, high_above] = s == 0 ? std::pair{first_col(), last_col()} : columns(s - 1);
        for (std::uint64_t col = begin; col < stop;) {
            std::uint64_t const end = std::min(stop, next_cut(col));
            if (s > 0)
                wait(s - 1, end > high_above ? finished : end);
            if (gives_up(s))
                return;
            if (col == low && !job_.extent.everything()) {
                if (low > first_col())
                    begin_at_edge(s, low, low_above);
                if constexpr (Field::relative)
                    state_[s].corner_step =
                        field_.sum(job_.top.first + (low_above - job_.region.col_begin), low - low_above) +
                        field_.sum(left_of(s).first, row_end(s) - row_begin(s));
            }
            compute_tile(s, col, end, profile);
            col = end;
            if (col < high)
                finish(s, col);
        }
        if (stop >= high) {
            keep_end(s, high);
            extend_bottom(s, high);
            finish(s, finished);
        }
    }

    // Where a block of the grid begins at the end of a strip, what lies beyond the end follows from its last column.
    void keep_end(std::uint64_t s, std::uint64_t high)
    {
        if constexpr (!Field::relative)
            if (std::uint64_t const at = high - job_.region.col_begin;
                job_.keep && at > 0 && high < last_col() && at % job_.keep->shape.cols_apart == 0) {
                std::uint64_t const row = row_begin(s) - job_.region.row_begin, rows = row_end(s) - row_begin(s);
                job_.keep->col_cuts[at / job_.keep->shape.cols_apart].store(row, left_of(s), rows, state_[s].corner);
            }
    }

    // Whether the work is to end; then nobody waits for this strip.
    bool gives_up(std::uint64_t s)
    {
        bool const ends = job_.monitor->stopped() || tickets_.given_up();
        if (ends)
            finish(s, finished);
        return ends;
    }

    // Left edge of the extent: cells that an insertion alone leads to, from the strip above, or on along its edge.
    void begin_at_edge(std::uint64_t s, std::uint64_t low, std::uint64_t low_above)
    {
        std::uint64_t const rows = row_end(s) - row_begin(s);
        BoundaryView<Cell> const left = left_of(s);
        if constexpr (Field::relative) {
            field_.gap_line(left, rows, false, 0);
        } else {
            StripState & state = state_[s];
            bool const goes_on = s > 0 && low == low_above;
            BoundaryView<Cell> const above = job_.top + (low - job_.region.col_begin - 1);
            state.corner = goes_on ? state_[s - 1].below : above.first[0];
            field_.edge_line(left, rows, goes_on ? state.corner - field_.extend() : above.second[0]);
            state.below = left.first[rows - 1];
        }
    }

    BoundaryView<Cell> left_of(std::uint64_t s) const { return job_.left + (row_begin(s) - job_.region.row_begin); }

    void compute_tile(std::uint64_t s, std::uint64_t col, std::uint64_t end, std::int8_t * profile)
    {
        Region const & region = job_.region;
        std::uint64_t const row = row_begin(s), rows = row_end(s) - row;
        BoundaryView<Cell> const left = left_of(s);
        StripState & state = state_[s];
        Grid * const keep = job_.keep;
        if (keep && col > region.col_begin && (col - region.col_begin) % keep->shape.cols_apart == 0)
            keep->col_cuts[(col - region.col_begin) / keep->shape.cols_apart].store(row - region.row_begin, left, rows,
                                                                                    state.corner);

        BoundaryView<Cell> const top = job_.top + (col - region.col_begin);
        std::int64_t const next_corner = static_cast<std::int64_t>(top.first[end - col - 1]),
                           bottom_corner = static_cast<std::int64_t>(left.first[rows - 1]);
        std::uint8_t * const trace = job_.trace ? job_.trace->bits + job_.trace->part(row, col).offset : nullptr;
        TileBest best = field_.tile(job_.pair, {row, rows, col, end - col}, top, left, state.corner, profile, trace);
        best.strip = s * at_once_;
        best.strips = at_once_;
        if (best.before(state.best))
            state.best = best;
        if (job_.part_bests) {
            std::uint64_t const part = (col - region.col_begin) / keep->shape.cols_apart;
            TileBest & of_part = job_.part_bests[s * keep->col_cuts.size() + part];
            if (best.before(of_part))
                of_part = best;
        }
        state.corner = next_corner;
        if (keep_row(s))
            row_cut(s).store(col - region.col_begin, top, end - col, bottom_corner);
        job_.monitor->poll(rows * (end - col));
    }

    // The same of a strip that begins and ends where Skipping says: tile by tile behind the strip above.
    void skipping_strip(std::uint64_t s, std::int8_t * profile)
    {
        Skipping & skipping = *job_.skipping;
        std::uint64_t const row = row_begin(s), rows = row_end(s) - row, n = last_col();
        bool begun = s == 0, above_ended = s == 0;
        std::uint64_t col = 0, end_above = s == 0 ? 0 : n; // a border is all edge
        std::int64_t edge = 0;                             // E behind the end of the strip above
        while (col < n) {
            std::uint64_t const end = std::min(n, (col / skipping.cols + 1) * skipping.cols);
            if (!above_ended) {
                wait(s - 1, end);
                above_ended = state_[s - 1].done.load(std::memory_order_acquire) == finished;
                if (above_ended) {
                    end_above = skipping.strips[s - 1].end;
                    edge = left_of(s).second[-1];
                }
            }
            if (gives_up(s))
                return;
            if (!begun) {
                std::uint64_t const first_above = state_[s - 1].first.load(std::memory_order_relaxed);
                if (first_above > col) {
                    col = first_above;
                    finish(s, col);
                    continue;
                }
                if (col >= end_above)
                    break;
                if (skipping.may_skip(row, col, job_.top.first + col, std::min(end, end_above) - col)) {
                    col = end;
                    finish(s, col);
                    continue;
                }
                begun = true;
                state_[s].first.store(col, std::memory_order_relaxed);
                if (col > 0)
                    begin_at_edge(s, col, first_above);
            }
            if (end > end_above) {
                std::uint64_t const from = std::max(col, end_above);
                if (s == 0)
                    field_.gap_line(job_.top + from, end - from, true, 0);
                else
                    field_.edge_line(job_.top + from, end - from,
                                     edge - static_cast<std::int64_t>(from - end_above) * field_.extend());
            }
            compute_tile(s, col, end, profile);
            skipping.found(state_[s].best.score);
            col = end;
            if (col >= end_above && skipping.may_end(row, col, left_of(s).first, rows))
                break;
            finish(s, col);
        }
        if (!begun)
            state_[s].first.store(col, std::memory_order_relaxed);
        skipping.strips[s] = {state_[s].first, col};
        finish(s, finished);
    }

    // Right edge of the extent: the strip below reaches further; a deletion alone leads to its top there.  Where the
    // extent has not come as far as the region, that begins at the region's left.  In a band an insertion that comes
    // down its last column can have the deletion before it, so below the edge it is as near to H as there.
    void extend_bottom(std::uint64_t s, std::uint64_t high)
    {
        if (s + 1 == strips_ || job_.extent.everything())
            return;
        auto const next = columns(s + 1).second;
        if (next <= high)
            return;
        BoundaryView<Cell> const top = job_.top + (high - job_.region.col_begin);
        bool const has_edge = high > job_.region.col_begin;
        std::int64_t const before = has_edge ? static_cast<std::int64_t>(top.first[-1]) : state_[s + 1].corner;
        if constexpr (Field::relative) {
            field_.gap_line(top, next - high, false, 0);
            if (has_edge)
                std::fill_n(top.second, next - high, top.second[-1]);
        } else {
            field_.edge_line(top, next - high, left_of(s + 1).second[-1]);
        }
        if (keep_row(s))
            row_cut(s).store(high - job_.region.col_begin, top, next - high, before);
    }

    // H at the lower right corner: along the left ends of the strips, then along the bottom of the last one.
    std::int64_t banded_end_score() const
    {
        std::int64_t score = 0;
        if constexpr (Field::relative) {
            for (std::uint64_t s = 0; s < strips_; ++s)
                score += state_[s].corner_step;
            std::uint64_t const low = columns(strips_ - 1).first;
            score += field_.sum(job_.top.first + (low - job_.region.col_begin), job_.region.col_end - low);
        }
        return score;
    }

    bool keep_row(std::uint64_t s) const
    {
        return job_.keep && (s + 1) * at_once_ % job_.keep->shape.strips_apart == 0 && s + 1 < strips_;
    }
    auto & row_cut(std::uint64_t s) { return job_.keep->row_cuts[(s + 1) * at_once_ / job_.keep->shape.strips_apart]; }

    std::uint64_t next_cut(std::uint64_t col) const
    {
        std::uint64_t const begin = first_col(), cols = last_col() - begin;
        std::uint64_t const step =
            std::min(tickets_.is_alone() ? job_.tile_cols_alone : job_.tile_cols, field_.max_tile_cols());
        std::uint64_t end = begin + (step >= cols ? cols : ((col - begin) / step + 1) * step);
        if (std::uint64_t const first = job_.region.col_begin, apart = job_.keep ? job_.keep->shape.cols_apart : 0;
            job_.keep && apart < job_.region.cols())
            end = std::min(end, first + ((col - first) / apart + 1) * apart);
        return end;
    }

    Field const & field_;
    SweepJob<Field> & job_;
    std::uint64_t const at_once_, strip_rows_, strips_; // of the field's strips, so many are one here
    std::unique_ptr<StripState[]> state_;
    Tickets tickets_;
};

} // namespace nwgpu::cpu
