// SPDX-License-Identifier: BSD-3-Clause
// Scores in 8 bits: schemes that only just fit, and sequences whose scores rise and fall as steeply as they can.
#include <gtest/gtest.h>

#include <algorithm>

#include "cpu/kernels/kernel_table.hpp"
#include "cpu/pair/field.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "model/alphabet.hpp"
#include "model/matrices.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

Request const local_cigar{{.local = true}, Output::cigar, CigarStyle::eqx},
    global_cigar{{}, Output::cigar, CigarStyle::eqx};

std::string letters = "ACGT";

// Codes below 16 are compared in another way than bytes.
Scheme uniform(std::int64_t match, std::int64_t mismatch, GapCost gap, bool small_codes = false)
{
    return {"match " + std::to_string(match) + " mismatch " + std::to_string(mismatch) + " open " +
                std::to_string(gap.open) + " extend " + std::to_string(gap.extend) + (small_codes ? " codes" : ""),
            Scoring::uniform(match, mismatch, gap, small_codes ? alphabet_codes("dna") : nullptr), letters, true};
}

EngineSetup narrow(std::string const & isa)
{
    return {.threads = 1, .isa = isa, .tuning = {.score_width = 8, .lanes = -1}};
}

bool fits(Scheme const & s, Request const & request = local_cigar)
{
    PairSet const set{{{"A", "A"}}, s.scoring};
    return align(narrow({}), set.batch(), s.scoring, request).status.at(0) == Status::ok;
}

// Alike, unlike, with a long gap, alike again: H climbs, falls to the floor or along a gap, and climbs.
SequencePair steep(Random & random, std::uint64_t unit)
{
    std::string const first = random_sequence(random, unit, letters), last = random_sequence(random, unit, letters);
    auto const middle = [&] { return random_sequence(random, random.below(unit), letters); };
    SequencePair pair{first + middle() + last, first + middle() + last};
    if (random.chance(0.5))
        pair.query += std::string(random.below(unit), 'A');
    if (random.chance(0.5))
        pair.target = std::string(random.below(unit), 'A') + pair.target;
    return pair;
}

TEST(LocalBitsTest, SchemesAtTheLimit)
{
    Random random{1};
    int tried = 0;
    for (int k = 0; k < (is_thorough() ? 60 : 20); ++k) {
        GapCost const gap{static_cast<std::int64_t>(random.below(30)), static_cast<std::int64_t>(random.below(4))};
        auto const mismatch = static_cast<std::int64_t>(random.below(20));
        std::int64_t match = 40;
        while (match > 0 && !fits(uniform(match, mismatch, gap)))
            --match;
        if (match == 0)
            continue;
        ++tried;
        Scheme const s = uniform(match, mismatch, gap, k % 2 == 1);
        std::vector<SequencePair> pairs;
        for (std::uint64_t const unit : {10, 40, 150, 500})
            pairs.push_back(steep(random, unit));
        PairSet const set{std::move(pairs), s.scoring};
        auto const full = oracle(set, s.scoring, local_cigar.mode);
        for (std::string const & isa : cpu::available_isas())
            for (std::uint64_t const tile_cols : {0, 70}) {
                EngineSetup options = narrow(isa);
                options.tuning.tile_cols = tile_cols;
                for (Output const output : {Output::score, Output::cigar})
                    check(set, s, {local_cigar.mode, output, CigarStyle::eqx}, options, full,
                          "LocalBitsTest k=" + std::to_string(k));
            }
    }
    EXPECT_GT(tried, is_thorough() ? 20 : 7);
}

