// SPDX-License-Identifier: BSD-3-Clause
// Long pairs in batches on a GPU: several warps hold one, all its rows or a band of which only the middle is stored.
// Few pairs of some thousand letters are forced to go that way.
#include <gtest/gtest.h>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

class ChainsTest : public OnEachEngine<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ChainsTest); // without CUDA

EngineSetup by_chains(int warps, std::uint64_t device_limit = 0) { return on_gpu({.batch = warps}, device_limit); }

// Gaps that lead away from the middle of the band and back again: hardly, as far as is stored, and beyond.
std::vector<SequencePair> similar_pairs(Random & random, Scheme const & s, std::uint64_t longest)
{
    std::vector<SequencePair> pairs;
    for (std::uint64_t const apart : {0, 0, 30, 440, 485, 500, 515, 700}) {
        std::string const query = random_sequence(random, random.between(longest / 2, longest), s.letters);
        std::string target = mutated(random, query, s.letters, apart > 0 ? 0.005 : 0.03);
        if (apart > 0) {
            std::uint64_t const begin = random.below(target.size() / 3), along = random.below(target.size() / 3);
            target = target.substr(0, begin) + random_sequence(random, apart, s.letters) + target.substr(begin, along) +
                     target.substr(std::min<std::size_t>(target.size(), begin + along + apart));
        }
        pairs.push_back(random.chance(0.5) ? SequencePair{query, target} : SequencePair{target, query});
    }
    std::string const some = random_sequence(random, 700, s.letters);
    pairs.push_back({some, some + random_sequence(random, 900, s.letters)});
    pairs.push_back({some.substr(0, 3), some});
    pairs.push_back({some, random_sequence(random, 40, s.letters)});
    return pairs;
}

TEST_P(ChainsTest, SimilarPairsEqualCpu)
{
    Scheme const & s = scheme(value());
    std::uint64_t seed = 130;
    for (int const warps : {1, 2, 5}) {
        Random random{++seed};
        PairSet const set{similar_pairs(random, s, warps == 5 ? 2000 : 4500), s.scoring};
        auto const full = run(set, s.scoring, {{}, Output::cigar, CigarStyle::eqx}, EngineSetup{});
        for (Output const output : {Output::score, Output::cigar})
            if (!check(set, s, {{}, output, CigarStyle::eqx}, by_chains(warps), full,
                       "ChainsOfSimilarPairs seed=" + std::to_string(seed)))
                return;
    }
}

// Rows that several warps hold, in all modes but local ones.
TEST_P(ChainsTest, AllCellsEqualCpu)
{
    Scheme const & s = scheme(value());
    Random random{140};
    std::vector<SequencePair> pairs;
    for (std::uint64_t const m : {40, 2047, 2048, 2049, 2500, 4200})
        pairs.push_back(random_pair(random, random.pick(all_models()), m, random.between(1, 500), s.letters));
    PairSet const set{std::move(pairs), s.scoring};
    for (Mode const & mode : all_modes()) {
        if (mode.local)
            continue;
        auto const full = run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, EngineSetup{});
        for (Output const output : {Output::score, Output::end, Output::cigar})
            if (!check(set, s, {mode, output, CigarStyle::eqx}, by_chains(1), full, "ChainsOfAllCells seed=140"))
                return;
    }
}

// Pairs that fit the device one at a time, or not even so.
TEST_P(ChainsTest, LittleMemory)
{
    Scheme const & s = scheme(value());
    Random random{150};
    PairSet const set{similar_pairs(random, s, 2500), s.scoring};
    auto const full = run(set, s.scoring, {{}, Output::cigar, CigarStyle::eqx}, EngineSetup{});
    for (std::uint64_t const limit : {8 << 20, 24 << 20, 64 << 20})
        if (!check(set, s, {{}, Output::cigar, CigarStyle::eqx}, by_chains(1, limit), full,
                   "ChainsInLittleMemory seed=150"))
            return;
}

INSTANTIATE_TEST_SUITE_P(All, ChainsTest, on_cuda(testing::ValuesIn(names_of(all_schemes()))), ParameterNames{});

} // namespace
} // namespace nwgpu::test
