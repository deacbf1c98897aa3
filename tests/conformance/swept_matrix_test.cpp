// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments in matrices that another engine has swept; its stand-in computes cell by cell.  Against
// the oracle and, where that is too slow, against the CPU engine's own sweep.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "checkpoint/swept_matrix.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "support/top.hpp"

namespace nwgpu::test {
namespace {

using checkpoint::SweptMatrix;

// `vague`: by how much the scores of tiles may be said to be higher than they are.
SweptMatrix sweep(PairView const & pair, Scoring const & scoring, std::uint64_t tile_rows, std::uint64_t tile_cols,
                  bool wide, std::uint64_t vague = 0)
{
    SweptMatrix matrix;
    checkpoint::SlabShape & shape = matrix.slab.shape;
    shape.rows = pair.m;
    shape.cols = pair.n;
    shape.tile_rows = tile_rows;
    shape.tile_cols = tile_cols;
    shape.strip_rows = tile_rows;
    if (wide || !path::keeps_in_32_bits(scoring, pair.m, pair.n))
        shape.entry_bytes = sizeof(path::Kept<std::int64_t>);
    checkpoint::SlabReader const store{pair, scoring, Mode{.local = true}};
    path::CutLines const row_lines = shape.row_lines(), col_lines = shape.col_lines();
    matrix.slab.row_cuts.resize(row_lines.entries * shape.entry_bytes);
    matrix.slab.col_cuts.resize(col_lines.entries * shape.entry_bytes);
    matrix.bests.resize(checkpoint::tiles_of(shape));
    auto const keep = [&](checkpoint::Bytes & cuts, path::CutLines const & lines, std::uint64_t line, std::uint64_t at,
                          checkpoint::Entry const & entry) {
        store.store(entry, cuts,
                    static_cast<std::uint64_t>(lines.offset) + line * static_cast<std::uint64_t>(lines.stride) + at,
                    shape);
    };
    auto const [open, extend] = scoring.gap();
    std::vector<std::int64_t> above(pair.n + 1, 0), f(pair.n + 1, -open - extend);
    for (std::uint64_t i = 1; i <= pair.m; ++i) {
        std::int64_t diagonal = 0, e = -open - extend;
        for (std::uint64_t j = 1; j <= pair.n; ++j) {
            std::int64_t const aligned = diagonal + scoring.score(pair.query[i - 1], pair.target[j - 1]);
            std::int64_t const h = std::max({aligned, e, f[j], std::int64_t{0}});
            e = std::max(e - extend, h - open - extend);
            f[j] = std::max(f[j] - extend, h - open - extend);
            diagonal = std::exchange(above[j], h);
            if (i % tile_rows == 0 && i < pair.m)
                keep(matrix.slab.row_cuts, row_lines, i / tile_rows - 1, j - 1, {h, f[j]});
            if (j % tile_cols == 0 && j < pair.n)
                keep(matrix.slab.col_cuts, col_lines, j / tile_cols - 1, i - 1, {h, e});
            std::int64_t & best = matrix.bests[(i - 1) / tile_rows * ceil_div(pair.n, tile_cols) + (j - 1) / tile_cols];
            best = std::max(best, h);
        }
    }
    for (std::size_t k = 0; k < matrix.bests.size() && vague > 0; ++k)
        matrix.bests[k] += static_cast<std::int64_t>(k % (vague + 1));
    return matrix;
}

struct Tiles {
    std::uint64_t rows, cols;
    bool wide = false;
    std::uint64_t vague = 0;
};

void check_swept(PairSet const & set, Scheme const & s, Request const & request, Tiles const & tiles,
                 EngineSetup const & options, std::vector<PairResult> const & expected, std::string const & words)
{
    PairResult first = cpu::make_swept_finder(options)->find(
        set.view(0), s.scoring, request, sweep(set.view(0), s.scoring, tiles.rows, tiles.cols, tiles.wide, tiles.vague),
        0, {});
    std::vector<PairResult> actual{first};
    actual.front().more.clear();
    actual.insert(actual.end(), first.more.begin(), first.more.end());
    std::string const reproducer = words + " scheme=" + s.name + " m=" + std::to_string(set.view(0).m) +
                                   " n=" + std::to_string(set.view(0).n) + " tiles=" + std::to_string(tiles.rows) +
                                   "x" + std::to_string(tiles.cols) + " wide=" + std::to_string(tiles.wide) +
                                   " vague=" + std::to_string(tiles.vague) + " " + describe(options) +
                                   " top=" + std::to_string(request.top);
    expect_same_top(expected, actual, request.output, reproducer);
}

std::vector<PairResult> expected_of(PairSet const & set, Scheme const & s, Request const & request)
{
    return reference::align_top(set.view(0), s.scoring, request.top, request.style);
}

EngineSetup options_of(Random & random)
{
    auto const isas = cpu::available_isas();
    EngineSetup options{.threads = 1, .isa = random.pick(isas), .tuning = {}};
    options.tuning.score_width = random.pick(std::vector<int>{0, 64}); // 64: strips as low as they can be
    options.tuning.max_trace_bytes = random.below(2);                  // 1: blocks as small as they can be
    options.tuning.open_tiles = random.pick(std::vector<std::uint64_t>{0, 1, 3});
    options.tuning.block_cols = random.pick(std::vector<std::uint64_t>{0, 1, 20});
    return options;
}

TEST(SweptTest, AllModelsAndSchemes)
{
    std::uint64_t seed = 0;
    for (Scheme const & s : all_schemes())
        for (Model const model : all_models())
            for (int k = 0; k < 3; ++k) {
                Random random{++seed};
                PairSet const set{{random_pair(random, model, random.between(1, 70), random.between(1, 90), s.letters)},
                                  s.scoring};
                Request const request = request_of(static_cast<std::uint32_t>(random.between(2, 12)));
                Tiles const tiles{random.between(1, 40), random.between(1, 50), random.below(2) == 1, random.below(4)};
                check_swept(set, s, request, tiles, options_of(random), expected_of(set, s, request),
                            "SweptTest.AllModelsAndSchemes seed=" + std::to_string(seed) +
                                " model=" + std::string{name(model)});
            }
}

TEST(SweptTest, EdgeLengths)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    std::uint64_t seed = 100;
    for (std::uint64_t const m : edge_lengths())
        for (std::uint64_t const n : edge_lengths()) {
            if (m == 0 || n == 0 || m * n > 70000)
                continue;
            Random random{++seed};
            PairSet const set{{random_pair(random, random.pick(all_models()), m, n, s.letters)}, s.scoring};
            Request const request = request_of(5);
            // One tile exactly, one more letter, one less, and tiles of one row or column.
            Tiles const tiles{
                random.pick(std::vector<std::uint64_t>{m, m + 1, std::max<std::uint64_t>(1, m - 1), 1, 64}),
                random.pick(std::vector<std::uint64_t>{n, n + 1, std::max<std::uint64_t>(1, n - 1), 1, 64})};
            check_swept(set, s, request, tiles, options_of(random), expected_of(set, s, request),
                        "SweptTest.EdgeLengths seed=" + std::to_string(seed));
        }
}

// Several blocks in each of several tiles; paths that cross them, changes that spread over their edges and corners.
TEST(SweptTest, ManyTiles)
{
    for (std::string const scheme_name : {"dna_2_4_4_2", "linear_1_1_0_1"}) {
        Scheme const & s = scheme(scheme_name);
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            Random random{seed};
            Model const model = seed % 2 ? Model::structured : all_models()[seed % all_models().size()];
            PairSet const set{{random_pair(random, model, 1500, 1300, s.letters)}, s.scoring};
            auto const expected = expected_of(set, s, request_of(8));
            for (Tiles const & tiles : {Tiles{300, 400}, {64, 1300}, {1500, 129}, {777, 500, true}, {130, 128}}) {
                EngineSetup options{.threads = 1, .isa = {}, .tuning = {}};
                options.tuning.score_width = seed % 3 == 0 ? 0 : 32; // low strips: more blocks
                options.tuning.max_trace_bytes = seed % 2 ? 1 : 0;
                options.tuning.open_tiles = seed % 4;
                options.tuning.block_cols = seed % 2 ? 100 : 1;
                check_swept(set, s, request_of(8), tiles, options, expected,
                            "SweptTest.ManyTiles seed=" + std::to_string(seed));
            }
        }
    }
}

