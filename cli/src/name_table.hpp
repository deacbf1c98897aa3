// SPDX-License-Identifier: BSD-3-Clause
// Names, each with a number: millions of them, in little memory.
#pragma once

#include "sequence_set.hpp"

#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

class NameTable {
public:
    // Of so many names there will be.
    void reserve(std::uint64_t names)
    {
        if (std::uint64_t const slots = 2 * std::bit_ceil(names); slots > slots_.size())
            grow(slots);
    }

    // False, and nothing added, where the name is there with another number.
    bool add(std::string_view name, std::uint64_t number)
    {
        if (2 * (numbers_.size() + 1) > slots_.size())
            grow(slots_.empty() ? 1024 : 2 * slots_.size());
        std::uint64_t const hash = std::hash<std::string_view>()(name);
        Slot & slot = find(hash, name);
        if (slot.entry != none)
            return numbers_[slot.entry] == number;
        slot = {hash, numbers_.size()};
        names_.letters += name;
        names_.end_part();
        numbers_.push_back(number);
        return true;
    }

private:
    static constexpr std::uint64_t none = UINT64_MAX;

    struct Slot {
        std::uint64_t hash = 0, entry = none;
    };

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
