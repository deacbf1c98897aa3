// SPDX-License-Identifier: BSD-3-Clause
// What the devices of a place are given of its share of rows.
#include <gtest/gtest.h>

#include "places/device_rows.hpp"
#include "support/schemes.hpp"

namespace nwgpu::test {
namespace {

class NoShare final : public RowShare {
public:
    std::vector<SweptRows> sweep(RowLines &, Monitor &) override { return {}; }
    WalkedRows walk(std::size_t, path::Cursor const &, Monitor &) override { return {}; }
    WalkedRows walk_from_best(std::size_t, bool, Monitor &) override { return {}; }
};

class Listening final : public RowEngine {
public:
    explicit Listening(std::uint64_t chip) : chip_{chip} {}
    bool suits(Request const &) const override { return true; }
    RowPace pace() const override
    {
        return {.cells_per_second = 1e12, .fill_cols = 50, .rows_at_once = 2048, .slab_rows = 2048, .chip = chip_};
    }
    bool align_if_similar(Piece const &, Monitor &, Answers &) override { return false; }
    std::unique_ptr<RowShare> share(RowTask const & task) override
    {
        panel_cols = task.panel_cols;
        parts = task.part_count();
        return std::make_unique<NoShare>();
    }

    std::uint64_t panel_cols = 0;
    std::size_t parts = 0;

private:
    std::uint64_t const chip_;
};

// A place that is alone leaves it to its devices how wide panels are: with one panel each would wait for the other's
// last column.
TEST(DeviceRows, HavePanelsWhereNobodyElseAsksForThem)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    std::vector<std::uint8_t> const letters(100'000);
    Listening one{1}, other{2};
    places::DeviceRows devices{{{&one, nullptr}, {&other, nullptr}}, {}};
    EXPECT_EQ(devices.pace().slab_rows, 2048u);
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    for (std::uint64_t const asked : {std::uint64_t{UINT64_MAX}, std::uint64_t{777}})
        for (std::uint64_t const rows : {4096u, 8192u}) { // of a round, of two
            RowTask const task{{letters.data(), rows, letters.data(), 100'000}, 0, 50'000, asked, s.scoring, request};
            devices.share(task);
            EXPECT_EQ(one.parts, rows / 4096);
            EXPECT_EQ(one.panel_cols, other.panel_cols);
            if (asked == UINT64_MAX)
                EXPECT_LE(one.panel_cols, 25'000u);
            else
                EXPECT_EQ(one.panel_cols, asked);
        }
}

} // namespace
} // namespace nwgpu::test
