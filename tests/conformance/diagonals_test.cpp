// SPDX-License-Identifier: BSD-3-Clause
// Bands in the problem statement, and the other tie rules: engine against oracle in every mode, with bands that are
// wide, narrow, beside the main diagonal, or hold no path at all; with all trace bits and with kept antidiagonals.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "reference/oracle.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

std::string words_of(Mode const & mode)
{
    std::string words = name(mode) + " ties=" + std::to_string(static_cast<int>(mode.ties));
    if (mode.band)
        words += " band=" + std::to_string(mode.band->lower) + "," + std::to_string(mode.band->upper);
    return words;
}

// The pairs whose band holds a path are compared; those of the others have to fail.
void check_pairs(std::vector<SequencePair> const & pairs, Scheme const & s, Mode const & mode,
                 EngineSetup const & options, std::string const & words)
{
    std::vector<SequencePair> good, bad;
    for (SequencePair const & pair : pairs) {
        PairSet const one{{pair}, s.scoring};
        try {
            reference::align(one.view(0), s.scoring, mode);
            good.push_back(pair);
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::invalid_argument);
            bad.push_back(pair);
        }
    }
    std::string const line = words + " " + words_of(mode);
    PairSet const set{good, s.scoring};
    auto const full = oracle(set, s.scoring, mode);
    for (Output const output : {Output::score, Output::end, Output::span, Output::cigar})
        check(set, s, {mode, output, CigarStyle::eqx}, options, full, line);
    for (std::uint64_t p = 0; p < set.count(); ++p)
        expect_consistent(set, p, s.scoring, mode, full[p], line);

    PairSet const infeasible{bad, s.scoring};
    BatchResult const result = align(options, infeasible.batch(), s.scoring, {mode, Output::cigar, CigarStyle::eqx});
    for (std::uint64_t p = 0; p < infeasible.count(); ++p)
        EXPECT_EQ(result.status[p], Status::invalid_argument)
            << line << " '" << bad[p].query << "' '" << bad[p].target << "'";
}

std::vector<SequencePair> short_pairs(Random & random, std::string_view letters, std::uint64_t longest)
{
    std::vector<SequencePair> pairs;
    for (int p = 0; p < 24; ++p)
        pairs.push_back(
            random_pair(random, random.pick(all_models()), random.below(longest), random.below(longest), letters, 0.2));
    return pairs;
}

Diagonals random_band(Random & random, std::int64_t reach)
{
    std::int64_t const middle = random.chance(0.7) ? 0 : static_cast<std::int64_t>(random.below(2 * reach)) - reach;
    std::int64_t const width = static_cast<std::int64_t>(random.below(random.chance(0.3) ? 2 : reach));
    std::int64_t const lower = middle - static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(width) + 1));
    return {lower, lower + width};
}

class DiagonalsTest : public OnEachEngine<std::string> {}; // the CUDA engine has them done on the host

TEST_P(DiagonalsTest, Bands)
{
    Scheme const & s = scheme(value());
    std::uint64_t seed = 1;
    for (Mode mode : all_modes())
        for (int band = 0; band < 6; ++band, ++seed) {
            Random random{seed};
            std::uint64_t const longest = random.chance(0.5) ? 12 : 70;
            mode.band = random_band(random, static_cast<std::int64_t>(longest));
            auto const setups = engine_setups(false, kind());
            check_pairs(short_pairs(random, s.letters, longest), s, mode, setups[seed % setups.size()],
                        "Bands seed=" + std::to_string(seed));
        }
}

TEST_P(DiagonalsTest, OtherTies)
{
    Scheme const & s = scheme(value());
    std::uint64_t seed = 1001;
    for (Mode mode : all_modes())
        for (Ties const ties : {Ties::last_end, Ties::gaps_first})
            for (bool const banded : {false, true}) {
                Random random{++seed};
                mode.ties = ties;
                mode.band.reset();
                if (banded)
                    mode.band = random_band(random, 40);
                auto const setups = engine_setups(false, kind());
                check_pairs(short_pairs(random, s.letters, 40), s, mode, setups[seed % setups.size()],
                            "OtherTies seed=" + std::to_string(seed));
            }
}

// Scores between -5e8 and -2e9 fit 32 bits; what cells outside the matrix and the band have, does not lie below them.
TEST(DiagonalsTest, FarBelowZero)
{
    constexpr std::int64_t step = 14 << 20;
    Scheme const s{"far_below_zero", Scoring::uniform(step, 2 * step, {step, step}), "ACGT", true};
    std::uint64_t seed = 3001;
    for (Mode mode : all_modes())
        for (Ties const ties : {Ties::first, Ties::last_end, Ties::gaps_first})
            for (std::int64_t const half : {0, 3, 20}) {
                Random random{++seed};
                std::uint64_t const longest = 40 + random.below(50);
                mode.ties = ties;
                mode.band = Diagonals{-half - 4, half};
                std::vector<SequencePair> pairs = short_pairs(random, s.letters, longest);
                pairs.push_back({std::string(longest, 'A'), std::string(longest, 'C')});
                check_pairs(pairs, s, mode, {.threads = 1}, "FarBelowZero seed=" + std::to_string(seed));
            }
}

class DiagonalsPlan : public OnEachEngine<> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DiagonalsPlan); // without CUDA
INSTANTIATE_TEST_SUITE_P(All, DiagonalsPlan, on_cuda(), ParameterNames{});

