// SPDX-License-Identifier: BSD-3-Clause
// What the code of kernels uses, for emulated threads (cuda_runtime_api.h).  A warp is in lockstep at the functions
// that end in _sync only; each of them demands that all lanes of its mask come to the same one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "cuda_runtime_api.h"

#define __CUDA_ARCH__ 800 // code of the device, but for what is written in its assembler

namespace nwgpu::emulated {

struct ThreadState {
    dim3 thread, block, threads, blocks;
    void * shared;
};
extern constinit thread_local ThreadState * current;

[[noreturn]] void fail(char const * what); // a mistake of the engine
enum class Meeting : int { shuffle, ballot, sync };
// Waits until all lanes of the mask are at such a meeting; what each of them has brought stands in `values` until the
// next.
void meet(Meeting meeting, std::uint32_t mask, std::uint64_t value, std::uint64_t const *& values);
void wait_for_block();
void let_others_run();
inline int lane() { return static_cast<int>(current->thread.x % 32); }

template <class T>
std::uint64_t bits_of(T value)
{
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T, class From>
T shuffle(std::uint32_t mask, T mine, From const & from)
{
    std::uint64_t const * values = nullptr;
    meet(Meeting::shuffle, mask, bits_of(mine), values);
    int const source = from(lane());
    if (source < 0)
        return mine;
    T value;
    std::memcpy(&value, &values[source], sizeof value);
    return value;
}

// Over all lanes of the mask.
template <class Body>
void for_each_value(std::uint32_t mask, std::uint64_t value, Body const & body)
{
    std::uint64_t const * values = nullptr;
    meet(Meeting::ballot, mask, value, values);
    for (int l = 0; l < 32; ++l)
        if (mask >> l & 1)
            body(l, values[l]);
}

} // namespace nwgpu::emulated

#define threadIdx (nwgpu::emulated::current->thread)
#define blockIdx (nwgpu::emulated::current->block)
#define blockDim (nwgpu::emulated::current->threads)
#define gridDim (nwgpu::emulated::current->blocks)

inline void __syncthreads() { nwgpu::emulated::wait_for_block(); }
inline void __nanosleep(unsigned) { nwgpu::emulated::let_others_run(); }
inline void __syncwarp(unsigned mask = ~0u)
{
    std::uint64_t const * values = nullptr;
    nwgpu::emulated::meet(nwgpu::emulated::Meeting::sync, mask, 0, values);
}
template <class T>
T __shfl_sync(unsigned mask, T value, int from, int width = 32)
{
    return nwgpu::emulated::shuffle(mask, value, [&](int l) { return l / width * width + (from & (width - 1)); });
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned apart, int width = 32)
{
    return nwgpu::emulated::shuffle(
        mask, value, [&](int l) { return l % width >= static_cast<int>(apart) ? l - static_cast<int>(apart) : -1; });
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned apart, int width = 32)
{
    return nwgpu::emulated::shuffle(mask, value, [&](int l) {
        return l % width + static_cast<int>(apart) < width ? l + static_cast<int>(apart) : -1;
    });
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int apart, int width = 32)
{
    return nwgpu::emulated::shuffle(mask, value,
                                    [&](int l) { return (l ^ apart) / width == l / width ? l ^ apart : -1; });
}
inline unsigned __ballot_sync(unsigned mask, bool yes)
{
    unsigned bits = 0;
    nwgpu::emulated::for_each_value(mask, yes, [&](int l, std::uint64_t v) { bits |= (v ? 1u : 0u) << l; });
    return bits;
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    unsigned all = 0;
    nwgpu::emulated::for_each_value(mask, value, [&](int, std::uint64_t v) { all |= static_cast<unsigned>(v); });
    return all;
}
template <class T>
T __reduce_max_sync(unsigned mask, T value)
{
    T most = value;
    nwgpu::emulated::for_each_value(mask, nwgpu::emulated::bits_of(value), [&](int, std::uint64_t v) {
        T other;
        std::memcpy(&other, &v, sizeof other);
        most = std::max(most, other);
    });
    return most;
}

template <class T>
T atomicAdd(T * at, std::type_identity_t<T> value)
{
    T const old = *at;
    *at += value;
    return old;
}
template <class T>
T atomicMax(T * at, std::type_identity_t<T> value)
{
    T const old = *at;
    *at = std::max(old, value);
    return old;
}

template <class T>
T __ldcg(T const * at)
{
    return *at;
}
template <class T>
T __ldg(T const * at)
{
    return *at;
}
template <class T>
void __stcg(T * at, std::type_identity_t<T> value)
{
    *at = value;
}

inline int __ffs(unsigned x) { return x == 0 ? 0 : std::countr_zero(x) + 1; }
inline int __clz(unsigned x) { return std::countl_zero(x); }
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by)
{
    return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (by & 31));
}

namespace nwgpu::emulated {
template <class Op>
std::uint32_t on_halves(Op const & op)
{
    return (static_cast<std::uint32_t>(op(0)) & 0xffffu) | static_cast<std::uint32_t>(op(16)) << 16;
}
inline std::uint16_t half(std::uint32_t x, int shift) { return static_cast<std::uint16_t>(x >> shift); }
} // namespace nwgpu::emulated
inline unsigned __vadd2(unsigned a, unsigned b)
{
    using namespace nwgpu::emulated;
    return on_halves([&](int s) { return half(a, s) + half(b, s); });
}
inline unsigned __vmaxu2(unsigned a, unsigned b)
{
    using namespace nwgpu::emulated;
    return on_halves([&](int s) { return std::max(half(a, s), half(b, s)); });
}
inline unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2(__vadd2(a, b), c); }
inline unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2(__vmaxu2(a, b), c); }

// As in CUDA: signed with unsigned gives unsigned.
template <class T, class U>
constexpr std::common_type_t<T, U> min(T a, U b)
{
    using C = std::common_type_t<T, U>;
    return std::min(static_cast<C>(a), static_cast<C>(b));
}
template <class T, class U>
constexpr std::common_type_t<T, U> max(T a, U b)
{
    using C = std::common_type_t<T, U>;
    return std::max(static_cast<C>(a), static_cast<C>(b));
}
