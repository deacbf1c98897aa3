// SPDX-License-Identifier: BSD-3-Clause
// A uniform scoring scheme in penalties, of which equal letters have none (docs/proofs.md, lemma 23).
#pragma once

#include <cstdint>
#include <numeric>

#include "model/scoring.hpp"

namespace nwgpu::cpu {

// D(i, j) = (match (i + j) - 2 H(i, j)) / unit.
struct Penalties {
    std::int64_t mismatch = 0, open = 0, extend = 0; // a gap of k letters: open + k extend
    std::int64_t unit = 1, match = 0;

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

    // Whether fronts end: where a mismatch, or one more letter of a gap, costs nothing, one front would be all.
    bool count() const { return mismatch > 0 && extend > 0; }
    std::int64_t score(std::uint64_t m, std::uint64_t n, std::int64_t penalty) const
    {
        return (match * static_cast<std::int64_t>(m + n) - unit * penalty) / 2;
    }
};

} // namespace nwgpu::cpu
