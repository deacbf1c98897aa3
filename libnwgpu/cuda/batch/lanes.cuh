// SPDX-License-Identifier: BSD-3-Clause
// Some neighbouring lanes of a warp that work on the same thing.  On the host one thread is all of them, one after the
// other, so that tests run the code of a kernel.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace nwgpu::cuda::batch {

// A value in each lane.
template <class T, int count>
struct PerLane {
#ifdef __CUDA_ARCH__
    T value;
    __device__ T & operator[](int) { return value; }
    __device__ T const & operator[](int) const { return value; }
#else
    T value[count];
    T & operator[](int l) { return value[l]; }
    T const & operator[](int l) const { return value[l]; }
#endif
};

template <int count_>
class Lanes {
public:
    static constexpr int count = count_; // 32 at most
    static constexpr std::uint32_t all = count == 32 ? ~0u : (1u << count) - 1;
    template <class T>
    using Value = PerLane<T, count>;

#ifdef __CUDA_ARCH__
    __device__ Lanes() :
        lane_{static_cast<int>(threadIdx.x) % count},
        first_{static_cast<int>(threadIdx.x) % 32 - lane_},
        who_{all << first_}
    {}
    template <class Body>
    __device__ void each(Body const & body) const
    {
        body(lane_);
    }
    template <class Body>
    __device__ void first(Body const & body) const
    {
        if (lane_ == 0)
            body();
    }
    // Bit l: what lane l says.
    template <class Question>
    __device__ std::uint32_t vote(Question const & question) const
    {
        return __ballot_sync(who_, question(lane_)) >> first_ & all;
    }
    template <class Bits>
    __device__ std::uint32_t any(Bits const & bits) const
    {
#if __CUDA_ARCH__ >= 800
        return __reduce_or_sync(who_, bits(lane_));
#else
        std::uint32_t sum = bits(lane_);
        for (int apart = count / 2; apart; apart /= 2)
            sum |= __shfl_xor_sync(who_, sum, apart, count);
        return sum;
#endif
    }
    template <class T>
    __device__ T of(Value<T> const & value, int lane) const
    {
        return __shfl_sync(who_, value.value, lane, count);
    }
    // What the lane before has; the first of each `width` lanes has `fill`.
    template <class T>
    __device__ Value<T> from_before(Value<T> const & value, T fill, int width = count) const
    {
        T const before = __shfl_up_sync(who_, value.value, 1, width);
        return {lane_ % width == 0 ? fill : before};
    }
    // Sums over the lanes up to each one, in each `width` lanes.
    __device__ void add_up(Value<int> & value, int width = count) const
    {
        for (int apart = 1; apart < width; apart *= 2) {
            int const before = __shfl_up_sync(who_, value.value, apart, width);
            if (lane_ % width >= apart)
                value.value += before;
        }
    }

private:
    int lane_, first_;
    std::uint32_t who_;
#else
    template <class Body>
    void each(Body const & body) const
    {
        for (int l = 0; l < count; ++l)
            body(l);
    }
    template <class Body>
    void first(Body const & body) const
    {
        body();
    }
    template <class Question>
    std::uint32_t vote(Question const & question) const
    {
        std::uint32_t bits = 0;
        for (int l = 0; l < count; ++l)
            bits |= std::uint32_t{question(l) ? 1u : 0u} << l;
        return bits;
    }
    template <class Bits>
    std::uint32_t any(Bits const & bits) const
    {
        std::uint32_t sum = 0;
        for (int l = 0; l < count; ++l)
            sum |= bits(l);
        return sum;
    }
    template <class T>
    T of(Value<T> const & value, int lane) const
    {
        return value[lane];
    }
    template <class T>
    Value<T> from_before(Value<T> const & value, T fill, int width = count) const
    {
        Value<T> before;
        for (int l = 0; l < count; ++l)
            before[l] = l % width == 0 ? fill : value[l - 1];
        return before;
    }
    void add_up(Value<int> & value, int width = count) const
    {
        for (int l = 0; l < count; ++l)
            if (l % width > 0)
                value[l] += value[l - 1];
    }
#endif
};

} // namespace nwgpu::cuda::batch
