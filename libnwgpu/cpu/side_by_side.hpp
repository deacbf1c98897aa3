// SPDX-License-Identifier: BSD-3-Clause
// Similar pairs of a call that share vectors: those of few changes in lanes of bits, others in bands of lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "backend/monitor.hpp"
#include "base/team.hpp"
#include "base/uninitialized.hpp"
#include "cpu/batch/band_batch.hpp"
#include "cpu/batch/bit_batch.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "cpu/options.hpp"
#include "cpu/work.hpp"

namespace nwgpu::cpu {

class SideBySide {
public:
    // All of them live longer than this; `memories`, too: of threads, from call to call.
    SideBySide(KernelTable const & kernels, Tuning const & tuning, LaneLosses & losses, Team & team,
               std::vector<FurthestMemory> & memories) :
        kernels_{kernels}, tuning_{tuning}, losses_{losses}, team_{team}, memories_{memories}
    {}

    // So many pairs are few: one thread has them.
    static constexpr std::uint64_t few_pairs = 128;

    // By so many threads, takes pairs that are similar out of `pairs`.  Returns how many of the others would go if
    // there were more of them.  No answers: all are dropped.
    std::uint64_t align(Piece const & piece, Scheme const & scheme, int threads, Array<std::uint64_t> & pairs,
                        Monitor & monitor, Answers * answers);
    // Upper bounds of what is allocated for pairs of no more letters than this by each thread, but for their CIGARs,
    // and for each pair.
    static std::uint64_t bytes_of_thread(Scheme const & scheme, std::uint64_t longest);
    static constexpr std::uint64_t bytes_per_pair = BandBatch::bytes_per_pair;
    void trim()
    {
        bit_memories_.clear();
        band_memories_.clear();
    }

private:
    std::uint64_t align_in_bands(Piece const & piece, Scheme const & scheme, int threads, Array<std::uint64_t> & pairs,
                                 Monitor & monitor, Answers * answers);
    template <class Align>
    void take_out(int threads, Array<std::uint64_t> & pairs, Align const & align);

    KernelTable const & kernels_;
    Tuning const & tuning_;
    LaneLosses & losses_;
    Team & team_;
    std::vector<FurthestMemory> & memories_;
    std::vector<BitMemory> bit_memories_; // of threads
    std::vector<BandMemory> band_memories_;
};

// Of entries in parts, of which so many at their begins are wanted: those, in order.
void close_gaps(Array<std::uint64_t> & entries, std::uint64_t part, std::span<std::uint64_t const> wanted);

} // namespace nwgpu::cpu
