// SPDX-License-Identifier: BSD-3-Clause
// Some words of 64 rows, one per lane of a vector, over neighbouring columns (bit_band.hpp): plain data.  Lane w is w
// columns behind lane 0, so that a step has what the step before told of the row above each lane.
//
//   inputs    the rows that have a letter, the target's letters, differences along the row above
//   cell      three bits: as much as the one before on the diagonal; one more than the one above; one more than the one
//             to the left
//   outputs   these of all cells, and differences along the last row
#pragma once

#include <cstdint>

namespace nwgpu::cpu {

struct BitGroup {
    static constexpr int most_lanes = 4;
    static int lanes(int lanes_of_8_bits)
    {
        return lanes_of_8_bits / 8 < most_lanes ? lanes_of_8_bits / 8 : most_lanes;
    }

    // Of the 64 rows of each lane in one step; each [lanes].
    enum Plane { same, above, left, left_less, planes };

    std::uint64_t const * letters[3]; // [lanes]: bits of the rows' letters
    std::uint8_t const * target;      // numbers of the letters, backwards: that of column j is target[-j]
    std::int64_t begin = 0, end = 0;  // columns; the last one is `end`
    std::uint64_t * steps = nullptr; // [end + lanes - begin][planes][lanes]; the first one has lane 0 in column `begin`
    // Those of the last lane of the group above, of column 0, if it had any; it has columns up to above_end.  Null: row
    // 0 is above.
    std::uint64_t const * above_steps = nullptr;
    std::int64_t above_end = 0;
};

} // namespace nwgpu::cpu