// The bases of a strip's lanes are 16-bit numbers: H rises by a match in each column of the widest tile, and falls.
TEST(LocalBitsTest, WidestTile)
{
    Random random{4};
    for (auto const & [match, gap] : {std::pair{11, GapCost{11, 1}}, {7, GapCost{0, 2}}, {1, GapCost{1, 6}}}) {
        Scheme const s = uniform(match, 4, gap);
        ASSERT_TRUE(fits(s)) << s.name;
        std::string const word = random_sequence(random, 3400, letters);
        std::string const other = random_sequence(random, 900, letters);
        PairSet const set{{{word + other, word}, {word, word + other + word.substr(0, 100)}}, s.scoring};
        auto const full = oracle(set, s.scoring, local_cigar.mode);
        for (EngineSetup options : fast_setups()) {
            options.tuning = narrow({}).tuning;
            check(set, s, local_cigar, options, full, "WidestTile match=" + std::to_string(match));
        }
    }
}

// Bases that change every four steps make lanes keep almost a byte a cell, and 64 lanes waste the most in a last strip
// of few rows: then a trace that is made at once leaves no room for diagonals.  With them, the pair would be swept
// twice.
TEST(LocalBitsTest, DiagonalsLeaveNoRoom)
{
    ScoreMatrix const matrix = parse_matrix("  A  C  G  T\nA 1 -1 -1 -1\nC -1 1 -1 -1\nG -1 -1 1 -1\nT -1 -1 -1 1\n");
    Scheme const s{"often", Scoring::matrix(matrix.scores, 4, matrix.codes, {0, 7}), letters, true};
    cpu::Scheme const scheme{s.scoring};
    ASSERT_EQ(scheme.score().local.interval, 4);
    Random random{6};
    for (std::string const & isa : cpu::available_isas()) {
        cpu::KernelTable const & kernels = cpu::kernel_table(isa);
        auto const plan = [&](std::uint64_t m, std::uint64_t n) {
            return cpu::plan_pair(m, n, scheme, kernels, local_cigar, 1, 0, {});
        };
        EXPECT_TRUE(plan(1025, 3500).keep_diagonals) << isa;
        EXPECT_FALSE(plan(1025, 4091).keep_grid) << isa;
        EXPECT_EQ(plan(1025, 4091).keep_diagonals, kernels.lanes < 64) << isa;
    }
    for (std::uint64_t const n : {3500, 4091}) {
        std::string const target = random_sequence(random, n, letters);
        PairSet const set{{{mutated(random, target.substr(n - 1100), letters, 0.02).substr(0, 1025), target}},
                          s.scoring};
        auto const full = oracle(set, s.scoring, local_cigar.mode);
        for (EngineSetup const & options : fast_setups())
            check(set, s, local_cigar, options, full, "DiagonalsLeaveNoRoom seed=6 n=" + std::to_string(n));
    }
}

TEST(DiffBitsTest, TheLimit)
{
    EXPECT_TRUE(fits(uniform(10, 20, {49, 1}), global_cigar)); // 10 + 2 * 49 + 20 = 128
    EXPECT_FALSE(fits(uniform(11, 20, {49, 1}), global_cigar));
    EXPECT_FALSE(fits(uniform(10, 21, {49, 1}), global_cigar));
    EXPECT_TRUE(fits(uniform(4, 10, {3, 60}), global_cigar)); // 4 + 2 * 60 + 3 = 127
    EXPECT_FALSE(fits(uniform(5, 10, {3, 60}), global_cigar));
    EXPECT_FALSE(fits(uniform(4, 10, {4, 60}), global_cigar));
    EXPECT_TRUE(fits(uniform(1, 4, {1, 1}), global_cigar)); // a mismatch costs more than half of two gaps
}

