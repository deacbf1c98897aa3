// SPDX-License-Identifier: BSD-3-Clause
// The sweep of a strip of couples of two targets: a block makes the profile of the strip, which fills the shared memory
// of its multiprocessor, and its warps take tickets of four couples until there are none.  Scores are words of two
// letters that are common; in steps in which a lane has another letter they are joined from bytes.
#include <utility>

#include "cuda/batch/couple_sweep.cuh"
#include "cuda/device/launch.hpp"

namespace nwgpu::cuda::batch {

namespace {

// Blocks of four warps whose registers a multiprocessor has, and as many as there are: other kernels need some, too.
constexpr int blocks_at_once(bool others) { return others ? 3 : 4; }
constexpr std::uint32_t most_blocks = 3;

// Whether all letters of a warp's next steps are common, or none.
template <int count>
__device__ bool are_below(std::uint32_t const (&low)[count], std::uint32_t const (&high)[count], std::uint32_t none)
{
    std::uint32_t most = 0;
#pragma unroll
    for (int j = 0; j < count; ++j)
        most = max(most, max(low[j], high[j]));
    return __ballot_sync(~0u, most > none) == 0;
}

// `others`: there are letters that are not common.
template <int rows, bool others>
__global__ void NWGPU_SWEEP_REGISTERS(blocks_at_once(others), 0) sweep_targets(__grid_constant__ GroupArgs const args)
{
    using Words = CoupleProfile<rows>;
    using Bytes = CoupleBytes<rows>;
    constexpr int ahead = 4; // steps before what comes from memory is needed: a step takes less time than memory
    if (args.counters->failed)
        return;
    NWGPU_DYNAMIC_SHARED(uint4, shared);
    std::uint32_t const * const table = share_table(args, shared);
    char * const profile = profiles_behind(args, reinterpret_cast<std::uint32_t *>(shared));
    CoupleStrip strip = args.strip;
    strip.log_lanes = TargetStrips::log_lanes; // known to the compiler
    std::uint32_t const none = args.common_letters, letters = none + 1;
    char * const bytes_profile = profile + letters * letters * Words::column_bytes;
    std::uint32_t const * const order = args.order + args.classes->first[couple_class];
    std::uint32_t const pairs = args.classes->count[couple_class];
    ChunkPair const query = args.pairs[order[0]];
    auto const thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    Words::build(profile, args, table, query, query, letters, true, thread, threads);
    if constexpr (others)
        Bytes::build(bytes_profile, args, table, query, thread, threads);
    __syncthreads();
    CellConstants const constants = CellConstants::of(args);
    int const warp_lane = kept_int(thread % 32), lane = kept_int(warp_lane & (strip.lanes() - 1));
    std::uint32_t const letter_bytes = kept(letters * Words::column_bytes); // of the first of two
    bool const reads = lane == 0 && strip.first_row > 0, writes = lane == strip.lanes() - 1 && !strip.is_last;
    char const * const words = profile + kept_int(Words::place(warp_lane));
    char const * const bytes = bytes_profile + kept_int(Words::place(warp_lane));
    for (;;) {
        std::uint32_t const number = next_couples(args, strip, warp_lane);
        if (2 * number >= pairs)
            return;
        CoupleTicket const ticket{order, pairs, number + static_cast<std::uint32_t>(warp_lane >> strip.log_lanes)};
        ChunkPair const pair = args.pairs[ticket.indices[0]], other = args.pairs[ticket.indices[1]];
        int const n = pair.n, n_other = other.n; // not more than n
        int const steps = static_cast<int>(most_of_warp(static_cast<unsigned>(n))) + strip.lanes() - 1;
        unsigned long long const place = ticket.line(args, strip, n, warp_lane);
        if (place == no_place)
            return;
        int col = -lane; // the lane's column
        std::uint8_t const *of_pair = args.letters + pair.target - lane, *of_other = args.letters + other.target - lane;
        LineCell * line = reinterpret_cast<LineCell *>(args.stored + place) - lane;

        CoupleField<rows> cells;
        cells.start(constants);
        LineCell const top{constants.zero, constants.zero + constants.minus_open_extend};
        auto const has = [&](int behind, int length) {
            return static_cast<unsigned>(col + behind) < static_cast<unsigned>(length);
        };
        std::uint32_t low[ahead], high[ahead]; // letters
        LineCell above[ahead];
        auto const ask_letters = [&](int first) {
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                low[j] = has(first + j, n) ? __ldg(of_pair + first + j) : none;
                high[j] = has(first + j, n_other) ? __ldg(of_other + first + j) : none;
            }
        };
        auto const line_cell = [&](int behind) { return reads && has(behind, n) ? line[behind] : top; };
        ask_letters(0);
#pragma unroll
        for (int j = 0; j < ahead; ++j)
            above[j] = line_cell(j);
        // Some steps, with the scores of each.
        auto const advance = [&](auto const & scores) {
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                LineCell const from_line = above[j], hand = cells.hand();
                above[j] = line_cell(j + ahead);
                LineCell in{__shfl_up_sync(~0u, hand.H, 1), __shfl_up_sync(~0u, hand.F, 1)};
                if (lane == 0)
                    in = from_line;
                cells.step(constants, in, scores(j));
                if (writes && ticket.is_there && has(j, n))
                    line[j] = cells.hand();
            }
        };
#pragma unroll 1
        for (int t = 0; t < steps; t += ahead) {
            std::uint32_t at[ahead]; // columns of words, or letters of two targets
            if (!others || are_below(low, high, none)) {
#pragma unroll
                for (int j = 0; j < ahead; ++j)
                    at[j] = low[j] * letter_bytes + high[j] * Words::column_bytes;
                ask_letters(ahead);
                advance([&](int j) { return typename Words::Scores{words + at[j]}; });
            } else {
#pragma unroll
                for (int j = 0; j < ahead; ++j)
                    at[j] = low[j] << 16 | high[j];
                ask_letters(ahead);
                advance([&](int j) { return typename Bytes::Scores{bytes, at[j] >> 16, at[j] & 0xffffu}; });
            }
            col += ahead;
            of_pair += ahead;
            of_other += ahead;
            line += ahead;
        }
        ticket.answer(args, strip, lane, cells.best);
        __syncwarp();
    }
}

template <int rows>
GroupKernel describe_kernel(bool others)
{
    static_assert(TargetStrips{1, rows}.words_bytes(0) == CoupleProfile<rows>::column_bytes);
    return {others ? address_of(&sweep_targets<rows, true>) : address_of(&sweep_targets<rows, false>),
            CoupleProfile<rows>::column_bytes, 4 * most_blocks};
}
template <int... more>
GroupKernel kernel_of(int rows, bool others, std::integer_sequence<int, more...>)
{
    GroupKernel kernel;
    ((rows == TargetStrips::least_rows + more ? void(kernel = describe_kernel<TargetStrips::least_rows + more>(others))
                                              : void()),
     ...);
    return kernel;
}

} // namespace

GroupKernel target_sweep(int rows, bool others)
{
    return kernel_of(rows, others,
                     std::make_integer_sequence<int, TargetStrips::most_rows - TargetStrips::least_rows + 1>{});
}

} // namespace nwgpu::cuda::batch
