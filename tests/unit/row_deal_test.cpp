// SPDX-License-Identifier: BSD-3-Clause
// Which pairs are dealt out by rows, and how.
#include "places/row_deal.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/random.hpp"

namespace nwgpu::places {
namespace {

std::vector<std::uint64_t> rows_of(RowDeal const & deal)
{
    std::vector<std::uint64_t> rows;
    for (RowPart const & part : deal.parts)
        rows.push_back(part.rows);
    return rows;
}

TEST(RowDeal, PairsThatWouldMakeOthersWait)
{
    RowRules const rules;
    EXPECT_FALSE(is_worth_rows(0.09, 0.09, 4, rules)); // too short
    EXPECT_TRUE(is_worth_rows(0.1, 0.1, 4, rules));
    EXPECT_FALSE(is_worth_rows(100, 100, 1, rules)); // nobody else is there
    EXPECT_FALSE(is_worth_rows(1, 4, 4, rules));     // four alike
    EXPECT_TRUE(is_worth_rows(1, 3.9, 4, rules));
}

TEST(RowDeal, RowsAreInProportionToThreads)
{
    std::vector<int> const ranks{0, 2, 3};
    RowDeal const even = deal_rows(200'000, 200'000, ranks, std::vector<int>{1, 1, 1}, {});
    EXPECT_EQ(rows_of(even), (std::vector<std::uint64_t>{66'560, 67'584, 65'856}));
    EXPECT_EQ(even.parts[1].rank, 2);
    EXPECT_EQ(even.parts[1].row, 66'560u);
    EXPECT_EQ(even.panel_cols, 2529u); // sqrt(64 n / 2)
    RowDeal const uneven = deal_rows(200'000, 200'000, ranks, std::vector<int>{2, 4, 1}, {});
    EXPECT_EQ(rows_of(uneven), (std::vector<std::uint64_t>{57'344, 114'688, 27'968}));
    EXPECT_EQ(uneven.panel_cols, 4096u); // a tile for each of four threads
}

TEST(RowDeal, FewRowsAreForFewRanks)
{
    std::vector<int> const ranks{0, 1, 2, 3}, threads{1, 1, 1, 1};
    for (auto const & [rows, parts] : {std::pair{3072, 0}, {3073, 2}, {5120, 2}, {5121, 3}, {7169, 4}, {100'000, 4}})
        EXPECT_EQ(deal_rows(static_cast<std::uint64_t>(rows), 100'000, ranks, threads, {}).parts.size(),
                  static_cast<std::size_t>(parts))
            << rows;
    EXPECT_TRUE(deal_rows(100'000, 100'000, std::vector<int>{0}, std::vector<int>{8}, {}).parts.empty());
}

// Whatever the numbers are, each row is in one share, and no share is empty.
TEST(RowDeal, EveryRowOnce)
{
    for (std::uint64_t seed = 7500; seed < 7700; ++seed) {
        test::Random random{seed};
        std::vector<int> ranks(random.between(1, 9)), threads;
        std::iota(ranks.begin(), ranks.end(), 0);
        for (std::size_t k = 0; k < ranks.size(); ++k)
            threads.push_back(random.chance(0.3) ? 1 : static_cast<int>(random.between(1, 200)));
        RowRules const rules{0, random.between(1, 50), random.between(1, 3), random.below(3)};
        std::uint64_t const m = random.between(1, 2000);
        RowDeal const deal = deal_rows(m, 1000, ranks, threads, rules);
        std::string const words = "RowDeal seed=" + std::to_string(seed);
        if (deal.parts.empty()) {
            EXPECT_TRUE(ranks.size() == 1 || m <= rules.unit_rows * (2 * rules.least_units - 1)) << words;
            continue;
        }
        std::uint64_t row = 0;
        for (RowPart const & part : deal.parts) {
            EXPECT_EQ(part.row, row) << words;
            EXPECT_GT(part.rows, 0u) << words;
            row += part.rows;
        }
        EXPECT_EQ(row, m) << words;
        EXPECT_GE(deal.parts.size(), 2u) << words;
        EXPECT_GE(deal.panel_cols, 1u) << words;
    }
}

} // namespace
} // namespace nwgpu::places
