// SPDX-License-Identifier: BSD-3-Clause
// Local scores of one query and as many targets as a vector has lanes of 8 bits, with a matrix; plain data.
//
//   H(i,j) = max(H(i-1,j-1) + s, E(i,j), F(i,j), 0)
//   E(i,j+1) = max(E(i,j) - extend, H(i,j) - open - extend)        F(i+1,j) likewise
//
// All lanes have the same letter in a row, so that its scores are computed once per column and letter (a profile of the
// targets), as Rognes has it (BMC Bioinformatics 12:221, 2011).  0 is the least number of 8 bits, and what leaves them
// is cut off: below, that is the maximum with 0; above, the best score of the lane says so, and is not its score
// (docs/proofs.md, lemma 41).
#pragma once

#include <cstdint>

namespace nwgpu::cpu {

struct QueryLanes {
    static constexpr int most_letters = 31, table_stride = 32;
    static constexpr std::uint8_t padding = 31;   // beyond a lane's end
    static constexpr std::int32_t overflow = 255; // a score of so much may be any higher one
    static constexpr std::uint64_t columns = 4;   // at a time

    std::uint8_t const * query = nullptr;
    std::uint64_t rows = 0;
    std::uint8_t const * target = nullptr; // [cols][lanes]
    std::uint64_t cols = 0;                // of the longest target
    int letters = 0;
    std::int8_t const * table = nullptr; // [letters][table_stride], row = query letter; -128 where there is no letter
    std::int8_t open_extend = 0, extend = 0;
    std::int8_t * state = nullptr;   // workspace [2][rows][lanes]
    std::int8_t * profile = nullptr; // workspace [letters][columns][lanes]
    std::int32_t * best = nullptr;   // [lanes], the result
};

} // namespace nwgpu::cpu
