// SPDX-License-Identifier: BSD-3-Clause
// A sweep computes a rectangular region of the matrix from its top and left boundary, strip by strip, and leaves the
// bottom and right boundary behind.  On the way it can keep boundaries on a grid, or all trace bits.
//
// Tiles go to threads by ticket; a tile may use the columns that the strip above has finished, and its own strip's.  It
// waits only for earlier tickets, so nothing can deadlock.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "backend/monitor.hpp"
#include "base/ceil_div.hpp"
#include "cpu/pair/field.hpp"
#include "cpu/pair/grid.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/pair/region_trace.hpp"
#include "cpu/pair/wait_for.hpp"

namespace nwgpu::cpu {

template <class Field>
struct SweepJob {
    using Cell = typename Field::Cell;
    PairView pair;
    Region region;
    Band band;                    // only with DiffField
    BoundaryView<Cell> top, left; // of the region; replaced by its bottom and right boundary
    std::int64_t corner = 0;      // H at the region's upper left corner
    // A panel of the region, without a band: its columns from begin on are computed, those before are done, as left,
    // corner, keep and best say.
    std::uint64_t panel_begin = 0, panel_end = UINT64_MAX;
    int threads = 1;
    std::uint64_t tile_cols = UINT64_MAX;
    std::uint64_t tile_cols_alone = UINT64_MAX; // of several threads, while one has come: nobody waits for it
    Grid * keep = nullptr;                      // sized by the caller
    RegionTrace * trace = nullptr;              // laid out by plan_trace(); tiles are its parts then
    Monitor * monitor = nullptr;                // never null
    TileBest best;                              // out, ScoreField
    TileBest * part_bests = nullptr;            // out, [strips][col_cuts of `keep`], where wanted
    std::int64_t end_score =
        0; // out, banded DiffField: H at the region's lower right corner, relative to the upper left

    // Threads and tiles.
    void use(PairPlan const & plan)
    {
        threads = plan.threads;
        tile_cols = plan.tile_cols;
        tile_cols_alone = plan.tile_cols_alone;
    }
};

// A strip while it is computed: on a line of the cache of its own, as neighbours are computed by other threads.
struct alignas(64) StripState {
    std::atomic<std::uint64_t> done{0}; // columns before it are finished
    std::int64_t corner = 0;            // H above the strip, at the left of what is not computed yet
    std::int64_t corner_step = 0;       // banded: from the strip above's lower left corner to this one's
    TileBest best;
};
static_assert(sizeof(StripState) == 64);

template <class Field>
class Sweep {
public:
    Sweep(Field const & field, SweepJob<Field> & job) : field_{field}, job_{job} {}

    void run()
    {
        Region const & region = job_.region;
        at_once_ = job_.trace ? 1 : field_.strips_at_once();
        strip_rows_ = at_once_ * field_.strip_rows();
        strips_ = (region.rows() + strip_rows_ - 1) / strip_rows_;
        int const threads =
            static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(job_.threads), strips_));
        state_ = std::make_unique<StripState[]>(strips_);
        if (job_.keep) {
            auto const keep = [&](KeptLine & cut, BoundaryView<Cell> line, std::uint64_t begin, std::uint64_t end) {
                cut.store(begin, line + begin, end - begin, job_.corner);
            };
            KeptLine &top = job_.keep->row_cuts[0], &left = job_.keep->col_cuts[0];
            keep(top, job_.top, std::max(top.begin, first_col() - region.col_begin),
                 std::min(top.end, last_col() - region.col_begin));
            if (first_col() == region.col_begin)
                keep(left, job_.left, left.begin, left.end);
        }
        // Strips overwrite the left boundary, from which the corners of later ones come.
        for (std::uint64_t s = 0; s < strips_; ++s)
            state_[s].corner = s == 0 ? job_.corner : static_cast<std::int64_t>(job_.left.first[s * strip_rows_ - 1]);
        // Of each thread; not initialised: only lanes that are not used read beyond the strip's profile.
        std::size_t const profile_bytes = ceil_div(field_.profile_size(), std::size_t{64}) * 64;
        auto const profiles = std::make_unique_for_overwrite<std::int8_t[]>(
            static_cast<std::size_t>(std::max(1, threads)) * profile_bytes);
        if (threads <= 1) {
            for (std::uint64_t s = 0; s < strips_; ++s)
                strip(s, profiles.get());
        } else {
            bool const by_tiles = tiles_at_once() >= least_tiles_per_thread * threads;
            auto const take_part = [&](int k) {
                std::int8_t * const profile = profiles.get() + static_cast<std::size_t>(k) * profile_bytes;
                if (here_++ == 0 || !by_tiles)
                    take_strips(profile);
                if (by_tiles)
                    take_tiles(profile);
            };
            job_.monitor->team().run(threads, take_part,
                                     region.rows() * (last_col() - first_col()) >= cells_worth_waking);
        }
        job_.monitor->throw_if_stopped();
        for (std::uint64_t s = 0; s < strips_; ++s)
            if (state_[s].best.before(job_.best))
                job_.best = state_[s].best;
        if (!job_.band.everything())
            job_.end_score = banded_end_score();
    }

