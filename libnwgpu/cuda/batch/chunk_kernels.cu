// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/chunk_kernels.hpp"

#include <algorithm>

#include <cub/cub.cuh>

#include "cuda/batch/path_kernel.cuh"
#include "cuda/device/dynamic_shared.cuh"
#include "cuda/device/launch.hpp"
#include "path/most_runs.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr unsigned threads = 128; // few, with few registers: they fit beside the blocks of a sweep
constexpr int step_bits = 16, class_bits = 6, key_bits = step_bits + class_bits;
constexpr std::uint32_t most_steps = (1u << step_bits) - 1;
static_assert(class_count < 1 << class_bits);

unsigned blocks_for(std::uint64_t items, std::uint64_t per_thread = 1)
{
    return static_cast<unsigned>(std::clamp<std::uint64_t>((items + per_thread * threads - 1) / (per_thread * threads),
                                                           1, per_thread == 1 ? 1u << 30 : 1056));
}

// The letters at begin .. end, 16 at a time, whose begin is aligned so; `rest` takes the last ones one by one.
template <class Sixteen, class Rest>
__device__ void for_letters(std::uint8_t * letters, std::uint64_t begin, std::uint64_t end, Sixteen const & sixteen,
                            Rest const & rest)
{
    std::uint64_t const all = (end - begin) / 16, apart = std::uint64_t{gridDim.x} * threads;
    auto * const words = reinterpret_cast<uint4 *>(letters + begin);
#pragma unroll 4
    for (std::uint64_t k = std::uint64_t{blockIdx.x} * threads + threadIdx.x; k < all; k += apart)
        sixteen(words[k]);
    if (blockIdx.x == 0 && threadIdx.x < (end - begin) % 16)
        rest(letters[begin + all * 16 + threadIdx.x]);
}

using PlaceScan = cub::BlockScan<std::uint32_t, threads>;
constexpr std::uint32_t pairs_of_thread = place_pairs / threads; // neighbours

__global__ void __launch_bounds__(threads) place_kernel(__grid_constant__ PlaceArgs const args)
{
    __shared__ typename PlaceScan::TempStorage work;
    __shared__ std::uint8_t const * from[place_pairs];
    __shared__ std::uint32_t to[place_pairs], length[place_pairs];
    std::uint32_t const in_block = threadIdx.x * pairs_of_thread, first = blockIdx.x * place_pairs + in_block;
    ChunkPair pairs[pairs_of_thread];
    for (std::uint32_t k = 0; k < pairs_of_thread; ++k)
        pairs[k] = first + k < args.count ? args.pairs[first + k] : ChunkPair{};
    auto const place = [&](PlaceArgs::Side const & side, unsigned long long before, auto const & letters,
                           std::uint32_t ChunkPair::*where) {
        if (!side.kept)
            return;
        std::uint32_t of_thread = 0, here = 0, all = 0;
        for (ChunkPair const & pair : pairs)
            of_thread += letters(pair);
        PlaceScan{work}.ExclusiveSum(of_thread, here, all);
        here += side.at + static_cast<std::uint32_t>(before);
        for (std::uint32_t k = 0; k < pairs_of_thread; ++k) {
            from[in_block + k] = side.kept + (pairs[k].*where - side.first);
            pairs[k].*where = to[in_block + k] = here;
            length[in_block + k] = letters(pairs[k]);
            here += letters(pairs[k]);
        }
        __syncthreads();
        constexpr std::uint32_t lanes = 32; // copy a sequence
        for (std::uint32_t p = threadIdx.x / lanes; p < place_pairs; p += threads / lanes)
            for (std::uint32_t l = threadIdx.x % lanes; l < length[p]; l += lanes)
                args.letters[to[p] + l] = from[p][l];
        __syncthreads();
    };
    LettersBefore const before = args.before[blockIdx.x];
    place(
        args.queries, before.queries, [](ChunkPair const & pair) { return std::uint32_t{pair.m}; }, &ChunkPair::query);
    place(
        args.targets, before.targets, [](ChunkPair const & pair) { return std::uint32_t{pair.n}; }, &ChunkPair::target);
    for (std::uint32_t k = 0; k < pairs_of_thread; ++k)
        if (pairs[k].m > 0)
            args.pairs[first + k] = pairs[k];
}

