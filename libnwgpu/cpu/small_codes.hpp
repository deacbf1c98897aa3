// SPDX-License-Identifier: BSD-3-Clause
// Letters as numbers below 16.  With uniform scores it only matters which letters are equal, and a kernel finds the
// score of two such numbers by one lookup of their exclusive or, in place of a comparison and a choice.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/scheme.hpp"
#include "model/batch.hpp"

namespace nwgpu::cpu {

class SmallCodes {
public:
    // Of no more than 16 different letters; a pair of more letters, and a short one, stays as it is.
    SmallCodes(PairView const & pair, Scheme const & scheme);

    bool made() const { return !codes_.empty(); }
    PairView const & pair() const { return pair_; }

    // What is allocated at most; 0 where they are not worth it.
    static std::uint64_t bytes(std::uint64_t m, std::uint64_t n, Scheme const & scheme);

private:
    PairView pair_;
    std::vector<std::uint8_t> codes_;
};

} // namespace nwgpu::cpu
