// SPDX-License-Identifier: BSD-3-Clause
// Pairs with an empty sequence, against the oracle: every mode, tie rule and band, gaps that cost nothing included.
#include "path/empty.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

// The answer, or the failure.
template <class Align>
std::pair<PairResult, std::string> outcome_of(Align const & align)
{
    try {
        return {align(), ""};
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::invalid_argument);
        return {{}, "no path"};
    }
}

TEST(Empty, EqualsOracle)
{
    std::uint64_t cases = 0, without_path = 0;
    for (GapCost const gap : {GapCost{0, 0}, GapCost{0, 1}, GapCost{2, 0}, GapCost{3, 1}}) {
        Scoring const scoring = Scoring::uniform(1, 1, gap);
        for (std::uint64_t const length : {0, 1, 4})
            for (bool const query_is_empty : {false, true}) {
                std::string const letters(length, 'A');
                PairSet const set{{query_is_empty ? SequencePair{"", letters} : SequencePair{letters, ""}}, scoring};
                for (Mode mode : all_modes())
                    for (Ties const ties : {Ties::first, Ties::last_end, Ties::gaps_first})
                        for (std::int64_t lower = -6; lower <= 6; ++lower)
                            for (std::int64_t upper = lower - 1; upper <= 6; ++upper) {
                                mode.ties = ties;
                                mode.band.reset();
                                if (upper >= lower)
                                    mode.band = Diagonals{lower, upper};
                                auto const expected =
                                    outcome_of([&] { return reference::align(set.view(0), scoring, mode); });
                                auto const actual =
                                    outcome_of([&] { return path::align_empty(set.view(0), scoring, mode); });
                                ASSERT_EQ(actual, expected)
                                    << "Empty: " << (query_is_empty ? "query" : "target") << " empty, the other has "
                                    << length << " letters, mode " << name(mode) << ", ties " << static_cast<int>(ties)
                                    << ", gap " << gap.open << " " << gap.extend << ", band "
                                    << (mode.band ? "" : "none ") << lower << " .. " << upper;
                                ++cases;
                                without_path += !expected.second.empty();
                            }
            }
    }
    EXPECT_GT(without_path, cases / 20);
    EXPECT_LT(without_path, cases);
    Scoring const scoring = Scoring::uniform(1, 1, {2, 1});
    PairSet const set{{{"", "ACG"}}, scoring};
    Mode const widest{.band = Diagonals{INT64_MIN, INT64_MAX}};
    EXPECT_EQ(path::align_empty(set.view(0), scoring, widest).score, -5);
}

} // namespace
} // namespace nwgpu::test
