// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/cutter.hpp"

#include <algorithm>

#include "base/pieces.hpp"

namespace nwgpu::cuda::batch {

Chunk Cutter::next(Limits const & limits, std::uint64_t most, ChunkPair * pairs)
{
    Chunk chunk;
    queue_.take(first_pairs, [&](std::uint64_t first, std::uint64_t most_of_turn) {
        chunk = cut(first, limits, std::min(most, most_of_turn), pairs);
        return chunk.last;
    });
    return chunk;
}

Chunk Cutter::look(Limits const & limits, std::uint64_t most, ChunkPair * pairs)
{
    Chunk chunk;
    queue_.look(
        [&](std::uint64_t first) { chunk = cut(first, limits, std::min(most, piece_.pairs.size() - first), pairs); });
    return chunk;
}

Chunk Cutter::rest()
{
    Chunk chunk;
    chunk.fits = false;
    queue_.take(UINT64_MAX / 4, [&](std::uint64_t first, std::uint64_t) {
        chunk.first = first;
        return chunk.last = piece_.pairs.size();
    });
    return chunk;
}

Chunk Cutter::cut(std::uint64_t first, Limits const & limits, std::uint64_t most, ChunkPair * pairs) const
{
    Chunk chunk;
    chunk.first = chunk.last = first;
    std::uint64_t const all = most_from(first, std::min(limits.pairs, most)),
                        blocks = ceil_div(all, Chunk::block_pairs);
    auto const end_of = [&](std::uint64_t b) { return first + std::min((b + 1) * Chunk::block_pairs, all); };
    std::vector<Sums> sums(blocks);
    for_pieces(
        &team_, blocks,
        [&](std::uint64_t b, std::uint64_t end) {
            for (; b < end; ++b) {
                std::uint64_t const begin = b * Chunk::block_pairs;
                sums[b] = sums_of(piece_, work_, first + begin, end_of(b), pairs + begin);
            }
        },
        Chunk::blocks_of_thread(all, team_));
    auto const try_to_add = [&](Sums const & more, std::uint64_t end) {
        Sums sum = chunk.sums;
        sum.add(more);
        if (!limits.hold(sum, work_.bits()))
            return false;
        chunk.sums = sum;
        chunk.last = end;
        return true;
    };
    for (std::uint64_t b = 0; b < blocks; ++b) {
        chunk.before.push_back({chunk.sums.query_letters, chunk.sums.target_letters});
        if (try_to_add(sums[b], end_of(b)))
            continue;
        if (chunk.last == first || chunk.sums.suited < 64) // few large pairs: one by one
            for (std::uint64_t const step = work_.pairs_together(first);
                 chunk.last < end_of(b) &&
                 try_to_add(sums_of(piece_, work_, chunk.last, chunk.last + step), chunk.last + step);) {
            }
        break;
    }
    chunk.fits = most == 0 || chunk.last > first;
    if (!chunk.fits)
        chunk.last = std::min(first + work_.pairs_together(first), piece_.pairs.size());
    return chunk;
}

// Of at most so many pairs, those that may be in one chunk: couples whole, and of the same two queries.
std::uint64_t Cutter::most_from(std::uint64_t first, std::uint64_t most) const
{
    if (!work_.is_of_couple(first))
        return most;
    auto const [end, pairs] = work_.couples_at(first);
    return std::min(end - first, most / pairs * pairs);
}

} // namespace nwgpu::cuda::batch
