// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/letters.hpp"

#include <algorithm>

namespace nwgpu::cuda {

namespace {

constexpr unsigned threads = 256;

__global__ void map_letters(std::uint8_t * letters, std::uint64_t count, __grid_constant__ LetterMap const map)
{
    __shared__ std::uint8_t to[threads];
    to[threadIdx.x] = map.data()[threadIdx.x];
    __syncthreads();
    std::uint64_t const apart = std::uint64_t{gridDim.x} * threads;
    for (std::uint64_t k = std::uint64_t{blockIdx.x} * threads + threadIdx.x; k < count; k += apart)
        letters[k] = to[letters[k]];
}

std::uint64_t bytes_of(CodedSequences const & sequences)
{
    std::uint64_t const count = sequences.count();
    return count == 0 ? 0
                      : static_cast<std::uint64_t>(sequences.codes(count - 1) - sequences.codes(0)) +
                            sequences.length(count - 1);
}

} // namespace

Letters::Letters(Device & device, CodedSequences const & sequences, LetterMap const & map) :
    sequences_{sequences}, letters_{device, bytes_of(sequences)}
{
    std::uint64_t const count = letters_.size();
    if (count == 0)
        return;
    device.upload(letters_.data(), sequences.codes(0), count);
    auto const blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(count / (16 * threads), 1, 2048));
    map_letters<<<blocks, threads, 0, device.stream()>>>(letters_.data(), count, map);
    check(cudaGetLastError(), "starting a kernel");
}

} // namespace nwgpu::cuda
