// SPDX-License-Identifier: BSD-3-Clause
// See separate_changes.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/separate_changes.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/equal_letters.hpp"
#include "cpu/furthest/close_changes-inl.hpp"
#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/lost_word-inl.hpp"
#include "cpu/furthest/separate_changes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

using Kind = SeparateChanges::Kind;
using Place = SeparateChanges::Place;

// Letters of a word at most, and before and behind the changes in it.
constexpr std::int64_t most_word = 48, margin = 10;

class Search {
public:
    HWY_INLINE explicit Search(SeparateChanges & job) :
        job_{job}, change_{job.costs.mismatch}, gap_{job.costs.open + job.costs.extend}
    {}

    HWY_INLINE bool find_changes()
    {
        std::int64_t i = equal(0, 0);
        for (; i < job_.m || i + diagonal_ < job_.n; i += equal(i, i + diagonal_)) {
            // A change of the last letters is not looked for.
            if (i + 1 >= job_.m || i + diagonal_ + 1 >= job_.n ||
                job_.count + SeparateChanges::most_cost > SeparateChanges::most || is_crowded(i))
                return false;
            if (!tell(i) && !tell_several(i))
                return false;
        }
        return true;
    }

    // Whether in a word around each place, on every diagonal of a path that costs no more, letters differ so much as to
    // cost what its changes cost; and in no other way do letters between words agree.
    HWY_INLINE bool are_proven() const
    {
        std::int64_t const apart = job_.costs.open / job_.costs.extend + 1, end = job_.n - job_.m;
        std::int64_t const beyond =
            std::max<std::int64_t>(0, (job_.penalty - 2 * job_.costs.open) / job_.costs.extend - std::abs(end)) / 2;
        std::int64_t const low = std::min<std::int64_t>(0, end) - beyond,
                           high = std::max<std::int64_t>(0, end) + beyond;
        std::int64_t begin = std::max<std::int64_t>(0, job_.places > 0 ? job_.place[0].at - margin : 0);
        for (int c = 0; c < job_.places; ++c) {
            Place const & place = job_.place[static_cast<std::size_t>(c)];
            std::int64_t word_end = std::min(place.last + 1 + margin, job_.m), next = job_.m;
            if (c + 1 < job_.places) {
                std::int64_t const at = job_.place[static_cast<std::size_t>(c) + 1].at;
                word_end = std::min(word_end, std::max(place.last + 1, (place.last + 1 + at - apart) / 2));
                next = std::max({place.clear, word_end + apart, at - margin});
                if (next > at)
                    return false;
            }
            begin = std::max(begin, word_end - most_word);
            if (begin > place.at || !cost_as_much(place, begin, word_end, low, high))
                return false;
            begin = next;
        }
        return true;
    }

private:
    HWY_INLINE std::int64_t equal(std::int64_t i, std::int64_t j) const
    {
        return many_equal_letters(job_.query + i, job_.target + j, std::min(job_.m - i, job_.n - j));
    }
    // Whether at this rate some changes will lie too close to each other.
    HWY_INLINE bool is_crowded(std::int64_t i) const
    {
        return job_.count >= job_.limits.changes && i < job_.limits.letters_apart * job_.count;
    }
    HWY_INLINE void add(std::int64_t at, Kind kind)
    {
        job_.changes[static_cast<std::size_t>(job_.count++)] = {at, kind};
        diagonal_ += kind == Kind::deletion ? 1 : kind == Kind::insertion ? -1 : 0;
    }
    HWY_INLINE void add(Place const & place)
    {
        job_.place[static_cast<std::size_t>(job_.places++)] = place;
        job_.penalty += place.cost;
    }

    // What the change at query letter i of the present diagonal is, by the letters behind it, where they tell.  i moves
    // behind it.
    HWY_INLINE bool tell(std::int64_t & i)
    {
        std::uint8_t const *const q = job_.query + i, *const t = job_.target + i + diagonal_;
        std::uint64_t const same = different(q, t), insertion = different(q + 1, t), deletion = different(q, t + 1);
        // The first letter of the query that differs again.
        auto const first = [](std::uint64_t bits) {
            return bits == 0 ? letters_ahead : std::int64_t{std::countr_zero(bits)};
        };
        std::int64_t const by_mismatch = first(same & (same - 1)), by_insertion = 1 + first(insertion),
                           by_deletion = first(deletion);
        if (by_mismatch >= std::max(by_insertion, by_deletion)) {
            // In place of a mismatch that costs less there can be no gap.
            std::int64_t const other = change_ < gap_ ? 0 : std::max(by_insertion, by_deletion);
            if (by_mismatch < letters_between || other >= letters_ahead)
                return false;
            add({i, i, i + other + 1, change_});
            add(i++, Kind::mismatch);
            return true;
        }
        bool const is_insertion = by_insertion > by_deletion;
        std::uint64_t more = same; // mismatches than the gap is worth
        for (std::int64_t k = gap_ / change_; k > 0 && more != 0; --k)
            more &= more - 1;
        std::int64_t const other = std::max(is_insertion ? by_deletion : by_insertion, first(more));
        if (std::max(by_insertion, by_deletion) < letters_between || other >= letters_ahead)
            return false;
        std::int64_t const at = first_place(i, is_insertion);
        add({at, i, i + other + 1, gap_});
        add(at, is_insertion ? Kind::insertion : Kind::deletion);
        i += is_insertion;
        return true;
    }
    // A gap lies as near to the begin as it can.
    HWY_INLINE std::int64_t first_place(std::int64_t at, bool is_insertion) const
    {
        std::int64_t const i = at + is_insertion, j = i + diagonal_ + (is_insertion ? -1 : 1), most = std::min(at, j);
        return most <= 0 ? at
                         : at - static_cast<std::int64_t>(equal_letters_before(job_.query + i, job_.target + j,
                                                                               static_cast<std::uint64_t>(most)));
    }

    // The same for several changes.
    HWY_NOINLINE bool tell_several(std::int64_t & i)
    {
        CloseChanges close{job_, i, diagonal_};
        if (!close.find())
            return false;
        Place place{i, close.last(), close.clear(), close.cost()};
        int const before = job_.count;
        if (!close.walk([&](std::int64_t at, Kind kind) { add(at, kind); }))
            return false;
        std::reverse(job_.changes.begin() + before, job_.changes.begin() + job_.count);
        place.at = job_.changes[static_cast<std::size_t>(before)].at;
        add(place);
        i = close.last() + 1;
        return true;
    }

    HWY_INLINE bool cost_as_much(Place const & place, std::int64_t begin, std::int64_t end, std::int64_t low,
                                 std::int64_t high) const
    {
        // A gap leads through a word from diagonals that do not have all of it in the matrix, too.
        LostWord const word{job_.query + begin, job_.target + begin, end - begin, std::max(low, -begin),
                            std::min(high, job_.n - end)};
        if (place.cost > gap_)
            return word.low == low && word.high == high && word.costs_more_than(place.cost - 1, job_.costs);
        return word.differs((place.cost + change_ - 1) / change_, place.last - begin);
    }

    SeparateChanges & job_;
    std::int64_t const change_, gap_;
    std::int64_t diagonal_ = 0;
};

} // namespace

void separate_changes(SeparateChanges & job)
{
    job.count = job.places = 0;
    job.penalty = 0;
    Search search{job};
    if (!search.find_changes() || !search.are_proven())
        job.count = -1;
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
