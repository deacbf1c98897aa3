// SPDX-License-Identifier: BSD-3-Clause
// The proof that changes which were told cost least (docs/proofs.md, lemma 34): around each place a word of the query
// that costs as much on every diagonal.  Included once per instruction set, inside foreach_target.
#if defined(NWGPU_CPU_PLACE_PROOFS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_PLACE_PROOFS_INL_HPP
#undef NWGPU_CPU_PLACE_PROOFS_INL_HPP
#else
#define NWGPU_CPU_PLACE_PROOFS_INL_HPP
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cpu/furthest/far_words.hpp"
#include "cpu/furthest/lost_word-inl.hpp"
#include "cpu/furthest/separate_changes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

class PlaceProofs {
    using Place = SeparateChanges::Place;

public:
    HWY_INLINE explicit PlaceProofs(SeparateChanges & job) :
        job_{job},
        places_{job.memory->places.data()},
        change_{job.costs.mismatch},
        gap_{job.costs.open + job.costs.extend},
        gap_changes_{gap_ / change_},
        two_words_{job.costs.open == 0 ? 2 * std::min(change_, gap_) : -1},
        apart_{letters(job.costs.open) + 1}
    {}

    // Whether in a word around each place, on every diagonal of a path that costs no more, letters differ so much as to
    // cost what its changes cost; and in no other way do letters between words agree.  If not, places that are worth
    // being told together with a neighbour are added to those of the job's memory.
    HWY_INLINE bool are_proven()
    {
        std::int64_t const across = job_.sequences.n - job_.sequences.m,
                           beyond = std::max<std::int64_t>(0, letters(job_.penalty - 2 * job_.costs.open) -
                                                                  std::abs(across)) /
                                    2;
        low_ = std::min<std::int64_t>(0, across) - beyond;
        high_ = std::max<std::int64_t>(0, across) + beyond;
        last_ = places_ + job_.places;
        last_->at = last_->word_begin = job_.sequences.m + most_word;
        std::int64_t const diagonals = high_ - low_;
        bool const are_far =
            diagonals * (job_.places + 8 * job_.penalty_of_several) >= job_.limits.far_words * job_.sequences.n;
        if (!are_far && diagonals < job_.limits.few_diagonals)
            return are_all_proven(diagonals);
        return are_all_proven(job_.limits.near) && (are_far ? are_far_words_lost() : are_all_proven(diagonals));
    }

private:
    // Letters of a word at most, beside those between several changes, and before and behind the changes in it.
    static constexpr std::int64_t most_word = 48, margin = 10, more_margin = 14;
    // Of a word that is looked at first.
    static constexpr std::int64_t near_letters = 8;

    std::int64_t letters(std::int64_t cost) const { return job_.costs.extend == 1 ? cost : cost / job_.costs.extend; }

