// SPDX-License-Identifier: BSD-3-Clause
// What a CUDA engine is made with.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "backend/backend.hpp"
#include "checkpoint/swept_matrix.hpp"
#include "model/two_bits.hpp"

namespace nwgpu::cuda {

// What tests may force; zero means: decide.  Where anything but `batch` and `couple_cells` is forced, no
// pair is in a batch.
struct Tuning {
    int rows_per_half = 0;              // of a lane, in packed kernels; -1: plain kernels
    int warps = 0;                      // a multiprocessor
    int width = 0;                      // 64: as if scores left 32 bits
    std::uint64_t max_traced_cells = 0; // a path through more cells uses kept boundaries
    int band = 0;                       // of global pairs; 1: always where one is proven, -1: never
    // Of cells that cannot reach the best local score; 1: a known score is looked for of short pairs, too; -1: never.
    int skip = 0;
    int parts = 0;                  // of the target, for local pairs with few rows; -1: never
    std::uint64_t slab_rows = 0;    // between two checkpoints
    std::uint64_t cuts = 0;         // of the whole matrix, or fewer: what boundaries are kept on
    std::uint64_t most_slabs = 0;   // saved by one call, which then ends as if it was cancelled
    std::uint64_t top_tile = 0;     // letters of the tiles of a matrix with several alignments, both ways
    int kept_in = 0;                // where kept boundaries are; 1: host memory, 2: files
    std::uint64_t free_bytes = 0;   // of the device, as plans see it
    std::uint64_t couple_cells = 0; // of two queries that share targets, or of one, from which on they are couples
    int batch = 0; // of many pairs; k: by chains of k warps at least; -1: never, nor where anything else is forced

    bool operator==(Tuning const &) const = default;
    // Of what is computed: the free memory is only believed.
    bool forces_nothing() const
    {
        Tuning other = *this;
        other.free_bytes = 0;
        return other == Tuning{};
    }
};

struct EngineOptions {
    int device = 0;
    std::uint64_t max_device_bytes = 0; // 0: what is free, less a margin
    void * stream = nullptr;            // a cudaStream_t, or NULL for an own stream
    Tuning tuning;
    // Finds the alignments where Request::top asks for several, in what the device has swept; null: `host` has them.
    std::shared_ptr<checkpoint::SweptFinder const> top_finder;
    // Aligns what no kernel is for: bands and other tie rules; null: they are refused.
    std::shared_ptr<Backend> host;
    std::function<void(std::string const &)> warn; // that a call goes on with less memory; may be empty
    // Letters into two bits each, as fast as this processor can; null: they go to the device as they are.
    ToTwoBits to_two_bits = nullptr;
};

} // namespace nwgpu::cuda