// Global and free ends: the best match that fits differences of 8 bits, and the next one, which takes more.
TEST(DiffBitsTest, SchemesAtTheLimit)
{
    Random random{5};
    std::vector<Mode> const modes{
        {}, {.free_target_begin = true, .free_target_end = true}, {.free_query_begin = true, .free_query_end = true}};
    int tried = 0;
    for (int k = 0; k < (is_thorough() ? 40 : 15); ++k) {
        GapCost const gap{static_cast<std::int64_t>(random.below(k % 2 ? 64 : 20)),
                          static_cast<std::int64_t>(random.below(k % 3 ? 4 : 60))};
        auto const mismatch = static_cast<std::int64_t>(random.below(k % 5 ? 20 : 130));
        std::int64_t match = 127;
        while (match > 0 && !fits(uniform(match, mismatch, gap), global_cigar))
            --match;
        if (match == 0)
            continue;
        ++tried;
        std::vector<SequencePair> pairs;
        for (std::uint64_t const unit : {10, 40, 150, 500}) {
            pairs.push_back(steep(random, unit));
            std::string const word = random_sequence(random, 2 * unit, letters);
            pairs.push_back({word, mutated(random, word, letters, 0.1)});
        }
        for (std::int64_t const more : {0, 1}) {
            Scheme const s = uniform(match + more, mismatch, gap, k % 2 == 1);
            PairSet const set{pairs, s.scoring};
            Mode const & mode = modes[static_cast<std::size_t>(k) % modes.size()];
            auto const full = oracle(set, s.scoring, mode);
            for (std::string const & isa : cpu::available_isas())
                for (std::uint64_t const tile_cols : {0, 70}) {
                    EngineSetup options = narrow(isa);
                    options.tuning.tile_cols = tile_cols;
                    options.tuning.band = tile_cols == 0 ? 1 : 0;
                    if (more)
                        options.tuning.score_width = 0;
                    for (Output const output : {Output::score, Output::cigar})
                        check(set, s, {mode, output, CigarStyle::eqx}, options, full,
                              "DiffBitsTest k=" + std::to_string(k) + " more=" + std::to_string(more));
                }
        }
    }
    EXPECT_GT(tried, is_thorough() ? 20 : 7);
}

// The narrow band that is tried first ends beside tails that nothing aligns: the last row crosses columns in which an
// insertion comes from above its edge.
TEST(DiffBitsTest, EdgeOfTheFirstBand)
{
    Random random{6};
    for (std::int64_t const open : {0, 10, 25}) {
        Scheme const s = uniform(5, 100, {open, 1});
        std::vector<SequencePair> pairs;
        for (std::uint64_t const rows : {36, 40, 48, 56}) { // of the last strip
            std::string const word = random_sequence(random, 1004, letters);
            pairs.push_back({word + std::string(20 + rows, 'A'), word + std::string(20 + rows, 'C')});
        }
        PairSet const set{std::move(pairs), s.scoring};
        auto const full = oracle(set, s.scoring, {});
        for (std::string const & isa : cpu::available_isas()) {
            EngineSetup options = narrow(isa);
            options.tuning.band = 1;
            for (Output const output : {Output::score, Output::cigar})
                check(set, s, {Mode{}, output, CigarStyle::eqx}, options, full,
                      "EdgeOfTheFirstBand open=" + std::to_string(open));
        }
    }
}

// What a strip leaves behind can be kept as scores: a gap beside each cell, no worse than one opened from its H and no
// better than H.  Below the diagonal of equal letters H is that of an insertion, from which the strip opens no
// deletion.
TEST(DiffBitsTest, BoundariesHoldGaps)
{
    Random random{7};
    std::int64_t const open = 20;
    std::uint64_t const rows = 100, cols = 50, padding = 64;
    cpu::Scheme const scheme{uniform(2, 60, {open, 1}).scoring};
    std::vector<std::uint8_t> letters_of_both(rows + 2 * padding);
    for (std::uint8_t & letter : letters_of_both)
        letter = static_cast<std::uint8_t>(random.below(4));
    std::uint8_t const * const first = letters_of_both.data() + padding;
    for (std::string const & isa : cpu::available_isas()) {
        cpu::DiffField const field{scheme, cpu::kernel_table(isa)};
        cpu::Boundary<std::uint8_t> top(cols), left(rows);
        field.gap_line(top.view(), cols, false, 0);
        field.gap_line(left.view(), rows, false, 0);
        field.tile({first, rows, first, cols}, {0, rows, 0, cols}, top.view(), left.view(), 0, nullptr, nullptr);
        for (std::uint64_t k = 0; k < cols; ++k)
            EXPECT_LE(top.second[k], open) << isa << " column " << k;
        for (std::uint64_t k = 0; k < rows; ++k)
            EXPECT_LE(left.second[k], open) << isa << " row " << k;
    }
}