__global__ void note_kernel(__grid_constant__ NoteArgs const args)
{
    __shared__ std::uint8_t here[256];
    for (unsigned k = threadIdx.x; k < 256; k += threads)
        here[k] = 0;
    __syncthreads();
    auto const note = [&](std::uint64_t begin, std::uint64_t end) {
        auto const four = [&](std::uint32_t word) {
#pragma unroll
            for (unsigned b = 0; b < 32; b += 8)
                here[word >> b & 255] = 1;
        };
        for_letters(
            args.letters, begin, end,
            [&](uint4 const & words) {
                four(words.x);
                four(words.y);
                four(words.z);
                four(words.w);
            },
            [&](std::uint8_t letter) { here[letter] = 1; });
    };
    note(args.queries, args.queries_end);
    note(args.targets, args.targets_end);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < 256; k += threads)
        if (here[k])
            args.seen[k] = 1;
    if (blockIdx.x > 0)
        return;
    auto const clear = [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t k = begin + threadIdx.x; k < end; k += threads)
            args.letters[k] = 0;
    };
    clear(args.queries - letter_margin, args.queries);
    clear(args.queries_end, args.targets);
    clear(args.targets_end, args.targets_end + letter_margin);
}

__global__ void number_kernel(std::uint8_t * letters, std::uint64_t count,
                              __grid_constant__ std::array<std::uint8_t, 256> const number)
{
    __shared__ std::uint8_t to[256];
    for (unsigned k = threadIdx.x; k < 256; k += threads)
        to[k] = number.data()[k];
    __syncthreads();
    auto const four = [&](std::uint32_t & word) {
        word = to[word & 255] | to[word >> 8 & 255] << 8 | to[word >> 16 & 255] << 16 |
               std::uint32_t{to[word >> 24]} << 24;
    };
    for_letters(
        letters, 0, count,
        [&](uint4 & words) {
            uint4 now = words;
            four(now.x);
            four(now.y);
            four(now.z);
            four(now.w);
            words = now;
        },
        [&](std::uint8_t & letter) { letter = to[letter]; });
}

__global__ void tables_kernel(Tables * to, __grid_constant__ Tables const tables)
{
    auto const * const from = reinterpret_cast<std::uint32_t const *>(&tables);
    for (unsigned k = threadIdx.x; k < sizeof(Tables) / 4; k += threads)
        reinterpret_cast<std::uint32_t *>(to)[k] = from[k];
}

// Chains of a class begin in the order of their steps, more or less; other pairs share a warp with their neighbours.
constexpr std::uint32_t steps_per_rank = 64;
static_assert(2 * most_chain_letters / steps_per_rank <= most_steps);

// Keys ascend: classes with many rows first, in them pairs with many steps; pairs that are not computed at the end.
constexpr std::uint32_t no_class = (1 << class_bits) - 1;
__global__ void key_kernel(__grid_constant__ OrderArgs const args)
{
    std::uint32_t const k = blockIdx.x * threads + threadIdx.x;
    if (k >= args.count)
        return;
    ChunkPair pair = args.in_rows ? args.front.behind(k) : args.pairs[k];
    pair.query += args.query_shift;
    pair.target += args.target_shift;
    args.pairs[k] = pair;
    std::uint32_t const which = pair.m == 0 ? no_class : class_count - 1u - pair.shape;
    GroupShape const shape = GroupShape::of(static_cast<int>(pair.shape));
    std::uint32_t const steps = steps_of(shape, pair.m, pair.n);
    args.keys[k] = which << step_bits | (most_steps - (shape.is_chain() ? steps / steps_per_rank : steps));
    (args.are_alike ? args.order : args.indices)[k] = k;
    args.answers[k] = {};
}

