// SPDX-License-Identifier: BSD-3-Clause
// Every symbol takes two bytes, so that a copy copies places as it copies bytes: there is one loop for both.
#include "gzip/inflater.hpp"

#include <algorithm>

namespace cli {

namespace {

constexpr std::size_t longest_copy = 258;
constexpr std::size_t slack = longest_copy + 32; // copies write some symbols more than they have to
constexpr std::size_t first_room = std::size_t{1} << 17;

// Copies may overlap: what is written is read again.  Most are short, which costs no round of a loop.
inline void copy(std::uint16_t * to, std::uint32_t distance, std::uint32_t count)
{
    constexpr std::uint32_t at_once = 8;
    std::uint16_t const * from = to - distance;
    std::uint16_t const * const end = to + count;
    if (distance >= at_once) {
        std::memcpy(to, from, at_once * sizeof *to);
        std::memcpy(to + at_once, from + at_once, at_once * sizeof *to);
        for (to += 2 * at_once, from += 2 * at_once; to < end; to += at_once, from += at_once)
            std::memcpy(to, from, at_once * sizeof *to);
    } else if (distance == 1) {
        std::uint64_t const four = *from * std::uint64_t{0x0001000100010001};
        for (; to < end; to += 4)
            std::memcpy(to, &four, sizeof four);
    } else {
        for (; to < end; ++to, ++from)
            *to = *from;
    }
}

} // namespace

Window::Window() : of_symbol_(first_place + window_size)
{
    for (std::size_t byte = 0; byte < first_place; ++byte)
        of_symbol_[byte] = static_cast<std::uint8_t>(byte);
}

void Window::set(std::vector<std::uint8_t> const & bytes)
{
    std::copy(bytes.begin(), bytes.end(), of_symbol_.begin() + first_place);
}

void Symbols::begin()
{
    if (room_ == 0)
        grow(first_room);
    for (std::size_t i = 0; i < window_size; ++i)
        values_[i] = static_cast<std::uint16_t>(Window::first_place + i);
    size_ = window_size;
    member_ = 0;
    ends_.clear();
}

void Symbols::begin(Window const & window, std::size_t known)
{
    begin();
    std::copy_n(window.bytes(), window_size, values_.get());
    member_ = window_size - known;
}

bool Symbols::belongs(std::size_t known)
{
    std::size_t const unknown = window_size - known, first = Window::first_place;
    if (unknown > 0 && std::any_of(values_.get() + window_size, values_.get() + size_,
                                   [&](std::uint16_t value) { return value >= first && value < first + unknown; }))
        return false;
    member_ = std::max(member_, unknown);
    return true;
}

// Twice as much, up to so many symbols, and what copies write behind them.
void Symbols::grow(std::size_t most)
{
    std::size_t const room = room_ == 0 ? first_room : std::min(2 * room_, window_size + most + slack);
    std::unique_ptr<std::uint16_t[]> values(new std::uint16_t[room]);
    std::copy_n(values_.get(), size_, values.get());
    values_ = std::move(values);
    room_ = room;
}

void Symbols::move_window(Window & window) const
{
    std::vector<std::uint8_t> last(window_size);
    for (std::size_t i = 0; i < window_size; ++i)
        last[i] = window[values_[size_ - window_size + i]];
    window.set(last);
}

void Symbols::resolve(Window const & window, std::size_t first, std::size_t count, char * to) const
{
    std::uint16_t const * const from = values_.get() + window_size + first;
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        std::uint64_t four;
        std::memcpy(&four, from + i, sizeof four);
        std::uint8_t const some[4]{window[four & 0xffff], window[four >> 16 & 0xffff], window[four >> 32 & 0xffff],
                                   window[four >> 48]};
        std::memcpy(to + i, some, sizeof some);
    }
    for (; i < count; ++i)
        to[i] = static_cast<char>(window[from[i]]);
}

void Inflater::begin_member(std::uint64_t bit)
{
    state_ = State::member;
    bit_ = bit;
    first_member_ = true;
}

void Inflater::begin_block(std::uint64_t bit)
{
    state_ = State::block;
    bit_ = bit;
    first_member_ = false;
}

Inflater::Stop Inflater::run(Piece const & piece, std::uint64_t stop_bit, std::size_t most, Symbols & symbols)
{
    for (;;)
        if (Stops const stop = next_part(piece, stop_bit, most, symbols))
            return *stop;
}

Inflater::Stops Inflater::next_part(Piece const & piece, std::uint64_t stop_bit, std::size_t most, Symbols & symbols)
{
    switch (state_) {
    case State::member:
        return read_member(piece, symbols);
    case State::block:
        return read_block(piece, stop_bit);
    case State::stored:
        return copy_stored(piece, most, symbols);
    case State::coded:
        return decode(piece, most, symbols);
    case State::trailer:
        break;
    }
    return read_trailer(piece, symbols);
}

