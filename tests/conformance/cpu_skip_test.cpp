// SPDX-License-Identifier: BSD-3-Clause
// Alignments on the CPU that skip cells which cannot reach a known score (docs/proofs.md, lemmas 35 and 36): forced, in
// small tiles, with all ways to a path.
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

void check_forced(std::uint64_t seed, Random & random, Mode const & mode, std::string const & name)
{
    Scheme const & s = random.chance(0.5) ? random.pick(tie_schemes()) : random.pick(all_schemes());
    PairSet const set{{similar_pair(random, s, random.chance(0.2) ? 2500 : 400)}, s.scoring};
    auto const full = oracle(set, s.scoring, mode);
    for (EngineSetup setup : fast_setups()) {
        setup.tuning.skip = 1;
        setup.tuning.lanes = -1;
        setup.tuning.tile_cols = random.pick(std::vector<std::uint64_t>{0, 1, 7, 64, 200});
        setup.tuning.max_trace_bytes = random.pick(std::vector<std::uint64_t>{0, 1, 1u << 12, 1u << 16});
        // What is known is often no more than a least score that is asked for.
        std::int64_t const near = full[0].score + static_cast<std::int64_t>(random.below(8)) - 6,
                           least = random.pick(std::vector<std::int64_t>{no_min_score, full[0].score, near});
        for (Output const output : {Output::score, Output::end, Output::cigar}) {
            Request request{mode, output, CigarStyle::eqx};
            request.min_score = least;
            check(set, s, request, setup, full, "CpuSkip." + name + " seed=" + std::to_string(seed));
        }
    }
}

TEST(CpuSkip, LocalEqualsTheOracle)
{
    std::uint64_t const count = is_thorough() ? 4000 : 300;
    for (std::uint64_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        check_forced(seed, random, local, "LocalEqualsTheOracle");
    }
}

// The ends of one sequence are free: a band that a score proves.
TEST(CpuSkip, FreeEndsEqualTheOracle)
{
    std::uint64_t const count = is_thorough() ? 4000 : 300;
    for (std::uint64_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        std::uint64_t const ends = random.between(1, 3);
        bool const begin = ends & 1, end = ends & 2;
        Mode const mode = random.chance(0.5) ? Mode{.free_query_begin = begin, .free_query_end = end}
                                             : Mode{.free_target_begin = begin, .free_target_end = end};
        check_forced(seed, random, mode, "FreeEndsEqualTheOracle");
    }
}

} // namespace
} // namespace nwgpu::test
