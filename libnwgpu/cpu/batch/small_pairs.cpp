// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/small_pairs.hpp"

#include <algorithm>
#include <numeric>

#include "path/band.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

void SmallPairs::align(std::span<PairView const> pairs, std::span<std::int64_t const> known, CigarStyle const * style,
                       std::span<Answer> answers, Monitor & monitor)
{
    // Those of a group are alike.
    order_.resize(pairs.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::ranges::sort(order_, {}, [&](std::uint32_t k) { return pairs[k].m << 32 | pairs[k].n; });
    for (std::span<std::uint32_t const> left{order_}; !left.empty() && !monitor.stopped();) {
        std::size_t const count = std::min(left.size(), lanes());
        align_group(pairs, known, left.first(count), style, answers);
        left = left.subspan(count);
        monitor.poll(0);
    }
}

void SmallPairs::align_group(std::span<PairView const> all, std::span<std::int64_t const> known,
                             std::span<std::uint32_t const> which, CigarStyle const * style, std::span<Answer> answers)
{
    BatchGlobalGroup group;
    for (std::size_t lane = 0; lane < which.size(); ++lane) {
        pairs_[lane] = all[which[lane]];
        group.rows = std::max(group.rows, pairs_[lane].m);
        group.cols = std::max(group.cols, pairs_[lane].n);
    }
    path::Band band; // everything
    if (!known.empty())
        for (std::size_t lane = 0; lane < which.size(); ++lane) {
            path::Band const its = path::proven_band(pairs_[lane], Mode{}, scheme_.scoring(), known[which[lane]]);
            band = lane == 0 ? its : band.with(its);
        }
    group.set_band(band.low, band.high);
    constexpr std::uint64_t at_once = 16; // letters that are loaded
    group.query = query_.grow((group.rows + at_once) * lanes());
    group.target = target_.grow((group.cols + at_once) * lanes());
    load_letters(kernels_, {pairs_, which.size()}, kernels_.lanes,
                 {group.rows, group.cols, 0, 0, rows_of_, cols_of_, query_.data(), target_.data()});
    group.rows_of = rows_of_;
    group.cols_of = cols_of_;
    group.scheme = &scheme_.reduced();
    group.keep_rows(group.low, group.high);
    if (style)
        group.trace = trace_.grow(lane_trace_bytes(group.kept_rows, group.cols, BatchGlobalGroup::planes, lanes()));
    group.state = state_.grow(group.state_bytes(group.rows, lanes()));
    group.score = score_;
    group.end_row = end_row_;
    group.end_col = end_col_;
    kernels_.batch_global(group);
    for (std::size_t lane = 0; lane < which.size(); ++lane) {
        Answer & answer = answers[which[lane]];
        answer = {score_[lane] * scheme_.unit(), path_.runs.size(), 0};
        if (!style)
            continue;
        bool is_outside = false; // never: rows of all best paths have bits
        LaneBits const bits{group, pairs_[lane], lanes(), lane, BatchGlobalGroup::planes, is_outside};
        path::Cursor cursor{pairs_[lane].m, pairs_[lane].n};
        path::walk(bits, 0, 0, pairs_[lane], *style, false, cursor, cigar_);
        path::finish(Mode{}, cursor, cigar_, path_);
        answer.runs = static_cast<std::uint32_t>(path_.runs.size() - answer.first_run);
    }
}

SmallPairs::Answer SmallPairs::keep(std::int64_t score, std::span<std::uint32_t const> runs)
{
    Answer const answer{score, path_.runs.size(), static_cast<std::uint32_t>(runs.size())};
    path_.runs.insert(path_.runs.end(), runs.begin(), runs.end());
    return answer;
}

std::uint64_t SmallPairs::bytes(std::uint64_t pairs)
{
    constexpr std::uint64_t of_a_lane =
        2 * (most_letters + 16) + 3 * most_letters +
        lane_trace_bytes(most_letters, most_letters, BatchGlobalGroup::planes, LaneLetters::most_lanes) /
            LaneLetters::most_lanes;
    return pairs * sizeof(std::uint32_t) + LaneLetters::most_lanes * of_a_lane + sizeof(SmallPairs) + 1024;
}

} // namespace nwgpu::cpu
