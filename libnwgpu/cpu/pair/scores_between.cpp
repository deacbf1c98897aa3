// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/scores_between.hpp"

#include <algorithm>
#include <new>

#include "base/pieces.hpp"
#include "cpu/furthest/first_band.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "path/band.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

namespace {

// A part with more cells in its band, between sequences of very different lengths, is two gaps: one thread computes it.
constexpr double most_cells = 1 << 26;
// Of shorter pairs a single band takes as little time.
constexpr std::uint64_t least_letters = 4 * ScoresBetween::usual_apart;
// A gap is a part of its own if it has more than this share of the letters that parts have.
constexpr std::uint64_t parts_of_gap = 32;
// So many letters for a word at most, of those that are chosen (path/common_words.hpp).
constexpr std::uint64_t letters_per_word = 8192;

Team * team_of(int threads, Monitor & monitor) { return threads > 1 ? &monitor.team() : nullptr; }

} // namespace

std::size_t ScoresBetween::add(std::span<path::CommonWord const> cells)
{
    std::size_t const path = scores_.size();
    scores_.push_back(0);
    path::CommonWord const end = cells.back();
    path::CommonWord from = cells.front(), last = from;
    auto const go_to = [&](path::CommonWord const & cell) {
        if (cell.i > from.i || cell.j > from.j)
            parts_.push_back({path, from, cell});
        from = cell;
    };
    for (path::CommonWord const & cell : cells) {
        if (cell.i < last.i || cell.j < last.j || cell.i > end.i || cell.j > end.j)
            continue;
        std::uint64_t const down = cell.i - last.i, right = cell.j - last.j;
        bool const is_behind_gap = std::max(down, right) - std::min(down, right) > letters_apart_ / parts_of_gap;
        if (is_behind_gap)
            go_to(last);
        if (is_behind_gap || std::max(cell.i - from.i, cell.j - from.j) >= letters_apart_)
            go_to(cell);
        last = cell;
    }
    go_to(end);
    return path;
}

bool ScoresBetween::compute(Scheme const & scheme, KernelTable const & kernels, int threads, Monitor & monitor)
{
    PairPlan const plan = plan_pair(pair_.m, pair_.n, scheme, kernels, Request{}, 1, 0, Tuning{});
    if (plan.kind != FieldKind::diff)
        return false;
    GapCost const gap = scheme.scoring().gap();
    for_each(team_of(threads, monitor), parts_.size(), [&](std::uint64_t k) {
        PairView const pair = part_of_pair(parts_[k]);
        std::uint64_t const shorter = std::min(pair.m, pair.n), half_width = first_half_width(shorter),
                            width = path::band_around(pair, half_width).width();
        bool const is_gap = static_cast<double>(shorter) * static_cast<double>(width) > most_cells || shorter == 0;
        parts_[k].score = is_gap ? path::gap_score(gap, pair.m) + path::gap_score(gap, pair.n)
                                 : score_in_band(pair, scheme, kernels, plan, half_width, monitor);
    });
    for (Part const & part : parts_)
        scores_[part.path] += part.score;
    return true;
}

std::optional<std::int64_t> score_by_words(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                           int threads, Monitor & monitor)
try {
    if (std::min(pair.m, pair.n) < least_letters)
        return std::nullopt;
    std::vector<path::CommonWord> words = path::common_words(pair, scheme.scoring(), team_of(threads, monitor));
    if (words.size() < std::min(pair.m, pair.n) / letters_per_word)
        return std::nullopt;
    words.insert(words.begin(), path::CommonWord{});
    words.push_back({pair.m, pair.n});
    ScoresBetween scores{pair};
    std::size_t const path = scores.add(words);
    return scores.compute(scheme, kernels, threads, monitor) ? std::optional{scores.score(path)} : std::nullopt;
} catch (std::bad_alloc const &) { // a band takes less
    return std::nullopt;
}

} // namespace nwgpu::cpu
