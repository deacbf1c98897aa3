// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/scores_between.hpp"

#include <algorithm>
#include <atomic>

#include "cpu/furthest/first_band.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

namespace {

// Of shorter pairs a single band takes as little time.
constexpr std::uint64_t least_letters = 4 * ScoresBetween::usual_apart;
// So many letters for a word at most, of those that are chosen (path/common_words.hpp).
constexpr std::uint64_t letters_per_word = 8192;

} // namespace

std::size_t ScoresBetween::add(std::span<path::CommonWord const> cells)
{
    std::size_t const path = scores_.size();
    scores_.push_back(0);
    path::CommonWord const end = cells.back();
    path::CommonWord from = cells.front();
    for (path::CommonWord const & cell : cells) {
        bool const is_beyond = cell.i >= from.i && cell.j >= from.j && cell.i <= end.i && cell.j <= end.j;
        if (!is_beyond || std::max(cell.i - from.i, cell.j - from.j) < letters_apart_)
            continue;
        parts_.push_back({path, from, cell});
        from = cell;
    }
    if (from.i < end.i || from.j < end.j)
        parts_.push_back({path, from, end});
    return path;
}

bool ScoresBetween::compute(Scheme const & scheme, KernelTable const & kernels, int threads, Monitor & monitor)
{
    PairPlan const plan = plan_pair(pair_.m, pair_.n, scheme, kernels, Request{}, 1, 0, Tuning{});
    if (plan.kind != FieldKind::diff)
        return false;
    std::atomic<std::size_t> next{0};
    auto const take = [&](int) {
        for (std::size_t k = next++; k < parts_.size(); k = next++) {
            PairView const pair = part_of_pair(parts_[k]);
            parts_[k].score =
                pair.m == 0 || pair.n == 0
                    ? path::gap_score(scheme.scoring().gap(), pair.m + pair.n)
                    : score_in_band(pair, scheme, kernels, plan, first_half_width(std::min(pair.m, pair.n)), monitor);
        }
    };
    int const useful = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), parts_.size()));
    if (useful > 1)
        monitor.team().run(useful, take);
    else
        take(0);
    for (Part const & part : parts_)
        scores_[part.path] += part.score;
    return true;
}

std::optional<std::int64_t> score_by_words(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                           int threads, Monitor & monitor)
{
    if (std::min(pair.m, pair.n) < least_letters)
        return std::nullopt;
    std::vector<path::CommonWord> words =
        path::common_words(pair, scheme.scoring(), threads > 1 ? &monitor.team() : nullptr);
    if (words.size() < std::min(pair.m, pair.n) / letters_per_word)
        return std::nullopt;
    words.insert(words.begin(), path::CommonWord{});
    words.push_back({pair.m, pair.n});
    ScoresBetween scores{pair};
    std::size_t const path = scores.add(words);
    return scores.compute(scheme, kernels, threads, monitor) ? std::optional{scores.score(path)} : std::nullopt;
}

} // namespace nwgpu::cpu
