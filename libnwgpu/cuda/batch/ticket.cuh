// SPDX-License-Identifier: BSD-3-Clause
// Which pairs a warp computes next, and where their residues go.
#pragma once

#include "cuda/batch/job.hpp"
#include "cuda/batch/residues.hpp"

// Registers of a sweep of which a multiprocessor holds so many blocks of four warps.  Some are left for a further warp
// per scheduler, and more where walks follow (path_kernel has 56), so that these need not wait until a block leaves.
#if defined(__CUDACC_VER_MAJOR__) && 100 * __CUDACC_VER_MAJOR__ + __CUDACC_VER_MINOR__ >= 1204
#define NWGPU_SWEEP_REGISTERS(blocks, bits) __maxnreg__((512 - ((bits) == 0 ? 32 : 56)) / (blocks) / 8 * 8)
#else
#define NWGPU_SWEEP_REGISTERS(blocks, bits) __launch_bounds__(128 * (blocks))
#endif

namespace nwgpu::cuda::batch {

__device__ inline unsigned most_of_warp(unsigned x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, x);
#else
    for (int apart = 16; apart > 0; apart /= 2)
        x = max(x, __shfl_xor_sync(~0u, x, apart));
    return x;
#endif
}

// The classes of one kernel, pairs with many rows first, and which counter gives their tickets.
struct Tickets {
    int counter, first, last; // of classes, descending
};
__host__ __device__ constexpr Tickets group_tickets(int rows)
{
    int const height = rows == 16 ? 0 : rows == 25 ? 1 : rows == 32 ? 2 : 3;
    return {height, height * lane_counts + lane_counts - 1, height * lane_counts};
}
__host__ __device__ constexpr Tickets ring_tickets(int rows)
{
    return rows == 16 ? Tickets{height_count, group_classes + 1, group_classes}
                      : Tickets{height_count + 1, group_classes + 4, group_classes + 2};
}

// 32 / lanes pairs of a class.
struct Ticket {
    int class_index = 0;
    std::uint32_t begin = 0, count = 0; // of the class, among the sorted ones; no pairs: there are no more tickets
    std::uint32_t first = 0;            // of this ticket, in the class

    // Lanes behind the last pair repeat it.
    __device__ std::uint32_t sorted(std::uint32_t at) const { return begin + min(at, count - 1); }
};
__device__ inline Ticket take_ticket(GroupArgs const & args, Tickets tickets, int warp_lane)
{
    std::uint32_t number = 0;
    if (warp_lane == 0)
        number = atomicAdd(&args.counters->tickets[tickets.counter], 1u);
    number = __shfl_sync(~0u, number, 0);
    for (int which = tickets.first; which >= tickets.last; --which) {
        std::uint32_t const count = args.classes->count[which], groups = 32u >> GroupShape::of(which).log_lanes,
                            of_class = (count + groups - 1) / groups;
        if (number < of_class)
            return {which, args.classes->first[which], count, number * groups};
        number -= of_class;
    }
    return {};
}

// For one thread; no_place: there is none left, which the host is told.
constexpr unsigned long long no_place = ~0ull;
__device__ inline unsigned long long place_of_residues(GroupArgs const & args, unsigned long long size)
{
    unsigned long long const place = atomicAdd(&args.counters->stored, size);
    if (place + size <= args.stored_size)
        return place;
    args.counters->failed = 1;
    return no_place;
}
// Of a warp.
__device__ inline unsigned long long place_of_residues(GroupArgs const & args, int steps, int rows, int bits,
                                                       int warp_lane)
{
    unsigned long long place = 0;
    if (warp_lane == 0)
        place = place_of_residues(args, stored_bytes(static_cast<std::uint32_t>(steps), rows, bits));
    return __shfl_sync(~0u, place, 0);
}

} // namespace nwgpu::cuda::batch
