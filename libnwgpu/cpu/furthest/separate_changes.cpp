// SPDX-License-Identifier: BSD-3-Clause
// See separate_changes.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/separate_changes.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "base/equal_letters.hpp"
#include "cpu/furthest/close_changes-inl.hpp"
#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/longer_tail.hpp"
#include "cpu/furthest/lost_word-inl.hpp"
#include "cpu/furthest/separate_changes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

using Kind = SeparateChanges::Kind;
using Place = SeparateChanges::Place;
using Sequences = SeparateChanges::Sequences;

// Letters of a word at most, and before and behind the changes in it.
constexpr std::int64_t most_word = 48, margin = 10, more_margin = 14;
// Of a word that is looked at first.
constexpr std::int64_t near_letters = 8;

class Search {
public:
    HWY_INLINE explicit Search(SeparateChanges & job) :
        job_{job},
        seen_{&job.sequences},
        change_{job.costs.mismatch},
        gap_{job.costs.open + job.costs.extend},
        gap_changes_{gap_ / change_},
        two_words_{job.costs.open == 0 ? 2 * std::min(change_, gap_) : -1},
        between_{letters_between(job.sequences.m, job.costs)}
    {}

    HWY_INLINE bool find_changes()
    {
        Cursor at{job_.equal, 0, 0};
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
                if (tell(seen, at))
                    continue;
                Cursor const behind = tell_several(i, at.diagonal);
                if (behind.block < 0)
                    break;
                at = behind;
                go_on(seen, at, different_letters(seen.query + at.block, seen.target + at.block + at.diagonal));
            }
            if (!go_beyond_end(at))
                return false;
        }
    }

    // Whether in a word around each place, on every diagonal of a path that costs no more, letters differ so much as to
    // cost what its changes cost; and in no other way do letters between words agree.
    HWY_INLINE bool are_proven()
    {
        std::int64_t const extend = job_.costs.extend, across = job_.sequences.n - job_.sequences.m;
        auto const letters = [&](std::int64_t cost) { return extend == 1 ? cost : cost / extend; };
        std::int64_t const apart = letters(job_.costs.open) + 1;
        std::int64_t const beyond =
            std::max<std::int64_t>(0, letters(job_.penalty - 2 * job_.costs.open) - std::abs(across)) / 2;
        std::int64_t const low = std::min<std::int64_t>(0, across) - beyond,
                           high = std::max<std::int64_t>(0, across) + beyond;
        return (high - low < few_diagonals || are_all_proven(low, high, apart, near)) &&
               are_all_proven(low, high, apart, high - low);
    }

