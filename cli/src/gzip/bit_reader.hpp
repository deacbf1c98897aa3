// SPDX-License-Identifier: BSD-3-Clause
// Bits of a deflate stream, the lowest of each byte first.  Used where ParallelGzip is: on little-endian processors.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cli {

// A part of a file in memory, with `padding` bytes behind it that may be read and are zero.
struct Piece {
    static constexpr std::size_t padding = 512; // more than any header of a block has

    std::uint8_t const * bytes = nullptr;
    std::size_t size = 0;
    std::uint64_t place = 0; // in the file
    bool last = false;       // the file ends with it

    std::uint64_t end_bit() const { return 8 * (place + size); }
};

class BitReader {
public:
    // From a bit of the file on, which lies in the piece or right behind it.
    BitReader(Piece const & piece, std::uint64_t bit) :
        begin_bit_(8 * piece.place), bytes_(piece.bytes), next_(piece.bytes + (bit / 8 - piece.place))
    {
        fill();
        take(static_cast<unsigned>(bit % 8));
    }

    // Makes at least 56 bits ready.
    void fill()
    {
        std::uint64_t more;
        std::memcpy(&more, next_, sizeof more);
        bits_ |= more << ready_;
        next_ += (63 - ready_) >> 3;
        ready_ |= 56;
    }
    std::uint64_t bits() const { return bits_; }
    std::uint32_t bits(unsigned count) const { return static_cast<std::uint32_t>(bits_ & ((1u << count) - 1)); }
    void take(unsigned count)
    {
        bits_ >>= count;
        ready_ -= count;
    }
    std::uint32_t next(unsigned count)
    {
        std::uint32_t const value = bits(count);
        take(count);
        return value;
    }
    // Of the file.
    std::uint64_t bit() const { return begin_bit_ + 8 * static_cast<std::uint64_t>(next_ - bytes_) - ready_; }
    // The next byte that was not made ready.
    std::uint8_t const * unread() const { return next_; }

private:
    std::uint64_t begin_bit_;
    std::uint8_t const *bytes_, *next_;
    std::uint64_t bits_ = 0;
    unsigned ready_ = 0;
};

} // namespace cli
