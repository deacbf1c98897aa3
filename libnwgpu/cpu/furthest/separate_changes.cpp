// SPDX-License-Identifier: BSD-3-Clause
// See separate_changes.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/separate_changes.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "base/equal_letters.hpp"
#include "cpu/furthest/close_changes-inl.hpp"
#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/longer_tail.hpp"
#include "cpu/furthest/place_proofs-inl.hpp"
#include "cpu/furthest/separate_changes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

using Kind = SeparateChanges::Kind;
using Place = SeparateChanges::Place;
using Sequences = SeparateChanges::Sequences;
using Together = SeparateChanges::Together;

// How dense others are, however long a sequence is.
constexpr std::int64_t changes_that_tell = 256;

class Search {
public:
    HWY_INLINE explicit Search(SeparateChanges & job) :
        job_{job},
        changes_{job.memory->changes.data()},
        places_{job.memory->places.data()},
        seen_{&job.sequences},
        change_{job.costs.mismatch},
        gap_{job.costs.open + job.costs.extend},
        gap_changes_{gap_ / change_},
        between_{letters_between(job.sequences.m, job.costs)},
        few_changes_{job.limits.changes + std::min<std::int64_t>(job.sequences.m / 256, changes_that_tell)},
        letters_apart_{job.limits.apart(job.sequences.m)}
    {}

    // `again`: places of which some are told together.
    template <bool again>
    HWY_INLINE bool find_changes()
    {
        Cursor at{job_.equal, 0, 0};
        Together const * together = job_.memory->together.data();
        Together const * const last_together = together + job_.memory->together.size();
        for (;;) {
            Sequences const seen = *seen_; // in registers
            go_on(seen, at, different_letters(seen.query + at.block, seen.target + at.block + at.diagonal));
            for (;;) {
                std::int64_t const i = at.i();
                if (i + 1 >= seen.m || i + at.diagonal + 1 >= seen.n) {
                    if (i >= seen.m && i + at.diagonal >= seen.n)
                        return true;
                    break;
                }
                if (job_.count + SeparateChanges::most_cost > job_.most || is_crowded(i))
                    return false;
                while (again && together != last_together && together->at < i)
                    ++together;
                bool const is_together = again && together != last_together && together->at == i;
                if (!is_together && tell(seen, at))
                    continue;
                Cursor const behind =
                    is_together ? tell_together(i, at.diagonal, together->until) : tell_several(i, at.diagonal);
                if (behind.block < 0)
                    break;
                at = behind;
                go_on(seen, at, different_letters(seen.query + at.block, seen.target + at.block + at.diagonal));
            }
            if (!go_beyond_end(at))
                return false;
        }
    }

private:
    // The path comes to letter i of the query on this diagonal.  Letters are read by blocks, whose places follow from
    // branches alone: so those of the next changes are read before it is known where these lie.
    struct Cursor {
        std::int64_t block, bit, diagonal;
        std::int64_t i() const { return block + bit; }
    };
    // To the next letter that differs, or to the end of the diagonal.  `bits`: of the block, where letters differ that
    // are not passed.
    HWY_INLINE static void go_on(Sequences const & seen, Cursor & at, std::uint64_t bits)
    {
        namespace hn = hwy::HWY_NAMESPACE;
        LettersTag const d;
        constexpr std::int64_t block = letters_ahead;
        std::int64_t const end = std::min(seen.m, seen.n - at.diagonal);
        if (bits == 0) {
            std::uint8_t const *const query = seen.query, *const target = seen.target + at.diagonal;
            std::int64_t next = at.block + block;
            for (; next + 2 * block <= end; next += 2 * block) {
                auto const first = hn::Ne(hn::LoadU(d, query + next), hn::LoadU(d, target + next)),
                           second = hn::Ne(hn::LoadU(d, query + next + block), hn::LoadU(d, target + next + block));
                if (!hn::AllFalse(d, hn::Or(first, second)))
                    break;
            }
            for (; next < end && bits == 0; next += block)
                bits = different_letters(query + next, target + next);
            at.block = next - block;
        }
        at.bit = std::min(bits == 0 ? end : std::int64_t{std::countr_zero(bits)}, end - at.block);
    }
    // Whether at this rate some changes will lie too close to each other.
    HWY_INLINE bool is_crowded(std::int64_t i) const
    {
        return job_.count >= few_changes_ && i < letters_apart_ * job_.count;
    }
    HWY_INLINE void add(std::int64_t at, Kind kind) { changes_[job_.count++] = {at, kind}; }
    HWY_INLINE Place & add_place(std::int64_t first_different, std::int64_t at, std::int64_t last, std::int64_t clear,
                                 std::int64_t cost, std::int64_t diagonal)
    {
        Place & place = places_[job_.places++];
        place.first_different = first_different;
        place.at = at;
        place.last = last;
        place.clear = clear;
        place.cost = cost;
        place.diagonal = diagonal;
        job_.penalty += cost;
        return place;
    }