// The first alignment ends in the last cell of a tile, with too little score for a gap: of all later tiles only the one
// behind the corner depends on it.
TEST(SweptTest, CornersChange)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    std::string query(200, 'A'), target(200, 'C');
    query.replace(97, 5, "GGTAG");
    target.replace(97, 5, "GGTCG");
    PairSet const set{{{query, target}}, s.scoring};
    auto const expected = expected_of(set, s, request_of(8));
    ASSERT_EQ(expected[0].span.query_end, 100u);
    for (std::uint64_t const open : {0u, 1u}) {
        EngineSetup options{.threads = 1, .isa = {}, .tuning = {}};
        options.tuning.open_tiles = open;
        check_swept(set, s, request_of(8), {100, 100}, options, expected, "SweptTest.CornersChange");
    }
}

TEST(SweptTest, MoreThanThereAre)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    for (SequencePair const & pair : {SequencePair{"ACGT", "ACGT"}, {"AAAA", "CCCC"}, {"A", "AA"}, {"AAAAA", "AAAA"}}) {
        PairSet const set{{pair}, s.scoring};
        for (std::uint64_t const vague : {0u, 3u})
            check_swept(set, s, request_of(1000), {2, 2, false, vague}, {.threads = 1, .isa = {}, .tuning = {}},
                        expected_of(set, s, request_of(1000)), "SweptTest.MoreThanThereAre");
    }
}

