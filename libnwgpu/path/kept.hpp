// SPDX-License-Identifier: BSD-3-Clause
// Kept boundaries with absolute scores: what the CUDA engine stores, and what both engines write into checkpoints.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "model/scoring.hpp"

namespace nwgpu::path {

// One cell of a boundary.  Horizontal ones hold H and the F of the row below, vertical ones H and the E of the next
// column.  S: std::int32_t where the scores of the whole pair fit, else std::int64_t.
template <class S>
struct Entry {
    S h, gap;
};
template <class S>
Entry<std::int64_t> widened(Entry<S> const & entry)
{
    return {entry.h, entry.gap};
}

// An entry in memory.  With 32 bits it is one word: H - extend - gap lies in 0 .. open, since going on with a gap or
// opening one from H is always possible, and takes the lowest bits.  keeps_in_32_bits() proves that H fits the others
// (docs/proofs.md, lemma 15).
template <class S>
struct alignas(2 * sizeof(S)) Kept {
    S h, gap;
};
template <>
struct Kept<std::int32_t> {
    std::int32_t word;
};

template <class S>
struct KeptCode {
    S open = 0, extend = 0;
    int bits = 0;

    NWGPU_HOST_DEVICE static KeptCode of(S open, S extend)
    {
        KeptCode code{open, extend, 0};
        while (open >> code.bits != 0)
            ++code.bits;
        return code;
    }
    NWGPU_HOST_DEVICE Kept<S> keep(Entry<S> entry) const
    {
        if constexpr (sizeof(S) == 4) {
            S const below = entry.h - extend - entry.gap, part = below < 0 ? 0 : below < open ? below : open;
            return {static_cast<S>(static_cast<std::uint32_t>(entry.h) << bits) | part};
        } else {
            return {entry.h, entry.gap};
        }
    }
    // Of a cell from which a gap can only begin.
    NWGPU_HOST_DEVICE Kept<S> keep(S h) const { return keep({h, h - open - extend}); }
    NWGPU_HOST_DEVICE Entry<S> show(Kept<S> kept) const
    {
        if constexpr (sizeof(S) == 4) {
            S const h = kept.word >> bits;
            return {h, h - extend - (kept.word & ((S{1} << bits) - 1))};
        } else {
            return {kept.h, kept.gap};
        }
    }
};

// Whether every score of a pair fits Kept<std::int32_t>, with room for some steps.
bool keeps_in_32_bits(Scoring const & scoring, std::uint64_t m, std::uint64_t n);

} // namespace nwgpu::path
