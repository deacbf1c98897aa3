// SPDX-License-Identifier: BSD-3-Clause
// The scan kernel of scores with a matrix, forced for pairs of any size: each number of strips at once, every
// instruction set, with and without kept boundaries.
#include <gtest/gtest.h>

#include "cpu/kernels/kernel_table.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

// Local, global, and each end free in one of them.
std::vector<Mode> const modes{local,
                              {},
                              {.free_query_begin = true, .free_target_end = true},
                              {.free_query_end = true, .free_target_begin = true}};

// A matrix may be asymmetric, and its costs at the limits of 8 bits.
std::vector<Scheme> const & schemes()
{
    static std::vector<Scheme> const all{
        named_matrix("BLOSUM62", {11, 1}, "ARNDCQEGHILKMFPSTVWY"),
        named_matrix("BLOSUM80", {10, 1}, "ARNDCQEGHILKMFPSTWYVBZX"),
        named_matrix("BLOSUM50", {10, 2}, "ARNDCQEGHILKMFPSTWYVBZX"), // groups of 8 rows
        named_matrix("EDNAFULL", {10, 1}, "ACGTN"),
        random_matrix("linear", 1, "ACDEF", -3, 5, {0, 2}),
        random_matrix("free_extension", 2, "ACDEF", -3, 4, {5, 0}),
        random_matrix("free_gaps", 3, "ACDEF", -3, 3, {0, 0}),
        random_matrix("many_ties", 4, "AC", -1, 1, {1, 1}),
        random_matrix("no_matches", 5, "ACDE", -4, 0, {2, 1}),
        random_matrix("far_below", 6, "ACDE", -90, 4, {3, 1}), // raised to what attains H
        random_matrix("31_letters", 7, "ABCDEFGHIJKLMNOPQRSTUVWXYZ12345", -4, 9, {7, 1}),
    };
    return all;
}

EngineSetup forced(std::string const & isa, int strips)
{
    return {.threads = 1, .isa = isa, .tuning = {.band = -1, .lanes = -1, .scan = strips}};
}

int strips_of_plan(Scheme const & s, Mode const & mode, std::string const & isa, int strips, std::uint64_t m)
{
    cpu::Scheme const scheme{s.scoring};
    return cpu::plan_pair(m, 1000, scheme, cpu::kernel_table(isa), {mode, Output::score}, 1, 0,
                          forced(isa, strips).tuning)
        .strips_scan;
}

