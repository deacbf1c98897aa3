// SPDX-License-Identifier: BSD-3-Clause
#include "model/result.hpp"

#include <algorithm>
#include <numeric>

#include "base/large_pages.hpp"
#include "base/pieces.hpp"

namespace nwgpu {

BatchResult::BatchResult(std::shared_ptr<KeptMemory> const & arrays) :
    status(UninitializedAllocator<Status>{arrays}),
    score(UninitializedAllocator<std::int64_t>{arrays}),
    pair(UninitializedAllocator<std::uint64_t>{arrays}),
    span(UninitializedAllocator<AlignedSpan>{arrays}),
    run_offsets(UninitializedAllocator<std::uint64_t>{arrays})
{}

std::uint64_t BatchResult::bytes_per_entry(Output output)
{
    return sizeof(Status) + sizeof(std::int64_t) + sizeof(std::uint64_t) +
           (output > Output::score ? sizeof(AlignedSpan) : 0) + (output == Output::cigar ? sizeof(std::uint64_t) : 0);
}

void BatchResult::reserve(std::uint64_t entries, Output output)
{
    std::uint64_t const room = entries + 1; // without entries, too, there is an address
    status.reserve(room);
    score.reserve(room);
    pair.reserve(room);
    if (output > Output::score)
        span.reserve(room);
    if (output == Output::cigar)
        run_offsets.reserve(room);
}

void BatchResult::lay_out(std::uint64_t pairs, Output output, Team * team, GoOn const & go_on)
{
    bool const has_span = output > Output::score, has_runs = output == Output::cigar;
    reserve(pairs, output);
    prefer_large_pages(status);
    prefer_large_pages(score);
    prefer_large_pages(pair);
    prefer_large_pages(span);
    prefer_large_pages(run_offsets);
    status.resize(pairs);
    score.resize(pairs);
    pair.resize(pairs);
    span.resize(has_span ? pairs : 0);
    run_offsets.resize(has_runs ? pairs + 1 : 0);
    if (has_runs)
        run_offsets[0] = 0;
    for_pieces_while(go_on, team, pairs,
                     [&](std::uint64_t begin, std::uint64_t end) { // new pages are theirs who fill them
                         std::fill_n(status.begin() + begin, end - begin, Status::internal);
                         std::iota(pair.begin() + begin, pair.begin() + end, begin);
                     });
}

} // namespace nwgpu
