// SPDX-License-Identifier: BSD-3-Clause
// Which pairs are dealt out by rows, and how.
#include "places/row_deal.hpp"

#include <gtest/gtest.h>

#include "places/rows_call.hpp"
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

// CPUs of so many threads; ranks count from 0.
std::vector<RowPlace> cpus(std::vector<int> const & threads)
{
    std::vector<RowPlace> places;
    for (int const count : threads) {
        RowPace const pace{.cells_per_second = 5e9 * count,
                           .least_rows = 2048,
                           .fill_cols = 64,
                           .least_cols = 1024 * static_cast<std::uint64_t>(count)};
        places.push_back({static_cast<int>(places.size()), pace});
    }
    return places;
}

// About those of a GPU with 132 multiprocessors.
RowPlace gpu(int rank)
{
    return {rank, {4e12, 9472, 1'250'304, 50, 1'250'304, 1, 0, static_cast<std::uint64_t>(rank + 1)}};
}

TEST(RowDeal, RowsAreInProportionToThreads)
{
    std::vector<RowPlace> places = cpus({1, 1, 1});
    places[1].rank = 2;
    RowDeal const even = deal_rows(200'000, 200'000, places, {});
    EXPECT_EQ(rows_of(even), (std::vector<std::uint64_t>{66'560, 67'584, 65'856}));
    EXPECT_EQ(even.parts[1].rank, 2);
    EXPECT_EQ(even.parts[1].row, 66'560u);
    EXPECT_EQ(even.panel_cols, 2529u); // sqrt(64 n / 2)
    RowDeal const uneven = deal_rows(200'000, 200'000, cpus({2, 4, 1}), {});
    EXPECT_EQ(rows_of(uneven), (std::vector<std::uint64_t>{57'344, 114'688, 27'968}));
    EXPECT_EQ(uneven.panel_cols, 4096u); // a tile for each of four threads
}

TEST(RowDeal, FewRowsAreForFewRanks)
{
    for (auto const & [rows, parts] : {std::pair{3072, 0}, {3073, 2}, {5120, 2}, {5121, 3}, {7169, 4}, {100'000, 4}})
        EXPECT_EQ(deal_rows(static_cast<std::uint64_t>(rows), 100'000, cpus({1, 1, 1, 1}), {}).parts.size(),
                  static_cast<std::size_t>(parts))
            << rows;
    EXPECT_TRUE(deal_rows(100'000, 100'000, cpus({8}), {}).parts.empty());
}

// Of two GPUs each gets whole strips of half the rows; a CPU beside them gets few.
TEST(RowDeal, GpusGetWholeStrips)
{
    std::uint64_t const m = 20'000'000;
    RowDeal const two = deal_rows(m, m, std::vector{gpu(0), gpu(1)}, {});
    EXPECT_EQ(rows_of(two), (std::vector<std::uint64_t>{10'002'432, 9'997'568}));
    EXPECT_EQ(two.parts[0].rows % 9472, 0u);
    EXPECT_EQ(two.panel_cols, 31'622u); // sqrt(50 n)
    std::vector<RowPlace> mixed = cpus({16});
    mixed.push_back(gpu(1));
    mixed.push_back(gpu(2));
    std::vector<std::uint64_t> const rows = rows_of(deal_rows(m, m, mixed, {}));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_NEAR(static_cast<double>(rows[0]), 0.08 / 8.08 * 20e6, 1024);
    EXPECT_EQ(rows[1] % 9472, 0u);
    EXPECT_NEAR(static_cast<double>(rows[1]), static_cast<double>(rows[2]), 2 * 9472);
    EXPECT_TRUE(deal_rows(2'400'000, m, std::vector{gpu(0), gpu(1)}, {}).parts.empty()); // one has enough warps for it
}

// In rounds of what both sweep in one go; the last one has the rest.
TEST(RowDeal, GpusTakeTurns)
{
    std::uint64_t const m = 20'000'000;
    std::vector const two{gpu(0), gpu(1)};
    RowDeal const deal = deal_rounds(m, m, two, {});
    ASSERT_EQ(deal.parts.size(), 16u);
    EXPECT_EQ(deal.panel_cols, deal_rows(m, m, two, {}).panel_cols);
    std::uint64_t row = 0;
    for (std::size_t k = 0; k < deal.parts.size(); row += deal.parts[k++].rows) {
        EXPECT_EQ(deal.parts[k].rank, static_cast<int>(k % 2));
        EXPECT_EQ(deal.parts[k].row, row);
        if (k < 14)
            EXPECT_EQ(deal.parts[k].rows, 1'250'304u);
        else
            EXPECT_NEAR(static_cast<double>(deal.parts[k].rows), 1'247'872, 9472);
    }
    EXPECT_EQ(row, m);
    EXPECT_EQ(deal_rounds(2'500'608, m, two, {}).parts.size(), 2u);
    EXPECT_EQ(deal_rounds(2'500'609, m, two, {}).parts.size(), 3u); // the last row is for the first of them
    EXPECT_EQ(deal_rounds(200'000, 200'000, cpus({1, 1, 1}), {}).parts.size(), 3u);
    EXPECT_TRUE(deal_rounds(m, m, std::vector{gpu(0)}, {}).parts.empty());
    std::vector same{gpu(0), gpu(1)}; // what holds the chip must not wait for what needs it
    same[1].pace.chip = same[0].pace.chip;
    EXPECT_EQ(deal_rounds(m, m, same, {}).parts.size(), 2u);
}

// Whatever the numbers are, each row is in one share, and no share is empty.
TEST(RowDeal, EveryRowOnce)
{
    for (std::uint64_t seed = 7500; seed < 7700; ++seed) {
        test::Random random{seed};
        std::vector<RowPlace> places(random.between(1, 9));
        for (std::size_t k = 0; k < places.size(); ++k)
            places[k] = {static_cast<int>(k),
                         {.cells_per_second = 1e9 * (random.chance(0.3) ? 1 : random.between(1, 200)),
                          .unit_rows = random.chance(0.7) ? 1 : random.between(1, 70),
                          .least_rows = random.between(1, 100),
                          .fill_cols = random.below(200),
                          .rows_at_once = random.below(3)}};
        RowRules const rules{0, random.between(1, 50), random.chance(0.5) ? 1.0 : 0.0, random.below(3)};
        std::uint64_t const m = random.between(1, 2000);
        RowDeal const deal = deal_rows(m, 1000, places, rules);
        std::string const words = "RowDeal seed=" + std::to_string(seed);
        if (deal.parts.empty()) {
            bool const few = places.size() == 1 || m <= 2 * (100 + rules.unit_rows + 70);
            EXPECT_TRUE(few) << words;
            continue;
        }
        std::uint64_t row = 0;
        for (std::size_t k = 0; k < deal.parts.size(); ++k) {
            RowPart const & part = deal.parts[k];
            EXPECT_EQ(part.row, row) << words;
            EXPECT_GT(part.rows, 0u) << words;
            if (k + 1 < deal.parts.size()) {
                EXPECT_EQ(part.rows % places[k].pace.unit_rows, 0u) << words;
                EXPECT_GE(part.rows, rules.unit_rows) << words;
            }
            row += part.rows;
        }
        EXPECT_EQ(row, m) << words;
        EXPECT_GE(deal.parts.size(), 2u) << words;
        EXPECT_GE(deal.panel_cols, 1u) << words;
    }
}

TEST(RowDeal, RoundsHaveEnoughForAllAndLeaveNoLittleRest)
{
    RowRules const rules;
    auto const places = cpus({1, 1, 1});
    EXPECT_EQ(rows_of_round(100000, 0, places, rules), 6144u); // 2048 for each
    EXPECT_EQ(rows_of_round(100000, 20000, places, rules), 19 * 1024u);
    EXPECT_EQ(rows_of_round(100000, 1e300, places, rules), 100000u);
    EXPECT_EQ(rows_of_round(9000, 0, places, rules), 9000u); // the rest would be less than half a round
    EXPECT_EQ(rows_of_round(9300, 0, places, rules), 6144u);
    EXPECT_EQ(rows_of_round(1, 0, places, rules), 1u);
    for (std::uint64_t left : {6144u, 9300u, 50001u, 1000000u})
        for (double const rows : {0.0, 7000.0, 1e6}) {
            std::uint64_t const round = rows_of_round(left, rows, places, rules);
            auto const parts = rows_of(deal_rows(round, 5000, places, rules));
            EXPECT_EQ(parts.size(), 3u);
            for (std::uint64_t const part : parts)
                EXPECT_TRUE(round == left || part % 1024 == 0) << left << " " << rows;
        }
}

// A pair is predicted to take the part of it that the first place gets, or all of it where that place keeps it.
TEST(RowDeal, Estimates)
{
    PairView pair;
    pair.m = 4000;
    pair.n = 1000;
    RowDeal const halves{{{0, 0, 2000}, {1, 2000, 2000}}, 500};
    Estimate whole;
    whole.seconds = 8;
    whole.plan = "strips";
    Estimate const dealt = estimate_by_rows(whole, pair, halves, "devices");
    EXPECT_EQ(dealt.seconds, 4);
    EXPECT_GT(dealt.host_bytes, 0u);
    EXPECT_EQ(dealt.plan, "rows of the pair dealt out to 2 devices: 2000 2000; panels of 500 columns; strips");
    whole.alone = true;
    Estimate const alone = estimate_by_rows(whole, pair, halves, "devices");
    EXPECT_EQ(alone.seconds, 8);
    EXPECT_EQ(alone.host_bytes, 0u);
    EXPECT_EQ(alone.plan, "strips");
}

} // namespace
} // namespace nwgpu::places