__global__ void class_kernel(__grid_constant__ OrderArgs const args)
{
    std::uint32_t const which = threadIdx.x; // class_count of them
    auto const first_of = [&](std::uint32_t key) {
        std::uint32_t low = 0, high = args.count;
        std::uint32_t const * const keys = args.are_alike ? args.keys : args.sorted_keys;
        while (low < high) {
            std::uint32_t const middle = (low + high) / 2;
            if (keys[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    std::uint32_t const key = class_count - 1u - which;
    std::uint32_t const first = first_of(key << step_bits), last = first_of((key + 1) << step_bits);
    args.classes->first[which] = first;
    args.classes->count[which] = last - first;
}

// What their bands prove: answers of other pairs say what they need.
__global__ void prove_kernel(__grid_constant__ ProveArgs const args)
{
    std::uint32_t const k = blockIdx.x * threads + threadIdx.x;
    if (k >= args.count)
        return;
    ChunkPair const pair = args.pairs[k];
    GroupShape const shape = GroupShape::of(static_cast<int>(pair.shape));
    Answer & answer = args.answers[k];
    if (pair.m == 0 || is_proven(shape, args.rule, pair.m, pair.n, answer.score))
        return;
    answer.set_half_width(answer.score == no_score
                              ? UINT32_MAX
                              : static_cast<std::uint32_t>(args.rule.half_width(pair.m, pair.n, answer.score)));
    answer.score = no_score;
}

// A thread per pair; few threads per block, so that few pairs have many multiprocessors.
constexpr unsigned walk_threads = 64;

template <int bits, bool chains>
__global__ void __launch_bounds__(walk_threads) path_kernel(__grid_constant__ PathArgs const args)
{
    using Scan = cub::BlockScan<std::uint32_t, walk_threads>;
    NWGPU_DYNAMIC_SHARED(std::int8_t, table);
    __shared__ typename Scan::TempStorage work;
    __shared__ std::uint32_t first_slot;
    if (!args.scheme.uniform)
        for (std::uint32_t k = threadIdx.x; k < args.letter_count * args.letter_count; k += walk_threads)
            table[k] = args.scores[k];
    std::uint32_t const thread = blockIdx.x * walk_threads + threadIdx.x, sorted = thread / args.spread;
    bool const walks = thread % args.spread == 0 && sorted < args.pair_count;
    std::uint32_t const index = walks ? args.order[sorted] : 0;
    ChunkPair const pair = walks ? args.pairs[index] : ChunkPair{};
    Answer answer = args.answers[index];
    GroupShape const shape = GroupShape::of(static_cast<int>(pair.shape));
    bool const is_there = pair.m > 0 && answer.score != no_score;
    std::uint32_t const most =
        args.cigar && is_there ? static_cast<std::uint32_t>(path::most_runs(pair.m, pair.n, false)) : 0;
    std::uint32_t top = 0, all = 0; // behind the slots for the pair's runs, in those of the block
    Scan{work}.ExclusiveSum(most, top, all);
    if (threadIdx.x == 0)
        first_slot = static_cast<std::uint32_t>(atomicAdd(&args.counters->slots, static_cast<unsigned long long>(all)));
    __syncthreads();
    if (!is_there)
        return;
    top += first_slot + most;
    Matrix<bits, chains> const matrix{
        args.scheme,
        {args.stored + args.stored_at[sorted], shape, static_cast<int>(pair.m), static_cast<int>(pair.n)},
        args.letters + pair.query,
        args.letters + pair.target,
        pair.m,
        pair.n,
        table,
        args.letter_count};
    find_path(matrix, args, args.cigar ? args.slots + top : nullptr, answer);
    if (!args.cigar)
        answer.runs = 0;
    args.answers[index] = answer;
    if (args.cigar)
        args.slot_at[index] = top - answer.runs;
}

using GatherScan = cub::BlockScan<std::uint32_t, gather_pairs>;

__global__ void __launch_bounds__(gather_pairs) count_kernel(__grid_constant__ GatherArgs const args)
{
    __shared__ typename GatherScan::TempStorage work;
    std::uint32_t const k = blockIdx.x * gather_pairs + threadIdx.x;
    std::uint32_t before = 0, all = 0;
    GatherScan{work}.ExclusiveSum(k < args.pair_count ? args.answers[k].runs : 0, before, all);
    if (threadIdx.x == 0)
        args.block_runs[blockIdx.x] = all;
}

__global__ void __launch_bounds__(gather_pairs) gather_kernel(__grid_constant__ GatherArgs const args)
{
    __shared__ typename GatherScan::TempStorage work, work_of_blocks;
    std::uint32_t const k = blockIdx.x * gather_pairs + threadIdx.x;
    std::uint32_t const count = k < args.pair_count ? args.answers[k].runs : 0;
    std::uint32_t before = 0, all = 0, of_blocks = 0, nothing = 0, first = 0; // of the block
    GatherScan{work}.ExclusiveSum(count, before, all);
    for (std::uint32_t b = threadIdx.x; b < blockIdx.x; b += gather_pairs)
        of_blocks += args.block_runs[b];
    GatherScan{work_of_blocks}.ExclusiveSum(of_blocks, nothing, first);
    __shared__ std::uint32_t from[gather_pairs], to[gather_pairs], counts[gather_pairs];
    from[threadIdx.x] = count > 0 ? args.slot_at[k] : 0;
    to[threadIdx.x] = before;
    counts[threadIdx.x] = count;
    __syncthreads();
    if (k < args.pair_count)
        args.answers[k].runs = first + before + count;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        args.counters->runs = first + all;
    constexpr std::uint32_t lanes = 8; // copy the runs of a pair
    for (std::uint32_t p = threadIdx.x / lanes; p < gather_pairs; p += gather_pairs / lanes)
        for (std::uint32_t r = threadIdx.x % lanes; r < counts[p]; r += lanes)
            args.runs[first + to[p] + r] = args.slots[from[p] + r];
}

} // namespace

void place_letters(cudaStream_t stream, PlaceArgs const & args)
{
    launch(stream, (args.count + place_pairs - 1) / place_pairs, threads, 0, &place_kernel, args);
}

void note_letters(cudaStream_t stream, NoteArgs const & args)
{
    launch(stream, blocks_for(args.targets_end - args.queries, 128), threads, 0, &note_kernel, args);
}

void number_letters(cudaStream_t stream, std::uint8_t * letters, std::uint64_t count,
                    std::array<std::uint8_t, 256> const & number)
{
    launch(stream, blocks_for(count, 128), threads, 0, &number_kernel, letters, count, number);
}

void put_tables(cudaStream_t stream, Tables * to, Tables const & tables)
{
    launch(stream, 1, threads, 0, &tables_kernel, to, tables);
}

std::size_t order_work_bytes(std::uint32_t count)
{
    std::size_t bytes = 0;
    std::uint32_t * const none = nullptr;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, none, none, none, none, static_cast<int>(count), 0, key_bits),
          "planning to sort");
    return bytes;
}

void order_pairs(cudaStream_t stream, OrderArgs const & args)
{
    launch(stream, blocks_for(args.count), threads, 0, &key_kernel, args);
    std::size_t bytes = args.work_bytes;
    if (!args.are_alike)
        check(cub::DeviceRadixSort::SortPairs(args.work, bytes, args.keys, args.sorted_keys, args.indices, args.order,
                                              static_cast<int>(args.count), 0, key_bits, stream),
              "sorting");
    launch(stream, 1, class_count, 0, &class_kernel, args);
}

void prove_bands(cudaStream_t stream, ProveArgs const & args)
{
    launch(stream, blocks_for(args.count), threads, 0, &prove_kernel, args);
}

void find_paths(cudaStream_t stream, PathArgs const & args, int bits, bool chains)
{
    unsigned const blocks = (args.pair_count * args.spread + walk_threads - 1) / walk_threads,
                   shared = args.scheme.uniform ? 0 : args.letter_count * args.letter_count;
    auto * const kernel = bits == 4 ? (chains ? &path_kernel<4, true> : &path_kernel<4, false>)
                                    : (chains ? &path_kernel<8, true> : &path_kernel<8, false>);
    launch(stream, blocks, walk_threads, shared, kernel, args);
}

void gather_runs(cudaStream_t stream, GatherArgs const & args)
{
    unsigned const blocks = (args.pair_count + gather_pairs - 1) / gather_pairs;
    launch(stream, blocks, gather_pairs, 0, &count_kernel, args);
    launch(stream, blocks, gather_pairs, 0, &gather_kernel, args);
}

} // namespace nwgpu::cuda::batch
