// SPDX-License-Identifier: BSD-3-Clause
// A slab that is cut into neighbouring ones is the same again when they are joined.
#include <gtest/gtest.h>

#include <algorithm>

#include "checkpoint/slab_joiner.hpp"
#include "support/random.hpp"

namespace nwgpu::test {
namespace {

using checkpoint::Bytes;
using checkpoint::Slab;
using checkpoint::SlabShape;

Bytes random_bytes(Random & random, std::uint64_t count)
{
    Bytes bytes(count);
    for (std::byte & one : bytes)
        one = static_cast<std::byte>(random.below(256));
    return bytes;
}

Bytes part_of(Bytes const & all, std::uint64_t begin, std::uint64_t end) { return {&all[0] + begin, &all[0] + end}; }

bool equal(Bytes const & one, Bytes const & other) { return std::ranges::equal(one, other); }

Slab random_slab(Random & random, SlabShape const & shape)
{
    Slab slab;
    slab.shape = shape;
    slab.bottom = random_bytes(random, shape.cols * shape.entry_bytes);
    slab.row_cuts = random_bytes(random, shape.row_lines().entries * shape.entry_bytes);
    slab.col_cuts = random_bytes(random, shape.col_lines().entries * shape.entry_bytes);
    return slab;
}

// Some of its rows.
Slab cut(Slab const & whole, std::uint64_t begin, std::uint64_t rows)
{
    SlabShape const & all = whole.shape;
    Slab slab;
    slab.shape = all;
    slab.shape.row = all.row + begin;
    slab.shape.rows = rows;
    slab.shape.best_i = slab.shape.best_j = 0;
    slab.shape.best_score = 0;
    std::uint64_t const size = all.entry_bytes, line = all.cols * size;
    slab.bottom = begin + rows == all.rows ? part_of(whole.bottom, 0, line)
                  : all.tile_rows == 0     ? Bytes(line)
                                           : part_of(whole.row_cuts, ((begin + rows) / all.tile_rows - 1) * line,
                                                     (begin + rows) / all.tile_rows * line);
    if (all.tile_rows == 0)
        return slab;
    std::uint64_t const first = begin / all.tile_rows, count = (rows - 1) / all.tile_rows;
    slab.row_cuts = part_of(whole.row_cuts, first * line, (first + count) * line);
    for (std::uint64_t k = 0; k < (all.cols - 1) / all.tile_cols; ++k) {
        Bytes const column = part_of(whole.col_cuts, (k * (all.rows + 1) + begin) * size,
                                     (k * (all.rows + 1) + begin + rows + 1) * size);
        slab.col_cuts.insert(slab.col_cuts.end(), column.begin(), column.end());
    }
    return slab;
}

TEST(SlabJoiner, JoinsWhatWasCut)
{
    for (std::uint64_t seed = 1; seed <= 200 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("SlabJoiner seed=" + std::to_string(seed));
        Random random{seed};
        SlabShape shape;
        shape.strip_rows = random.between(1, 3);
        shape.row = shape.strip_rows * random.below(5);
        shape.cols = random.between(1, 20);
        bool const has_tiles = random.chance(0.8);
        shape.tile_rows = has_tiles ? shape.strip_rows * random.between(1, 3) : 0;
        shape.tile_cols = has_tiles ? random.between(1, 25) : 0;
        std::uint64_t const unit = has_tiles ? shape.tile_rows : shape.strip_rows;
        shape.rows = unit * random.between(1, 8);
        shape.entry_bytes = random.chance(0.5) ? 4 : 16;
        Slab whole = random_slab(random, shape);
        checkpoint::SlabJoiner joiner;
        std::uint64_t best = 0;
        for (std::uint64_t begin = 0, rows; begin < shape.rows; begin += rows) {
            rows = std::min(shape.rows - begin, unit * random.between(1, 3));
            Slab slab = cut(whole, begin, rows);
            if (std::uint64_t const score = random.below(3); score > best) { // the first of equal ones
                best = score;
                whole.shape.best_score = slab.shape.best_score = static_cast<std::int64_t>(score);
                whole.shape.best_i = slab.shape.best_i = slab.shape.end();
                whole.shape.best_j = slab.shape.best_j = 1;
            }
            joiner.add(std::move(slab));
        }
        std::vector<Slab> const joined = joiner.take();
        ASSERT_EQ(joined.size(), 1u);
        EXPECT_EQ(joined[0].shape.row, shape.row);
        EXPECT_EQ(joined[0].shape.rows, shape.rows);
        EXPECT_EQ(joined[0].shape.best_score, whole.shape.best_score);
        EXPECT_EQ(joined[0].shape.best_i, whole.shape.best_i);
        EXPECT_TRUE(equal(joined[0].bottom, whole.bottom));
        EXPECT_TRUE(equal(joined[0].row_cuts, whole.row_cuts));
        // Where columns end, each part has its own corner, which is the last entry of the part above.
        EXPECT_TRUE(equal(joined[0].col_cuts, whole.col_cuts));
        EXPECT_TRUE(joiner.take().empty());
    }
}

TEST(SlabJoiner, LeavesApartWhatHasOtherTiles)
{
    Random random{7};
    SlabShape shape;
    shape.strip_rows = 2;
    shape.rows = 8;
    shape.cols = 10;
    shape.tile_rows = 4;
    shape.tile_cols = 5;
    SlabShape other = shape;
    other.row = 8;
    other.tile_cols = 6;
    SlabShape short_one = shape; // its last tile is cut off
    short_one.row = 16;
    short_one.rows = 6;
    SlabShape last = shape;
    last.row = 22;
    checkpoint::SlabJoiner joiner;
    for (SlabShape const & one : {shape, other, short_one, last})
        joiner.add(random_slab(random, one));
    std::vector<Slab> const joined = joiner.take();
    ASSERT_EQ(joined.size(), 4u);
    EXPECT_EQ(joined[3].shape.row, 22u);
}

TEST(SlabJoiner, TheFirstOfEqualEndsIsTheBetterOne)
{
    SlabShape none, upper, lower;
    upper.best_score = lower.best_score = 5;
    upper.best_i = 3;
    upper.best_j = 7;
    lower.best_i = 9;
    lower.best_j = 7;
    EXPECT_FALSE(checkpoint::has_better_end(lower, upper));
    lower.best_j = 6;
    EXPECT_TRUE(checkpoint::has_better_end(lower, upper));
    lower.best_score = 4;
    EXPECT_FALSE(checkpoint::has_better_end(lower, upper));
    EXPECT_FALSE(checkpoint::has_better_end(none, upper));
    lower.best_score = -4;
    EXPECT_TRUE(checkpoint::has_better_end(lower, none)) << "in the last column scores may be below 0";
}

} // namespace
} // namespace nwgpu::test
