// SPDX-License-Identifier: BSD-3-Clause
// Paper B, 13.3.3: the row-parallel algorithm.  All columns of a row at once, in three steps; what a row needs of
// itself, E, comes from a parallel maximum scan in which values decay by `extend` a column:
//
//     1  F(i, j) = max(F(i-1, j), H(i-1, j) - open) - extend        a thread a column
//        H~(i, j) = max(H(i-1, j-1) + s, F(i, j) [, 0 if local])
//     2  E~(i, j) = max over k >= 1 of H~(i, j-k) - k * extend      in a block; then over the blocks' last values
//     3  H(i, j) = max(H~(i, j), E~(i, j) - open)                   a thread a column
//
// The paper scans blocks of 1024 columns and takes from the block before only its last value, which holds for gaps up
// to 1024.  Here the blocks' values are scanned in their turn and reach every column (its `uniformMax`): any gap is
// exact.  A gap out of a gap is never better than a longer gap, so that H~ may stand for H in step 2.
//
// A target may be cut into overlapping parts (target_parts.hpp), which a GPU computes one after another, with the
// memory of one part.  The paper's use of them, a part for each GPU, is several_gpus.hpp.  The path is kernel 2's
// (end_path.cuh).
#pragma once

#include "published/parts/affine_pair.cuh"
#include "published/parts/end_path.cuh"
#include "published/parts/target_parts.hpp"

namespace nwgpu::published {

namespace rowscan_kernels {

// Of the launch that finds the best column; the host looks at what its threads have found.
constexpr std::uint64_t most_blocks_for_best = 64;

struct Row {
    Score *H, *F;           // [n + 1] of the row before, then of this one; column 0 is the border
    Score *before_e, *scan; // [n + 1] H~, and its scan within the block, the column itself included
    Score * blocks;         // [blocks] the last value of each block's scan; then of all blocks up to it
    Best * best;            // [n + 1] of each column
};

__device__ Score decayed(Score value, std::int64_t cost)
{
    std::int64_t const result = value - cost;
    return result < minus_infinity ? minus_infinity : static_cast<Score>(result);
}

// The maximum of the values of this thread and those before it, each decayed by `cost` for every thread between.
__device__ Score scan_block(Score value, std::int64_t cost)
{
    Score * const shared = shared_memory<Score>();
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned apart = 1; apart < blockDim.x; apart *= 2) {
        if (threadIdx.x >= apart)
            value = larger(value, decayed(shared[threadIdx.x - apart], apart * cost));
        __syncthreads();
        shared[threadIdx.x] = value;
        __syncthreads();
    }
    return value;
}

__global__ void first_row(AffinePair p, Row row)
{
    std::uint64_t const j = thread_number();
    if (j > p.n)
        return;
    row.H[j] = p.affine.border(static_cast<std::int64_t>(j));
    row.F[j] = minus_infinity;
    row.best[j] = {};
}

__global__ void begin_row(AffinePair p, Row row, std::uint64_t i)
{
    std::uint64_t const j = thread_number();
    Score value = minus_infinity;
    if (j == 0) {
        value = p.affine.border(static_cast<std::int64_t>(i));
    } else if (j <= p.n) {
        Score const f = p.affine.gap(row.H[j], row.F[j]);
        row.F[j] = f;
        value = larger(larger(row.H[j - 1] + p.score(i, j), f), p.affine.floor);
    }
    Score const scanned = scan_block(value, p.affine.extend);
    if (j <= p.n) {
        row.before_e[j] = value;
        row.scan[j] = scanned;
    }
    if (threadIdx.x == blockDim.x - 1)
        row.blocks[blockIdx.x] = scanned;
}

// One block, over the last values of blocks of `width` columns.
__global__ void scan_blocks(AffinePair p, Row row, std::uint64_t count, unsigned width)
{
    std::int64_t const cost = static_cast<std::int64_t>(width) * p.affine.extend;
    Score carry = minus_infinity;
    for (std::uint64_t begin = 0; begin < count; begin += blockDim.x) {
        std::uint64_t const k = begin + threadIdx.x;
        Score value = scan_block(k < count ? row.blocks[k] : minus_infinity, cost);
        value = larger(value, decayed(carry, (threadIdx.x + 1) * cost));
        if (k < count)
            row.blocks[k] = value;
        __syncthreads();
        if (threadIdx.x == blockDim.x - 1)
            shared_memory<Score>()[0] = value;
        __syncthreads();
        carry = shared_memory<Score>()[0];
        __syncthreads();
    }
}

__global__ void end_row(AffinePair p, Row row, std::uint64_t i)
{
    std::uint64_t const j = thread_number();
    if (j > p.n)
        return;
    Score h = row.before_e[j];
    Score e = minus_infinity;
    if (threadIdx.x > 0)
        e = decayed(row.scan[j - 1], p.affine.extend);
    if (blockIdx.x > 0)
        e = larger(e, decayed(row.blocks[blockIdx.x - 1], (threadIdx.x + std::int64_t{1}) * p.affine.extend));
    if (j > 0) {
        h = larger(h, e - p.affine.open);
        if (h > row.best[j].score)
            row.best[j] = {h, static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i)};
    }
    row.H[j] = h;
}

