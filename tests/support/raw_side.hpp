// SPDX-License-Identifier: BSD-3-Clause
// Sequences end to end, as a caller of the library has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/batch.hpp"

namespace nwgpu::test {

struct RawSide {
    std::string letters;
    std::vector<std::uint64_t> offsets{0};

    void add(std::string_view sequence)
    {
        letters += sequence;
        offsets.push_back(letters.size());
    }
    RawSequences raw() const
    {
        return {{reinterpret_cast<std::uint8_t const *>(letters.data()), letters.size()}, offsets};
    }
};

} // namespace nwgpu::test
