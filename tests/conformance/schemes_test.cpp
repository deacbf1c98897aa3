// SPDX-License-Identifier: BSD-3-Clause
// Every scoring scheme x mode x engine and instruction set on a batch of short pairs of all models: score, span and
// CIGAR equal the oracle's.  Lower output levels hold the same score and positions.
#include <gtest/gtest.h>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

std::vector<SequencePair> short_pairs(std::uint64_t seed, std::string_view letters)
{
    Random random{seed};
    std::vector<SequencePair> pairs{{"", ""}, {std::string(1, letters[0]), ""}, {"", std::string(3, letters[0])}};
    for (Model const model : all_models())
        for (std::uint64_t const longest : {5, 40, 170})
            pairs.push_back(
                random_pair(random, model, random.between(0, longest), random.between(0, longest), letters));
    pairs.push_back(random_pair(random, Model::mutated, 128, 128, letters));
    pairs.push_back(random_pair(random, Model::uniform, 300, 7, letters));
    return pairs;
}

class SchemesTest : public OnEachEngine<std::string> {};

TEST_P(SchemesTest, EveryModeEqualsOracle)
{
    Scheme const & s = scheme(value());
    std::uint64_t const seed = 1;
    std::string const words = "SchemesTest seed=1";
    PairSet const set{short_pairs(seed, s.letters), s.scoring};
    auto const setups = engine_setups(true, kind());
    for (Mode const & mode : all_modes()) {
        auto const full = oracle(set, s.scoring, mode);
        for (auto const & options : setups) {
            for (Output const output : {Output::cigar, Output::score})
                check(set, s, {mode, output, CigarStyle::eqx}, options, full, words);
        }
        for (Output const output : {Output::end, Output::span})
            check(set, s, {mode, output, CigarStyle::eqx}, setups.front(), full, words);
        Request least{mode, Output::cigar, CigarStyle::eqx};
        least.min_score = full[set.count() / 2].score;
        check(set, s, least, setups.front(), full, words);
        for (std::uint64_t p = 0; p < set.count(); ++p)
            expect_consistent(set, p, s.scoring, mode, full[p], words + " scheme=" + s.name + " mode=" + name(mode));
        if (HasFailure())
            return; // one mode's worth of lines is enough
    }
}

TEST_P(SchemesTest, StyleMEqualsOracle)
{
    Scheme const & s = scheme(value());
    PairSet const set{short_pairs(2, s.letters), s.scoring};
    for (Mode const & mode : {Mode{}, Mode{.local = true}, Mode{.free_target_begin = true, .free_target_end = true}}) {
        auto const full = oracle(set, s.scoring, mode, CigarStyle::m);
        check(set, s, {mode, Output::cigar, CigarStyle::m}, {.threads = 1, .kind = kind()}, full,
              "SchemesTest style=M seed=2");
    }
}

INSTANTIATE_TEST_SUITE_P(All, SchemesTest, on_each_engine(testing::ValuesIn(names_of(all_schemes()))),
                         ParameterNames{});

} // namespace
} // namespace nwgpu::test