private:
    // Of many diagonals, those near the path are looked at first: most of what can't be proven is seen there.
    static constexpr std::int64_t few_diagonals = 1024, near = 8;

    HWY_INLINE bool are_all_proven(std::int64_t low, std::int64_t high, std::int64_t apart, std::int64_t aside)
    {
        Place *const places = job_.place, *const last_place = places + job_.places;
        last_place->at = job_.sequences.m + most_word;
        Sequences const in = job_.sequences;
        std::int64_t first = 0; // letter that the next word may have
        for (Place const * place = places; place != last_place; ++place) {
            std::int64_t const lowest = std::max(low, place->diagonal - aside),
                               highest = std::min(high, place->diagonal + aside),
                               begin = place->last - near_letters / 2,
                               next = place[1].at; // letter with which the next word begins at last
            std::int64_t end = begin + near_letters;
            // Most are proven by few letters in the middle of the matrix.
            if (place->cost > gap_ || begin < first || begin + lowest < 0 || end > std::min(in.m, in.n - highest) ||
                2 * end > place->last + 1 + next - apart ||
                !LostWord{in.query + begin, in.target + begin, near_letters, lowest, highest}.differs(
                    letters_of(*place), near_letters / 2)) [[unlikely]] {
                low_ = lowest;
                high_ = highest;
                end = end_of_word(*place, first, next, apart);
                if (end < 0)
                    return false;
            }
            first = std::max(place->clear, end + apart);
        }
        return true;
    }
    // Of a word that proves what the place costs; negative: there is none.
    HWY_NOINLINE std::int64_t end_of_word(Place const & place, std::int64_t first, std::int64_t next,
                                          std::int64_t apart) const
    {
        std::int64_t const m = job_.sequences.m, behind = place.last + 1;
        if (behind + apart > next)
            return -1;
        std::int64_t end = std::min({behind + margin, m, (behind + next - apart) / 2});
        std::int64_t const begin = std::max({first, end - most_word, place.at - margin});
        if (begin > place.at || begin >= end)
            return -1;
        if (costs_as_much(place, begin, end) || costs_as_much_from(first, place, begin, end))
            return end;
        std::int64_t const last_end = std::min({behind + margin + more_margin, m, next - apart});
        for (std::int64_t more = 1; end != last_end; more = 2 * more + 1) {
            end = std::min(end + more, last_end);
            if (costs_as_much_from(first, place, std::max(begin, end - most_word), end))
                return end;
        }
        return -1;
    }

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
        return job_.count >= job_.limits.changes && i < job_.limits.letters_apart * job_.count;
    }
    HWY_INLINE void add(std::int64_t at, Kind kind)
    {
        job_.changes[static_cast<std::size_t>(job_.count++)] = {at, kind};
    }
    HWY_INLINE Place & add_place(std::int64_t at, std::int64_t last, std::int64_t clear, std::int64_t cost,
                                 std::int64_t diagonal)
    {
        Place & place = job_.place[static_cast<std::size_t>(job_.places++)];
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
            add_place(i, i, i + other + 1, change_, at.diagonal);
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
        add_place(place, i, i + other + 1, gap_, at.diagonal);
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
        CloseChanges close{*seen_, job_.costs, i, diagonal, between_};
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
        for (auto *first = &job_.changes[static_cast<std::size_t>(before)],
                  *last = &job_.changes[static_cast<std::size_t>(job_.count) - 1];
             first < last; ++first, --last) {
            std::swap(first->at, last->at);
            std::swap(first->kind, last->kind);
        }
        std::int64_t const behind = close.last() + 1;
        Place & place = add_place(job_.changes[static_cast<std::size_t>(before)].at, close.last(), close.clear(),
                                  close.cost(), comes);
        place.first_different = i;
        place.last_different =
            close.last() -
            static_cast<std::int64_t>(equal_letters_before(seen_->query + behind, seen_->target + behind + diagonal,
                                                           static_cast<std::uint64_t>(behind - i)));
        return {behind, 0, diagonal};
    }

    HWY_INLINE bool costs_as_much(Place const & place, std::int64_t begin, std::int64_t end) const
    {
        return place.cost <= gap_ && differs(place, begin, end);
    }
    // A gap leads through a word from diagonals that do not have all of it in the matrix, too.
    HWY_INLINE bool differs(Place const & place, std::int64_t begin, std::int64_t end) const
    {
        LostWord const word{job_.sequences.query + begin, job_.sequences.target + begin, end - begin,
                            std::max(low_, -begin), std::min(high_, job_.sequences.n - end)};
        return word.differs(letters_of(place), place.last - begin);
    }
    // So many letters of its word differ on each diagonal, if it costs no more than a gap.
    HWY_INLINE std::int64_t letters_of(Place const & place) const
    {
        return place.cost == change_                 ? 1
               : gap_changes_ * change_ < place.cost ? gap_changes_ + 1
                                                     : place.cost / change_;
    }
    // The same of places with several changes, too, and with words that may begin with letter `first`.
    HWY_NOINLINE bool costs_as_much_from(std::int64_t first, Place const & place, std::int64_t begin,
                                         std::int64_t end) const
    {
        std::int64_t const longest = std::max(first, end - most_word);
        for (;; begin = longest) {
            if (place.cost <= gap_ ? differs(place, begin, end) : several_cost_as_much(place, begin, end))
                return true;
            if (begin == longest)
                return false;
        }
    }
    // On all diagonals that have a cell of the matrix in the word's rows.  What letters beyond the matrix are does not
    // matter: more paths lead through them.
    HWY_INLINE bool several_cost_as_much(Place const & place, std::int64_t begin, std::int64_t end) const
    {
        LostWord const word{job_.sequences.query + begin, job_.sequences.target + begin, end - begin,
                            std::max(low_, -end), std::min(high_, job_.sequences.n - begin)};
        return (place.cost == two_words_ && are_two_words(place, word, begin)) ||
               word.costs_more_than(place.cost - 1, job_.costs);
    }
    // Whether the word has two behind each other that differ on each diagonal.
    HWY_INLINE bool are_two_words(Place const & place, LostWord const & word, std::int64_t begin) const
    {
        std::int64_t const left = place.first_different + 1 - begin, right = place.last_different - begin;
        LostWord const first{word.word, word.target, left, word.low, word.high},
            second{word.word + right, word.target + right, word.length - right, word.low, word.high};
        return right >= left && word.length > right && first.differs(1, left) && second.differs(1, 0);
    }

    SeparateChanges & job_;
    Sequences const * seen_; // those of the job, or the longer ones
    std::int64_t const change_, gap_;
    std::int64_t const gap_changes_;  // that a gap is worth
    std::int64_t const two_words_;    // what two words cost that have no gap between them
    std::int64_t const between_;      // changes, letters that are equal
    std::int64_t low_ = 0, high_ = 0; // diagonals of paths that cost no more
    bool is_longer_ = false;
    LongerTail tail_;
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