// Beyond the oracle: the CPU engine's own sweep, which is one tile; several threads share a tile.
TEST(SweptTest, EqualsTheEnginesOwn)
{
    for (std::string const scheme_name : {"dna_1_3_3_2", "linear_1_1_0_1"}) {
        Scheme const & s = scheme(scheme_name);
        for (Model const model : {Model::structured, Model::two_letters}) {
            Random random{9};
            PairSet const set{{random_pair(random, model, 3500, 3700, s.letters, 0.3)}, s.scoring};
            BatchResult const own =
                align({.threads = 1, .isa = {}, .tuning = {}}, set.batch(), s.scoring, request_of(12));
            for (std::uint64_t const open : {0u, 2u}) {
                EngineSetup options{.threads = 3, .isa = {}, .tuning = {}};
                options.tuning.open_tiles = open;
                check_swept(set, s, request_of(12), {1100, 900}, options, entries_of(own, 0),
                            "SweptTest.EqualsTheEnginesOwn seed=9 model=" + std::string{name(model)});
            }
        }
    }
}

TEST(SweptTest, TheLimitHolds)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{8};
    PairSet const set{{random_pair(random, Model::uniform, 1500, 1500, s.letters)}, s.scoring};
    SweptMatrix const matrix = sweep(set.view(0), s.scoring, 500, 500, false);
    auto const finder = cpu::make_swept_finder({.threads = 1, .isa = {}, .tuning = {.open_tiles = 1}});
    Request const request = request_of(300);
    auto const bytes = [&](std::uint64_t limit) {
        return finder->cost(s.scoring, request, matrix.slab.shape, limit).host_bytes;
    };
    std::uint64_t const least = bytes(0);
    auto const status_with = [&](std::uint64_t limit) {
        try {
            SweptMatrix copy = matrix;
            PairResult const result = finder->find(set.view(0), s.scoring, request, std::move(copy), limit, {});
            EXPECT_EQ(result.more.size(), 299u);
            return Status::ok;
        } catch (Error const & error) {
            return error.status;
        }
    };
    EXPECT_THROW(bytes(least - 1), Error);
    EXPECT_EQ(bytes(least), least);
    EXPECT_EQ(status_with(least), Status::memory_limit) << "nothing is left for 300 alignments";
    EXPECT_EQ(status_with(least + (4 << 20)), Status::ok);
    EXPECT_EQ(status_with(0), Status::ok);
}

// With more memory more tiles stay open, never more than there are.
TEST(SweptTest, MemoryIsUsedAndBounded)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{std::string(1000, 'A'), "C"}}, s.scoring};
    checkpoint::SlabShape shape;
    shape.rows = shape.cols = 1000000;
    shape.tile_rows = shape.tile_cols = 12544;
    auto const bytes = [&](std::uint64_t limit) {
        return cpu::make_swept_finder({.threads = 4, .isa = {}, .tuning = {}})
            ->cost(s.scoring, request_of(200), shape, limit)
            .host_bytes;
    };
    std::uint64_t const kept = checkpoint::kept_bytes(shape), GiB = std::uint64_t{1} << 30;
    EXPECT_NEAR(static_cast<double>(kept), 79 * 2e6 * 4, 1e6);
    EXPECT_THROW(bytes(kept), Error);
    EXPECT_LE(bytes(kept + (100 << 20)), kept + (100 << 20));
    EXPECT_LT(bytes(kept + (100 << 20)), bytes(kept + (600 << 20)));
    EXPECT_LE(bytes(kept + (600 << 20)), kept + (600 << 20));
    EXPECT_LE(bytes(0), kept + GiB + (64 << 20));
    EXPECT_GE(bytes(0), kept + GiB / 2);
    shape.rows = 5000;
    EXPECT_LE(bytes(0), GiB / 2) << "all tiles are open";
}

TEST(SweptTest, CancellingStops)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{4};
    PairSet const set{{random_pair(random, Model::one_letter, 2000, 2000, s.letters)}, s.scoring};
    SweptMatrix matrix = sweep(set.view(0), s.scoring, 500, 500, false);
    int calls = 0;
    try {
        cpu::make_swept_finder({.threads = 1, .isa = {}, .tuning = {}})
            ->find(set.view(0), s.scoring, request_of(100000), std::move(matrix), 0, [&] { return ++calls < 3; });
        FAIL() << "it went on to the end";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
    }
    EXPECT_EQ(calls, 3);
}

} // namespace
} // namespace nwgpu::test
