// SPDX-License-Identifier: BSD-3-Clause
// A problem with affine gaps on the device, and the best cell of it, for algorithms that keep no matrix.
#pragma once

#include "base/ceil_div.hpp"
#include "published/parts/launch.cuh"
#include "published/parts/stored_matrix.hpp"

namespace nwgpu::published {

struct AffinePair {
    std::uint8_t const * query;
    std::uint8_t const * target;
    Score const * scores;
    std::uint32_t target_letters;
    Affine affine;
    std::uint64_t m, n;

    // Of the letters of row i and column j, counted from 1.
    __device__ Score score(std::uint64_t i, std::uint64_t j) const
    {
        return scores[query[i - 1] * target_letters + target[j - 1]];
    }
};

inline AffinePair affine_pair(GpuTask const & task)
{
    return {task.query,           task.target,      task.scores,     task.target_letters,
            affine_of(task.task), task.task.pair.m, task.task.pair.n};
}

// Throws Error memory_limit where the path needs more memory than there is, on the host or the device.
inline void check_path_memory(GpuTask const & task, double bytes)
{
    std::uint64_t const limit = std::min(task.task.max_host_bytes, task.device.budget() - task.device.used());
    if (bytes > 0.9 * static_cast<double>(limit))
        throw Error{Status::memory_limit, "the path needs " + std::to_string(static_cast<std::uint64_t>(bytes)) +
                                              " bytes of host and device memory, there are " + std::to_string(limit)};
}

// The first `count` of them.
template <class T>
std::vector<T> download(Device & device, DeviceArray<T> const & from, std::uint64_t count)
{
    std::vector<T> values(count);
    device.download(values.data(), from.data(), count * sizeof(T));
    return values;
}
template <class T>
std::vector<T> download(Device & device, DeviceArray<T> const & from)
{
    return download(device, from, from.size());
}

} // namespace nwgpu::published
