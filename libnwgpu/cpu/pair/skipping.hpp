// SPDX-License-Identifier: BSD-3-Clause
// What a local sweep may leave out: cells whose best paths score less than one that is known (docs/proofs.md, lemmas 19
// and 35).  Used by sweep.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "cpu/pair/boundary.hpp"
#include "cpu/pair/extent.hpp"
#include "cpu/pair/field.hpp"
#include "cpu/pair/most_of_letters.hpp"
#include "model/batch.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

class Skipping {
public:
    // Whether much is skipped where a path is known to have this score.
    static bool pays(PairView const & pair, Scoring const & scoring, std::int64_t known)
    {
        return 5 * known >= 2 * scoring.max_score() * static_cast<std::int64_t>(std::min(pair.m, pair.n)) && known > 0;
    }

    // Beside the boundaries and strips of a sweep, at most.
    static std::uint64_t bytes(std::uint64_t m, std::uint64_t n)
    {
        return MostOfLetters::bytes(m, n) + MostOfLetters::bytes(n, m) + sizeof(Stretch) * (m / least_strip_rows + 1);
    }

    // `known`: a score that some path has; `tile_cols`: neighbouring columns that are computed, or skipped, together.
    Skipping(PairView const & pair, Scoring const & scoring, std::int64_t known, std::uint64_t tile_cols) :
        cols{tile_cols},
        query_{pair, scoring},
        target_{{pair.target, pair.n, pair.query, pair.m}, scoring},
        known_{known}
    {}

    std::uint64_t const cols;    // of a tile
    std::vector<Stretch> strips; // out: what was computed; each is written by the thread that had the strip

    // Of any thread: some path has this score.
    void found(std::int64_t score)
    {
        std::int64_t known = known_.load(std::memory_order_relaxed);
        while (known < score && !known_.compare_exchange_weak(known, score, std::memory_order_relaxed)) {
        }
    }

    // Whether no best path goes from these scores, of row `row` and columns from `col` on, or from a begin below and
    // right of them, to any row below.
    bool may_skip(std::uint64_t row, std::uint64_t col, std::int64_t const * h, std::uint64_t count) const
    {
        std::int64_t const most = known_.load(std::memory_order_relaxed) - rest(row, col);
        return most > 0 && std::all_of(h, h + count, [&](std::int64_t score) { return score < most; });
    }
    // Whether none goes from these, of the rows from `row` on and column `col`, or from a begin, to any column behind.
    bool may_end(std::uint64_t row, std::uint64_t col, std::int64_t const * h, std::uint64_t count) const
    {
        std::int64_t const known = known_.load(std::memory_order_relaxed);
        if (rest(row, col) >= known)
            return false;
        for (std::uint64_t k = 0; k < count; ++k)
            if (h[k] + rest(row + k + 1, col) >= known)
                return false;
        return true;
    }

private:
    static constexpr std::uint64_t least_strip_rows = 8;

    // What a path can gain at most below and right of so many rows and columns.
    std::int64_t rest(std::uint64_t row, std::uint64_t col) const
    {
        return std::min(query_.most_from(row), target_.most_from(col));
    }

    MostOfLetters const query_, target_;
    std::atomic<std::int64_t> known_;
};

// Of what was computed, in strips of so many rows, that which a path may cross to its end, the best cell
// (docs/proofs.md, lemma 35).
inline std::vector<Stretch> stretches_of_path(std::vector<Stretch> strips, PairView const & pair,
                                              Scoring const & scoring, std::uint64_t rows, TileBest const & best)
{
    std::uint64_t const row_end = std::min((best.strip + 1) * rows, pair.m), col_end = best.col + 1;
    auto const beside = [&](std::uint64_t letters) { // diagonals
        return static_cast<std::int64_t>(path::too_long_gap(letters, scoring, best.score));
    };
    auto const end = static_cast<std::int64_t>(col_end);
    Band const band{end - static_cast<std::int64_t>(row_end) - beside(col_end),
                    end - static_cast<std::int64_t>(best.strip * rows) + beside(row_end)};
    for (std::uint64_t s = 0; s < strips.size(); ++s) {
        auto const [first, last] = band.columns(s * rows, std::min((s + 1) * rows, pair.m), 0, col_end);
        Stretch & strip = strips[s];
        strip.begin = s > best.strip ? col_end : std::min(std::max(strip.begin, first), col_end);
        strip.end = s > best.strip ? col_end : std::max(strip.begin, std::min(strip.end, last));
    }
    return strips;
}

} // namespace nwgpu::cpu