// Each thread leaves the best of every so many columns behind `counted` in the first of its columns.
__global__ void best_of_columns(AffinePair p, Row row, std::uint64_t counted)
{
    Best best;
    for (std::uint64_t j = thread_number(); j <= p.n; j += thread_count())
        if (j > counted)
            best.consider(row.best[j]);
    if (thread_number() <= p.n)
        row.best[thread_number()] = best;
}

// All rows of columns part.begin + 1 .. part.end.  Returns H of the last cell; cells of the part's own columns go to
// `best`.
Score scan_part(GpuTask const & task, path::OverlappingPart const & part, Best & best)
{
    AffinePair pair = affine_pair(task);
    pair.target += part.begin;
    pair.n = part.end - part.begin;
    auto const threads = static_cast<unsigned>(task.value("threads"));
    std::uint64_t const columns = pair.n + 1, blocks = ceil_div(columns, threads);
    Device & device = task.device;
    DeviceArray<Score> const H{device, columns}, F{device, columns}, before_e{device, columns}, scan{device, columns};
    DeviceArray<Score> const last_values{device, blocks};
    DeviceArray<Best> const bests{device, columns};
    Row const row{H.data(), F.data(), before_e.data(), scan.data(), last_values.data(), bests.data()};
    std::size_t const shared = threads * sizeof(Score);

    launch(device, first_row, {blocks, threads}, pair, row);
    for (std::uint64_t i = 1; i <= pair.m; ++i) {
        launch(device, begin_row, {blocks, threads, shared}, pair, row, i);
        if (blocks > 1)
            launch(device, scan_blocks, {1, threads, shared}, pair, row, blocks, threads);
        launch(device, end_row, {blocks, threads}, pair, row, i);
    }
    Launch const grid{std::min(blocks, most_blocks_for_best), threads};
    launch(device, best_of_columns, grid, pair, row, part.counted - part.begin);
    for (Best const & found : download(device, bests, std::min(columns, grid.blocks * threads)))
        best.consider(found.score, found.i, static_cast<std::uint32_t>(part.begin + found.j));
    Score last = 0;
    device.download(&last, H.data() + pair.n, sizeof last);
    return last;
}

} // namespace rowscan_kernels

PairResult rowscan(GpuTask const & task)
{
    using namespace rowscan_kernels;
    PairView const & pair = task.task.pair;
    Cut const cut{task.task.choice, task.task.request.mode};
    std::uint64_t const overlap = proven_overlap(pair, task.task.scoring, cut);
    Best best;
    Score last = 0;
    for (path::OverlappingPart const & part : path::overlapping_parts(pair.n, cut.parts, overlap))
        last = scan_part(task, part, best);
    return with_path(task, affine_end(task.task, last, best), static_cast<unsigned>(task.value("threads")));
}

} // namespace nwgpu::published
