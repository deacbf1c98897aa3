// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/similar_part.hpp"

#include <algorithm>
#include <vector>

#include "cpu/furthest/first_band.hpp"
#include "cpu/furthest/seed_bound.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/pair/skipping.hpp"
#include "path/common_words.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t word_letters = std::uint64_t{1} << SeedBound::usual_bits;
constexpr std::uint64_t most_parts = 64; // of the sequence that the next band would be
// Fewer words in common, of all, are chance, or far from what pays.
constexpr std::size_t words_for_one = 16;

// Words of the query that the target has once, in a row.
std::vector<path::CommonWord> words_in_common(PairView const & pair, Scoring const & scoring)
{
    SeedBound seeds;
    std::span<std::int32_t const> const diagonals = seeds.find(pair);
    std::vector<path::CommonWord> words;
    for (std::uint64_t word = 0; word < diagonals.size(); ++word)
        if (diagonals[word] != Words::lost && diagonals[word] != Words::often) {
            std::uint64_t const i = word * word_letters;
            words.push_back({i, i + static_cast<std::uint64_t>(std::int64_t{diagonals[word]})});
        }
    if (words.size() * words_for_one < std::min(pair.m, pair.n) / word_letters)
        return {};
    return path::best_row(words, scoring);
}

} // namespace

std::uint64_t similar_part_bytes(std::uint64_t m, std::uint64_t n)
{
    constexpr std::uint64_t of_a_letter = 6, // borders of differences, and some bytes of each strip
        of_a_word = 96;
    return SeedBound::bytes_for(m) + m / word_letters * of_a_word + of_a_letter * (m + n);
}

std::int64_t similar_part_score(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, int threads,
                                Monitor & monitor)
{
    Scoring const & scoring = scheme.scoring();
    std::vector<path::CommonWord> const words = words_in_common(pair, scoring);
    if (words.empty())
        return 0;
    path::CommonWord const first = words.front(), last = words.back();
    PairView const part{pair.query + first.i, last.i + word_letters - first.i, pair.target + first.j,
                        last.j + word_letters - first.j};
    std::uint64_t const shorter = std::min(part.m, part.n);
    if (!Skipping::pays(pair, scoring, scoring.max_score() * static_cast<std::int64_t>(shorter)))
        return 0;
    PairPlan const plan = plan_pair(part.m, part.n, scheme, kernels, Request{}, threads, 0, Tuning{});
    if (plan.kind != FieldKind::diff)
        return 0;
    std::int64_t score = 0;
    for (std::uint64_t half_width = first_half_width(shorter);; half_width *= 4) {
        score = std::max(score, score_in_band(part, scheme, kernels, plan, half_width, monitor));
        if (Skipping::pays(pair, scoring, score) || most_parts * half_width > shorter)
            return score;
    }
}

} // namespace nwgpu::cpu