    void make_longer()
    {
        tail_.copy(job_.sequences);
        seen_ = &tail_.longer();
        is_longer_ = true;
    }
    // The change at i is too near to the end to be told.
    HWY_NOINLINE bool go_beyond_end(Cursor & at)
    {
        constexpr std::int64_t before = 2 * letters_ahead; // letters that are looked at
        std::int64_t const i = at.i();
        if (is_longer_ || seen_->m - i > before || seen_->n - i - at.diagonal > before)
            return false;
        make_longer();
        at = {i, 0, at.diagonal};
        return true;
    }

    // Where letters of two blocks differ.
    HWY_INLINE static std::uint64_t different_in_two(std::uint8_t const * a, std::uint8_t const * b)
    {
        return different_letters(a, b) | different_letters(a + letters_ahead, b + letters_ahead) << letters_ahead;
    }

    // What the change at the cursor is, by the letters behind it, where they tell.  The cursor moves on to the next
    // letter that differs.
    HWY_INLINE bool tell(Sequences const & seen, Cursor & at)
    {
        std::uint8_t const *const q = seen.query + at.block, *const t = seen.target + at.block + at.diagonal;
        std::uint64_t const same = different_in_two(q, t), insertion = different_in_two(q, t - 1),
                            deletion = different_in_two(q, t + 1);
        // The first letter of the query that differs again; `unknown` where none does.
        constexpr std::int64_t unknown = 64;
        auto const first = [](std::uint64_t bits) -> std::int64_t { return std::countr_zero(bits); };
        std::uint64_t const here = same >> at.bit, again = here & (here - 1), behind = ~std::uint64_t{1} << at.bit;
        std::int64_t const i = at.i(), by_mismatch = first(again),
                           by_insertion = first(insertion >> at.bit & ~std::uint64_t{1}),
                           by_deletion = first(deletion >> at.bit);
        if (by_mismatch >= std::max(by_insertion, by_deletion)) {
            // In place of a mismatch that costs less there can be no gap, in place of one that costs more there may be
            // two.
            std::int64_t const other = change_ < gap_   ? 0
                                       : change_ > gap_ ? unknown
                                                        : std::max(by_insertion, by_deletion);
            if (by_mismatch < between_ || other == unknown)
                return false;
            add_place(i, i, i, i + other + 1, change_, at.diagonal);
            add(i, Kind::mismatch);
            pass(seen, at, same & behind);
            return true;
        }
        bool const is_insertion = by_insertion > by_deletion;
        std::uint64_t more = again; // mismatches than the gap is worth
        for (std::int64_t k = gap_changes_; k > 1 && more != 0; --k)
            more &= more - 1;
        std::int64_t const other =
            std::max(is_insertion ? by_deletion : by_insertion, gap_changes_ > 0 ? first(more) : 0);
        if (std::max(by_insertion, by_deletion) < between_ || other == unknown)
            return false;
        if (i >= job_.sequences.m + !is_insertion || i + at.diagonal >= job_.sequences.n + is_insertion)
            return false;
        std::int64_t const place = first_place(i, at.diagonal, is_insertion);
        add_place(i, place, i, i + other + 1, gap_, at.diagonal);
        add(place, is_insertion ? Kind::insertion : Kind::deletion);
        at.diagonal += is_insertion ? -1 : 1;
        pass(seen, at, is_insertion ? insertion & behind : deletion & (behind | std::uint64_t{1} << at.bit));
        return true;
    }
    // Goes on, where letters of two blocks differ that are not passed.
    HWY_INLINE static void pass(Sequences const & seen, Cursor & at, std::uint64_t bits)
    {
        std::uint64_t const block = (std::uint64_t{1} << letters_ahead) - 1;
        if ((bits & block) == 0) {
            at.block += letters_ahead;
            bits >>= letters_ahead;
        }
        go_on(seen, at, bits);
    }
    // A gap lies as near to the begin as it can.
    HWY_INLINE std::int64_t first_place(std::int64_t at, std::int64_t diagonal, bool is_insertion) const
    {
        std::int64_t const i = at + is_insertion, j = at + diagonal + !is_insertion, most = std::min(at, j);
        std::uint8_t const *const q = job_.sequences.query + i, *const t = job_.sequences.target + j;
        std::uint64_t const bits = different_letters(q - letters_ahead, t - letters_ahead) << (64 - letters_ahead);
        if (bits != 0 || most <= letters_ahead)
            return at - std::min<std::int64_t>(most, std::countl_zero(bits));
        return at - static_cast<std::int64_t>(equal_letters_before(q, t, static_cast<std::uint64_t>(most)));
    }

