// SPDX-License-Identifier: BSD-3-Clause
// What a strip's kernel keeps for the path, in place of trace bits: so much that any tile, the rows of one lane and the
// columns of one period of steps, can be computed again by itself.  That is a few bytes for each step of a lane, while
// trace bits take longer to find and to store than the cells; and the path crosses few tiles (docs/proofs.md, lemma 6).
//
//   for each step     [2][lanes] bytes: what comes into every lane from above
//   for each period   [left_values][lanes] bytes: what lies left of every lane
//
// A period ends after `longest` steps, and also when the last lane enters and when the first one leaves the strip.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace nwgpu::cpu {

struct KeptLayout {
    int lanes = 0, rows_per_lane = 0;
    int left_values = 0;
    std::int64_t longest = 0;   // period
    std::int64_t last_lane = 0; // used lanes - 1
    std::int64_t cols = 0;

    struct Period {
        std::int64_t index, begin; // begin: its first step
    };
    std::int64_t steps() const { return cols + last_lane; }
    Period period(std::int64_t step) const
    {
        std::int64_t const ends[] = {std::min(last_lane, cols), std::max(last_lane, cols), steps()};
        std::int64_t index = 0, begin = 0;
        for (std::int64_t const end : ends) {
            if (step < end)
                return {index + (step - begin) / longest, step - (step - begin) % longest};
            index += (end - begin + longest - 1) / longest;
            begin = end;
        }
        return {index, begin};
    }
    std::size_t lane_bytes() const { return static_cast<std::size_t>(lanes); }
    std::size_t left_bytes() const { return static_cast<std::size_t>(left_values) * lane_bytes(); }
    std::size_t above(std::int64_t step) const { return static_cast<std::size_t>(step) * 2 * lane_bytes(); }
    std::size_t left(std::int64_t period) const
    {
        return above(steps()) + static_cast<std::size_t>(period) * left_bytes();
    }
    std::size_t bytes() const { return left(period(steps()).index); }
    // Strips of short pairs also keep diagonals: [step][row of lane], a bit a lane that tells whether the diagonal
    // attains H.  There the walk needs no tile.  Storing a row's bits may write 8 bytes, however few they are.
    std::size_t step_bytes() const { return rows_per_lane * row_bytes(); }
    std::size_t row_bytes() const { return lane_bytes() / 8; }
    std::size_t cell_bytes() const { return static_cast<std::size_t>(steps()) * step_bytes() + 8; }
    std::size_t place(std::int64_t lane) const { return static_cast<std::size_t>(last_lane - lane); }
};

constexpr int most_tile_rows = 16, most_period = 32;

// One tile to compute again, or the rows and columns of it up to where the path enters.
struct PathTile {
    std::uint8_t const * query = nullptr;  // [rows]
    std::uint8_t const * target = nullptr; // [cols], with 16 readable letters on both sides
    int rows = 0, cols = 0;
    int rows_per_lane = 0;
    std::size_t lanes = 0;                // of the strip: the stride of what it kept
    std::uint8_t const * left = nullptr;  // the period's, at the lane's place
    std::uint8_t const * above = nullptr; // the first column's, likewise
    std::uint8_t * trace = nullptr;       // TileBits
    std::int8_t * last_column = nullptr;  // [rows], or null: H of the last column, less something (local)
};

// Trace bits of a tile: [row + column][plane], a bit a row.
struct TileBits {
    static constexpr int planes = 5, step_bytes = 2 * planes;
    static constexpr std::size_t bytes = (most_tile_rows + most_period) * step_bytes + 8;
    std::uint8_t const * bits;
    std::uint64_t row_begin, col_begin;
    int rows;

    bool bit(std::uint64_t i, std::uint64_t j, int plane) const
    {
        std::uint64_t const row = i - 1 - row_begin, col = j - 1 - col_begin;
        std::uint64_t const place = static_cast<std::uint64_t>(rows) - 1 - row;
        return bits[(row + col) * step_bytes + static_cast<std::uint64_t>(plane) * 2 + place / 8] >> place % 8 & 1;
    }
    bool diagonal(std::uint64_t i, std::uint64_t j) const { return bit(i, j, 0); }
    bool vertical(std::uint64_t i, std::uint64_t j) const { return bit(i, j, 1); }
    bool e_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, 2); }
    bool f_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, 3); }
    bool horizontal(std::uint64_t i, std::uint64_t j) const { return bit(i, j, 4); }
};

} // namespace nwgpu::cpu