// Members may be followed by zeros, which fill a block of a tape.  The check of a header, which few files have, is not
// looked at.
Inflater::Stops Inflater::read_member(Piece const & piece, Symbols & symbols)
{
    constexpr std::size_t fixed_bytes = 10;
    constexpr std::uint8_t has_check = 2, has_extra = 4, has_name = 8, has_comment = 16, unknown_flags = 0xe0;
    std::uint8_t const * at = piece.bytes + (bit_ / 8 - piece.place);
    std::uint8_t const * const end = piece.bytes + piece.size;
    if (!first_member_)
        at = std::find_if(at, end, [](std::uint8_t byte) { return byte != 0; });
    bit_ = 8 * (piece.place + static_cast<std::uint64_t>(at - piece.bytes));
    if (at == end && piece.last && !first_member_)
        return Stop::end;
    Stop const too_short = piece.last ? Stop::damaged : Stop::input;
    auto const left = [&] { return static_cast<std::size_t>(end - at); };
    if (left() < fixed_bytes)
        return too_short;
    std::uint8_t const flags = at[3];
    if (at[0] != 0x1f || at[1] != 0x8b || at[2] != 8 || (flags & unknown_flags) != 0)
        return Stop::damaged;
    at += fixed_bytes;
    if ((flags & has_extra) != 0) {
        if (left() < 2 || left() < 2 + (at[0] | std::size_t{at[1]} << 8))
            return too_short;
        at += 2 + (at[0] | std::size_t{at[1]} << 8);
    }
    for (std::uint8_t const text : {has_name, has_comment})
        if ((flags & text) != 0) {
            at = std::find(at, end, 0);
            if (at == end)
                return too_short;
            ++at;
        }
    if ((flags & has_check) != 0) {
        if (left() < 2)
            return too_short;
        at += 2;
    }
    bit_ = 8 * (piece.place + static_cast<std::uint64_t>(at - piece.bytes));
    state_ = State::block;
    symbols.member_ = symbols.size_;
    return std::nullopt;
}

Inflater::Stops Inflater::read_trailer(Piece const & piece, Symbols & symbols)
{
    constexpr std::size_t bytes = 8;
    std::uint64_t const byte = (bit_ + 7) / 8;
    if (byte + bytes > piece.place + piece.size)
        return piece.last ? Stop::damaged : Stop::input;
    BitReader reader(piece, 8 * byte);
    std::uint32_t const crc = static_cast<std::uint32_t>(reader.bits() & 0xffffffff);
    reader.take(32);
    reader.fill();
    symbols.ends_.push_back({symbols.size(), crc, static_cast<std::uint32_t>(reader.bits() & 0xffffffff)});
    bit_ = 8 * (byte + bytes);
    state_ = State::member;
    first_member_ = false;
    return std::nullopt;
}

Inflater::Stops Inflater::read_block(Piece const & piece, std::uint64_t stop_bit)
{
    if (!piece.last && bit_ + 8 * most_header_bytes > piece.end_bit())
        return Stop::input;
    if (bit_ >= stop_bit && BitReader(piece, bit_).bits(findable_bits) == findable)
        return Stop::block;
    constexpr std::uint32_t stored = 0, fixed = 1, with_codes = 2;
    BitReader reader(piece, bit_);
    last_block_ = reader.next(1) != 0;
    std::uint32_t const kind = reader.next(2);
    if (kind == stored) {
        reader.take(static_cast<unsigned>(-reader.bit() % 8));
        reader.fill();
        std::uint32_t const size = reader.next(16);
        if (size != (reader.next(16) ^ 0xffff))
            return Stop::damaged;
        stored_ = size;
        state_ = State::stored;
    } else if (kind == fixed) {
        codes_ = &fixed_codes();
        state_ = State::coded;
    } else if (kind == with_codes && read_codes(reader, own_codes_)) {
        codes_ = &own_codes_;
        state_ = State::coded;
    } else {
        return Stop::damaged;
    }
    bit_ = reader.bit();
    return bit_ <= piece.end_bit() ? Stops{} : Stop::damaged;
}

Inflater::Stops Inflater::copy_stored(Piece const & piece, std::size_t most, Symbols & symbols)
{
    std::uint64_t const byte = bit_ / 8;
    std::size_t const there = static_cast<std::size_t>(piece.place + piece.size - byte);
    std::size_t const room = most - std::min(most, symbols.size());
    std::size_t const count = std::min({stored_, there, room});
    while (symbols.room_ < symbols.size_ + count)
        symbols.grow(most);
    std::copy_n(piece.bytes + (byte - piece.place), count, symbols.values_.get() + symbols.size_);
    symbols.size_ += count;
    bit_ += 8 * count;
    stored_ -= count;
    if (stored_ == 0) {
        end_block();
        return std::nullopt;
    }
    return count == room ? Stop::room : piece.last ? Stop::damaged : Stop::input;
}

