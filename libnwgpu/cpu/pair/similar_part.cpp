// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/similar_part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "cpu/furthest/first_band.hpp"
#include "cpu/furthest/seed_bound.hpp"
#include "cpu/pair/scores_between.hpp"
#include "cpu/pair/skipping.hpp"
#include "path/band.hpp"
#include "path/common_words.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t word_letters = std::uint64_t{1} << SeedBound::usual_bits;
// Fewer words in common, of all, are chance, or far from what pays.
constexpr std::size_t words_for_one = 64;
constexpr std::size_t least_words = 4; // of a stretch
// Between stretches this share of the matrix is computed at most, in bands that take as long as so many columns more.
constexpr double parts_of_matrix = 100;
constexpr std::uint64_t band_cols = 1024;

std::int64_t diagonal(path::CommonWord const & word)
{
    return static_cast<std::int64_t>(word.j) - static_cast<std::int64_t>(word.i);
}

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

// Of a path, from a word's begin to the end of another one, with words in a row between.
using Part = std::vector<path::CommonWord>;

// Stretches of several words whose diagonals lie together, `beside` from one to the next: each has room in a band.
std::vector<Part> parts_of(std::vector<path::CommonWord> const & words, std::uint64_t beside)
{
    auto const are_together = [&](path::CommonWord const & a, path::CommonWord const & b) {
        return std::abs(diagonal(a) - diagonal(b)) <= static_cast<std::int64_t>(beside);
    };
    std::vector<Part> parts;
    for (std::size_t first = 0, next = 0; first < words.size(); first = next) {
        for (next = first + 1; next < words.size() && are_together(words[next - 1], words[next]); ++next) {
        }
        if (next - first < least_words)
            continue;
        path::CommonWord begin = words[first];
        path::CommonWord const end{words[next - 1].i + word_letters, words[next - 1].j + word_letters};
        if (parts.empty() || !are_together(parts.back().back(), begin)) {
            // Words on different diagonals may have letters of the target in common, less than a word has.
            std::uint64_t const overlap = parts.empty() ? 0 : std::max(begin.j, parts.back().back().j) - begin.j;
            begin = {begin.i + overlap, begin.j + overlap};
            parts.push_back({begin});
        } else {
            parts.back().back() = begin;
        }
        Part & part = parts.back();
        part.insert(part.end(), words.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                    words.begin() + static_cast<std::ptrdiff_t>(next));
        part.push_back(end);
    }
    return parts;
}

// From the first to the last word, if changes come by chance, each as cheap as can be.
std::int64_t expected_score(std::vector<path::CommonWord> const & words, Scoring const & scoring)
{
    std::uint64_t const letters =
        std::min(words.back().i - words.front().i, words.back().j - words.front().j) + word_letters;
    double const share = static_cast<double>(words.size() * word_letters) / static_cast<double>(letters),
                 changes = 1 - std::pow(std::min(1.0, share), 1.0 / static_cast<double>(word_letters));
    GapCost const gap = scoring.gap();
    std::int64_t const match = scoring.max_score(),
                       change =
                           std::min(gap.open + gap.extend, match + (scoring.is_uniform() ? scoring.mismatch() : 0));
    return static_cast<std::int64_t>(static_cast<double>(letters) *
                                     (static_cast<double>(match) - changes * static_cast<double>(change)));
}

} // namespace

std::uint64_t similar_part_bytes(std::uint64_t m, std::uint64_t n)
{
    constexpr std::uint64_t of_a_letter = 6, // borders of differences, and some bytes of each strip
        of_a_word = 96;
    return SeedBound::bytes_for(m) + m / word_letters * of_a_word + of_a_letter * (m + n);
}

std::int64_t similar_part_score(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                Mode const & mode, int threads, Monitor & monitor)
{
    Scoring const & scoring = scheme.scoring();
    std::vector<path::CommonWord> const words = words_in_common(pair, scoring);
    if (words.empty())
        return 0;
    std::int64_t const expected = expected_score(words, scoring);
    // Words may tell where in a window the pair lies.
    auto const beside = static_cast<std::int64_t>(path::free_ends_half_width(pair, mode, scoring, expected));
    if (mode.local ? !Skipping::pays(pair, scoring, expected)
                   : !free_band_pays(pair, {-beside, beside}, 16 * static_cast<std::uint64_t>(kernels.lanes)))
        return 0;
    std::vector<Part> const parts = parts_of(words, first_half_width(std::min(pair.m, pair.n)) / 2);
    if (parts.empty())
        return 0;
    ScoresBetween scores{pair};
    GapCost const gap = scoring.gap();
    auto const gap_score = [&](std::uint64_t letters) { return path::gap_score(gap, letters); };
    struct Step { // from one part to the next one, or to the border: gaps, or the path of a number where it scores more
        std::int64_t gaps = 0;
        std::optional<std::size_t> path{};
    };
    double cells = static_cast<double>(pair.cells()) / parts_of_matrix; // that may still be computed between parts
    auto const step = [&](path::CommonWord const & from, path::CommonWord const & to) {
        std::uint64_t const rows = to.i - from.i, cols = to.j - from.j, least = std::min(rows, cols);
        cells -= static_cast<double>(rows) * static_cast<double>(std::max(rows, cols) - least + band_cols);
        Step step{gap_score(rows) + gap_score(cols)};
        if (least > 0 && cells >= 0)
            step.path = scores.add(std::array{from, to});
        return step;
    };
    // Along the diagonal to the border of the matrix, and along that.
    path::CommonWord const first = parts.front().front(), last = parts.back().back();
    std::uint64_t const up = std::min(first.i, first.j), down = std::min(pair.m - last.i, pair.n - last.j);
    path::CommonWord const begin{first.i - up, first.j - up}, end{last.i + down, last.j + down};
    auto const border = [&](std::uint64_t query_letters, bool query_free, std::uint64_t target_letters,
                            bool target_free) {
        return (query_free ? 0 : gap_score(query_letters)) + (target_free ? 0 : gap_score(target_letters));
    };
    std::vector<Step> steps;         // to each part
    std::vector<std::size_t> inside; // paths
    for (std::size_t k = 0; k < parts.size(); ++k) {
        steps.push_back(k > 0 ? step(parts[k - 1].back(), parts[k].front()) : mode.local ? Step{} : step(begin, first));
        inside.push_back(scores.add(parts[k]));
    }
    Step const to_end = mode.local ? Step{} : step(last, end);
    if (!scores.compute(scheme, kernels, threads, monitor))
        return 0;
    auto const of = [&](Step const & step) {
        return step.path ? std::max(step.gaps, scores.score(*step.path)) : step.gaps;
    };
    std::int64_t best = 0,
                 sum = mode.local ? 0 : border(begin.i, mode.free_query_begin, begin.j, mode.free_target_begin);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        sum += of(steps[k]);
        if (mode.local)
            sum = std::max<std::int64_t>(0, sum);
        sum += scores.score(inside[k]);
        best = std::max(best, sum);
    }
    return mode.local ? best
                      : std::max<std::int64_t>(
                            0, sum + of(to_end) +
                                   border(pair.m - end.i, mode.free_query_end, pair.n - end.j, mode.free_target_end));
}

} // namespace nwgpu::cpu
