// SPDX-License-Identifier: BSD-3-Clause
// A 64-bit number that tells byte strings apart: sequences, scorings, the content of files.  Against accidents, not
// against attacks: whoever wants two strings with the same fingerprint can make them.
//
// Four lanes take every fourth word of 8 bytes each, so that the multiplications of one overlap with those of the
// others: the speed is that of memory.  A step,
//     lane = (rotl(lane, 27) ^ word * a) * b        (a and b odd),
// is a bijection of the lane and of the word.  Hence two strings of one length that differ within one word (8 bytes
// from a multiple of 8 on) never have the same fingerprint; all others have by chance, 2^-64.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace nwgpu {

// Of a list of parts.  The length of each counts: {"AC", "G"}, {"A", "CG"} and {"ACG"} differ, and so does {"ACG", ""}.
class Fingerprint {
public:
    void add(std::span<std::byte const> part)
    {
        std::uint64_t lane_0 = lane_[0], lane_1 = lane_[1], lane_2 = lane_[2], lane_3 = lane_[3];
        std::size_t const blocks = part.size() / 32;
        for (std::byte const *at = part.data(), *end = at + 32 * blocks; at != end; at += 32) {
            lane_0 = step(lane_0, word(at));
            lane_1 = step(lane_1, word(at + 8));
            lane_2 = step(lane_2, word(at + 16));
            lane_3 = step(lane_3, word(at + 24));
        }
        // The rest, with zeros behind it; then the length.
        std::byte rest[32] = {};
        std::size_t const left = part.size() - 32 * blocks;
        if (left > 0) {
            std::memcpy(rest, part.data() + 32 * blocks, left);
            lane_0 = step(lane_0, word(rest));
            lane_1 = step(lane_1, word(rest + 8));
            lane_2 = step(lane_2, word(rest + 16));
            lane_3 = step(lane_3, word(rest + 24));
        }
        lane_[0] = step(lane_0, part.size());
        lane_[1] = lane_1;
        lane_[2] = lane_2;
        lane_[3] = lane_3;
    }
    // The bytes of a number, or of numbers: any type without padding.
    template <class T>
    void add_value(T const & value)
    {
        static_assert(std::has_unique_object_representations_v<T>, "padding and floating-point numbers do not count");
        add(std::as_bytes(std::span{&value, 1}));
    }

    std::uint64_t value() const
    {
        std::uint64_t all = 0;
        for (std::uint64_t const lane : lane_)
            all = step(all, lane);
        all = (all ^ (all >> 32)) * a; // every bit of the lanes moves every bit of the result
        return all ^ (all >> 29);
    }

private:
    static constexpr std::uint64_t a = 0x9e3779b97f4a7c15, b = 0xb7e151628aed2a6b; // of the golden ratio and of e

    static std::uint64_t step(std::uint64_t lane, std::uint64_t word) { return (std::rotl(lane, 27) ^ (word * a)) * b; }
    static std::uint64_t word(std::byte const * from) // in the order of the machine's bytes: everywhere little-endian
    {
        std::uint64_t word;
        std::memcpy(&word, from, sizeof word);
        return word;
    }

    std::uint64_t lane_[4] = {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}; // of pi
};

inline std::uint64_t fingerprint(std::span<std::byte const> bytes)
{
    Fingerprint one;
    one.add(bytes);
    return one.value();
}

} // namespace nwgpu
