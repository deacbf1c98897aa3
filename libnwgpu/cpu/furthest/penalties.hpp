// SPDX-License-Identifier: BSD-3-Clause
// A uniform scoring scheme in penalties, of which equal letters have none (docs/proofs.md, lemma 23).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "model/scoring.hpp"

namespace nwgpu::cpu {

// D(i, j) = (match (i + j) - 2 H(i, j)) / unit.
struct Penalties {
    std::int64_t mismatch = 0, open = 0, extend = 0; // a gap of k letters: open + k extend
    std::int64_t unit = 1, match = 0;

    bool operator==(Penalties const &) const = default;
    // Of a uniform scheme.
    static Penalties of(Scoring const & scoring)
    {
        GapCost const gap = scoring.gap();
        Penalties all{2 * (scoring.match() + scoring.mismatch()), 2 * gap.open, 2 * gap.extend + scoring.match(), 1,
                      scoring.match()};
        std::int64_t const unit = std::gcd(all.mismatch, std::gcd(all.open, all.extend));
        if (unit > 1)
            all = {all.mismatch / unit, all.open / unit, all.extend / unit, unit, all.match};
        return all;
    }

    // Of which a front is computed from the one before alone.
    bool unit_costs() const { return mismatch == 1 && open == 0 && extend == 1; }
    // Whether fronts end: where a mismatch, or one more letter of a gap, costs nothing, one front would be all.
    bool count() const { return mismatch > 0 && extend > 0; }
    // The highest penalty of one change of letters: what a front is computed from is not further back.
    std::int64_t step() const { return std::max(mismatch, open + extend); }
    // Of a mismatch and a gap of one letter: twice what a change usually costs.
    std::int64_t of_both_changes() const { return mismatch + open + extend; }
    // That of gaps alone: no pair costs more.
    std::int64_t of_gaps(std::uint64_t m, std::uint64_t n) const
    {
        return 2 * open + extend * static_cast<std::int64_t>(m + n);
    }
    // The highest penalty of a score that is not below min_score; negative if there is none.
    std::int64_t most(std::uint64_t m, std::uint64_t n, std::int64_t min_score) const
    {
        std::int64_t const all = of_gaps(m, n);
        if (min_score <= score(m, n, all))
            return all;
        std::int64_t const equal = match * static_cast<std::int64_t>(m + n) / 2; // more than any score
        if (min_score > equal)
            return -1;
        return (match * static_cast<std::int64_t>(m + n) - 2 * min_score) / unit;
    }
    std::int64_t score(std::uint64_t m, std::uint64_t n, std::int64_t penalty) const
    {
        return (match * static_cast<std::int64_t>(m + n) - unit * penalty) / 2;
    }
};

} // namespace nwgpu::cpu
