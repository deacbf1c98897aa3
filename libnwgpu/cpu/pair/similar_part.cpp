// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/similar_part.hpp"

#include <algorithm>
#include <vector>

#include "cpu/furthest/first_band.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/pair/skipping.hpp"
#include "path/common_words.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t most_words = 512; // of which the first and the last one count
constexpr std::uint64_t most_parts = 64;  // of the sequence that the next band would be

} // namespace

std::uint64_t similar_part_bytes(std::uint64_t m, std::uint64_t n)
{
    constexpr std::uint64_t of_a_letter = 6; // borders of differences, and some bytes of each strip
    return path::common_words_bytes(m, n, most_words) + of_a_letter * (m + n);
}

std::int64_t similar_part_score(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, int threads,
                                Monitor & monitor)
{
    std::vector<path::CommonWord> const words =
        path::common_words(pair, scheme.scoring(), most_words, threads > 1 ? &monitor.team() : nullptr);
    if (words.empty())
        return 0;
    path::CommonWord const first = words.front(), last = words.back();
    PairView const part{pair.query + first.i, last.i + path::CommonWord::letters - first.i, pair.target + first.j,
                        last.j + path::CommonWord::letters - first.j};
    if (!Skipping::pays(pair, scheme.scoring(),
                        scheme.scoring().max_score() * static_cast<std::int64_t>(std::min(part.m, part.n))))
        return 0;
    PairPlan const plan = plan_pair(part.m, part.n, scheme, kernels, Request{}, threads, 0, Tuning{});
    if (plan.kind != FieldKind::diff)
        return 0;
    std::uint64_t const shorter = std::min(part.m, part.n);
    std::int64_t score = 0;
    for (std::uint64_t half_width = first_half_width(shorter);; half_width *= 4) {
        score = std::max(score, score_in_band(part, scheme, kernels, plan, half_width, monitor));
        if (Skipping::pays(pair, scheme.scoring(), score) || most_parts * half_width > shorter)
            return score;
    }
}

} // namespace nwgpu::cpu
