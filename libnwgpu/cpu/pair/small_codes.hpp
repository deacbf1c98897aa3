// SPDX-License-Identifier: BSD-3-Clause
// Letters as numbers below 16.  With uniform scores it only matters which letters are equal, and a kernel finds the
// score of two such numbers by one lookup of their exclusive or, in place of a comparison and a choice.
#pragma once

#include <cstdint>
#include <vector>

#include "model/batch.hpp"

namespace nwgpu::cpu {

class SmallCodes {
public:
    SmallCodes() = default; // none
    // None where there are more than 16 kinds of letters.
    explicit SmallCodes(PairView const & pair);

    bool made() const { return !codes_.empty(); }
    PairView const & pair() const { return pair_; } // where made

    static std::uint64_t bytes(std::uint64_t m, std::uint64_t n); // what is allocated

private:
    PairView pair_;
    std::vector<std::uint8_t> codes_;
};

} // namespace nwgpu::cpu
