// SPDX-License-Identifier: BSD-3-Clause
// In the place of SeqAn3's header of this name, whose tests call the class below align_pairwise: SeqAn3's fixtures of
// edit distances through align_pairwise, and so through the adapter.  The matrices, which that class has, are left out.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <seqan3/alignment/pairwise/align_pairwise.hpp>

#include "fixture/alignment_fixture.hpp"

using namespace seqan3::test::alignment::fixture;

// The width of the words in SeqAn3's bit vectors makes no difference here.
template <auto fixture_, typename word_t>
struct global_fixture : ::testing::Test {
    static auto const & fixture() { return *fixture_; }
};
template <auto fixture_, typename word_t>
struct semi_global_fixture : global_fixture<fixture_, word_t> {};

template <typename fixture_t>
struct edit_distance_unbanded_test : fixture_t {
    // Before 3.4 the edit distance of align_pairwise is that of nucleotides.
    using fixture_type = std::remove_cvref_t<decltype(fixture_t::fixture())>;
    using letter = typename decltype(fixture_type::sequence1)::value_type;
    using scheme = decltype(get<seqan3::align_cfg::scoring_scheme>(std::declval<fixture_type>().config).scheme);
    static constexpr bool is_scored = seqan3::scoring_scheme_for<std::remove_cvref_t<scheme>, letter, letter>;

    // Calls `check` with the only result and the fixture.
    template <typename output_t, typename check_t>
    void align(output_t const & output, check_t const & check)
    {
        if constexpr (is_scored) {
            auto const & fixture = fixture_t::fixture();
            std::vector const database = fixture.sequence1, query = fixture.sequence2;
            std::size_t results = 0;
            for (auto && result : align_pairwise(std::tie(database, query), fixture.config | output)) {
                check(result, fixture);
                ++results;
            }
            EXPECT_EQ(results, 1u);
        } else {
            GTEST_SKIP();
        }
    }
};

TYPED_TEST_SUITE_P(edit_distance_unbanded_test);

TYPED_TEST_P(edit_distance_unbanded_test, score)
{
    this->align(seqan3::align_cfg::output_score{}, [](auto const & result, auto const & fixture) {
        // A score below the bound: none in the class, the largest number in align_pairwise.
        if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(fixture.score)>>)
            EXPECT_EQ(result.score(), fixture.score);
        else
            EXPECT_EQ(result.score(), std::numeric_limits<decltype(result.score())>::max());
    });
}

TYPED_TEST_P(edit_distance_unbanded_test, end_positions)
{
    this->align(seqan3::align_cfg::output_end_position{}, [](auto const & result, auto const & fixture) {
        EXPECT_EQ(result.sequence1_end_position(), fixture.sequence1_end_position);
        EXPECT_EQ(result.sequence2_end_position(), fixture.sequence2_end_position);
    });
}

TYPED_TEST_P(edit_distance_unbanded_test, begin_positions)
{
    this->align(seqan3::align_cfg::output_begin_position{}, [](auto const & result, auto const & fixture) {
        EXPECT_EQ(result.sequence1_begin_position(), fixture.sequence1_begin_position);
        EXPECT_EQ(result.sequence2_begin_position(), fixture.sequence2_begin_position);
    });
}

TYPED_TEST_P(edit_distance_unbanded_test, alignment)
{
    this->align(seqan3::align_cfg::output_alignment{}, [](auto const & result, auto const & fixture) {
        auto const text = [](auto const & row) {
            std::string text;
            for (auto const letter : row)
                text += seqan3::to_char(letter);
            return text;
        };
        EXPECT_EQ(text(std::get<0>(result.alignment())), fixture.aligned_sequence1);
        EXPECT_EQ(text(std::get<1>(result.alignment())), fixture.aligned_sequence2);
    });
}

REGISTER_TYPED_TEST_SUITE_P(edit_distance_unbanded_test, score, end_positions, begin_positions, alignment);
