// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "cuda/batch/two_bits.hpp"
#include "cuda/device/launch.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr unsigned threads = 128; // few, with few registers: they fit beside the blocks of a sweep
constexpr std::uint64_t most_blocks = 1056;

unsigned blocks_for(std::uint64_t items)
{
    return static_cast<unsigned>(std::clamp<std::uint64_t>((items + threads - 1) / threads, 1, most_blocks));
}

// Letters of four kinds, one in the two lowest bits of each byte.
__device__ std::uint32_t letters_of(std::uint32_t kinds, std::uint32_t four)
{
    std::uint32_t letters = 0;
#pragma unroll
    for (unsigned b = 0; b < 32; b += 8)
        letters |= (four >> (kinds >> b & 3) * 8 & 255) << b;
    return letters;
}

// Each thread 16 letters: the same two bits of 16 bytes of a block.
__global__ void __launch_bounds__(threads)
    kinds_kernel(uint4 const * from, std::uint64_t count, std::uint32_t four, uint4 * letters)
{
    constexpr std::uint64_t columns = two_bit_bytes / 16, of_block = two_bit_letters / 16;
    std::uint64_t const apart = std::uint64_t{gridDim.x} * threads;
    for (std::uint64_t k = std::uint64_t{blockIdx.x} * threads + threadIdx.x; k < count; k += apart) {
        uint4 const kinds = from[k / of_block * columns + k % columns];
        unsigned const shift = k % of_block / columns * 2;
        letters[k] = {letters_of(kinds.x >> shift, four), letters_of(kinds.y >> shift, four),
                      letters_of(kinds.z >> shift, four), letters_of(kinds.w >> shift, four)};
    }
}

__global__ void __launch_bounds__(threads)
    strays_kernel(StrayLetter const * strays, std::uint64_t count, std::uint8_t * letters)
{
    std::uint64_t const apart = std::uint64_t{gridDim.x} * threads;
    for (std::uint64_t k = std::uint64_t{blockIdx.x} * threads + threadIdx.x; k < count; k += apart)
        letters[strays[k].position] = static_cast<std::uint8_t>(strays[k].letter);
}

} // namespace

void from_two_bits(cudaStream_t stream, FromTwoBits const & args)
{
    TwoBitLayout const layout{args.count};
    std::uint64_t const sixteens = ceil_div(args.count, std::uint64_t{16});
    std::uint32_t four = 0;
    for (unsigned kind = 0; kind < args.four.size(); ++kind)
        four |= std::uint32_t{args.four[kind]} << kind * 8;
    launch(stream, blocks_for(sixteens), threads, 0, &kinds_kernel, reinterpret_cast<uint4 const *>(args.from),
           sixteens, four, reinterpret_cast<uint4 *>(args.letters));
    if (args.strays > 0)
        launch(stream, blocks_for(args.strays), threads, 0, &strays_kernel,
               reinterpret_cast<StrayLetter const *>(args.from + layout.strays_at()), args.strays, args.letters);
}

} // namespace nwgpu::cuda::batch