    // The same for several changes, from letter i on.  Returns the cursor behind them, with a negative block where it
    // cannot tell.
    HWY_NOINLINE Cursor tell_several(std::int64_t i, std::int64_t diagonal)
    {
        CloseChanges<few_close> close{*seen_, job_.costs, i, diagonal, between_, i};
        Cursor const behind = tell_by(close, i, diagonal);
        return behind.block < 0 && job_.sequences.m >= job_.limits.letters_together ? tell_together(i, diagonal, i)
                                                                                    : behind;
    }
    // The same for more of them, up to letter `until` at least.
    HWY_NOINLINE Cursor tell_together(std::int64_t i, std::int64_t diagonal, std::int64_t until)
    {
        if (job_.count + SeparateChanges::most_cost_together > job_.most)
            return {-1, 0, 0};
        auto const close = std::make_unique<CloseChanges<many_close>>(*seen_, job_.costs, i, diagonal, between_, until);
        return tell_by(*close, i, diagonal);
    }
    template <class Close>
    HWY_INLINE Cursor tell_by(Close & close, std::int64_t i, std::int64_t diagonal)
    {
        if (!close.find())
            return {-1, 0, 0};
        std::int64_t const before = job_.count;
        std::int64_t const comes = diagonal;
        if (!close.walk([&](std::int64_t letter, Kind kind) {
                add(letter, kind);
                diagonal += kind == Kind::deletion ? 1 : kind == Kind::insertion ? -1 : 0;
            })) {
            job_.count = before;
            return {-1, 0, 0};
        }
        job_.penalty_of_several += close.cost();
        std::reverse(changes_ + before, changes_ + job_.count);
        std::int64_t const behind = close.last() + 1;
        Place & place = add_place(i, changes_[before].at, close.last(), close.clear(), close.cost(), comes);
        place.last_different =
            close.last() -
            static_cast<std::int64_t>(equal_letters_before(seen_->query + behind, seen_->target + behind + diagonal,
                                                           static_cast<std::uint64_t>(behind - i)));
        return {behind, 0, diagonal};
    }

    SeparateChanges & job_;
    SeparateChanges::Change * const changes_;
    Place * const places_;
    Sequences const * seen_; // those of the job, or the longer ones
    std::int64_t const change_, gap_;
    std::int64_t const gap_changes_; // that a gap is worth
    std::int64_t const between_;     // changes, letters that are equal
    std::int64_t const few_changes_; // tell nothing of how dense others are
    std::int64_t const letters_apart_;
    bool is_longer_ = false;
    LongerTail tail_;
};

} // namespace

void separate_changes(SeparateChanges & job)
{
    job.count = job.places = 0;
    job.penalty = job.penalty_of_several = 0;
    Search search{job};
    if (!(job.memory->together.empty() ? search.find_changes<false>() : search.find_changes<true>()) ||
        !PlaceProofs{job}.are_proven())
        job.count = -1;
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
