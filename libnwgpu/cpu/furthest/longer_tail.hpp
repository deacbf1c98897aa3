// SPDX-License-Identifier: BSD-3-Clause
// Two sequences with more letters behind both, for changes near their ends (docs/proofs.md, lemma 34).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/furthest/separate_changes.hpp"

namespace nwgpu::cpu {

// The last letters of both sequences, with equal ones behind them that are no letters of either in most alphabets: so a
// change near the end lies in the middle.
class LongerTail {
public:
    void copy(SeparateChanges::Sequences const & from)
    {
        longer_ = {copy(from.query + from.m, std::min(kept, from.m), query_) - from.m,
                   copy(from.target + from.n, std::min(kept, from.n), target_) - from.n, from.m + more, from.n + more};
    }
    // Positions are those of the sequences; 128 letters behind them can be read.
    SeparateChanges::Sequences const & longer() const { return longer_; }

private:
    static constexpr std::int64_t kept = 192, more = 64;
    static constexpr std::array<std::uint8_t, 3 * more> added = [] {
        std::array<std::uint8_t, 3 * more> letters{};
        for (std::size_t k = 0; k < letters.size(); ++k)
            letters[k] = static_cast<std::uint8_t>(255 - k);
        return letters;
    }();
    // Returns the end of the kept letters.
    static std::uint8_t const * copy(std::uint8_t const * end, std::int64_t count, std::uint8_t * to)
    {
        std::memset(to, 0, static_cast<std::size_t>(kept - count)); // no letters, but read
        std::memcpy(to + kept - count, end - count, static_cast<std::size_t>(count));
        std::memcpy(to + kept, added.data(), added.size());
        return to + kept;
    }

    SeparateChanges::Sequences longer_;
    std::uint8_t query_[kept + 3 * more], target_[kept + 3 * more];
};

} // namespace nwgpu::cpu
