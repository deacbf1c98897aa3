// SPDX-License-Identifier: BSD-3-Clause
#include "model/result.hpp"

#include <numeric>

namespace nwgpu {

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

void BatchResult::lay_out(std::uint64_t pairs, Output output)
{
    if (pairs == 0)
        reserve(0, output);
    status.assign(pairs, Status::internal);
    score.assign(pairs, 0);
    pair.resize(pairs);
    std::iota(pair.begin(), pair.end(), std::uint64_t{0});
    if (output > Output::score)
        span.assign(pairs, AlignedSpan{});
    if (output == Output::cigar)
        run_offsets.assign(pairs + 1, 0);
}

} // namespace nwgpu