TEST_P(DiagonalsPlan, SaysWhereBandsAreComputed)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{"ACGTACGT", "ACGTCGT"}}, s.scoring};
    auto const plan = [&](Mode const & mode) {
        return estimate(on_gpu(), set.batch(), s.scoring, {mode, Output::cigar, CigarStyle::eqx}).plan;
    };
    std::string const words = "computed on the CPU";
    EXPECT_NE(plan({.band = Diagonals{-3, 3}}).find(words), std::string::npos);
    EXPECT_NE(plan({.local = true, .ties = Ties::last_end}).find(words), std::string::npos);
    EXPECT_EQ(plan({.ties = Ties::last_end}).find(words), std::string::npos);
}

class KeptAntidiagonalsTest : public testing::TestWithParam<std::string> {};

// Little room for trace bits: antidiagonals are kept, and cones cut in their turn.
TEST_P(KeptAntidiagonalsTest, EqualOracle)
{
    Scheme const & s = scheme(GetParam());
    std::uint64_t seed = 2001;
    for (Mode mode : {Mode{}, Mode{.local = true}, Mode{.free_target_begin = true, .free_target_end = true}})
        for (Ties const ties : {Ties::first, Ties::gaps_first})
            for (std::int64_t const half : {0, 3, 40, 1000}) {
                Random random{++seed};
                std::string const query = random_sequence(random, 200 + random.below(300), s.letters);
                std::string const target = mutated(random, query, s.letters, 0.1);
                mode.ties = ties;
                std::int64_t const lead = std::max<std::int64_t>(0, static_cast<std::int64_t>(target.size()) -
                                                                        static_cast<std::int64_t>(query.size()));
                std::int64_t const lag = std::max<std::int64_t>(0, static_cast<std::int64_t>(query.size()) -
                                                                       static_cast<std::int64_t>(target.size()));
                mode.band = Diagonals{-lag - half, lead + half};
                for (std::uint64_t const trace : {1, 700, 5000, 40000})
                    check_pairs({{query, target}}, s, mode, {.threads = 1, .tuning = {.max_trace_bytes = trace}},
                                "KeptAntidiagonals seed=" + std::to_string(seed));
            }
}

auto const some_schemes = testing::Values("dna_2_4_4_2", "edit", "extend_0", "all_zero", "leaves_16_bits", "all_2_30",
                                          "BLOSUM62_11_1", "asymmetric_5");
INSTANTIATE_TEST_SUITE_P(All, DiagonalsTest, on_each_engine(some_schemes), ParameterNames{});
INSTANTIATE_TEST_SUITE_P(All, KeptAntidiagonalsTest, some_schemes, [](auto const & info) { return info.param; });

// A band that holds the whole matrix changes nothing.
TEST(DiagonalsTest, WideBandIsNoBand)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{3001};
    PairSet const set{short_pairs(random, s.letters, 100), s.scoring};
    for (Mode const & mode : all_modes()) {
        Mode banded = mode;
        banded.band = Diagonals{-100000, 100000};
        check(set, s, {banded, Output::cigar, CigarStyle::eqx}, {.threads = 2}, oracle(set, s.scoring, mode),
              "WideBandIsNoBand seed=3001");
    }
}

// Long enough for the proven band of global paths: similar, shifted and unrelated sequences, with many ties.
TEST(DiagonalsTest, ProvenBand)
{
    for (char const * const scheme_name : {"edit", "dna_2_4_4_2", "all_zero", "BLOSUM62_11_1"}) {
        Scheme const & s = scheme(scheme_name);
        std::vector<SequencePair> pairs;
        Random random{3003};
        std::string const query = random_sequence(random, 1500, s.letters);
        pairs.push_back({query, mutated(random, query, s.letters, 0.02)});
        pairs.push_back({query, mutated(random, query, s.letters, 0.2)});
        pairs.push_back({query, query.substr(300) + query.substr(0, 250)});
        pairs.push_back({query, query.substr(0, 1100)});
        pairs.push_back({query, random_sequence(random, 1200, s.letters)});
        pairs.push_back({random_sequence(random, 1100, s.letters.substr(0, 2)),
                         random_sequence(random, 1300, s.letters.substr(0, 2))});
        Mode const mode{.ties = Ties::gaps_first};
        PairSet const set{pairs, s.scoring};
        check(set, s, {mode, Output::cigar, CigarStyle::eqx}, {.threads = 1}, oracle(set, s.scoring, mode),
              std::string{"ProvenBand seed=3003 "} + scheme_name);
    }
}

// A memory limit is kept, or the pair says why it cannot be.
TEST(DiagonalsTest, MemoryLimit)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{3002};
    std::string const query = random_sequence(random, 20000, s.letters);
    PairSet const set{{{query, mutated(random, query, s.letters, 0.05)}}, s.scoring};
    Mode const mode{.band = Diagonals{-3000, 3000}};
    Request const request{mode, Output::cigar, CigarStyle::eqx};
    auto const free = run(set, s.scoring, request, {.threads = 1});
    auto const limited = run(set, s.scoring, request, {.threads = 1, .max_host_bytes = 5 << 20});
    EXPECT_EQ(free, limited);
    try {
        align({.threads = 1, .max_host_bytes = 1 << 20}, set.batch(), s.scoring, request);
        ADD_FAILURE() << "aligned";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::memory_limit);
    }
}

} // namespace
} // namespace nwgpu::test
