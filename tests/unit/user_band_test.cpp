// SPDX-License-Identifier: BSD-3-Clause
// Which bands hold a path, by lengths alone: as the oracle finds it; and a band without one before a low score.
#include "path/user_band.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

bool oracle_finds_path(PairView const & pair, Scoring const & scoring, Mode const & mode)
{
    try {
        reference::align(pair, scoring, mode);
        return true;
    } catch (Error const &) {
        return false;
    }
}

TEST(UserBand, HoldsAPathWhereTheOracleFindsOne)
{
    Scoring const scoring = Scoring::uniform(1, 1, {2, 1});
    std::uint64_t found = 0, cases = 0;
    for (std::uint64_t m = 0; m <= 4; ++m)
        for (std::uint64_t n = 0; n <= 4; ++n) {
            PairSet const set{{{std::string(m, 'A'), std::string(n, 'A')}}, scoring};
            for (Mode mode : all_modes())
                for (std::int64_t lower = -6; lower <= 6; ++lower)
                    for (std::int64_t upper = lower - 1; upper <= 6; ++upper, ++cases) {
                        mode.band = Diagonals{lower, upper};
                        bool const holds = path::holds_path(m, n, mode);
                        ASSERT_EQ(holds, oracle_finds_path(set.view(0), scoring, mode))
                            << "UserBand: " << m << " x " << n << " letters, mode " << name(mode) << ", band " << lower
                            << " .. " << upper;
                        found += holds;
                    }
        }
    EXPECT_GT(found, cases / 4);
    EXPECT_LT(found, cases * 3 / 4);
}

TEST(UserBand, WithoutAPathGoesBeforeALowScore)
{
    Scoring const scoring = Scoring::uniform(1, 1, {2, 1});
    PairSet const set{{{"ACGTACGT", "AC"}, {"ACGT", "ACGT"}, {"ACGT", "TTTT"}}, scoring};
    Request request{{.band = Diagonals{-2, 2}}, Output::cigar};
    request.min_score = 3;
    BatchResult const result = align(EngineSetup{}, set.batch(), scoring, request);
    EXPECT_EQ(result.status[0], Status::invalid_argument);
    EXPECT_EQ(result.status[1], Status::ok);
    EXPECT_EQ(result.status[2], Status::below_min_score);
}

} // namespace
} // namespace nwgpu::test
