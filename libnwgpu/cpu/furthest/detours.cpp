// SPDX-License-Identifier: BSD-3-Clause
// What alignments lose at least that leave a diagonal (docs/proofs.md, lemma 37, b).
#include <algorithm>

#include "cpu/furthest/one_diagonal.hpp"

namespace nwgpu::cpu {

namespace {

class Detours {
public:
    explicit Detours(OneDiagonal const & found) : losses_{found.losses}, may_clip_{found.may_clip} {}

    // From a mismatch of the diagonal to the inner end, or its begin, so many letters: all of its mismatches there lose
    // `lost`.  `run`: equal letters in a row at that end on another diagonal, at most.
    bool tails_lose_more(std::int64_t letters, std::int64_t lost, std::int64_t run) const
    {
        if (may_clip_ && losses_.match * letters <= lost)
            return false;
        for (std::int64_t gaps = 1; gaps * losses_.gap() <= lost; ++gaps) {
            std::int64_t rest = lost_off(letters, gaps);
            if (gaps == 1) { // all letters are on one other diagonal, or some in the gap or clipped
                std::int64_t const different = std::max<std::int64_t>(letters > run, letters / OneDiagonal::word);
                rest = std::min(different * losses_.mismatch, losses_.match + lost_off(letters - 1, 1));
            }
            if (gaps * losses_.gap() + rest <= lost)
                return false;
        }
        return true;
    }
    // From one mismatch to another one, or to itself, and back to the diagonal: a gap of each kind at least.
    bool loops_lose_more(std::int64_t letters, std::int64_t lost) const
    {
        for (std::int64_t gaps = 2; gaps * losses_.gap() <= lost; ++gaps)
            if (gaps * losses_.gap() + losses_.match + lost_off(letters - 1, gaps - 1) <= lost)
                return false;
        return true;
    }

private:
    // What so many letters lose at least on so many stretches of other diagonals, if letters that are in gaps, or
    // clipped, lose a match each.
    std::int64_t lost_off(std::int64_t letters, std::int64_t stretches) const
    {
        constexpr std::int64_t word = OneDiagonal::word;
        std::int64_t const beyond = letters - (word - 1) * stretches; // each `word` of them have a mismatch
        if (beyond <= 0)
            return 0;
        std::int64_t const whole = (beyond - 1) / word, rest = beyond - whole * word;
        return whole * std::min(losses_.mismatch, losses_.match * word) +
               std::min(losses_.mismatch, losses_.match * rest);
    }

    Losses const losses_;
    bool const may_clip_;
};

} // namespace

bool all_detours_lose_more(OneDiagonal const & found)
{
    Detours const detours{found};
    auto const & at = found.at;
    auto const count = static_cast<std::size_t>(found.mismatches);
    for (std::size_t first = 0; first < count; ++first) {
        std::int64_t const before = static_cast<std::int64_t>(first + 1) * found.losses.mismatch,
                           behind = static_cast<std::int64_t>(count - first) * found.losses.mismatch;
        if (!detours.tails_lose_more(at[first] + 1, before, found.first_run) ||
            !detours.tails_lose_more(found.inner_letters - at[first], behind, found.last_run))
            return false;
        for (std::size_t last = first; last < count; ++last)
            if (!detours.loops_lose_more(at[last] - at[first] + 1,
                                         static_cast<std::int64_t>(last - first + 1) * found.losses.mismatch))
                return false;
    }
    return true;
}

} // namespace nwgpu::cpu
