// SPDX-License-Identifier: BSD-3-Clause
// The cells of one lane of a ring (ring.hpp): those of a group, and what happens where a half of the lane leaves a
// block of rows for another one.
#pragma once

#include "cuda/batch/group_field.cuh"
#include "cuda/batch/ring.hpp"

namespace nwgpu::cuda::batch {

// Numbers of a ring, for any pair: where they begin, what a block's are lower than those of the block above, and the
// least one that a block may begin with (docs/proofs.md, lemma 28).
struct RingNumbers {
    int zero, fall, floor;

    // best: with its drift.  Walks take residues modulo 16 as those of a group, whose numbers begin at `group_zero`;
    // they fall by a multiple of 16.
    __host__ __device__ static RingNumbers of(int rows, int best, int open, int group_zero)
    {
        int const fall = rows * best, zero = 65535 - fall - 512;
        return {zero - (zero - group_zero) % 16, fall, fall + 4 * open + 256};
    }
};

template <int rows>
struct RingField : GroupField<rows, false> {
    using Base = GroupField<rows, false>;
    using Constants = typename Base::Constants;
    using Base::above;
    using Base::E;
    using Base::F;
    using Base::H;

    Halves last; // H of the last row of each half, before a half began another block: the one below still asks
    Halves raw;  // H above the first row of each half, in its last column, as the block above has it
    Halves hold; // a mask of the half that gets `held` in its place, since that block is gone
    Halves held;
    Halves minus_fall;
    std::uint32_t words[rows / 4 + 1], shift; // letters of the next block of this lane, from their word on; bits

    __host__ __device__ static constexpr Halves mask(int half) { return half ? 0xffff0000u : 0xffffu; }
    __host__ __device__ static Halves pick(Halves mask, Halves those, Halves others)
    {
        return (those & mask) | (others & ~mask);
    }

    // Nothing but the border above the first block is there yet.
    __host__ __device__ void start(Constants const & k, RingNumbers const & numbers)
    {
        raw = above = add2(both(numbers.zero), k.minus_open);
        last = hold = held = this->hand = F = 0;
        shift = 0;
        minus_fall = both(-numbers.fall);
#pragma unroll
        for (int r = 0; r < rows; ++r)
            H[r] = E[r] = 0;
#pragma unroll
        for (int w = 0; w <= rows / 4; ++w)
            words[w] = 0;
    }
    // What comes from above the first row of the first block, in the column j from 0; it falls as all does.
    __host__ __device__ static Halves top(GroupArgs const & args, RingNumbers const & numbers, int j)
    {
        int const zero = numbers.zero + numbers.fall, gap = zero - args.open;
        return static_cast<Halves>(j == -1 ? zero : gap) | static_cast<Halves>(j < 0 ? gap : gap - args.open) << 16;
    }

    // The letters of a block that begins h steps later.  Up to three before and three behind them are read.
    __host__ __device__ void load_letters(std::uint8_t const * block)
    {
        auto const address = reinterpret_cast<std::uintptr_t>(block);
        auto const * const from = reinterpret_cast<std::uint32_t const *>(address & ~std::uintptr_t{3});
        shift = 8 * static_cast<std::uint32_t>(address & 3);
#pragma unroll
        for (int w = 0; w <= rows / 4; ++w)
            words[w] = from[w];
    }
    // The profile of a half from these letters; `letters` different ones score alike.
    __host__ __device__ void build_profile(char * at, int half, std::uint32_t letters, std::uint32_t best,
                                           std::uint32_t worst) const
    {
        constexpr int count = rows / 4;
        static_assert(rows % 16 == 0);
        std::uint32_t query[count];
#pragma unroll
        for (int w = 0; w < count; ++w)
            query[w] = static_cast<std::uint32_t>((std::uint64_t{words[w + 1]} << 32 | words[w]) >> shift);
        char * to = at + half * Profile<rows>::half_bytes;
#pragma unroll 1
        for (std::uint32_t letter = 0; letter < letters; ++letter, to += Profile<rows>::letter_bytes)
#pragma unroll
            for (int c = 0; c < count / 4; ++c) {
                auto const word = [&](int w) {
                    return pick(equal_bytes(query[4 * c + w], letter * 0x01010101u), best, worst);
                };
                *reinterpret_cast<uint4 *>(to + 512 * c) = {word(0), word(1), word(2), word(3)};
            }
    }
    // Of the letter that no sequence has, for both halves.
    __host__ __device__ static void build_no_letter(char * at, std::uint32_t letters)
    {
        for (int c = 0; c < 2 * Profile<rows>::quads; ++c)
            *reinterpret_cast<uint4 *>(at + letters * Profile<rows>::letter_bytes +
                                       512 * c) = {0xc0c0c0c0u, 0xc0c0c0c0u, 0xc0c0c0c0u, 0xc0c0c0c0u};
    }

    // Before its first column, a block has a gap downwards on its left.  False: its numbers may become too low.
    __host__ __device__ bool begin_block(Constants const & k, int half, RingNumbers const & numbers)
    {
        Halves const here = mask(half), h = add2(raw, k.minus_open), e = add2(h, k.minus_open);
        above = pick(here, raw, above);
        hold &= ~here;
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            H[r] = pick(here, h, H[r]);
            E[r] = pick(here, e, E[r]);
        }
        return static_cast<int>(half ? raw >> 16 : raw & 0xffffu) >= numbers.floor;
    }
    // In the step after the last column of the block above a half.
    __host__ __device__ void begin_hold(Constants const & k, int half)
    {
        hold |= mask(half);
        held = pick(mask(half), add2(above, k.minus_open), held);
    }
    __host__ __device__ void step(Constants const & k, Halves in, char const * now, char const * before)
    {
        raw = add2(permute<0x5410>(in, last), minus_fall);
        Halves const gap = add2(permute<0x5432>(in, F), minus_fall);
        Base::advance(k, pick(hold, held, raw), pick(hold, add2(held, k.minus_open), gap), now, before, 0);
        last = H[rows - 1];
    }

private:
    // 255 in each byte that is equal.
    __host__ __device__ static std::uint32_t equal_bytes(std::uint32_t a, std::uint32_t b)
    {
#if defined(__CUDA_ARCH__) && defined(__CUDACC__)
        return __vcmpeq4(a, b);
#else
        std::uint32_t result = 0;
        for (int byte = 0; byte < 4; ++byte)
            if (((a ^ b) >> (8 * byte) & 255) == 0)
                result |= 255u << (8 * byte);
        return result;
#endif
    }
};

} // namespace nwgpu::cuda::batch
