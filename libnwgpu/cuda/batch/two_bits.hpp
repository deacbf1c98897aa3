// SPDX-License-Identifier: BSD-3-Clause
// Letters on their way to the device in two bits each.  Batches of short DNA wait for the memory of the host, and
// nearly all of its letters are of four kinds.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <cuda_runtime_api.h>

#include "model/two_bits.hpp"

namespace nwgpu::cuda::batch {

// The kinds that most of these letters are of, as far as some of them tell; none: too many are strays.
std::optional<FourLetters> four_letters(std::uint8_t const * letters, std::uint64_t count);

// Writes letters, piece by piece.
class TwoBitWriter {
public:
    // `to` has room for TwoBitLayout::most_bytes() and begins at a multiple of 8.
    TwoBitWriter(ToTwoBits to_two_bits, std::uint8_t const * letters, std::uint64_t count, FourLetters const & four,
                 std::uint8_t * to);

    FourLetters const & four() const { return four_; }
    std::uint64_t pieces() const { return ceil_div(layout_.blocks(), blocks_of_piece); }
    void write(std::uint64_t piece); // each once, on any thread
    // When all are written: how many strays there are.  None: more than have room.
    std::optional<std::uint64_t> strays() const { return fit() ? std::optional{strays_.load()} : std::nullopt; }

private:
    static constexpr std::uint64_t blocks_of_piece = 256;

    bool fit() const { return strays_.load(std::memory_order_relaxed) <= layout_.most_strays(); }
    void note_strays(std::uint64_t block);

    ToTwoBits const to_two_bits_;
    std::uint8_t const * const letters_;
    TwoBitLayout const layout_;
    FourLetters const four_;
    std::uint8_t * const to_;
    std::atomic<std::uint64_t> strays_{0};
};

// The letters again, on the device.  `from` and `letters` begin at multiples of 16; up to 15 bytes behind the letters
// are written, too.
struct FromTwoBits {
    std::uint8_t const * from = nullptr;
    std::uint64_t count = 0, strays = 0;
    FourLetters four{};
    std::uint8_t * letters = nullptr;
};
void from_two_bits(cudaStream_t stream, FromTwoBits const & args);

} // namespace nwgpu::cuda::batch
