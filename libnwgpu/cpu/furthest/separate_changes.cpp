// SPDX-License-Identifier: BSD-3-Clause
// See separate_changes.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/separate_changes.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/separate_changes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Kind = SeparateChanges::Kind;
using Change = SeparateChanges::Change;

// Letters that are compared behind a change, and those of a word at most.
using Ahead = hn::ScalableTag<std::uint8_t>;
using Word = hn::CappedTag<std::uint8_t, 32>;
constexpr std::int64_t most_word = hn::MaxLanes(Word{}), margin = most_word / 2 - 2;
// So many letters that are equal in one way and not in the others tell the way.
constexpr std::int64_t least_ahead = 4;
// How many changes say how far all are apart, and how many too close ones are expected at most where it is worth a try.
constexpr std::int64_t telling = 4, most_close = 2, close_letters = 8;

// A bit for each place where letters differ; bits behind those compared are 0.
HWY_INLINE std::uint64_t different(std::uint8_t const * a, std::uint8_t const * b)
{
    Ahead const d;
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, a), hn::LoadU(d, b)), reinterpret_cast<std::uint8_t *>(&bits));
    return bits;
}

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
            if (i + 1 >= job_.m || i + diagonal_ + 1 >= job_.n || count_ == SeparateChanges::most || is_crowded(i))
                return false;
            Change & change = job_.changes[static_cast<std::size_t>(count_)];
            if (!tell(i, change))
                return false;
            find_first_place(change);
            ++count_;
            i = change.last + (change.kind != Kind::deletion);
            diagonal_ += change.kind == Kind::deletion ? 1 : change.kind == Kind::insertion ? -1 : 0;
            job_.penalty += change.kind == Kind::mismatch ? change_ : gap_;
        }
        job_.count = count_;
        return true;
    }

    // Whether in a word around each change, on every diagonal of a path that costs no more, letters differ so much as
    // to cost what the change costs; and in no other way do letters between words agree.
    HWY_INLINE bool are_proven() const
    {
        std::int64_t const apart = job_.costs.open / job_.costs.extend + 1, end = job_.n - job_.m;
        std::int64_t const beyond =
            std::max<std::int64_t>(0, (job_.penalty - 2 * job_.costs.open) / job_.costs.extend - std::abs(end)) / 2;
        std::int64_t const low = std::min<std::int64_t>(0, end) - beyond,
                           high = std::max<std::int64_t>(0, end) + beyond;
        std::int64_t begin = std::max<std::int64_t>(0, count_ > 0 ? job_.changes[0].at - margin : 0);
        for (int c = 0; c < count_; ++c) {
            Change const & change = job_.changes[static_cast<std::size_t>(c)];
            std::int64_t word_end = change.last + 1 + margin, next = job_.m;
            if (c + 1 < count_) {
                std::int64_t const at = job_.changes[static_cast<std::size_t>(c) + 1].at;
                word_end = std::min(word_end, std::max(change.last + 1, (change.last + 1 + at - apart) / 2));
                next = std::max({change.clear, word_end + apart, at - margin});
                if (next > at)
                    return false;
            } else {
                word_end = std::min(word_end, job_.m);
            }
            begin = std::max(begin, word_end - most_word);
            std::int64_t const cost = change.kind == Kind::mismatch ? change_ : gap_;
            if (begin > change.at || std::min(gap_, change_ * fewest(begin, word_end, low, high)) < cost)
                return false;
            begin = next;
        }
        return true;
    }

private:
    HWY_INLINE std::int64_t equal(std::int64_t i, std::int64_t j) const
    {
        return equal_letters_from(job_.query + i, job_.target + j, std::min(job_.m - i, job_.n - j));
    }
    // Whether at this rate some changes will lie too close to each other.
    HWY_INLINE bool is_crowded(std::int64_t i) const
    {
        return count_ >= telling && job_.m * count_ * count_ * close_letters > most_close * i * i;
    }

    // What the change at query letter i of the present diagonal is, by the letters behind it.
    HWY_INLINE bool tell(std::int64_t i, Change & change) const
    {
        std::uint8_t const *const q = job_.query + i, *const t = job_.target + i + diagonal_;
        std::uint64_t const same = different(q, t), insertion = different(q + 1, t), deletion = different(q, t + 1);
        if (insertion == 0 && deletion == 0)
            return false;
        // The first letter of the query that differs again.
        constexpr std::int64_t most = hn::MaxLanes(Ahead{});
        auto const first = [](std::uint64_t bits) { return bits == 0 ? most : std::int64_t{std::countr_zero(bits)}; };
        std::int64_t const by_mismatch = first(same & (same - 1)), by_insertion = 1 + first(insertion),
                           by_deletion = first(deletion);
        std::int64_t other = 0, best = 0;
        if (by_mismatch >= std::max(by_insertion, by_deletion)) {
            change.kind = Kind::mismatch;
            best = by_mismatch;
            // In place of a mismatch that costs less there can be no gap.
            other = change_ < gap_ ? 0 : std::max(by_insertion, by_deletion);
        } else {
            bool const is_insertion = by_insertion > by_deletion;
            change.kind = is_insertion ? Kind::insertion : Kind::deletion;
            best = is_insertion ? by_insertion : by_deletion;
            std::uint64_t more = same; // mismatches than the gap is worth
            for (std::int64_t k = gap_ / change_; k > 0 && more != 0; --k)
                more &= more - 1;
            other = std::max(is_insertion ? by_deletion : by_insertion, first(more));
        }
        change.at = change.last = i;
        change.diagonal = diagonal_;
        change.clear = i + other + 1;
        return best >= least_ahead && other < most;
    }

    // A gap lies as near to the begin as it can.
    HWY_INLINE void find_first_place(Change & change) const
    {
        if (change.kind == Kind::mismatch)
            return;
        bool const is_insertion = change.kind == Kind::insertion;
        std::int64_t const behind = change.diagonal + (is_insertion ? -1 : 1);
        for (std::int64_t i = change.at - !is_insertion;
             change.at > 0 && i + behind >= 0 && job_.query[i] == job_.target[i + behind]; --i)
            --change.at;
    }

    // On the diagonals low to high, as far as a path can have all letters of the word there.
    HWY_INLINE std::int64_t fewest(std::int64_t begin, std::int64_t end, std::int64_t low, std::int64_t high) const
    {
        Word const d;
        auto const word = hn::LoadU(d, job_.query + begin);
        auto const length = hn::FirstN(d, static_cast<std::size_t>(end - begin));
        std::int64_t least = end - begin;
        for (std::int64_t k = std::max(low, -begin); k <= std::min(high, job_.n - end); ++k)
            least = std::min(least, static_cast<std::int64_t>(hn::CountTrue(
                                        d, hn::And(length, hn::Ne(word, hn::LoadU(d, job_.target + begin + k))))));
        return least;
    }

    SeparateChanges & job_;
    std::int64_t const change_, gap_;
    std::int64_t diagonal_ = 0;
    int count_ = 0;
};

} // namespace

void separate_changes(SeparateChanges & job)
{
    job.count = -1;
    job.penalty = 0;
    Search search{job};
    if (!search.find_changes() || !search.are_proven())
        job.count = -1;
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
