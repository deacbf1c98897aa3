// SPDX-License-Identifier: BSD-3-Clause
// What SeqAn3's configuration has no word for: the third parameter of nwgpu::seqan3::align_pairwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <nwgpu/nwgpu.h>

namespace nwgpu::seqan3 {

enum class backend : std::int32_t {
    automatic = NWGPU_BACKEND_AUTO, // a GPU for long pairs where there is one, else the CPU
    cpu = NWGPU_BACKEND_CPU,
    cuda = NWGPU_BACKEND_CUDA // std::runtime_error where it cannot be had
};

struct options {
    backend engine = backend::automatic;
    std::int32_t device = 0;            // CUDA ordinal
    std::uint64_t max_host_bytes = 0;   // what one batch may take beyond its letters; 0: no limit
    std::uint64_t max_device_bytes = 0; // 0: what is free

    // Pairs are gathered until one of these is reached, and aligned together.  The first batches are smaller.
    std::size_t batch_pairs = std::size_t{1} << 12;
    std::size_t batch_letters = std::size_t{1} << 25;

    // Called while a batch is aligned, with its matrix cells; with more than one thread, or a GPU, on other threads
    // than the caller's, but never twice at a time.  False stops the batch: std::runtime_error.
    std::function<bool(std::uint64_t done, std::uint64_t total)> progress{};
    // Why a GPU is not used, and the like.  Called like `progress`.
    std::function<void(std::string const & text)> log{};
};

// The same, but results carry their CIGAR (nwgpu::seqan3::cigar) in place of alignment(), which they then lack.
struct cigar_options : options {
    bool extended = true; // = and X; else M
};

} // namespace nwgpu::seqan3