// In the lanes of a batch 8 bits hold a score of about 250 in units of the costs' greatest common divisor, and 256
// rows.
TEST(LaneBitsTest, LocalAtTheLimit)
{
    Random random{2};
    for (auto const & [match, unit] : {std::pair{1, 1}, {2, 1}, {3, 1}, {4, 1}, {2, 2}, {9, 3}}) {
        Scheme const s = uniform(match, 4 * unit, {3 * unit, 2 * unit});
        std::uint64_t const limit = 255 * unit / match;
        for (std::uint64_t length = limit - 9; length <= limit + 3; ++length) {
            std::uint64_t const more = length < 256 ? std::min(length / 3, 256 - length) : 1;
            std::vector<SequencePair> pairs;
            for (int p = 0; p < 3; ++p) {
                std::string const word = random_sequence(random, length, letters);
                pairs.push_back({word, word});
                pairs.push_back({word, mutated(random, word, letters, 0.05)});
                pairs.push_back({word + random_sequence(random, more, letters), word});
            }
            PairSet const set{std::move(pairs), s.scoring};
            auto const full = oracle(set, s.scoring, local_cigar.mode);
            for (std::string const & isa : cpu::available_isas())
                for (Output const output : {Output::score, Output::end, Output::cigar})
                    check(set, s, {local_cigar.mode, output, CigarStyle::eqx},
                          {.threads = 1, .isa = isa, .tuning = {.lanes = 1}}, full,
                          "LocalAtTheLimit length=" + std::to_string(length));
        }
    }
}

// Lanes of a batch, global and free ends: the best match with which a block of so many rows and columns fits 8 bits,
// and the next one.
TEST(LaneBitsTest, GlobalAtTheLimit)
{
    Random random{3};
    std::vector<Mode> const modes{
        {},
        {.free_target_begin = true, .free_target_end = true},
        {.free_query_begin = true, .free_query_end = true},
        {.free_query_begin = true, .free_query_end = true, .free_target_begin = true, .free_target_end = true}};
    for (int k = 0; k < 24; ++k) {
        GapCost const gap{static_cast<std::int64_t>(random.below(20)), static_cast<std::int64_t>(random.below(4))};
        auto const mismatch = static_cast<std::int64_t>(random.below(40));
        std::int64_t const fall =
            std::max(3 * gap.open, 2 * gap.open + std::min(mismatch - 2 * gap.extend, 2 * gap.open + 1));
        for (std::int64_t const block : {16, 8, 4})
            for (std::int64_t const more : {0, 1}) {
                std::int64_t const match = (255 - fall - gap.open) / block - 2 * gap.extend + more;
                if (match < 1)
                    continue;
                Scheme const s = uniform(match, mismatch, gap);
                std::vector<SequencePair> pairs;
                for (int p = 0; p < 12; ++p)
                    pairs.push_back(steep(random, p < 6 ? 20 : 60));
                PairSet const set{std::move(pairs), s.scoring};
                Mode const & mode = modes[random.below(modes.size())];
                auto const full = oracle(set, s.scoring, mode);
                for (std::string const & isa : cpu::available_isas())
                    for (Output const output : {Output::score, Output::cigar})
                        check(set, s, {mode, output, CigarStyle::eqx},
                              {.threads = 1, .isa = isa, .tuning = {.lanes = 1}}, full,
                              "LaneBitsTest k=" + std::to_string(k) + " block=" + std::to_string(block));
            }
    }
}

} // namespace
} // namespace nwgpu::test