    // By words, on diagonals so far aside from the path.
    HWY_INLINE bool are_all_proven(std::int64_t aside)
    {
        SeparateChanges::Sequences const in = job_.sequences;
        std::int64_t const low = low_, high = high_, apart = apart_;
        std::int64_t first = 0; // letter that the next word may have
        bool are = true;
        for (Place * place = places_; place != last_; ++place) {
            std::int64_t const lowest = std::max(low, place->diagonal - aside),
                               highest = std::min(high, place->diagonal + aside),
                               next = place[1].at; // letter with which the next word begins at last
            std::int64_t begin = place->last - near_letters / 2, end = begin + near_letters;
            // Most are proven by few letters in the middle of the matrix.
            if (place->cost > gap_ || begin < first || begin + lowest < 0 || end > std::min(in.m, in.n - highest) ||
                2 * end > place->last + 1 + next - apart ||
                !LostWord{in.query + begin, in.target + begin, near_letters, lowest, highest}.differs(
                    letters_of(*place), near_letters / 2)) [[unlikely]] {
                if (!find_word(*place, first, next, aside)) {
                    if (!tell_together(*place))
                        return false;
                    are = false;
                    place->word_begin = first;
                    place->word_end = place->last + 1;
                }
                begin = place->word_begin;
                end = place->word_end;
            }
            place->word_begin = begin;
            place->word_end = end;
            first = std::max(place->clear, end + apart);
        }
        return are;
    }
    // Of a word that proves what the place costs.  False: there is none.
    HWY_NOINLINE bool find_word(Place & place, std::int64_t first, std::int64_t next, std::int64_t aside) const
    {
        // A path that costs less and comes as near as that is nowhere further aside.
        if (place.cost > gap_)
            aside += std::max<std::int64_t>(0, letters(place.cost - 1 - job_.costs.open));
        Part const part{std::max(low_, place.diagonal - aside), std::min(high_, place.diagonal + aside)};
        std::int64_t const m = job_.sequences.m, behind = place.last + 1, longest = longest_word(place);
        if (behind + apart_ > next)
            return false;
        std::int64_t end = std::min({behind + margin, m, (behind + next - apart_) / 2});
        std::int64_t const begin = std::max({first, end - longest, place.at - margin});
        if (begin > place.at || begin >= end)
            return false;
        auto const is_proven = [&](std::int64_t from) HWY_ATTR {
            place.word_begin = from;
            place.word_end = end;
            return place.cost <= gap_ ? differs(place, part) : several_cost_as_much(place, part);
        };
        // Where a word does not tell enough it is made longer, first to the left, then to the right.
        auto const is_proven_from = [&](std::int64_t from) HWY_ATTR {
            std::int64_t const left = std::max(first, end - longest);
            return is_proven(from) || (from != left && is_proven(left));
        };
        if (is_proven_from(begin))
            return true;
        std::int64_t const last_end = std::min({behind + margin + more_margin + more_letters(place), m, next - apart_});
        for (std::int64_t more = 1; end != last_end; more = 2 * more + 1) {
            end = std::min(end + more, last_end);
            if (is_proven_from(std::max(begin, end - longest)))
                return true;
        }
        return false;
    }
    // On either side of many changes.
    std::int64_t more_letters(Place const & place) const { return place.cost > 2 * gap_ ? 2 * place.cost : 0; }
    std::int64_t longest_word(Place const & place) const
    {
        constexpr std::int64_t close = 32; // letters between the first change and the last one, often
        return most_word + std::max<std::int64_t>(0, place.last - place.at - close) + 2 * more_letters(place);
    }

    // Words that are near are proven: whether as many others, in them or beside them, are on no far diagonal.
    HWY_NOINLINE bool are_far_words_lost()
    {
        auto & far = job_.memory->far;
        far.clear();
        bool are = for_each_place([&](Place & place, std::int64_t first) HWY_ATTR {
            // To the left, as far as there is room: letters there are of no use to others.
            std::int64_t const letters = far_words_for(place.cost, job_.costs) * far_word_letters,
                               next = (&place)[1].word_begin, begin = std::max(first, place.word_end - letters);
            place.is_elsewhere = false;
            if (begin + letters > std::min(job_.sequences.m, next - apart_)) // no room
                return points_of(place) < most_points && find_far_word(place, first);
            for (std::int64_t letter = 0; letter < letters; letter += far_word_letters)
                far.push_back({begin + letter, &place - places_});
            place.word_begin = std::min(place.word_begin, begin);
            place.word_end = begin + letters;
            return true;
        });
        if (!are)
            return false;
        if (!find_far_words(job_, low_, high_))
            return false;
        return for_each_place([&](Place & place, std::int64_t first)
                                  HWY_ATTR { return !place.is_elsewhere || find_far_word(place, first); });
    }
    // Penalties and diagonals of several changes: with more of them it is quicker to tell a neighbour's changes, too.
    static constexpr std::int64_t most_points = 25'000;
    std::int64_t points_of(Place const & place) const { return place.cost <= gap_ ? 0 : place.cost * (high_ - low_); }
    // On all diagonals.
    HWY_NOINLINE bool find_far_word(Place & place, std::int64_t first)
    {
        job_.points -= points_of(place) + high_ - low_;
        return job_.points >= 0 && Looks{job_.monitor}.look() &&
               find_word(place, first, (&place)[1].word_begin, high_ - low_);
    }
    // is_proven(place, first letter that its word may have).  Whether all are.
    template <class IsProven>
    HWY_INLINE bool for_each_place(IsProven const & is_proven)
    {
        bool are = true;
        std::int64_t first = 0;
        for (Place * place = places_; place != last_; ++place) {
            if (!is_proven(*place, first)) {
                if (!tell_together(*place))
                    return false;
                are = false;
            }
            first = std::max(place->clear, place->word_end + apart_);
        }
        return are;
    }

