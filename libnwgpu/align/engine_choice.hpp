// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of a piece a GPU is predicted to align sooner than the CPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "backend/monitor.hpp"
#include "base/rest_of_limit.hpp"

namespace nwgpu {

// Of a pair that a GPU, which has started, does not align together with others.
double gpu_seconds_if_similar(PairView const & pair);

// Pairs are in order in each of the lists.
class EngineChoice {
public:
    EngineChoice() = default; // all pairs are the CPU's
    // `start_seconds`: that the GPU has to gain before it is worth its start.  `gpu`: null until it has started.
    // May align some pairs on the CPU to see how long they take; throws where the caller stops that.
    EngineChoice(Piece const & piece, Backend & cpu, double start_seconds, Backend * gpu, Monitor & monitor);

    std::span<std::uint64_t const> on_gpu() const
    {
        return all_on_gpu_.empty() ? std::span<std::uint64_t const>{on_gpu_} : all_on_gpu_;
    }
    std::span<std::uint64_t const> on_cpu() const { return on_cpu_; } // none where all are the CPU's
    // Of pairs that are the CPU's for want of a GPU that has started.
    struct Missed {
        double seconds = 0;     // that they would take it; 0: there are none
        double part_of_cpu = 0; // of what all pairs that are the CPU's take
    };
    Missed const & missed() const { return missed_; }

    // Pairs, in neither list, that the CPU has sooner if their sequences are similar, which a try will tell.
    struct Tries {
        std::vector<std::uint64_t> pairs;
        double seconds = 0; // that they take the GPU then
    };
    Tries const & tries() const { return tries_; }
    // Where those of them go in the end.
    void give_to_gpu(std::span<std::uint64_t const> pairs) { add(pairs, on_gpu_); }
    void give_to_cpu(std::span<std::uint64_t const> pairs) { add(pairs, on_cpu_); }

    // Some pairs of the piece, in what is left of its memory.  `beside`: bytes of other lists.
    Piece part(Piece const & piece, std::span<std::uint64_t const> some, std::uint64_t beside = 0) const
    {
        return {piece.batch, some, piece.scoring, piece.request, rest_of_limit(piece.max_host_bytes, bytes() + beside)};
    }
    std::uint64_t bytes() const
    {
        return (on_gpu_.capacity() + on_cpu_.capacity() + tries_.pairs.capacity()) * sizeof(std::uint64_t);
    }

private:
    static void add(std::span<std::uint64_t const> pairs, std::vector<std::uint64_t> & to)
    {
        to.insert(to.end(), pairs.begin(), pairs.end());
        std::ranges::sort(to);
    }

    std::span<std::uint64_t const> all_on_gpu_; // the piece's
    std::vector<std::uint64_t> on_gpu_, on_cpu_;
    Tries tries_;
    Missed missed_;
};

} // namespace nwgpu
