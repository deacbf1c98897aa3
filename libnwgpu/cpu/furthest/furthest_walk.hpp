// SPDX-License-Identifier: BSD-3-Clause
// The tie rule as questions to kept fronts: is D(i, j) <= s?  (docs/proofs.md, lemma 23)
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/equal_letters.hpp"
#include "cpu/furthest/fronts.hpp"
#include "cpu/furthest/penalties.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"

namespace nwgpu::cpu {

template <class T>
class FurthestWalk {
public:
    // `base`: as in Fronts.  The end has penalty `fronts.size() - 1`.
    FurthestWalk(PairView const & pair, Penalties const & penalties, std::span<KeptFront const> fronts,
                 std::int64_t base) :
        pair_{pair}, penalties_{penalties}, fronts_{fronts}, base_{base}
    {}

    // From the end to row 0 or column 0, where the begin is one gap away at most: i and j.
    void walk(CigarStyle style, CigarBuilder & cigar, std::uint64_t & i, std::uint64_t & j) const
    {
        bool const letters = style == CigarStyle::eqx;
        auto s = static_cast<std::int64_t>(fronts_.size()) - 1;
        i = pair_.m;
        j = pair_.n;
        while (i > 0 && j > 0) {
            std::uint64_t const equal = equal_letters_before(pair_.query + i, pair_.target + j, std::min(i, j));
            if (equal > 0) {
                cigar.add(letters ? CigarOp::equal : CigarOp::match, equal);
                i -= equal;
                j -= equal;
            } else if (costs_at_most(i - 1, j - 1, s - penalties_.mismatch)) {
                cigar.add(letters ? CigarOp::different : CigarOp::match);
                --i;
                --j;
                s -= penalties_.mismatch;
            } else if (std::uint64_t const rows = longest_gap(i, j, s, true)) {
                cigar.add(CigarOp::insertion, rows);
                i -= rows;
                s -= cost(rows);
            } else {
                std::uint64_t const cols = std::max<std::uint64_t>(1, longest_gap(i, j, s, false));
                cigar.add(CigarOp::deletion, cols);
                j -= cols;
                s -= cost(cols);
            }
        }
    }

private:
    std::int64_t cost(std::uint64_t length) const
    {
        return penalties_.open + static_cast<std::int64_t>(length) * penalties_.extend;
    }

    // D(i, j) <= s, for cells on best paths; false elsewhere, or the truth.
    bool costs_at_most(std::uint64_t i, std::uint64_t j, std::int64_t s) const
    {
        if (s < 0)
            return false;
        KeptFront const & front = fronts_[static_cast<std::size_t>(s)];
        auto const column = static_cast<std::int64_t>(j), diagonal = column - static_cast<std::int64_t>(i);
        return front.low <= diagonal && diagonal <= front.high &&
               static_cast<T const *>(front.reach)[diagonal - front.low] - base_ >= column;
    }

    // The longest gap that ends at cell (i, j) and attains its penalty s; 0: none.
    std::uint64_t longest_gap(std::uint64_t i, std::uint64_t j, std::int64_t s, bool insertion) const
    {
        std::uint64_t longest = 0;
        for (std::uint64_t length = 1; length <= (insertion ? i : j); ++length) {
            std::int64_t const before = s - cost(length);
            if (before < 0)
                break;
            KeptFront const & front = fronts_[static_cast<std::size_t>(before)];
            if (penalties_.open > 0 &&
                (insertion ? front.columns < static_cast<std::int64_t>(j) : front.rows < static_cast<std::int64_t>(i)))
                break; // none of them is reached with so little
            if (insertion ? costs_at_most(i - length, j, before) : costs_at_most(i, j - length, before))
                longest = length;
            else if (penalties_.open == 0)
                break; // a longer gap would attain with all shorter ones
        }
        return longest;
    }

    PairView const & pair_;
    Penalties const & penalties_;
    std::span<KeptFront const> const fronts_;
    std::int64_t const base_;
};

} // namespace nwgpu::cpu
