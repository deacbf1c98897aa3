// SPDX-License-Identifier: BSD-3-Clause
// The numbers that paper B prints.
#include <gtest/gtest.h>

#include "model/cigar.hpp"
#include "published/engine.hpp"
#include "published/parts/recurrence.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

// The example of paper B: match +5, mismatch -3, a gap of k letters costs 8 + k.
SequencePair const example{"AAUGCCAUUGCCGG", "CAGCCUCGCUUAG"};

TEST(PublishedGolden, Figure13_1Path)
{
    Scheme const & s = scheme("dna_5_3_8_1");
    PairSet const set{{example}, s.scoring};
    auto const backend = published::make_engine("swat-serial", {});
    auto const results =
        run(set, s.scoring, {{.local = true}, Output::cigar, CigarStyle::eqx}, *backend, "figure 13.1");
    EXPECT_EQ(results[0].score, 18);
    EXPECT_EQ(results[0].span, (AlignedSpan{3, 11, 2, 9}));
    EXPECT_EQ(cigar_text(results[0].runs), "3=1I1=1X2=");
}

// The recurrence of all affine algorithms, cell by cell as printed.
TEST(PublishedGolden, Figure13_1TableAndFigure13_5)
{
    constexpr int rows = 14, cols = 13;
    int const table[rows][cols] = {
        {0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0},     {0, 5, 2, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2},
        {0, 0, 2, 0, 0, 5, 0, 0, 0, 5, 5, 0, 2},     {0, 0, 5, 0, 0, 0, 2, 5, 0, 0, 2, 2, 5},
        {5, 0, 0, 10, 5, 0, 5, 0, 10, 1, 0, 0, 0},   {5, 2, 0, 5, 15, 6, 5, 4, 5, 7, 1, 0, 0},
        {0, 10, 1, 0, 6, 12, 3, 2, 1, 2, 4, 6, 0},   {0, 1, 7, 0, 5, 11, 9, 1, 0, 6, 7, 1, 3},
        {0, 0, 0, 4, 4, 10, 8, 6, 0, 5, 11, 4, 1},   {0, 0, 5, 0, 3, 1, 7, 13, 4, 3, 2, 8, 9},
        {5, 0, 0, 10, 5, 0, 6, 4, 18, 9, 8, 7, 6},   {5, 2, 0, 5, 15, 6, 5, 4, 9, 15, 6, 5, 4},
        {0, 2, 7, 0, 6, 12, 3, 10, 8, 6, 12, 3, 10}, {0, 0, 7, 4, 5, 3, 9, 8, 7, 5, 3, 9, 8}};
    // Figure 13.5 shows the sixth row, and F of the fourth and fifth.  The paper begins F with 0, which changes no H.
    int const fifth_f[cols] = {-5, -5, -4, -5, -5, -5, -5, -4, -5, -5, -5, -5, -4};
    int const sixth_before_e[cols] = {5, 2, 0, 5, 15, 2, 5, 2, 5, 7, 0, 0, 0};
    int const sixth_scan[cols] = {-1, 4, 3, 2, 4, 14, 13, 12, 11, 10, 9, 8, 7};

    published::Affine const affine{8, 1, 0, true};
    std::vector<int> above(cols + 1, 0), f(cols + 1, 0), here(cols + 1, 0);
    for (int i = 1; i <= rows; ++i) {
        int e = published::minus_infinity;
        for (int j = 1; j <= cols; ++j) {
            int const s = example.query[i - 1] == example.target[j - 1] ? 5 : -3;
            e = affine.gap(here[j - 1], e);
            f[j] = affine.gap(above[j], f[j]);
            here[j] = affine.h(above[j - 1], s, e, f[j]);
            EXPECT_EQ(here[j], table[i - 1][j - 1]) << i << " " << j;
            if (i == 4 || i == 5) {
                EXPECT_EQ(f[j], i == 4 ? -4 : fifth_f[j - 1]) << j;
            }
            if (i != 6)
                continue;
            EXPECT_EQ(std::max({above[j - 1] + s, f[j], 0}), sixth_before_e[j - 1]) << j;
            EXPECT_EQ(std::max(e + affine.open, -1), sixth_scan[j - 1]) << j;
        }
        std::swap(above, here);
        here[0] = 0;
    }
}

} // namespace
} // namespace nwgpu::test