    // Adds a place that is not proven, and the neighbour that is nearer, to those that are told together.  False: it is
    // not worth it.
    HWY_NOINLINE bool tell_together(Place const & place)
    {
        constexpr std::int64_t most_between = 160;
        auto & together = job_.memory->together;
        std::int64_t const before = &place == places_ ? most_between : place.at - (&place)[-1].last - 1,
                           behind = &place + 1 == last_ ? most_between : (&place)[1].at - place.last - 1;
        if (job_.points < 0 || job_.sequences.m < job_.limits.letters_together ||
            std::min(before, behind) >= most_between ||
            static_cast<std::int64_t>(together.size()) > 8 + job_.places / 32) {
            together.clear();
            return false;
        }
        if (before <= behind)
            together.push_back({(&place)[-1].first_different, place.last});
        else
            together.push_back({place.first_different, (&place)[1].last});
        return true;
    }

    struct Part {
        std::int64_t low, high; // diagonals
    };
    // A gap leads through a word from diagonals that do not have all of it in the matrix, too.
    HWY_INLINE bool differs(Place const & place, Part const & part) const
    {
        std::int64_t const begin = place.word_begin, end = place.word_end;
        LostWord const word{job_.sequences.query + begin, job_.sequences.target + begin, end - begin,
                            std::max(part.low, -begin), std::min(part.high, job_.sequences.n - end)};
        return word.differs(letters_of(place), place.last - begin);
    }
    // So many letters of its word differ on each diagonal, if it costs no more than a gap.
    HWY_INLINE std::int64_t letters_of(Place const & place) const
    {
        return place.cost == change_                 ? 1
               : gap_changes_ * change_ < place.cost ? gap_changes_ + 1
                                                     : place.cost / change_;
    }
    // On all diagonals that have a cell of the matrix in the word's rows.  What letters beyond the matrix are does not
    // matter: more paths lead through them.
    HWY_INLINE bool several_cost_as_much(Place const & place, Part const & part) const
    {
        constexpr std::int64_t readable = 128, at_once = 64; // letters before and behind sequences, diagonals
        std::int64_t const begin = place.word_begin, end = place.word_end, n = job_.sequences.n,
                           low = std::max(part.low, -end), high = std::min(part.high, n - begin);
        if (begin + low < -readable || end + high + at_once > n + readable)
            return false;
        LostWord const word{job_.sequences.query + begin, job_.sequences.target + begin, end - begin, low, high};
        return (place.cost == two_words_ && are_two_words(place, word)) ||
               word.costs_more_than(place.cost - 1, job_.costs);
    }
    // Whether the word has two behind each other that differ on each diagonal.
    HWY_INLINE bool are_two_words(Place const & place, LostWord const & word) const
    {
        std::int64_t const left = place.first_different + 1 - place.word_begin,
                           right = place.last_different - place.word_begin;
        LostWord const first{word.word, word.target, left, word.low, word.high},
            second{word.word + right, word.target + right, word.length - right, word.low, word.high};
        return right >= left && word.length > right && first.differs(1, left) && second.differs(1, 0);
    }

    SeparateChanges & job_;
    Place * const places_;
    Place * last_ = nullptr; // the one behind them
    std::int64_t const change_, gap_;
    std::int64_t const gap_changes_;  // that a gap is worth
    std::int64_t const two_words_;    // what two words cost that have no gap between them
    std::int64_t const apart_;        // letters between two words
    std::int64_t low_ = 0, high_ = 0; // diagonals of paths that cost no more
};

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
