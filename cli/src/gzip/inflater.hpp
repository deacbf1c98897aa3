// SPDX-License-Identifier: BSD-3-Clause
// Inflates a gzip file (RFC 1951, 1952) from any block on, even where the bytes before it are not known yet: what is
// copied from those is written down as a place.
#pragma once

#include "gzip/block_header.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cli {

constexpr std::size_t window_size = std::size_t{1} << 15; // as far as copies reach

// What the symbols of a stretch stand for, once the window_size bytes before it are known.
class Window {
public:
    Window();

    std::uint8_t const * bytes() const { return of_symbol_.data() + first_place; }
    std::uint8_t operator[](std::uint16_t symbol) const { return of_symbol_[symbol]; }
    void set(std::vector<std::uint8_t> const & bytes);

    static constexpr std::uint16_t first_place = 256; // smaller symbols are bytes

private:
    std::vector<std::uint8_t> of_symbol_;
};

// What a stretch of a file holds, behind a window: each symbol is a byte, or the place of a byte in the window.
class Symbols {
public:
    // Of a member of the file, which ends behind so many symbols.
    struct MemberEnd {
        std::size_t before;
        std::uint32_t crc, size;
    };

    // Empty, behind a window that is not known.
    void begin();
    // Behind this one, of which so many bytes, the last ones, belong to the same member.
    void begin(Window const & window, std::size_t known);

    std::size_t size() const { return size_ - window_size; }
    std::vector<MemberEnd> const & ends() const { return ends_; }
    // Of an unknown window: whether nothing was copied from before the member, which has so many bytes in it.
    bool belongs(std::size_t known);
    // How many of the last window_size bytes belong to the same member as what follows.
    std::size_t known() const { return std::min(size_ - member_, window_size); }
    void move_window(Window & window) const;
    // The bytes of so many symbols.
    void resolve(Window const & window, std::size_t first, std::size_t count, char * to) const;

private:
    friend class Inflater;

    void grow(std::size_t most);

    std::unique_ptr<std::uint16_t[]> values_; // the window first
    std::size_t room_ = 0, size_ = 0;
    std::size_t member_ = 0; // where the member begins, or the window
    std::vector<MemberEnd> ends_;
};

class Inflater {
public:
    enum class Stop {
        block,   // at or behind the bit told, before a block that find_block() finds
        input,   // behind the piece more is needed; it may be in the middle of a block
        room,    // so many symbols are there
        end,     // of the file
        damaged, // the file ends too early, or is no gzip file from here on
    };

    // From a bit of the file on: a member, or, where a bit of its first block is told, that block.
    void begin_member(std::uint64_t bit);
    void begin_block(std::uint64_t bit);

    // Goes on, with a piece that holds the byte of bit().
    Stop run(Piece const & piece, std::uint64_t stop_bit, std::size_t most, Symbols & symbols);

    std::uint64_t bit() const { return bit_; }
    // Whether what follows is a block.
    bool at_block() const { return state_ == State::block; }

private:
    enum class State { member, block, stored, coded, trailer };

    // One part of the file each; nothing where another one follows it.
    using Stops = std::optional<Stop>;
    Stops read_member(Piece const & piece, Symbols & symbols);
    Stops read_block(Piece const & piece, std::uint64_t stop_bit);
    Stops copy_stored(Piece const & piece, std::size_t most, Symbols & symbols);
    Stops decode(Piece const & piece, std::size_t most, Symbols & symbols);
    Stops read_trailer(Piece const & piece, Symbols & symbols);
    Stops next_part(Piece const & piece, std::uint64_t stop_bit, std::size_t most, Symbols & symbols);
    void end_block() { state_ = last_block_ ? State::trailer : State::block; }

    State state_ = State::member;
    std::uint64_t bit_ = 0;
    bool first_member_ = true, last_block_ = false;
    std::size_t stored_ = 0; // bytes that are left of a block
    BlockCodes own_codes_;
    BlockCodes const * codes_ = nullptr; // of the block, these or the fixed ones
};

} // namespace cli
