// SPDX-License-Identifier: BSD-3-Clause
// The tie rule as questions to kept fronts: is D(i, j) <= s?  (docs/proofs.md, lemma 23)
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/equal_letters.hpp"
#include "cpu/furthest/kept_fronts.hpp"
#include "cpu/furthest/penalties.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"

namespace nwgpu::cpu {

template <class T>
class FurthestWalk {
public:
    // The end has penalty `fronts.count() - 1`.
    FurthestWalk(PairView const & pair, Penalties const & penalties, KeptFronts & fronts) :
        pair_{pair}, penalties_{penalties}, fronts_{fronts}, base_{fronts.base()}
    {}

    // From the end to row 0 or column 0, where the begin is one gap away at most: i and j.
    void walk(CigarStyle style, CigarBuilder & cigar, std::uint64_t & i, std::uint64_t & j)
    {
        bool const letters = style == CigarStyle::eqx;
        std::int64_t s = fronts_.count() - 1;
        i = pair_.m;
        j = pair_.n;
        while (i > 0 && j > 0) {
            std::uint64_t const equal = equal_letters_before(pair_.query + i, pair_.target + j, std::min(i, j));
            if (equal > 0) {
                cigar.add(letters ? CigarOp::equal : CigarOp::match, equal);
                i -= equal;
                j -= equal;
            } else if (s >= penalties_.mismatch && attains_with_mismatch(i, j, s)) {
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

    // D(i, j) <= that of the front, for cells on best paths; false elsewhere, or the truth.
    bool reaches(KeptFront const & front, std::uint64_t i, std::uint64_t j) const
    {
        auto const column = static_cast<std::int64_t>(j), diagonal = column - static_cast<std::int64_t>(i);
        return front.low <= diagonal && diagonal <= front.high &&
               static_cast<T const *>(front.reach)[diagonal - front.low] - base_ >= column;
    }

    bool attains_with_mismatch(std::uint64_t i, std::uint64_t j, std::int64_t s)
    {
        auto const diagonal = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i);
        return reaches(fronts_.at(s - penalties_.mismatch, diagonal, s), i - 1, j - 1);
    }

    // The longest gap that ends at cell (i, j) and attains its penalty s; 0: none.
    std::uint64_t longest_gap(std::uint64_t i, std::uint64_t j, std::int64_t s, bool insertion)
    {
        auto const diagonal = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i);
        std::uint64_t longest = 0;
        for (std::uint64_t length = 1; length <= (insertion ? i : j); ++length) {
            std::int64_t const before = s - cost(length), letters = static_cast<std::int64_t>(length);
            if (before < 0)
                break;
            // As a question about a cell inside the gap, so that near fronts are enough for long gaps.
            KeptFront const & front = fronts_.at(before, insertion ? diagonal + letters : diagonal - letters,
                                                 s - letters * penalties_.extend);
            if (penalties_.open > 0 &&
                (insertion ? front.columns < static_cast<std::int64_t>(j) : front.rows < static_cast<std::int64_t>(i)))
                break; // none of them is reached with so little
            if (insertion ? reaches(front, i - length, j) : reaches(front, i, j - length))
                longest = length;
            else if (penalties_.open == 0)
                break; // a longer gap would attain with all shorter ones
        }
        return longest;
    }

    PairView const & pair_;
    Penalties const & penalties_;
    KeptFronts & fronts_;
    std::int64_t const base_;
};

} // namespace nwgpu::cpu
