// SPDX-License-Identifier: BSD-3-Clause
// CIGAR runs, their text, and the builder that engines walk backwards with.
#include "model/cigar.hpp"

#include <gtest/gtest.h>

#include <random>

namespace nwgpu {
namespace {

TEST(Cigar, RunsAreBamEncoded)
{
    EXPECT_EQ(cigar_run(CigarOp::deletion, 3), 0x32u);
    EXPECT_EQ(run_op(0x37), CigarOp::equal);
    EXPECT_EQ(run_length(0x37), 3u);
}

TEST(Cigar, Text)
{
    std::uint32_t const runs[] = {cigar_run(CigarOp::equal, 3), cigar_run(CigarOp::different, 1),
                                  cigar_run(CigarOp::insertion, 20), cigar_run(CigarOp::deletion, max_run),
                                  cigar_run(CigarOp::match, 7)};
    EXPECT_EQ(cigar_text(runs), "3=1X20I268435455D7M");
    EXPECT_EQ(cigar_text({}), "*");
    std::uint32_t const unknown[] = {0x1f};
    EXPECT_EQ(cigar_text(unknown), "1?");
}

TEST(CigarBuilder, TurnsAroundAndMerges)
{
    CigarBuilder builder;
    builder.add(CigarOp::deletion, 2);
    builder.add(CigarOp::equal);
    builder.add(CigarOp::equal, 4);
    builder.add(CigarOp::insertion);
    Runs runs;
    builder.finish(runs);
    EXPECT_EQ(cigar_text(runs), "1I5=2D");

    builder.add(CigarOp::equal);
    builder.finish(runs);
    EXPECT_EQ(cigar_text(runs), "1I5=2D1=") << "appends, and starts anew";
    builder.finish(runs);
    EXPECT_EQ(runs.size(), 4u);
}

TEST(CigarBuilder, ZeroLengthsLeaveNoRun)
{
    CigarBuilder builder;
    builder.add(CigarOp::match, 0);
    builder.add(CigarOp::insertion, 1);
    builder.add(CigarOp::deletion, 0);
    Runs runs;
    builder.finish(runs);
    EXPECT_EQ(cigar_text(runs), "1I");
}

TEST(CigarBuilder, RunsOfLetters)
{
    std::mt19937 random{7};
    for (int length : {0, 1, 2, 63, 64, 65, 127, 128, 129, 1000})
        for (unsigned odds : {1u, 2u, 30u, 1000u}) {
            std::vector<std::uint8_t> query(length + 7), target(length + 7);
            CigarBuilder by_column, at_once;
            for (std::size_t k = 0; k < target.size(); ++k) { // different in one bit, any of the eight
                query[k] = static_cast<std::uint8_t>(random());
                target[k] = static_cast<std::uint8_t>(query[k] ^ (random() % odds == 0 ? 1u << random() % 8 : 0u));
            }
            for (int k = length; k-- > 0;)
                by_column.add(query[k] == target[k] ? CigarOp::equal : CigarOp::different);
            at_once.add_letters(query.data(), target.data(), static_cast<std::uint64_t>(length));
            Runs expected, runs;
            by_column.finish(expected);
            at_once.finish(runs);
            EXPECT_EQ(runs, expected) << "length " << length << ", odds " << odds;
        }
}

TEST(CigarBuilder, SplitsLongRuns)
{
    CigarBuilder builder;
    builder.add(CigarOp::deletion, 2 * std::uint64_t{max_run} + 5);
    builder.add(CigarOp::insertion, max_run);
    Runs runs;
    builder.finish(runs);
    EXPECT_EQ(cigar_text(runs), "268435455I268435455D268435455D5D");
}

TEST(CigarBuilder, ClearForgets)
{
    CigarBuilder builder;
    builder.add(CigarOp::deletion, 2);
    builder.add(CigarOp::insertion, 2);
    builder.clear();
    Runs runs;
    builder.finish(runs);
    EXPECT_TRUE(runs.empty());
}

} // namespace
} // namespace nwgpu
