// SPDX-License-Identifier: BSD-3-Clause
// The two algorithms of CUB that the engine uses, as far as it does (cuda_runtime_api.h).
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda_runtime.h"

namespace cub {

struct DeviceRadixSort {
    template <class Key, class Value>
    static cudaError_t SortPairs(void * work, std::size_t & bytes, Key const * keys, Key * sorted_keys,
                                 Value const * values, Value * sorted_values, int count, int begin_bit, int end_bit,
                                 cudaStream_t = nullptr)
    {
        if (!work) {
            bytes = 1;
            return cudaSuccess;
        }
        auto const key = [&](int k) { return keys[k] >> begin_bit & ((Key{1} << (end_bit - begin_bit)) - 1); };
        std::vector<int> order(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
        for (int k = 0; k < count; ++k) {
            sorted_keys[k] = keys[order[static_cast<std::size_t>(k)]];
            sorted_values[k] = values[order[static_cast<std::size_t>(k)]];
        }
        return cudaSuccess;
    }
};

template <class T, int threads>
class BlockScan {
public:
    struct TempStorage {
        T value[threads];
    };
    explicit BlockScan(TempStorage & work) : work_{work} {}
    void ExclusiveSum(T value, T & before, T & all)
    {
        work_.value[threadIdx.x] = value;
        __syncthreads();
        before = std::accumulate(work_.value, work_.value + threadIdx.x, T{});
        all = std::accumulate(work_.value, work_.value + threads, T{});
        __syncthreads();
    }

private:
    TempStorage & work_;
};

} // namespace cub