private:
    using Cell = typename Field::Cell;
    static constexpr std::uint64_t finished = UINT64_MAX, others_have_come = std::uint64_t{1} << 63;
    // Fewer cells are computed before the threads that were asleep have come.
    static constexpr std::uint64_t cells_worth_waking = 2'000'000;
    // Where there are fewer at the same time, threads take strips.
    static constexpr double least_tiles_per_thread = 1.5;

    std::uint64_t row_begin(std::uint64_t s) const { return job_.region.row_begin + s * strip_rows_; }
    std::uint64_t row_end(std::uint64_t s) const { return std::min(row_begin(s) + strip_rows_, job_.region.row_end); }
    std::pair<std::uint64_t, std::uint64_t> columns(std::uint64_t s) const
    {
        return job_.band.columns(row_begin(s), row_end(s), first_col(), last_col());
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

    // Of the first thread, until others come, since wide tiles take less time; and of all where few tiles can be
    // computed at the same time: then a strip's tiles had better wait for no more than those above.
    void take_strips(std::int8_t * profile)
    {
        std::uint64_t s = strips_taken_;
        while (s < strips_ && !given_up_.load(std::memory_order_relaxed))
            if (strips_taken_.compare_exchange_weak(s, s + 1)) {
                guarded(s, [&] { strip(s, profile); });
                s = strips_taken_;
            }
    }

    // Tiles of the strips that are left.  Those with the same sum of their numbers by rows and
    // columns are taken one after the other: what a tile waits for was taken long before it, so that a slow thread
    // takes fewer tiles and keeps none of the others waiting.
    void take_tiles(std::int8_t * profile)
    {
        std::uint64_t const begin = strips_taken_.fetch_or(others_have_come) & ~others_have_come;
        std::uint64_t first = begin, last = begin; // strips that have a tile of this sum
        std::uint64_t sum = begin < strips_ ? begin + tiles(begin).first : 0, before = 0;
        while (!given_up_.load(std::memory_order_relaxed)) {
            std::uint64_t const ticket = tickets_++; // of which others wait for the end, whatever happens
            for (;; ++sum) {
                while (first < strips_ && first + tiles(first).second < sum)
                    ++first;
                if (first == strips_)
                    return;
                while (last < strips_ && last + tiles(last).first <= sum)
                    ++last;
                if (ticket - before < last - first)
                    break;
                before += last - first;
            }
            std::uint64_t const s = first + (ticket - before);
            guarded(s, [&] { tile(s, sum - s, profile); });
        }
    }

    // If it fails, nobody waits for this strip.
    template <class Work>
    void guarded(std::uint64_t s, Work const & work)
    {
        try {
            work();
        } catch (...) {
            given_up_.store(true, std::memory_order_relaxed);
            finish(s, finished);
            throw;
        }
    }

    void strip(std::uint64_t s, std::int8_t * profile)
    {
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
        Region const & region = job_.region;
        std::uint64_t const row = row_begin(s), rows = row_end(s) - row;
        auto const [low, high] = columns(s);
        auto const [low_above, high_above] = s == 0 ? std::pair{first_col(), last_col()} : columns(s - 1);
        BoundaryView<Cell> const left = job_.left + (row - region.row_begin);
        StripState & state = state_[s];
        if (begin == low && low > first_col() && low < high) // left edge of the band: cells reached by an insertion
            field_.gap_line(left, rows, false, 0);

        for (std::uint64_t col = begin; col < stop;) {
            std::uint64_t const end = std::min(stop, next_cut(col));
            if (s > 0)
                wait(s - 1, end > high_above ? finished : end);
            if (job_.monitor->stopped() || given_up_.load(std::memory_order_relaxed)) {
                finish(s, finished);
                return;
            }
            if constexpr (Field::relative)
                if (col == low && !job_.band.everything())
                    state.corner_step = field_.sum(job_.top.first + (low_above - region.col_begin), low - low_above) +
                                        field_.sum(left.first, rows);
            Grid * const keep = job_.keep;
            if (keep && col > region.col_begin && (col - region.col_begin) % keep->shape.cols_apart == 0)
                keep->col_cuts[(col - region.col_begin) / keep->shape.cols_apart].store(row - region.row_begin, left,
                                                                                        rows, state.corner);

            BoundaryView<Cell> const top = job_.top + (col - region.col_begin);
            std::int64_t const next_corner = static_cast<std::int64_t>(top.first[end - col - 1]),
                               bottom_corner = static_cast<std::int64_t>(left.first[rows - 1]);
            std::uint8_t * const trace = job_.trace ? job_.trace->bits + job_.trace->part(row, col).offset : nullptr;
            TileBest best =
                field_.tile(job_.pair, {row, rows, col, end - col}, top, left, state.corner, profile, trace);
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
            col = end;
            if (col < high)
                finish(s, col);
        }
        if (stop >= high) {
            extend_bottom(s, high);
            finish(s, finished);
        }
    }

    // Right edge of the band: the strip below reaches further; its top there is reached by a deletion.  Where the band
    // has not come as far as the region, that begins at the region's left.  An insertion that comes down the band's
    // last column can have the deletion before it, so below the edge it is as near to H as there.
    void extend_bottom(std::uint64_t s, std::uint64_t high)
    {
        if (s + 1 == strips_ || job_.band.everything())
            return;
        auto const next = columns(s + 1).second;
        if (next <= high)
            return;
        BoundaryView<Cell> const top = job_.top + (high - job_.region.col_begin);
        field_.gap_line(top, next - high, false, 0);
        if (high > job_.region.col_begin)
            std::fill_n(top.second, next - high, top.second[-1]);
        if (keep_row(s))
            row_cut(s).store(high - job_.region.col_begin, top, next - high, 0);
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
        bool const alone = here_.load(std::memory_order_relaxed) == 1;
        std::uint64_t const step = std::min(alone ? job_.tile_cols_alone : job_.tile_cols, field_.max_tile_cols());
        std::uint64_t end = begin + (step >= cols ? cols : ((col - begin) / step + 1) * step);
        if (std::uint64_t const first = job_.region.col_begin, apart = job_.keep ? job_.keep->shape.cols_apart : 0;
            job_.keep && apart < job_.region.cols())
            end = std::min(end, first + ((col - first) / apart + 1) * apart);
        return end;
    }

    Field const & field_;
    SweepJob<Field> & job_;
    std::uint64_t at_once_ = 1, strip_rows_ = 0, strips_ = 0; // strips of the field that are one here
    std::unique_ptr<StripState[]> state_;
    std::atomic<bool> given_up_{false}; // a strip has failed
    std::atomic<int> here_{0};          // threads that have come, of several
    // Strips that are taken as a whole, and whether there will be no more of them; tiles of the others.
    std::atomic<std::uint64_t> strips_taken_{0}, tickets_{0};
};

} // namespace nwgpu::cpu
