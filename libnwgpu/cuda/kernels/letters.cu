// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/letters.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cuda/device/launch.hpp"

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

} // namespace

void upload_letters(Device & device, std::uint8_t * to, std::uint8_t const * codes, std::uint64_t count,
                    LetterMap const & map)
{
    if (count == 0)
        return;
    device.upload(to, codes, count);
    auto const blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(count / (16 * threads), 1, 2048));
    launch(device.stream(), blocks, threads, 0, &map_letters, to, count, map);
}

DeviceLetters::DeviceLetters(Device & device, UsedSequences used, LetterMap const & map) :
    used_{std::move(used)}, letters_{device, used_.bytes()}
{
    if (letters_.size() == 0)
        return;
    std::vector<std::uint8_t> together;
    if (!used_.are_all()) {
        together.resize(letters_.size());
        used_.gather(together.data());
    }
    upload_letters(device, letters_.data(), used_.are_all() ? used_.sequences().codes(0) : together.data(),
                   letters_.size(), map);
    if (!together.empty()) // some devices read ordinary memory themselves
        check(cudaStreamSynchronize(device.stream()), "copying letters");
}

} // namespace nwgpu::cuda
