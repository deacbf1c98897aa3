// SPDX-License-Identifier: BSD-3-Clause
// The grid of a band: it has what the band's strips read, and takes no more memory than the plan reckons for the
// matrix.
#include <gtest/gtest.h>

#include "cpu/pair/grid.hpp"
#include "support/random.hpp"

namespace nwgpu::cpu {
namespace {

struct Strips { // a field, as far as a grid needs to know it
    std::uint64_t rows = 256;
    std::uint64_t strip_rows() const { return rows; }
    std::uint64_t max_cols() const { return UINT64_MAX; }
    KeptCode kept_code() const { return KeptCode::of_differences(); }
    std::uint64_t strips_at_once() const { return 1; }
    int lanes() const { return 16; }
};

// `lines`: bytes that a band's may take.
Grid make_grid(Strips const & strips, Region const & region, Band const & band, std::uint64_t lines)
{
    GridShape const shape = banded_grid_shape(strips, region, band, lines, narrowest_block(strips));
    return {strips.kept_code(), shape, region, strips.strip_rows(), band};
}

std::uint64_t bytes(Grid const & grid)
{
    std::uint64_t sum = 0;
    for (auto const * cuts : {&grid.row_cuts, &grid.col_cuts})
        for (KeptLine const & cut : *cuts)
            sum += Grid::line_bytes(KeptCode::of_differences(), cut.end - cut.begin);
    return sum;
}

TEST(Grid, BandTakesNoMoreThanTheMatrix)
{
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        test::Random random{seed};
        std::uint64_t const m = random.between(10000, 200000), n = random.between(m - m / 4, m + m / 4);
        std::uint64_t const half_width = random.between(1, random.between(1, n / 3)),
                            cuts = std::uint64_t{1} << random.between(1, 6);
        auto const low = static_cast<std::int64_t>(n) - static_cast<std::int64_t>(m);
        auto const half = static_cast<std::int64_t>(half_width);
        Band const band{std::min<std::int64_t>(0, low) - half, std::max<std::int64_t>(0, low) + half};
        Strips const matrix{}, strips{band.width() > 256 ? 256u : random.between(0, 1) ? 128u : 64u};
        Region const region{0, m, 0, n};
        std::uint64_t const narrowest = narrowest_block(matrix);
        GridShape const shape = grid_shape(matrix, region, cuts, narrowest);
        Grid const whole{matrix.kept_code(), shape, region, matrix.strip_rows(), {}};
        std::uint64_t const strips_of_matrix = ceil_div(m, matrix.strip_rows());
        auto const size = Grid::size(matrix.kept_code(), std::min(cuts, strips_of_matrix),
                                     std::min(cuts, ceil_div(n, narrowest)), m, n);
        EXPECT_LE(bytes(whole), size.lines) << "Grid seed=" << seed << " m=" << m << " n=" << n << " cuts=" << cuts;
        EXPECT_LE(bytes(make_grid(strips, region, band, size.lines)), size.lines)
            << "Grid seed=" << seed << " m=" << m << " n=" << n << " half_width=" << half_width << " cuts=" << cuts;
    }
}

TEST(Grid, BandHasWhatItsStripsReach)
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        test::Random random{seed};
        std::uint64_t const m = random.between(300, 9000), n = random.between(300, 9000), strip = 64;
        auto const low = static_cast<std::int64_t>(random.between(0, 4000)) - 3000;
        Band const band{low, low + static_cast<std::int64_t>(random.between(0, 2000))};
        Region const region{100, 100 + m, 200, 200 + n};
        auto const grid = make_grid({strip}, region, band, random.between(1, 16 * (m + n)));
        for (std::uint64_t row = region.row_begin; row < region.row_end; row += strip) {
            std::uint64_t const end = std::min(row + strip, region.row_end), s = (row - region.row_begin) / strip;
            auto const [first, last] = band.columns(row, end, region.col_begin, region.col_end);
            if (s % grid.shape.strips_apart == 0) {
                auto const & above = grid.row_cuts[s / grid.shape.strips_apart];
                EXPECT_LE(above.begin, first - region.col_begin) << "Grid seed=" << seed << " row=" << row;
                EXPECT_GE(above.end, last - region.col_begin) << "Grid seed=" << seed << " row=" << row;
            }
            for (std::uint64_t k = 0; k < grid.col_cuts.size(); ++k) {
                std::uint64_t const col = region.col_begin + k * grid.shape.cols_apart;
                if (col < first || col >= last)
                    continue;
                EXPECT_LE(grid.col_cuts[k].begin, row - region.row_begin) << "Grid seed=" << seed << " col=" << col;
                EXPECT_GE(grid.col_cuts[k].end, end - region.row_begin) << "Grid seed=" << seed << " col=" << col;
            }
        }
    }
}

} // namespace
} // namespace nwgpu::cpu
