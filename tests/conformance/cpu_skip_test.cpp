// SPDX-License-Identifier: BSD-3-Clause
// Local alignments on the CPU that skip cells which cannot reach a known score (docs/proofs.md, lemmas 19 and 35):
// forced, in small tiles, with all ways to a path.
#include <gtest/gtest.h>

#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

constexpr Mode local{.local = true};

// Similar sequences, of which either may have letters of its own before and behind.
SequencePair similar_pair(Random & random, Scheme const & s, std::uint64_t most)
{
    SequencePair pair = random_pair(random, random.pick(all_models()), random.between(1, most), random.between(1, most),
                                    s.letters, static_cast<double>(random.below(1000)) / 3000);
    auto const flank = [&](std::string & sequence) {
        std::string const before = random_sequence(random, random.below(2) * random.below(most / 2), s.letters),
                          behind = random_sequence(random, random.below(2) * random.below(most / 2), s.letters);
        sequence = before + sequence + behind;
    };
    flank(pair.query);
    flank(pair.target);
    return pair;
}

TEST(CpuSkip, EqualsTheOracle)
{
    std::uint64_t const count = is_thorough() ? 4000 : 400;
    for (std::uint64_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = random.chance(0.5) ? random.pick(tie_schemes()) : random.pick(all_schemes());
        PairSet const set{{similar_pair(random, s, random.chance(0.2) ? 2500 : 400)}, s.scoring};
        auto const full = oracle(set, s.scoring, local);
        for (EngineSetup setup : fast_setups()) {
            setup.tuning.skip = 1;
            setup.tuning.lanes = -1;
            setup.tuning.tile_cols = random.pick(std::vector<std::uint64_t>{0, 1, 7, 64, 200});
            setup.tuning.max_trace_bytes = random.pick(std::vector<std::uint64_t>{0, 1, 1u << 12, 1u << 16});
            setup.tuning.score_width = 0;
            for (Output const output : {Output::score, Output::end, Output::cigar})
                check(set, s, {local, output, CigarStyle::eqx}, setup, full,
                      "CpuSkip.EqualsTheOracle seed=" + std::to_string(seed));
        }
    }
}

} // namespace
} // namespace nwgpu::test
