// SPDX-License-Identifier: BSD-3-Clause
// The letters of one side of a chunk, as they lie in the batch, on their way to the device.  From page-locked memory
// they may go at once; else all threads put them into such memory, where they take two bits each if nearly all of them
// are of four kinds.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda/batch/two_bits.hpp"
#include "cuda/device/device.hpp"

namespace nwgpu::cuda::batch {

class LettersUp {
public:
    // Null: letters go as they are.
    explicit LettersUp(ToTwoBits to_two_bits) : to_two_bits_{to_two_bits} {}

    // Page-locked memory of this side, for who has other letters to send.
    std::uint8_t * room_for(std::uint64_t bytes) { return static_cast<std::uint8_t *>(up_.grow(bytes)); }
    void trim() { up_.clear(); }

    void begin_call() { in_vain_ = false; }
    // These letters are next, in memory of any kind.  `locked_too`: also page-locked ones in two bits.
    void begin(std::uint8_t const * from, std::uint64_t bytes, bool locked_too);
    bool in_two_bits() const { return writer_.has_value(); }
    // Of those that are not staged yet.
    std::uint64_t pieces() const;
    void stage(std::uint64_t piece); // each once, on any thread
    // When all pieces are staged.  False: strays are too many for two bits, and there are pieces again, or, of
    // page-locked letters, none.
    bool end_stage();
    // Begins to copy them to `to`.  Two bits of each go through `two_bits`, device memory for
    // TwoBitLayout::most_bytes(); both begin at multiples of 16, and up to 15 bytes behind the letters are written,
    // too.
    void send(cudaStream_t stream, std::uint8_t * to, std::uint8_t * two_bits);

private:
    ToTwoBits const to_two_bits_;
    PinnedBuffer up_;
    std::uint8_t const * from_ = nullptr;
    std::uint64_t bytes_ = 0;
    bool page_locked_ = false; // there
    bool is_staged_ = false;
    bool in_vain_ = false;               // since begin_call(), two bits were tried
    std::optional<TwoBitWriter> writer_; // of letters in two bits
};

} // namespace nwgpu::cuda::batch