TEST(ScanTest, IsUsed)
{
    for (Scheme const & s : schemes())
        for (Mode const & mode : {local, Mode{}})
            for (std::string const & isa : cpu::available_isas())
                for (int const strips : {1, 2}) // more of them fit only some schemes
                    EXPECT_EQ(strips_of_plan(s, mode, isa, strips, 10), strips) << s.name << " " << isa;
    EXPECT_EQ(strips_of_plan(schemes()[0], local, {}, 4, 10), 4);
    EXPECT_EQ(strips_of_plan(schemes()[0], local, {}, 0, 300), 0);
    EXPECT_GT(strips_of_plan(schemes()[0], local, {}, 0, 3000), 0);
    EXPECT_GT(strips_of_plan(schemes()[0], {}, {}, 0, 3000), 0);
    EXPECT_EQ(strips_of_plan(schemes()[0], local, {}, -1, 3000), 0);
    Scheme const letters = random_matrix("32_letters", 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456", -1, 1, {1, 1});
    EXPECT_EQ(strips_of_plan(letters, local, {}, 0, 3000), 0);
}

TEST(ScanTest, EveryStrategy)
{
    for (Scheme const & s : schemes()) {
        Random random{11};
        std::vector<SequencePair> pairs;
        for (Model const model : {Model::mutated, Model::two_letters, Model::structured, Model::homopolymer})
            for (std::uint64_t const most : {90, 700, 2300})
                pairs.push_back(
                    random_pair(random, model, random.between(1, most), random.between(1, most / 2 + 300), s.letters));
        PairSet const set{std::move(pairs), s.scoring};
        for (Mode const & mode : modes) {
            auto const full = oracle(set, s.scoring, mode);
            for (std::string const & isa : cpu::available_isas())
                for (int strips = 1; strips <= 4; ++strips)
                    for (std::uint64_t const trace_bytes : {0, 1}) // all bits at once, or kept boundaries
                        for (int const threads : {1, 3}) {
                            bool const emulated = isa.starts_with("emu"); // slow, and the same code
                            if (emulated && (strips % 2 == 0 || threads > 1))
                                continue;
                            if (strips_of_plan(s, mode, isa, strips, 10) == 0) // so many do not fit
                                continue;
                            EngineSetup options = forced(isa, strips);
                            options.threads = threads;
                            options.tuning.max_trace_bytes = trace_bytes;
                            options.tuning.tile_cols = strips == 1 ? 70 : 0;
                            for (Output const output : {Output::score, Output::end, Output::cigar})
                                check(set, s, {mode, output, CigarStyle::eqx}, options, full,
                                      "ScanTest seed=11 strips=" + std::to_string(strips) +
                                          " trace=" + std::to_string(trace_bytes));
                        }
        }
    }
}

// Where memory is short the plan goes without.
TEST(ScanTest, NeedsNoMoreMemory)
{
    cpu::Scheme const scheme{schemes()[0].scoring};
    for (Mode const & mode : {local, Mode{}})
        for (Output const output : {Output::score, Output::cigar})
            for (int const threads : {1, 16}) {
                auto const plan = [&](std::uint64_t limit, int scan) {
                    return cpu::plan_pair(3000, 3000, scheme, cpu::kernel_table({}), {mode, output}, threads, limit,
                                          forced({}, scan).tuning);
                };
                cpu::PairPlan const without = plan(0, -1), scanned = plan(0, 1);
                EXPECT_EQ(scanned.strips_scan > 0, output == Output::score || scanned.keep_grid);
                EXPECT_EQ(plan(without.bytes, 1).strips_scan > 0,
                          scanned.strips_scan > 0 && scanned.bytes <= without.bytes);
                EXPECT_EQ(plan(scanned.bytes, 1).strips_scan, scanned.strips_scan);
            }
}

// Lengths around where lanes, groups and strips begin and end.
TEST(ScanTest, EdgeLengths)
{
    Scheme const & s = schemes()[0];
    Random random{12};
    std::vector<SequencePair> pairs;
    for (std::uint64_t const rows : {1, 15, 16, 31, 32, 63, 64, 128, 256, 512, 1024, 2048, 4096})
        for (std::uint64_t const m : {rows, rows + 1, rows + 17})
            for (std::uint64_t const n : {1, 2, 15, 16, 47})
                pairs.push_back(random_pair(random, Model::mutated, m, n, s.letters));
    PairSet const set{std::move(pairs), s.scoring};
    for (Mode const & mode : modes) {
        auto const full = oracle(set, s.scoring, mode);
        for (std::string const & isa : cpu::available_isas())
            for (int strips = 1; strips <= 4; ++strips)
                for (std::uint64_t const tile_cols : {0, 7})
                    if (!isa.starts_with("emu") || strips == 4) {
                        EngineSetup options = forced(isa, strips);
                        options.tuning.tile_cols = tile_cols;
                        options.tuning.max_trace_bytes = 1;
                        for (Output const output : {Output::score, Output::cigar})
                            check(set, s, {mode, output, CigarStyle::eqx}, options, full, "ScanTest seed=12");
                    }
    }
}

// As steep as scores can be: alike, unlike, with a long gap, and alike again; with the best match that fits.
TEST(ScanTest, SchemesAtTheLimit)
{
    Random random{13};
    int tried = 0;
    for (int k = 0; k < (is_thorough() ? 24 : 8); ++k) {
        GapCost const gap{static_cast<std::int64_t>(random.below(30)), static_cast<std::int64_t>(random.below(4))};
        int const worst = -static_cast<int>(random.below(20));
        auto const with = [&](int best) {
            return random_matrix("best_" + std::to_string(best) + "_worst_" + std::to_string(worst) + "_open_" +
                                     std::to_string(gap.open) + "_extend_" + std::to_string(gap.extend),
                                 static_cast<std::uint64_t>(k), "ACGT", worst, best, gap);
        };
        int best = 24;
        while (best > 0 && strips_of_plan(with(best), local, {}, 1, 10) == 0)
            --best;
        if (best == 0)
            continue;
        ++tried;
        Scheme const s = with(best);
        std::vector<SequencePair> pairs;
        for (std::uint64_t const unit : {10, 60, 500}) {
            std::string const first = random_sequence(random, unit, s.letters),
                              last = random_sequence(random, unit, s.letters), high(unit, s.letters[random.below(4)]);
            std::string const middle = random_sequence(random, random.below(unit), s.letters);
            pairs.push_back({first + middle + last + high, first + last + high});
            pairs.push_back({first + high + last, high + first + middle + high + last});
        }
        PairSet const set{std::move(pairs), s.scoring};
        for (Mode const & mode : {local, modes[1 + static_cast<std::size_t>(k) % 3]}) {
            auto const full = oracle(set, s.scoring, mode);
            for (std::string const & isa : cpu::available_isas())
                for (int const strips : {1, 2}) {
                    EngineSetup options = forced(isa, strips);
                    options.tuning.max_trace_bytes = 1;
                    options.tuning.tile_cols = strips == 2 ? 70 : 0;
                    for (Output const output : {Output::score, Output::cigar})
                        check(set, s, {mode, output, CigarStyle::eqx}, options, full,
                              "ScanTest seed=13 k=" + std::to_string(k));
                }
        }
    }
    EXPECT_GT(tried, is_thorough() ? 12 : 4);
}

// Numbers of all lanes in 16 bits: H rises by a match in each row and column of the highest and widest tile, and falls.
TEST(ScanTest, HighestAndWidestTile)
{
    Random random{14};
    for (auto const & [name, gap] : {std::pair{"BLOSUM62", GapCost{11, 1}}, {"BLOSUM80", GapCost{10, 1}}}) {
        Scheme const s = named_matrix(name, gap, "ARNDCQEGHILKMFPSTVWY");
        std::string const high(5200, 'W'), other = random_sequence(random, 900, s.letters);
        PairSet const set{{{high + other, high}, {high, high + other + high.substr(0, 100)}, {other + high, high}},
                          s.scoring};
        for (Mode const & mode : {local, Mode{}})
            for (EngineSetup options : fast_setups()) {
                options.tuning = {.score_width = 32, .band = -1, .lanes = -1, .scan = -1};
                auto const expected = run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, options);
                for (int const strips : {2, 4}) {
                    options.tuning = forced({}, strips).tuning;
                    for (Output const output : {Output::score, Output::cigar})
                        check(set, s, {mode, output, CigarStyle::eqx}, options, expected,
                              "HighestAndWidestTile " + s.name);
                }
            }
    }
}

} // namespace
} // namespace nwgpu::test
