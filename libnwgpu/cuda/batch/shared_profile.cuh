// SPDX-License-Identifier: BSD-3-Clause
// What the warps of a block have in shared memory: the score table, and behind it the profile of each warp, or one of
// the only query for all of them.
#pragma once

#include "cuda/batch/group_field.cuh"
#include "cuda/batch/ticket.cuh"
#include "cuda/device/dynamic_shared.cuh"

namespace nwgpu::cuda::batch {

__device__ inline std::uint32_t * share_table(GroupArgs const & args, uint4 * shared)
{
    auto * const table = reinterpret_cast<std::uint32_t *>(shared);
    for (std::uint32_t k = threadIdx.x; k < args.table_words(); k += blockDim.x)
        table[k] = args.scores[k];
    __syncthreads();
    return table;
}
__device__ inline char * profiles_behind(GroupArgs const & args, std::uint32_t * table)
{
    return reinterpret_cast<char *>(table + (args.table_words() + 3) / 4 * 4);
}

// Makes the profile of the only query; `profile`: this lane's place.  False: these tickets have no pairs.
template <class Field>
__device__ bool share_profile(GroupArgs const & args, std::uint32_t const * table, char * profile, int warp_lane,
                              Tickets tickets)
{
    int which = tickets.first; // the only class that has pairs
    while (which >= tickets.last && args.classes->count[which] == 0)
        --which;
    if (which < tickets.last)
        return false;
    ChunkPair const & pair = args.pairs[args.order[0]];
    Field::build_profile(profile, table, args.letter_count, args.score_words(), args.letters + pair.query, pair.m,
                         warp_lane & (GroupShape::of(which).lanes() - 1), static_cast<int>(threadIdx.x / 32),
                         static_cast<int>(blockDim.x / 32));
    __syncthreads();
    return true;
}

} // namespace nwgpu::cuda::batch
