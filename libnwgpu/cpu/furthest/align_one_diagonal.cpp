// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/align_one_diagonal.hpp"

#include "cpu/furthest/path_of_changes.hpp"

namespace nwgpu::cpu {

std::optional<OneDiagonalCall> OneDiagonalCall::of(Scoring const & scoring, Request const & request)
{
    Mode const & mode = request.mode;
    if (!scoring.is_uniform() || mode.band || mode.is_extension() || request.top > 1 || request.every_cell ||
        !request.checkpoint.folder.empty())
        return std::nullopt;
    OneDiagonalCall call{Losses::of(scoring)};
    call.query_inside = mode.local || (mode.free_target_begin && mode.free_target_end);
    call.target_inside = mode.local || (mode.free_query_begin && mode.free_query_end);
    call.clips_query = mode.local || mode.free_query_begin || mode.free_query_end;
    call.clips_target = mode.local || mode.free_target_begin || mode.free_target_end;
    // Where a letter of a gap or a mismatch loses nothing, or an equal letter gains nothing, much else is as good.
    bool const counts = call.losses.match > 0 && call.losses.mismatch > 0 && call.losses.extend > 0;
    return counts && (call.query_inside || call.target_inside) ? std::optional{call} : std::nullopt;
}

bool align_on_one_diagonal(PairView const & pair, OneDiagonalCall const & call, KernelTable const & kernels,
                           Request const & request, TriesSoFar & tries, PairResult & result)
{
    bool const query_inside = pair.m < pair.n || (pair.m == pair.n && call.query_inside);
    std::uint64_t const inner = query_inside ? pair.m : pair.n, outer = query_inside ? pair.n : pair.m;
    if (!(query_inside ? call.query_inside : call.target_inside) || inner < OneDiagonal::least_inner ||
        inner > OneDiagonal::most_inner || outer > OneDiagonal::most_outer || !tries.is_worth_a_try())
        return false;
    OneDiagonal job;
    job.inner = query_inside ? pair.query : pair.target;
    job.outer = query_inside ? pair.target : pair.query;
    job.inner_letters = static_cast<std::int64_t>(inner);
    job.outer_letters = static_cast<std::int64_t>(outer);
    job.losses = call.losses;
    job.may_clip = query_inside ? call.clips_query : call.clips_target;
    kernels.one_diagonal(job);
    tries.note(job.mismatches >= 0);
    if (job.mismatches < 0)
        return false;
    PathOfChanges path{request, result};
    std::int64_t letters = 0;
    for (std::int64_t const at : std::span{job.at}.first(static_cast<std::size_t>(job.mismatches))) {
        path.equal(static_cast<std::uint64_t>(at - letters));
        path.mismatch();
        letters = at + 1;
    }
    path.equal(inner - static_cast<std::uint64_t>(letters));
    result.score = call.losses.match * job.inner_letters - job.lost();
    auto const begin = static_cast<std::uint64_t>(job.diagonal), end = begin + inner;
    result.span = query_inside ? AlignedSpan{0, inner, begin, end} : AlignedSpan{begin, end, 0, inner};
    return true;
}

} // namespace nwgpu::cpu
