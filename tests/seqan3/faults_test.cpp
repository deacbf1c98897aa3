// SPDX-License-Identifier: BSD-3-Clause
// Where SeqAn3 3.2 is wrong the adapter is right: one test for each row of the table in docs/seqan3.md.
#include "compare.hpp"

#include <seqan3/alphabet/nucleotide/dna4.hpp>

namespace nwgpu::test {
namespace {

using namespace ::seqan3::literals;
using ::seqan3::dna4;
namespace adapter = nwgpu::seqan3;

auto scheme(int match = 4, int mismatch = -5)
{
    return align_cfg::scoring_scheme{
        ::seqan3::nucleotide_scoring_scheme<std::int8_t>{::seqan3::match_score{static_cast<std::int8_t>(match)},
                                                         ::seqan3::mismatch_score{static_cast<std::int8_t>(mismatch)}}};
}

template <typename config_t>
std::string align(std::vector<dna4> const & first, std::vector<dna4> const & second, config_t const & config)
{
    for (auto && result : adapter::align_pairwise(std::tie(first, second), config))
        return text_of_result(result);
    return "nothing";
}

// seqan3#3043: a gap that crosses another.
TEST(SeqAn3Faults, CrossingGaps)
{
    EXPECT_EQ(align("GGC"_dna4, "TCGAAA"_dna4, free_ends(0) | scheme(2, -3) | gap_cost(-2, -1)),
              "score -10 begin 0,0 end 3,6 GGC---- -TCGAAA");
    EXPECT_EQ(align("AGCCGGTCTAT"_dna4, "TCCG"_dna4, free_ends(1) | scheme() | gap_cost(-10, -1)),
              "score -9 begin 10,0 end 11,4 T--- TCCG");
}

TEST(SeqAn3Faults, VectorisedFreeEnds)
{
    auto const config = free_ends(4) | scheme() | gap_cost(-10, -1) | align_cfg::output_score{} |
                        align_cfg::score_type<std::int16_t>{} | align_cfg::vectorised{};
    EXPECT_EQ(align("ACGTTT"_dna4, "ACGT"_dna4, config), "score 16");
}

TEST(SeqAn3Faults, AlignmentWithoutBeginPosition)
{
    auto const config = free_ends(0) | scheme() | gap_cost(-10, -1) | align_cfg::output_alignment{};
    EXPECT_EQ(align("ACGT"_dna4, "ACT"_dna4, config), " ACGT AC-T");
}

TEST(SeqAn3Faults, ScoresBeyondTheScoreType)
{
    std::vector<dna4> const sequence(20000, 'A'_dna4);
    auto const config = free_ends(0) | scheme() | gap_cost(-10, -1) | align_cfg::output_score{};
    EXPECT_THROW(align(sequence, sequence, config | align_cfg::score_type<std::int16_t>{} | align_cfg::vectorised{}),
                 std::overflow_error);
    EXPECT_EQ(align(sequence, sequence, config), "score 80000");
}

TEST(SeqAn3Faults, BandWithoutTheLastCell)
{
    auto const config = free_ends(0) | scheme() | gap_cost(-10, -1) |
                        align_cfg::band_fixed_size{align_cfg::lower_diagonal{-2}, align_cfg::upper_diagonal{2}};
    EXPECT_THROW(align("GCCGCAACCTAGG"_dna4, "GCCG"_dna4, config), ::seqan3::invalid_alignment_configuration);
}

// A band is what it says, also where it does not hold the main diagonal (positions: seqan3#3266).
TEST(SeqAn3Faults, BandBesideTheOrigin)
{
    auto const band = [](int lower, int upper) {
        return align_cfg::band_fixed_size{align_cfg::lower_diagonal{lower}, align_cfg::upper_diagonal{upper}};
    };
    auto const local = align_cfg::method_local{} | scheme() | gap_cost(-10, -1);
    EXPECT_EQ(align("AAAA"_dna4, "AAAAACCAAAA"_dna4, local | band(1, 7)), "score 12 begin 1,0 end 4,3 AAA AAA");
    EXPECT_EQ(align("AAAA"_dna4, "CCCAAAA"_dna4, local | band(-5, -2)), "score 16 begin 0,3 end 4,7 AAAA AAAA");
    auto const semi = free_ends(1) | scheme() | gap_cost(-10, -1) | band(1, 1);
    EXPECT_EQ(align("CAAAA"_dna4, "AAAA"_dna4, semi), "score 16 begin 1,0 end 5,4 AAAA AAAA");
    EXPECT_EQ(align("CAAAA"_dna4, "AAAA"_dna4, semi | align_cfg::output_score{} | align_cfg::output_end_position{}),
              "score 16 end 5,4");
}

// 3.2 takes every scheme of 0 and -1 without gap opening for an edit distance.
TEST(SeqAn3Faults, GapsThatCostMoreThanAnEdit)
{
    auto const config = free_ends(0) | scheme(0, -1) | gap_cost(0, -2);
    EXPECT_EQ(align("ACGT"_dna4, "ACT"_dna4, config | align_cfg::output_score{}), "score -2");
}

// An interface rather than a fault: the same as SeqAn3's (nucleotide_test.cpp compares).
TEST(SeqAn3Faults, MinScoreNotReached)
{
    auto const config = free_ends(0) | align_cfg::edit_scheme | align_cfg::min_score{-1};
    EXPECT_EQ(align("ACGTACGT"_dna4, "TTTTTTTT"_dna4, config), "score 2147483647 begin 8,8 end 8,8  ");
}

// 100 kb x 100 kb with the alignment: SeqAn3 has no memory for it.
TEST(SeqAn3Faults, LongSequences)
{
    Random random{1};
    std::string const text = random_sequence(random, 100000, "ACGT");
    auto const first = letters_of<dna4>(text), second = letters_of<dna4>(mutated(random, text, "ACGT", 0.1));
    adapter::options options;
    options.max_host_bytes = 64 << 20;
    for (auto && result :
         adapter::align_pairwise(std::tie(first, second), free_ends(0) | scheme() | gap_cost(-10, -1), options)) {
        auto const & [row1, row2] = result.alignment();
        EXPECT_EQ(score_of_rows<dna4>(text_of(row1), text_of(row2), free_ends(0) | scheme() | gap_cost(-10, -1)),
                  result.score());
    }
}

} // namespace
} // namespace nwgpu::test
