// SPDX-License-Identifier: BSD-3-Clause
// Blocks that other threads sweep ahead of a walk: the walk gets its own or none, whatever happens to them.
#include "cpu/pair/blocks_ahead.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/team.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

TEST(BlocksAhead, WalkGetsItsOwnBlockOrNone)
{
    constexpr std::uint64_t rows = 10, cols = 20, blocks = 60;
    Region const region{100, 100 + rows * blocks, 1000, 1000 + cols * blocks};
    std::uint64_t found = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        Team team{4};
        Progress const silent{};
        Monitor monitor{silent, 1, team};
        std::vector<TracedBlock> kept(5);
        path::Cursor cursor;
        cursor.i = region.row_end;
        cursor.j = region.col_end;
        BlocksAhead ahead{kept, region, rows, cols, cursor, monitor};
        std::atomic<std::uint64_t> tries{0};
        team.run(4, [&](int k) {
            if (k > 0)
                return ahead.help([&](BlockPlace const & place, TracedBlock & block) {
                    std::uint64_t const at = tries++;
                    block.trace.region = {};
                    for (std::uint64_t k = 0; k < at % 8; ++k)
                        std::this_thread::yield();
                    if (at % 2 == seed % 2)
                        throw std::bad_alloc{};
                    block.trace.region.row_begin = region.row_begin + place.row_cut * rows;
                    block.trace.region.col_begin = region.col_begin + place.col_cut * cols;
                });
            test::Random random{seed};
            while (cursor.i > region.row_begin && cursor.j > region.col_begin) {
                if (RegionTrace const * const trace = ahead.enter(cursor)) {
                    ++found;
                    EXPECT_EQ(trace->region.row_begin,
                              region.row_begin + (cursor.i - 1 - region.row_begin) / rows * rows)
                        << "seed=" << seed;
                    EXPECT_EQ(trace->region.col_begin,
                              region.col_begin + (cursor.j - 1 - region.col_begin) / cols * cols)
                        << "seed=" << seed;
                }
                for (std::uint64_t k = random.below(8); k > 0; --k)
                    std::this_thread::yield();
                cursor.i -= std::min(cursor.i - region.row_begin, random.below(rows));
                cursor.j -= std::min(cursor.j - region.col_begin, random.below(cols));
            }
            ahead.end();
        });
    }
    EXPECT_GT(found, 0u);
}

} // namespace
} // namespace nwgpu::cpu
