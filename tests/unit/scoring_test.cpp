// SPDX-License-Identifier: BSD-3-Clause
// Scoring: validation, codes, and the bounds that engines rely on.
#include "model/scoring.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/alphabet.hpp"

namespace nwgpu {
namespace {

template <typename Make>
Status status_of(Make make)
{
    try {
        make();
        return Status::ok;
    } catch (Error const & error) {
        return error.status;
    }
}

TEST(Scoring, UniformWithoutCodesComparesBytes)
{
    Scoring const scoring = Scoring::uniform(2, 3, {5, 1});
    EXPECT_TRUE(scoring.is_uniform());
    EXPECT_TRUE(scoring.any_byte());
    EXPECT_EQ(scoring.codes()['a'], 'a');
    EXPECT_EQ(scoring.codes()[255], 255);
    EXPECT_EQ(scoring.score(255, 255), 2);
    EXPECT_EQ(scoring.score('a', 'A'), -3);
    EXPECT_EQ(scoring.max_score(), 2);
    EXPECT_EQ(scoring.min_score(), -3);
    EXPECT_EQ(scoring.best_of_query('a'), 2);
    EXPECT_EQ(scoring.gap(), (GapCost{5, 1}));
}

TEST(Scoring, UniformWithCodesHasInvalidLetters)
{
    Scoring const scoring = Scoring::uniform(2, 3, {5, 1}, alphabet_codes("dna"));
    EXPECT_FALSE(scoring.any_byte());
    EXPECT_EQ(scoring.codes()['-'], invalid_code);

    LetterCodes const all_zero{};
    EXPECT_TRUE(Scoring::uniform(2, 3, {5, 1}, &all_zero).any_byte());
}

TEST(Scoring, MatrixRowIsTheQuery)
{
    LetterCodes const codes = codes_of("AC");
    Scoring const scoring = Scoring::matrix({4, -1, -7, 2}, 2, codes, {0, 1});
    EXPECT_FALSE(scoring.is_uniform());
    EXPECT_EQ(scoring.score(0, 1), -1);
    EXPECT_EQ(scoring.score(1, 0), -7);
    EXPECT_EQ(scoring.max_score(), 4);
    EXPECT_EQ(scoring.min_score(), -7);
    EXPECT_EQ(scoring.best_of_query(1), 2);
    EXPECT_EQ(scoring.best_of_target(0), 4);
}

TEST(Scoring, CostsAreZeroToTwoToThe30)
{
    std::int64_t const limit = max_cost;
    EXPECT_EQ(status_of([&] { Scoring::uniform(limit, limit, {limit, limit}); }), Status::ok);
    EXPECT_EQ(status_of([&] { Scoring::uniform(limit + 1, 0, {}); }), Status::too_large);
    EXPECT_EQ(status_of([&] { Scoring::uniform(0, 0, {0, limit + 1}); }), Status::too_large);
    EXPECT_EQ(status_of([] { Scoring::uniform(-1, 0, {}); }), Status::invalid_argument);
    EXPECT_EQ(status_of([] { Scoring::uniform(0, -1, {}); }), Status::invalid_argument);
    EXPECT_EQ(status_of([] { Scoring::uniform(0, 0, {-1, 0}); }), Status::invalid_argument);
    EXPECT_EQ(status_of([] { Scoring::uniform(0, 0, {0, -1}); }), Status::invalid_argument);
}

TEST(Scoring, MatrixIsChecked)
{
    LetterCodes const codes = codes_of("A");
    int const limit = 1 << 30;
    EXPECT_EQ(status_of([&] { Scoring::matrix({-limit}, 1, codes, {}); }), Status::ok);
    EXPECT_EQ(status_of([&] { Scoring::matrix({limit + 1}, 1, codes, {}); }), Status::too_large);
    EXPECT_EQ(status_of([&] { Scoring::matrix({-limit - 1}, 1, codes, {}); }), Status::too_large);
    EXPECT_EQ(status_of([&] { Scoring::matrix({}, 0, codes, {}); }), Status::invalid_argument);
    EXPECT_EQ(status_of([&] { Scoring::matrix({1, 2}, 1, codes, {}); }), Status::invalid_argument);
    EXPECT_EQ(status_of([&] { Scoring::matrix({1}, 1, codes_of("AC"), {}); }), Status::invalid_argument);
    EXPECT_EQ(status_of([&] { Scoring::matrix(std::vector<std::int32_t>(129 * 129), 129, codes, {}); }),
              Status::invalid_argument);
    EXPECT_EQ(status_of([&] { Scoring::matrix(std::vector<std::int32_t>(128 * 128), 128, codes, {}); }), Status::ok);
}

} // namespace
} // namespace nwgpu
