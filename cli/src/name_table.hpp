// SPDX-License-Identifier: BSD-3-Clause
// Names, each with a number: millions of them, in little memory.
#pragma once

#include "sequence_set.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

class NameTable {
public:
    // Adds name_of(i) with number + i for each i below count, up to one that is there with another number: returns its
    // i, or count.  Slots come into the cache a few names before they are looked at.
    template <typename NameOf>
    std::uint64_t add_all(std::uint64_t count, std::uint64_t number, NameOf const & name_of)
    {
        constexpr std::uint64_t ahead = 16;
        reserve(numbers_.size() + count);
        std::array<std::uint64_t, ahead> hashes{};
        for (std::uint64_t i = 0; i < count + ahead; ++i) {
            if (i >= ahead && !add_hashed(hashes[i % ahead], name_of(i - ahead), number + i - ahead))
                return i - ahead;
            if (i < count) {
                hashes[i % ahead] = std::hash<std::string_view>()(name_of(i));
                __builtin_prefetch(&slots_[hashes[i % ahead] & (slots_.size() - 1)], 1);
            }
        }
        return count;
    }

private:
    static constexpr std::uint64_t none = UINT64_MAX;

    struct Slot {
        std::uint64_t hash = 0, entry = none;
    };

    void reserve(std::uint64_t names)
    {
        if (std::uint64_t const slots = 2 * std::bit_ceil(names); slots > slots_.size())
            grow(slots);
    }

    // False, and nothing added, where the name is there with another number.
    bool add_hashed(std::uint64_t hash, std::string_view name, std::uint64_t number)
    {
        Slot & slot = find(hash, name);
        if (slot.entry != none)
            return numbers_[slot.entry] == number;
        slot = {hash, numbers_.size()};
        names_.letters += name;
        names_.end_part();
        numbers_.push_back(number);
        return true;
    }

    // Where the name is, or belongs.
    Slot & find(std::uint64_t hash, std::string_view name)
    {
        std::uint64_t const mask = slots_.size() - 1;
        std::uint64_t at = hash & mask;
        while (slots_[at].entry != none && !(slots_[at].hash == hash && names_.part(slots_[at].entry) == name))
            at = (at + 1) & mask;
        return slots_[at];
    }

    void grow(std::uint64_t slots)
    {
        std::vector<Slot> const old = std::exchange(slots_, std::vector<Slot>(slots));
        std::uint64_t const mask = slots_.size() - 1;
        for (Slot const & slot : old) {
            if (slot.entry == none)
                continue;
            std::uint64_t at = slot.hash & mask;
            while (slots_[at].entry != none)
                at = (at + 1) & mask;
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_; // a power of two of them, at most half of which are used
    Texts names_;
    std::vector<std::uint64_t> numbers_;
};

} // namespace cli
