// SPDX-License-Identifier: BSD-3-Clause
// Plans for the GPU, made without one.
#include "cuda/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/scheme.hpp"
#include "cuda/plan/facts.hpp"
#include "cuda/sweep/band_probe.hpp"
#include "cuda/sweep/row_share.hpp"
#include "cuda/sweep/top_sweep.hpp"
#include "gpu/sizes.hpp"
#include "path/cuts.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using cuda::DeviceFacts;
using cuda::PairFacts;
using cuda::PairPlan;

PairFacts shape(std::uint64_t m, std::uint64_t n, bool path, bool local = false)
{
    PairFacts pair;
    pair.m = m;
    pair.n = n;
    pair.letters = 4;
    pair.most_rows_per_half = 50;
    pair.path = path;
    pair.mode.local = local;
    return pair;
}

// A share is swept in rounds that are as full as strips can make them.
TEST(GpuPlan, SharesFillTheirRounds)
{
    std::uint64_t const warps = 4 * 132;
    EXPECT_EQ(cuda::share_pace(132, {}).rows_at_once, warps * 64 * 37);
    EXPECT_EQ(cuda::share_pace(132, {}, 2'500'000).rows_at_once, warps * 64 * 37);
    EXPECT_EQ(cuda::share_pace(132, {}, 2'500'000, true).rows_at_once, warps * 64 * 75); // linear
    EXPECT_EQ(cuda::share_pace(132, {}, 500'000).rows_at_once, warps * 64 * 16);
    EXPECT_EQ(cuda::share_pace(132, {.rows_per_half = 4}, 500'000).rows_at_once, warps * 64 * 4);
    RowPace const plain = cuda::share_pace(132, {.rows_per_half = -1}, 500'000);
    EXPECT_EQ(plain.unit_rows, cuda::trace_strip_rows);
}

// And its strips end where its parts do; a strip waits for few columns at once, since each place waits for the others.
TEST(GpuPlan, StripsOfSharesEndWithTheirParts)
{
    PairFacts share = shape(2 * 1'250'304, 5'000'000, true, true);
    share.parts = 2;
    share.rows_between = share.unit_rows = 1'250'304;
    PairPlan const plan = plan_pair(share, h200);
    EXPECT_EQ(plan.sweep.strip_rows, 64u * 37);
    EXPECT_LE(plan.sweep.slack, 2 * cuda::steps_at_once);
    EXPECT_TRUE(plan.sweep.skip);
    share.unit_rows = 1'280 * 3; // 37 rows per half do not divide it
    EXPECT_EQ(share.unit_rows % plan_pair(share, h200).sweep.strip_rows, 0u);
    share.unit_rows = 256 * 3 * 31;
    EXPECT_EQ(share.unit_rows % plan_pair(share, h200).sweep.strip_rows, 0u);
}

// Where a known score leaves few columns to each strip, strips wait for each other: low ones are quicker, and more cuts
// cost little.
TEST(GpuPlan, KnownScoresMakeLowStrips)
{
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2});
    auto const planned = [&](std::uint64_t letters, std::int64_t score) {
        PairFacts pair = shape(letters, letters, true, true);
        know_score(pair, score, letters, letters, scoring);
        return plan_pair(pair, h200);
    };
    PairPlan const similar = planned(5'000'000, 4'021'222);
    EXPECT_FALSE(planned(5'000'000, 0).sweep.alone);
    EXPECT_TRUE(similar.sweep.alone && similar.known_score == 4'021'222);
    EXPECT_GE(similar.sweep.strip_rows, 64u * 8);
    EXPECT_LE(similar.sweep.strip_rows, 64u * 20);
    EXPECT_NEAR(similar.sweep.seconds, 1.1, 0.2); // measured: 1.05 s
    EXPECT_TRUE(planned(20'000'000, 16'088'000).sweep.alone);
    EXPECT_NEAR(planned(20'000'000, 16'088'000).seconds, 11.3, 1.5); // measured; two devices took 12.7
    EXPECT_FALSE(planned(40'000'000, 32'000'000).sweep.alone);
    EXPECT_LT(planned(20'000'000, 19'200'000).levels[0].tile_rows, 20'000'000u / 200);
    EXPECT_GT(planned(20'000'000, 0).levels[0].tile_rows, 20'000'000u / 100);
    // What cannot be skipped cannot be known: plain kernels, other scores.
    PairFacts plain = shape(5'000'000, 5'000'000, true, true);
    plain.most_rows_per_half = 0;
    know_score(plain, 4'021'222, plain.m, plain.n, scoring);
    EXPECT_EQ(plain.known_score, 0);
}

TEST(GpuPlan, EveryKernelOfAPlanExists)
{
    for (bool const local : {false, true})
        for (bool const linear : {false, true})
            for (int const rows : cuda::packed_rows) {
                cuda::SweepKernel const kernel = cuda::packed_kernel(local, linear, rows),
                                        shape = cuda::packed_shape(rows);
                if (!linear && rows > cuda::most_affine_rows) {
                    EXPECT_EQ(kernel.function, nullptr) << rows;
                    continue;
                }
                EXPECT_NE(kernel.function, nullptr) << rows;
                EXPECT_EQ(kernel.strip_rows, 64u * static_cast<unsigned>(rows));
                int const words = rows <= 8 ? (rows + 3) / 4 : (rows + 15) / 16 * 4; // a byte a row, padded
                EXPECT_EQ(kernel.letter_bytes, 256u * static_cast<unsigned>(words));
                // What plans go by.
                EXPECT_EQ(kernel.strip_rows, shape.strip_rows) << rows;
                EXPECT_EQ(kernel.letter_bytes, shape.letter_bytes) << rows;
                EXPECT_EQ(kernel.warps_per_block, shape.warps_per_block) << rows;
                EXPECT_EQ(kernel.warps_per_multiprocessor, shape.warps_per_multiprocessor) << rows;
                EXPECT_EQ(kernel.raw_columns, shape.raw_columns) << rows;
            }
    EXPECT_EQ(cuda::packed_kernel(false, false, 3).function, nullptr);
}

// Beside a kernel of every size, by the predictions of plans: what nwgpu_gpu_sizes goes by.
TEST(GpuPlan, ThatFewKernelsAreEnough)
{
    EXPECT_TRUE(std::is_sorted(cuda::packed_rows.begin(), cuda::packed_rows.end()));
    Loss const loss = SizeLoss{size_works()}.of(cuda::packed_rows);
    EXPECT_LT(loss.mean, 0.03);
    EXPECT_LT(loss.table, 0.026);
    EXPECT_LT(loss.most, 0.3) << loss.worst;
}

TEST(GpuPlan, TilesFitTheStripsThatKeepThem)
{
    for (std::uint64_t const m : {5000u, 23000u, 100000u, 1000000u, 5000000u})
        for (std::uint64_t const n : {5000u, 77777u, 5000000u}) {
            PairPlan const plan = cuda::plan_pair(shape(m, n, true), h200);
            if (plan.traced)
                continue;
            ASSERT_FALSE(plan.levels.empty());
            std::uint64_t strip_rows = plan.sweep.strip_rows;
            for (cuda::Level const & level : plan.levels) {
                EXPECT_EQ(level.tile_rows % strip_rows, 0u) << m << " x " << n;
                EXPECT_GE(level.tile_cols, 128u);
                EXPECT_GE(level.tiles_at_once, 1u);
                strip_rows = level.sweep.strip_rows;
            }
            cuda::Level const & last = plan.levels.back();
            EXPECT_LE(last.tile_rows * last.tile_cols, 4u << 20) << m << " x " << n; // is traced whole
            EXPECT_LE(plan.levels.size(), 4u);
        }
}

TEST(GpuPlan, KeepsToItsBudget)
{
    for (std::uint64_t const budget : {std::uint64_t{400} << 20, std::uint64_t{1} << 30, std::uint64_t{4} << 30}) {
        DeviceFacts device = h200;
        device.budget = budget;
        EXPECT_LE(cuda::plan_pair(shape(1000000, 1000000, true), device).bytes, budget);
        EXPECT_LE(cuda::plan_pair(shape(3000000, 500000, true, true), device).bytes, budget);
    }
    DeviceFacts tiny = h200;
    tiny.budget = 1 << 20;
    EXPECT_THROW(cuda::plan_pair(shape(1000000, 1000000, true), tiny), Error);
}

// Where the device cannot hold the kept boundaries: fewer of them, or a place elsewhere, whatever costs less.
TEST(GpuPlan, BoundariesGoElsewhereWhenTheDeviceIsTooSmall)
{
    PairFacts pair = shape(20000000, 20000000, true, true);
    PairPlan const first = cuda::plan_pair(pair, h200);
    EXPECT_EQ(first.kept_in, cuda::KeptIn::device);
    EXPECT_EQ(first.host_bytes, 0u);
    EXPECT_GT(first.bytes, std::uint64_t{12} << 30);
    DeviceFacts device = h200;
    device.budget = std::uint64_t{3} << 30;
    device.host_budget = std::uint64_t{64} << 30;
    PairPlan const host = cuda::plan_pair(pair, device);
    EXPECT_EQ(host.kept_in, cuda::KeptIn::host);
    EXPECT_LE(host.bytes, device.budget);
    EXPECT_LT(host.slab_rows, pair.m);
    EXPECT_EQ(host.slab_rows % host.sweep.strip_rows, 0u);
    EXPECT_GT(host.host_bytes, std::uint64_t{11} << 30);
    EXPECT_LT(host.seconds, 1.1 * first.seconds);
    device.host_budget = std::uint64_t{6} << 30;
    PairPlan const less = cuda::plan_pair(pair, device);
    EXPECT_LE(less.bytes, device.budget);
    EXPECT_LE(less.host_bytes, device.host_budget);
    EXPECT_GE(less.seconds, host.seconds);
    pair.tuning.kept_in = 2;
    PairPlan const files = cuda::plan_pair(pair, device);
    EXPECT_EQ(files.kept_in, cuda::KeptIn::files);
    EXPECT_LE(files.bytes, device.budget);
    EXPECT_LE(files.host_bytes, device.host_budget);
    EXPECT_NE(files.text.find("in files"), std::string::npos);
}

// Each slab keeps its part of all columns, also where a band leaves most of them out.
TEST(GpuPlan, HostMemoryOfABandIsThatOfItsSlabs)
{
    PairFacts pair = shape(20000000, 20000000, true);
    pair.band = {-100000, 100000};
    pair.tuning.kept_in = 1;
    DeviceFacts device = h200;
    device.budget = std::uint64_t{1500} << 20;
    PairPlan const plan = cuda::plan_pair(pair, device);
    ASSERT_EQ(plan.kept_in, cuda::KeptIn::host);
    EXPECT_LE(plan.bytes, device.budget);
    std::uint64_t kept = 0;
    for (std::uint64_t row = 0; row < pair.m; row += plan.slab_rows)
        kept += cuda::cut_bytes(std::min(plan.slab_rows, pair.m - row), pair.n, plan.levels[0],
                                {pair.band, plan.sweep.strip_rows}, 4);
    EXPECT_GE(plan.host_bytes, kept);
    EXPECT_LE(plan.host_bytes, kept + kept / 4);
}

// Traced at once it would take 8 MB.
TEST(GpuPlan, TraceBitsKeepToTheBudget)
{
    DeviceFacts device = h200;
    EXPECT_TRUE(cuda::plan_pair(shape(4000, 4000, true), device).traced);
    device.budget = 4 << 20;
    PairPlan const plan = cuda::plan_pair(shape(4000, 4000, true), device);
    EXPECT_FALSE(plan.traced);
    EXPECT_LE(plan.bytes, device.budget);
}

// Two slabs are in host memory: the one that is written, and the next.
TEST(GpuPlan, CheckpointsKeepToTheHostsLimit)
{
    PairFacts const pair = shape(20000000, 20000000, true, true);
    DeviceFacts device = h200;
    PairPlan const plan = cuda::plan_pair(pair, device);
    std::uint64_t const rows = cuda::checkpoint_rows(plan, pair, device, 60);
    auto const bytes = [&](std::uint64_t count) {
        return 2 * cuda::cut_bytes(count, pair.n, plan.levels[0], {{}, plan.sweep.strip_rows}, 4);
    };
    device.host_budget = bytes(rows) / 2;
    std::uint64_t const less = cuda::checkpoint_rows(plan, pair, device, 60);
    EXPECT_LE(bytes(less), device.host_budget);
    EXPECT_GT(less, rows / 4);
}

TEST(GpuPlan, FiveMillionSquareWithPathStaysBelow4GiB)
{
    EXPECT_LE(cuda::plan_pair(shape(5000000, 5000000, true, true), h200).bytes, std::uint64_t{4} << 30);
}

TEST(GpuPlan, BandSavesTimeAndMemory)
{
    PairFacts pair = shape(5000000, 5000000, true);
    PairPlan const full = cuda::plan_pair(pair, h200);
    pair.band = {-60000, 60000};
    PairPlan const banded = cuda::plan_pair(pair, h200);
    EXPECT_LT(banded.seconds, full.seconds / 4);
    EXPECT_LT(banded.bytes, full.bytes);
    EXPECT_EQ(banded.band.high, 60000);
    // Strips divide those of the level above, and hold whole strips of traced tiles.
    std::uint64_t strip_rows = banded.sweep.strip_rows;
    for (cuda::Level const & level : banded.levels) {
        EXPECT_EQ(strip_rows % cuda::trace_strip_rows, 0u);
        EXPECT_EQ(level.tile_rows % strip_rows, 0u);
        if (&level != &banded.levels.back()) {
            EXPECT_EQ(strip_rows % level.sweep.strip_rows, 0u);
            strip_rows = level.sweep.strip_rows;
        }
    }
}

// Every cell of a kept line that a strip in the band writes or reads has an entry of its own.
TEST(GpuPlan, KeptLinesOfABandHoldWhatStripsReach)
{
    struct Shape {
        std::int64_t rows, cols, tile_rows, tile_cols, low, high, strip;
    };
    for (Shape const & x : {Shape{10000, 10000, 1024, 700, -300, 250, 256},
                            {10000, 9000, 512, 512, -1300, 90, 512},
                            {3000, 8000, 1024, 999, -20, 5100, 256},
                            {8000, 3000, 256, 400, -5100, 10, 256},
                            {2000, 2000, 512, 300, -5000, 5000, 256},
                            {4096, 4096, 1024, 1024, 900, 1400, 256}}) {
        path::BandPart const part{{x.low, x.high}, static_cast<std::uint64_t>(x.strip)};
        auto const u = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
        cuda::SweepJob<std::int32_t> job;
        job.rows = static_cast<std::uint32_t>(x.rows);
        job.cols = static_cast<std::uint32_t>(x.cols);
        job.band_low = x.low;
        job.band_high = x.high;
        auto const columns = [&](std::int64_t strip) {
            return cuda::strip_columns(job, static_cast<std::uint32_t>(x.strip), static_cast<std::uint32_t>(strip));
        };
        path::CutLines const row_lines = path::row_cuts(u(x.rows), u(x.cols), u(x.tile_rows), part);
        std::vector<int> used(row_lines.entries);
        for (std::int64_t k = 0; (k + 1) * x.tile_rows < x.rows; ++k) {
            std::int64_t const below = (k + 1) * x.tile_rows / x.strip;
            auto const above = columns(below - 1), next = columns(below);
            for (std::int64_t col = above.begin; col < std::int64_t{std::max(above.end, next.end)}; ++col) {
                std::int64_t const at = row_lines.offset + k * row_lines.stride + col;
                ASSERT_TRUE(at >= 0 && u(at) < used.size()) << "row cut " << k << " column " << col;
                ASSERT_EQ(used[u(at)]++, 0) << "row cut " << k << " column " << col;
            }
        }
        path::CutLines const col_lines = path::col_cuts(u(x.rows), u(x.cols), u(x.tile_cols), part);
        used.assign(col_lines.entries, 0);
        for (std::int64_t k = 0; (k + 1) * x.tile_cols < x.cols; ++k)
            for (std::int64_t row = -1; row < x.rows; ++row) {
                std::int64_t const strip = std::max<std::int64_t>(row, 0) / x.strip, col = (k + 1) * x.tile_cols - 1;
                bool const last_row = (row + 1) % x.strip == 0 && row + 1 < x.rows;
                std::int64_t const end = last_row && row >= 0 ? columns(strip + 1).end : columns(strip).end;
                if (col < std::int64_t{columns(strip).begin} || col >= end)
                    continue;
                std::int64_t const at = col_lines.offset + k * col_lines.stride + row;
                ASSERT_TRUE(at >= 0 && u(at) < used.size()) << "column cut " << k << " row " << row;
                ASSERT_EQ(used[u(at)]++, 0) << "column cut " << k << " row " << row;
            }
    }
}

// Of several alignments: tiles that fit the strips, and are larger where the device or the host lacks memory.
TEST(GpuPlan, TilesOfSeveralAlignments)
{
    std::uint64_t host_limit = UINT64_MAX;
    auto const host = [&](checkpoint::SlabShape const & tiles) -> checkpoint::SweptFinder::Cost {
        if (checkpoint::kept_bytes(tiles) > host_limit)
            throw Error{Status::memory_limit, "the host is too small"};
        return {checkpoint::kept_bytes(tiles) + 1000, 1};
    };
    for (std::uint64_t const m : {1u, 300u, 5000u, 1000000u})
        for (std::uint64_t const n : {1u, 77777u, 5000000u}) {
            DeviceFacts device = h200;
            host_limit = UINT64_MAX;
            cuda::TopPlan const first = cuda::plan_top(shape(m, n, true, true), device, host);
            EXPECT_EQ(first.shape.tile_rows % first.sweep.strip_rows, 0u) << m << " x " << n;
            EXPECT_GE(first.shape.tile_cols, 128u);
            EXPECT_GE(first.rows_at_once, 1u);
            EXPECT_LE(first.bytes, device.budget);
            EXPECT_EQ(first.host_bytes, checkpoint::kept_bytes(first.shape) + 1000);
            EXPECT_GE(first.seconds, 1);
            std::uint64_t const least = 4 * (2 * m + 4 * n) + m + n + 2000000;
            for (device.budget = first.bytes; device.budget > least; device.budget = device.budget * 3 / 4)
                EXPECT_LE(cuda::plan_top(shape(m, n, true, true), device, host).bytes, device.budget);
            device.budget = m + n;
            EXPECT_THROW(cuda::plan_top(shape(m, n, true, true), device, host), Error) << m << " x " << n;
            if (m < 5000 || n < 5000)
                continue;
            device = h200;
            host_limit = checkpoint::kept_bytes(first.shape) / 5;
            cuda::TopPlan const larger = cuda::plan_top(shape(m, n, true, true), device, host);
            EXPECT_LE(checkpoint::kept_bytes(larger.shape), host_limit);
            EXPECT_GT(larger.shape.tile_cols, first.shape.tile_cols);
        }
    PairFacts const million = shape(1000000, 1000000, true, true);
    host_limit = UINT64_MAX;
    cuda::TopPlan const plan = cuda::plan_top(million, h200, host);
    EXPECT_LE(plan.bytes, std::uint64_t{2} << 30);
    EXPECT_LE(checkpoint::tiles_of(plan.shape), 6400u);
}

TEST(GpuPlan, BandProbeNeedsLittleMemory)
{
    PairFacts pair = shape(5000000, 5000000, true);
    std::uint64_t const bytes = cuda::probe_bytes(pair);
    EXPECT_GE(bytes, std::uint64_t{4} * 2 * 10000000); // the boundaries of the pieces
    EXPECT_LE(bytes, std::uint64_t{256} << 20);
    pair.wide = true;
    EXPECT_GT(cuda::probe_bytes(pair), bytes);
}

TEST(GpuPlan, CornersOfTheBandProbeRise)
{
    EXPECT_EQ(cuda::longest_rising({}), (std::vector<std::size_t>{}));
    EXPECT_EQ(cuda::longest_rising({5, 3, 4, 9, 1, 10, 7}), (std::vector<std::size_t>{1, 2, 3, 5}));
    EXPECT_EQ(cuda::longest_rising({4, 4, 4}), (std::vector<std::size_t>{0}));
}

TEST(GpuPlan, WidthsFollowTheScheme)
{
    EXPECT_GE(cuda::most_packed_rows(scheme("dna_2_4_4_2").scoring, true), 30);
    EXPECT_GE(cuda::most_packed_rows(scheme("BLOSUM62_11_1").scoring, false), 16);
    EXPECT_EQ(cuda::most_packed_rows(scheme("leaves_8_bits").scoring, false), 0);
    EXPECT_TRUE(path::keeps_in_32_bits(scheme("dna_2_4_4_2").scoring, 20000000, 20000000));
    EXPECT_FALSE(path::keeps_in_32_bits(scheme("all_2_30").scoring, 10, 10));
}

TEST(GpuPlan, LettersAreNumberedAsTheyOccur)
{
    Scoring const scoring = Scoring::uniform(2, 3, {1, 1});
    PairSet const set{{{"ACGN", "ACTTXY"}}, scoring};
    cuda::ScoreTable const table{set.batch(), scoring};
    EXPECT_EQ(table.query_letters, 3u);  // A, C, and what the target lacks
    EXPECT_EQ(table.target_letters, 3u); // A, C, and what the query lacks
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
            PairView const pair = set.view(0);
            EXPECT_EQ(table.scores[table.query_map[pair.query[i]] * 3 + table.target_map[pair.target[j]]],
                      pair.query[i] == pair.target[j] ? 2 : -3);
        }
}

} // namespace
} // namespace nwgpu::test
