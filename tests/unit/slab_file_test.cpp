// SPDX-License-Identifier: BSD-3-Clause
// Files of slabs that are not what a run has written: every byte of them, and headers that lie with right fingerprints.
#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/slabs.hpp"
#include "unit/slab_of_test.hpp"

namespace nwgpu::test {
namespace {

using checkpoint::Folder;
using checkpoint::SlabHeader;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

class SlabFileTest : public SavedSlabs {
protected:
    std::string const first = path + "/slab-000000.nwgpu", second = path + "/slab-000001.nwgpu";

    std::string refusal() const
    {
        return why_not([&] {
            Folder folder{path, problem(), true};
            for (std::uint64_t k = folder.count(); k > 0; --k)
                folder.load(k - 1);
        });
    }
};

TEST_F(SlabFileTest, EveryByteCounts)
{
    for (std::string const & name : {first, second}) {
        SlabFile file{name};
        checkpoint::Slab const expected = slab(0, 3);
        ASSERT_EQ(file.bytes().size(),
                  sizeof(SlabHeader) + expected.bottom.size() + expected.row_cuts.size() + expected.col_cuts.size());
        for (std::size_t k = 0; k < file.bytes().size(); ++k) {
            char const old = file.bytes()[k];
            for (int const change : {1, 16, 255}) {
                file.bytes()[k] = static_cast<char>(old ^ change);
                file.write();
                EXPECT_THAT(refusal(),
                            AllOf(StartsWith(name + ": "),
                                  AnyOf(HasSubstr("remove this file and those with higher numbers, and resume"),
                                        HasSubstr("choose another folder"))))
                    << "byte " << k << " changed by " << change;
            }
            file.bytes()[k] = old;
        }
        file.write();
    }
    EXPECT_EQ(refusal(), "nothing") << "as they were";
}

TEST_F(SlabFileTest, SaysWhatIsWrong)
{
    auto const refusal_of = [&](std::size_t byte) {
        SlabFile file{first};
        file.bytes()[byte] ^= 1;
        file.write();
        std::string const why = refusal();
        file.bytes()[byte] ^= 1;
        file.write();
        return why;
    };
    EXPECT_THAT(refusal_of(0), HasSubstr("not a file of a checkpoint"));
    EXPECT_THAT(refusal_of(offsetof(SlabHeader, version)),
                HasSubstr("a checkpoint of format 2, not 3: resume it with the version of nwgpu that began it"));
    EXPECT_THAT(refusal_of(offsetof(SlabHeader, number)), HasSubstr("its header has changed"));
    EXPECT_THAT(refusal_of(sizeof(SlabHeader) + 1000), HasSubstr("its content has changed"));
}

// A file of format 1 is told by its version, though its header is shorter.
TEST_F(SlabFileTest, OfAnOlderFormat)
{
    SlabFile file{first};
    file.bytes().resize(168);
    file.bytes()[8] = 1;
    file.write();
    EXPECT_THAT(refusal(), HasSubstr("slab-000000.nwgpu: a checkpoint of format 1, not 3"));
}

TEST_F(SlabFileTest, OfAnotherLength)
{
    SlabFile const whole{second};
    std::size_t const size = SlabFile{second}.bytes().size();
    for (std::size_t length = 0; length < size; length += length < sizeof(SlabHeader) + 10 ? 1 : 50) {
        whole.write();
        std::filesystem::resize_file(second, length);
        EXPECT_THAT(message_of(path, problem(), true), AllOf(StartsWith(second), HasSubstr("cut short"))) << length;
    }
    whole.write();
    std::filesystem::resize_file(second, size + 1);
    EXPECT_THAT(message_of(path, problem(), true), HasSubstr("something was written behind its end"));
}

// Numbers of a header that say something else, with right fingerprints.
struct Lie {
    char const * what;
    std::size_t at;                // byte of the header
    std::vector<std::uint64_t> to; // instead of what is there
    char const * why;
};

#define NWGPU_AT(field) offsetof(SlabHeader, field)
std::uint64_t const huge = std::uint64_t{1} << 32, top_bit = std::uint64_t{1} << 63, minus = UINT64_MAX;

std::vector<Lie> lies()
{
    std::size_t const shape = NWGPU_AT(shape), sizes = NWGPU_AT(sizes),
                      band = shape + offsetof(checkpoint::SlabShape, band);
    auto const of = [&](std::size_t member) { return shape + member; };
    using checkpoint::SlabShape;
    return {
        {"number", NWGPU_AT(number), {0, 2, minus}, "has the number of another"},
        {"row", of(offsetof(SlabShape, row)), {0, 99, 101, 1000, huge, minus, minus - 99}, "does not follow"},
        {"rows",
         of(offsetof(SlabShape, rows)),
         {0, 900, 901, 1000, huge, minus, minus - 99, top_bit},
         "its rows are not above"},
        {"rows", of(offsetof(SlabShape, rows)), {1, 10, 99, 101}, "not whole strips"},
        {"rows", of(offsetof(SlabShape, rows)), {80, 120, 200, 880}, "its arrays are not"},
        {"cols", of(offsetof(SlabShape, cols)), {0, 1, 49, 51, 1000, huge, minus}, "its columns are not"},
        {"tile_rows",
         of(offsetof(SlabShape, tile_rows)),
         {0, 1, 19, 30, 61, huge + 1, huge * 20, minus},
         "no such tiles"},
        {"tile_rows", of(offsetof(SlabShape, tile_rows)), {20, 40, 100, 200}, "its arrays are not"},
        {"tile_cols", of(offsetof(SlabShape, tile_cols)), {0, huge + 1, minus}, "no such tiles"},
        {"tile_cols", of(offsetof(SlabShape, tile_cols)), {1, 2, 10, 25, 49, 50}, "its arrays are not"},
        {"strip_rows", of(offsetof(SlabShape, strip_rows)), {0, 3, 30, 200, huge + 1, minus}, "not whole strips"},
        {"strip_rows", of(offsetof(SlabShape, strip_rows)), {25, 50, 100}, "no such tiles"},
        {"band's low", band, {0, minus, minus - 60, top_bit}, "no such band"},
        {"band's high", band + 8, {0, 100, minus, minus >> 1}, "no such band"},
        {"entry_bytes",
         of(offsetof(SlabShape, entry_bytes)),
         {0, 1, 2, 3, 8, 12, 17, 32, huge, minus},
         "no such entries"},
        {"entry_bytes", of(offsetof(SlabShape, entry_bytes)), {16}, "its arrays are not"},
        {"best_score", of(offsetof(SlabShape, best_score)), {0, 51, huge, top_bit, minus}, "no such best cell"},
        {"best_i", of(offsetof(SlabShape, best_i)), {0, 201, huge, minus}, "no such best cell"},
        {"best_j", of(offsetof(SlabShape, best_j)), {0, 51, huge, minus}, "no such best cell"},
        {"sizes.bottom", sizes, {0, 199, 201, huge, minus, minus - 1000}, ""},
        {"sizes.row_cuts", sizes + 8, {0, 199, 201, huge, minus, minus - 1000}, ""},
        {"sizes.col_cuts", sizes + 16, {0, 807, 809, huge, minus, minus - 1000}, ""},
        {"query_length", NWGPU_AT(identity), {0, 50, 999, minus}, "of other sequences"},
        {"target_length", NWGPU_AT(identity) + 8, {0, 49, 1000, minus}, "of other sequences"},
        {"sequences", NWGPU_AT(identity) + 16, {0, minus}, "of other sequences"},
        {"scoring", NWGPU_AT(identity) + 24, {0, minus}, "of another scoring"},
        {"mode", NWGPU_AT(identity) + 32, {0, minus}, "of another mode"},
    };
}
#undef NWGPU_AT

TEST_F(SlabFileTest, HeadersThatLie)
{
    SlabFile const whole{second};
    std::set<std::size_t> seen;
    for (Lie const & lie : lies())
        for (std::uint64_t const value : lie.to) {
            SlabFile file = whole;
            std::memcpy(file.bytes().data() + lie.at, &value, sizeof value);
            file.seal();
            file.write();
            EXPECT_THAT(message_of(path, problem(), true),
                        AllOf(StartsWith(second + ": the checkpoint is "), HasSubstr(lie.why)))
                << lie.what << " " << value;
            seen.insert(lie.at);
        }
    SlabFile file = whole;
    SlabHeader header = file.header();
    header.sizes.bottom += 4;
    header.sizes.row_cuts -= 4;
    std::memcpy(file.bytes().data(), &header, sizeof header);
    file.seal();
    file.write();
    EXPECT_THAT(message_of(path, problem(), true), HasSubstr("its arrays are not as long"));
    whole.write();
    EXPECT_EQ(refusal(), "nothing");
    // All of the header but the magic letters, the version and the fingerprints.
    EXPECT_EQ(seen.size(), (sizeof(SlabHeader) - 4 * 8) / 8);
}

// Whatever one number of the header is: if it passes, the slab can be read without leaving its arrays.
TEST_F(SlabFileTest, WhatPassesCanBeRead)
{
    SlabFile const whole{second};
    checkpoint::SlabReader const reader{test_pair(), test_scoring(), test_mode};
    for (std::size_t at = 16; at + 16 < sizeof(SlabHeader); at += 8)
        for (std::uint64_t k = 0; k < 60; ++k) {
            std::uint64_t const values[] = {k, 20 * k, huge + k, minus - k, top_bit + k};
            for (std::uint64_t const value : values) {
                SlabFile file = whole;
                std::memcpy(file.bytes().data() + at, &value, sizeof value);
                file.seal();
                file.write();
                try {
                    Folder folder{path, problem(), true};
                    auto const above = folder.load(0), below = folder.load(1);
                    for (std::uint64_t i : {101, 160, 161, 200})
                        for (std::uint64_t j : {1, 20, 21, 50})
                            EXPECT_LE(reader.tile(*below, above.get(), i, j).top.size(), 50u);
                    EXPECT_EQ(reader.below(below.get()).top.size(), 50u);
                } catch (Error const & error) {
                    ASSERT_EQ(error.status, Status::checkpoint);
                }
            }
        }
}

// In a band arrays hold only what it crosses; only a global alignment has one.
TEST(SlabFile, Bands)
{
    std::vector<std::uint8_t> const letters(3000, 'A');
    PairView const pair{letters.data(), 2000, letters.data(), 2100};
    checkpoint::SlabShape shape;
    shape.rows = 640;
    shape.cols = 2100;
    shape.tile_rows = 128;
    shape.tile_cols = 256;
    shape.strip_rows = 64;
    auto const why = [&](Mode const & mode, path::Band const & band, path::Band const & of_sizes) {
        shape.band = of_sizes;
        std::uint64_t const entry = shape.entry_bytes;
        checkpoint::SlabSizes const sizes{2100 * entry, shape.row_lines().entries * entry,
                                          shape.col_lines().entries * entry};
        shape.band = band;
        return checkpoint::Problem{pair, test_scoring(), mode}.why_damaged(shape, sizes, nullptr);
    };
    path::Band const band = path::band_around(pair, 50);
    EXPECT_EQ(band.low, -50);
    EXPECT_EQ(band.high, 150);
    EXPECT_EQ(why({}, band, band), "");
    EXPECT_EQ(why({}, {}, {}), "");
    EXPECT_THAT(why({}, {}, band), HasSubstr("its arrays"));
    EXPECT_THAT(why({}, path::band_around(pair, 51), band), HasSubstr("its arrays"));
    EXPECT_THAT(why(test_mode, band, band), HasSubstr("no such band"));
    for (path::Band const & wrong : {path::Band{-50, 151}, path::Band{1, 99}, path::Band{-2101, 2201},
                                     path::Band{path::Band{}.low, 150}, path::Band{-50, path::Band{}.high}})
        EXPECT_THAT(why({}, wrong, band), HasSubstr("no such band")) << wrong.low << " " << wrong.high;
    EXPECT_EQ(why({}, path::band_around(pair, 2100), path::band_around(pair, 2100)), "");
}

// Of the last column: a cell must have been seen, and must be there.
TEST(SlabFile, BestCells)
{
    checkpoint::SlabShape shape = slab(0, 3).shape;
    auto const why = [&](Mode const & mode, std::int64_t score, std::uint64_t i, std::uint64_t j) {
        shape.best_score = score;
        shape.best_i = i;
        shape.best_j = j;
        return checkpoint::Problem{test_pair(), test_scoring(), mode}.why_damaged(shape, slab(0, 3).sizes(), nullptr);
    };
    Mode const ends{.free_query_end = true};
    EXPECT_EQ(why(ends, -10, 100, 50), "");
    EXPECT_EQ(why(ends, 50, 1, 50), "");
    for (auto const & [score, i, j] : {std::tuple{51, 1, 50}, {-2111, 1, 50}, {0, 0, 0}, {0, 1, 49}, {0, 101, 50}})
        EXPECT_THAT(why(ends, score, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)),
                    HasSubstr("no such best cell"))
            << score << " " << i << " " << j;
    EXPECT_EQ(why({}, 0, 0, 0), "");
    EXPECT_THAT(why({}, 1, 1, 50), HasSubstr("no such best cell"));
    EXPECT_EQ(why(test_mode, 0, 0, 0), "");
    EXPECT_THAT(why(test_mode, 1, 0, 0), HasSubstr("no such best cell")) << "a path needs its end";
    shape.tile_rows = shape.tile_cols = 0;
    EXPECT_THAT(why(test_mode, 1, 0, 0), HasSubstr("its arrays")) << "but a score alone does not";
}

TEST(Identity, TellsProblemsApart)
{
    std::vector<std::uint8_t> const a{1, 2, 3, 4}, b{1, 2, 3, 5}, equal(96, 'A');
    Scoring const scoring = Scoring::uniform(1, 3, {5, 2});
    LetterCodes codes{};
    auto const matrix = [&](int size, std::size_t changed) {
        std::vector<std::int32_t> scores(static_cast<std::size_t>(size * size), 1);
        scores[changed] = 2;
        return Scoring::matrix(scores, size, codes, {5, 2});
    };
    auto const of = [&](std::span<std::uint8_t const> query, std::span<std::uint8_t const> target, Scoring const & with,
                        Mode const & mode) {
        return checkpoint::Problem{{query.data(), query.size(), target.data(), target.size()}, with, mode};
    };
    std::span const equals{equal};
    std::vector<checkpoint::Problem> const problems{
        of(a, b, scoring, {}),
        of(b, a, scoring, {}),
        of(a, a, scoring, {}),
        of(std::vector<std::uint8_t>{1, 2, 3}, std::vector<std::uint8_t>{4, 1, 2, 3, 5}, scoring, {}),
        of(equals.first(64), equals.first(32), scoring, {}),
        of(equals.first(32), equals.first(64), scoring, {}),
        of(equals.first(48), equals.first(48), scoring, {}),
        of(a, b, Scoring::uniform(1, 3, {5, 1}), {}),
        of(a, b, Scoring::uniform(1, 3, {2, 5}), {}),
        of(a, b, Scoring::uniform(2, 3, {5, 2}), {}),
        of(a, b, Scoring::uniform(1, 2, {5, 2}), {}),
        of(a, b, matrix(6, 0), {}),
        of(a, b, matrix(6, 1), {}),
        of(a, b, matrix(6, 6), {}),
        of(a, b, matrix(6, 35), {}),
        of(a, b, matrix(7, 0), {}),
        of(a, b, scoring, {.local = true}),
        of(a, b, scoring, {.free_query_begin = true}),
        of(a, b, scoring, {.free_query_end = true}),
        of(a, b, scoring, {.free_target_begin = true}),
        of(a, b, scoring, {.free_target_end = true}),
        of(a, b, scoring, {.band = Diagonals{0, 0}}),
        of(a, b, scoring, {.band = Diagonals{0, 1}}),
        of(a, b, scoring, {.band = Diagonals{-1, 0}}),
        of(a, b, scoring, {.ties = Ties::last_end}),
        of(a, b, scoring, {.ties = Ties::gaps_first}),
    };
    for (std::size_t k = 0; k < problems.size(); ++k)
        for (std::size_t l = 0; l < problems.size(); ++l)
            EXPECT_EQ(problems[k].why_foreign(problems[l].identity()).empty(), k == l) << k << " " << l;
}

} // namespace
} // namespace nwgpu::test
