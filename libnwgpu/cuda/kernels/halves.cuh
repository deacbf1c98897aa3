// SPDX-License-Identifier: BSD-3-Clause
// Two 16-bit numbers in one 32-bit register.  One instruction each on compute capability 9.0 and later (DPX), a few on
// older ones; the host versions are for tests.
//
// What is compared is stored with `bias` added, so that it is unsigned: subtracting the same from both halves is then
// one 32-bit operation, which another unit of the processor can do than the one that compares.  What is added has no
// bias.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace nwgpu::cuda {

using Halves = std::uint32_t;

constexpr int bias = 1 << 15;
__host__ __device__ constexpr Halves both(int addend) { return (static_cast<unsigned>(addend) & 0xffffu) * 0x10001u; }
// By masks and shifts: where 16-bit types occur, the compiler splits registers into halves and joins them again in the
// loop.
__host__ __device__ constexpr int low_half(Halves x) { return static_cast<int>(x & 0xffffu) - bias; }
__host__ __device__ constexpr int high_half(Halves x) { return static_cast<int>(x >> 16) - bias; }
__host__ __device__ constexpr Halves join(int low, int high)
{
    return (static_cast<unsigned>(low + bias) & 0xffffu) | static_cast<unsigned>(high + bias) << 16;
}

// A constant that stays in its register and is not computed again in the loop.
__host__ __device__ inline Halves kept(Halves x)
{
#ifdef __CUDA_ARCH__
    asm volatile("" : "+r"(x));
#endif
    return x;
}

// Bytes of a (0..3) and b (4..7) by the nibbles of `selector`; a nibble with bit 3 set repeats the sign of its byte.
template <std::uint32_t selector>
__host__ __device__ inline std::uint32_t permute(std::uint32_t a, std::uint32_t b)
{
#if defined(__CUDA_ARCH__) && defined(__CUDACC__)
    std::uint32_t result;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "n"(selector));
    return result;
#else
    std::uint64_t const bytes = static_cast<std::uint64_t>(b) << 32 | a;
    std::uint32_t result = 0;
    for (int k = 0; k < 4; ++k) {
        unsigned const nibble = selector >> (4 * k) & 15;
        unsigned byte = static_cast<unsigned>(bytes >> (8 * (nibble & 7)) & 255);
        if (nibble & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * k);
    }
    return result;
#endif
}

// max(a + b, c)
__host__ __device__ inline Halves add_max(Halves a, Halves b, Halves c) { return __viaddmax_u16x2(a, b, c); }
__host__ __device__ inline Halves max3(Halves a, Halves b, Halves c) { return __vimax3_u16x2(a, b, c); }

__host__ __device__ inline Halves max2(Halves a, Halves b)
{
#ifdef __CUDA_ARCH__
    return __vmaxu2(a, b);
#else
    return max3(a, b, b);
#endif
}

__host__ __device__ inline Halves add2(Halves a, Halves b)
{
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 900
    Halves result;
    asm("add.s16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
    return result;
#else
    return __vadd2(a, b);
#endif
#else
    return ((a + b) & 0xffffu) | ((a & 0xffff0000u) + (b & 0xffff0000u));
#endif
}

// What to add to a register so that both halves lose `amount`, where neither is less (with its bias).
__host__ __device__ constexpr std::uint32_t minus_both(std::uint32_t amount) { return 0u - amount * 0x10001u; }

} // namespace nwgpu::cuda