Inflater::Stops Inflater::decode(Piece const & piece, std::size_t most, Symbols & symbols)
{
    namespace letter = letter_entry;
    constexpr std::size_t most_read = 32; // bytes, by a round of the loop, and what is made ready ahead
    if (!piece.last && bit_ / 8 + most_read > piece.place + piece.size)
        return Stop::input;
    BitReader reader(piece, bit_);
    std::uint8_t const * const few_left = piece.bytes + std::max(piece.size, most_read) - most_read;
    std::uint32_t const * const letters = codes_->letters.data();
    std::uint32_t const * const distances = codes_->distances.data();
    std::uint16_t * out = symbols.values_.get() + symbols.size_;
    std::uint16_t *before = out, *member = nullptr, *full = nullptr;
    auto const place_limits = [&] {
        full = symbols.values_.get() + symbols.room_ - slack;
        member = symbols.values_.get() + symbols.member_;
    };
    place_limits();
    auto const put = [&](std::uint32_t entry) { // literals
        std::uint64_t const bytes = entry >> letter::bytes_at;
        std::uint64_t const four = (bytes & 0xff) | (bytes & 0xff00) << 8 | (bytes & 0xff0000) << 16; // little-endian
        std::memcpy(out, &four, sizeof four);
        out += (entry & letter::literals) >> letter::literals_at;
        reader.take(entry & used_bits);
    };
    std::uint32_t entry = 0;
    auto const look_up = [&] {
        reader.fill();
        entry = letters[reader.bits(letter_bits)];
    };
    Stops stop;
    look_up();
    for (;;) {
        if (reader.unread() > few_left) {
            if (!piece.last) {
                stop = Stop::input;
                break;
            }
            if (reader.bit() > piece.end_bit()) {
                stop = Stop::damaged;
                break;
            }
        }
        if (out >= full) {
            symbols.size_ = static_cast<std::size_t>(out - symbols.values_.get());
            if (symbols.size() >= most) {
                stop = Stop::room;
                break;
            }
            symbols.grow(most);
            out = symbols.values_.get() + symbols.size_;
            place_limits();
        }
        before = out;
        if ((entry & letter::literals) != 0) {
            put(entry);
            entry = letters[reader.bits(letter_bits)];
            if ((entry & letter::literals) != 0) {
                put(entry);
                entry = letters[reader.bits(letter_bits)];
                if ((entry & letter::literals) != 0) {
                    put(entry);
                    look_up();
                    continue;
                }
            }
            reader.fill();
        }
        if ((entry & letter::special) != 0 && (entry & (letter::end_of_block | letter::no_code)) == 0) {
            std::uint32_t const index = reader.bits(letter_bits + (entry & used_bits)) >> letter_bits;
            entry = letters[(entry >> letter::place_at) + index];
            if ((entry & letter::literals) != 0) {
                put(entry);
                look_up();
                continue;
            }
        }
        if ((entry & letter::special) != 0) {
            reader.take(entry & used_bits);
            if ((entry & letter::no_code) != 0 || reader.bit() > piece.end_bit())
                stop = Stop::damaged;
            else
                end_block();
            break;
        }
        std::uint32_t const length = (entry >> letter::base_at & letter::base) +
                                     (reader.bits(entry & used_bits) >> (entry >> letter::code_at & letter::code));
        reader.take(entry & used_bits);
        std::uint32_t far = distances[reader.bits(distance_bits)];
        if ((far & (distance_entry::special | distance_entry::no_code)) == distance_entry::special) {
            std::uint32_t const index = reader.bits(distance_bits + (far & used_bits)) >> distance_bits;
            far = distances[(far >> distance_entry::place_at) + index];
        }
        std::uint32_t const distance =
            (far >> distance_entry::base_at) +
            (reader.bits(far & used_bits) >> (far >> distance_entry::code_at & distance_entry::code));
        reader.take(far & used_bits);
        if ((far & distance_entry::special) != 0 || distance > static_cast<std::size_t>(out - member)) {
            stop = Stop::damaged;
            break;
        }
        look_up(); // while bytes are copied
        copy(out, distance, length);
        out += length;
    }
    if (reader.bit() > piece.end_bit()) // what the last round read was not there
        out = before;
    symbols.size_ = static_cast<std::size_t>(out - symbols.values_.get());
    bit_ = std::min(reader.bit(), piece.end_bit());
    return stop;
}

} // namespace cli
