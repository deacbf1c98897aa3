// SPDX-License-Identifier: BSD-3-Clause
// The tie rule as questions to kept fronts of unit costs (docs/proofs.md, lemma 23): three numbers of the front before
// answer them, and say which letters are equal, since a front has passed them on its way to a cell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/equal_letters.hpp"
#include "cpu/furthest/kept_fronts.hpp"
#include "model/batch.hpp"
#include "model/cigar_style.hpp"

namespace nwgpu::cpu {

template <class T>
class UnitWalk {
public:
    // The end has penalty `fronts.count() - 1`.
    UnitWalk(PairView const & pair, KeptFronts & fronts) : pair_{pair}, fronts_{fronts}, base_{fronts.base()} {}

    // From the end to row 0 or column 0, where the begin is one gap away at most: i and j.
    void walk(CigarStyle style, CigarBuilder & cigar, std::uint64_t & end_i, std::uint64_t & end_j)
    {
        CigarOp const same_letters = op_of_equal(style), two_letters = op_of_different(style);
        std::int64_t s = fronts_.count() - 1;
        auto i = static_cast<std::int64_t>(pair_.m), j = static_cast<std::int64_t>(pair_.n);
        while (i > 0 && j > 0) {
            Reach const before = reach_around(s, j - i);
            if (std::int64_t const equal = equal_letters(before, i, j); equal > 0) {
                cigar.add(same_letters, static_cast<std::uint64_t>(equal));
                i -= equal;
                j -= equal;
                if (i == 0 || j == 0)
                    break;
            }
            if (before.same >= j - 1) {
                cigar.add(two_letters);
                --i;
                --j;
                --s;
            } else if (before.right >= j) {
                do { // a longer gap attains only with all shorter ones
                    cigar.add(CigarOp::insertion);
                    --i;
                    --s;
                } while (i > 0 && reach_around(s, j - i).right >= j);
            } else {
                do {
                    cigar.add(CigarOp::deletion);
                    --j;
                    --s;
                } while (j > 0 && reach_around(s, j - i).left >= j - 1);
            }
        }
        end_i = static_cast<std::uint64_t>(i);
        end_j = static_cast<std::uint64_t>(j);
    }

private:
    // How many letters of the target front s leads past, on a diagonal and on those beside it.
    struct Reach {
        std::int64_t left, same, right;
    };
    static constexpr std::int64_t nowhere = std::numeric_limits<std::int32_t>::min();

    // Of front s - 1, for a cell of diagonal k that has penalty s.  The kernel has left two numbers on either side of a
    // front that say "not reached".
    Reach reach_around(std::int64_t s, std::int64_t k)
    {
        if (s < 1)
            return {nowhere, nowhere, nowhere};
        KeptFront const & front = fronts_.at(s - 1, k, s);
        if (k < front.low - 1 || k > front.high + 1)
            return {nowhere, nowhere, nowhere};
        auto const * const at = static_cast<T const *>(front.reach) + (k - front.low);
        return {at[-1] - base_, at[0] - base_, at[1] - base_};
    }
    // Before cell (i, j), of which `before` is the front before its own.
    std::int64_t equal_letters(Reach const & before, std::int64_t i, std::int64_t j) const
    {
        std::int64_t const most = std::min(i, j), from_same = before.same + 1,
                           begin = std::max({from_same, before.left + 1, before.right, j - most}),
                           passed = std::max<std::int64_t>(0, j - begin);
        if (begin == from_same && j >= begin) // where that front ended, at two letters
            return passed;
        return passed +
               static_cast<std::int64_t>(equal_letters_before(pair_.query + i - passed, pair_.target + j - passed,
                                                              static_cast<std::uint64_t>(most - passed)));
    }

    PairView const & pair_;
    KeptFronts & fronts_;
    std::int64_t const base_;
};

} // namespace nwgpu::cpu
