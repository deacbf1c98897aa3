// SPDX-License-Identifier: BSD-3-Clause
// Predicted times of the CPU engine beside what calls take.
#include <gtest/gtest.h>

#include <algorithm>

#include <time.h>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

double processor_seconds() // of this thread: other programs may run meanwhile
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// How many times too long or too short the predicted time of one thread is, in the best of some trials, which end when
// one is better than `enough`.
double times_wrong(std::vector<SequencePair> pairs, Scheme const & s, Request const & request, double enough)
{
    PairSet const set{std::move(pairs), s.scoring};
    EngineSetup options;
    options.threads = 1;
    double nearest = 1e9;
    for (int trial = 0; trial < 5 && nearest >= enough; ++trial) {
        double const predicted = estimate(options, set.batch(), s.scoring, request).seconds;
        double const begin = processor_seconds();
        align(options, set.batch(), s.scoring, request);
        double const took = processor_seconds() - begin;
        nearest = std::min(nearest, std::max(predicted / took, took / predicted));
    }
    return nearest;
}

std::vector<SequencePair> mutated_pairs(std::uint64_t seed, int count, std::uint64_t m, std::uint64_t n,
                                        Scheme const & s, double rate)
{
    Random random{seed};
    std::vector<SequencePair> pairs;
    for (int k = 0; k < count; ++k)
        pairs.push_back(random_pair(random, Model::mutated, m, n, s.letters, rate));
    return pairs;
}

Request const paths{{}, Output::cigar, CigarStyle::eqx};

// From a sample.
TEST(Estimate, SaysHowLongManyPairsTake)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Random random{45};
    std::vector<SequencePair> mixed;
    for (int k = 0; k < 12000; ++k) {
        std::uint64_t const m = random.below(random.chance(0.1) ? 700 : 80),
                            n = random.below(random.chance(0.1) ? 700 : 80);
        mixed.push_back(random_pair(random, Model::mutated, m, n, s.letters, 0.1));
    }
    Request const request{{.local = true}, Output::cigar, CigarStyle::eqx};
    EXPECT_LT(times_wrong(mutated_pairs(45, 6000, 150, 200, s, 0.1), s, request, 3), 3);
    EXPECT_LT(times_wrong(mixed, s, request, 3), 3);
    EXPECT_LT(times_wrong(mutated_pairs(46, 16, 4400, 4400, s, 0.1), s, request, 3), 3); // no groups
}

// And where pairs are computed side by side.
TEST(Estimate, SaysHowLongPairsSideBySideTake)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    EXPECT_LT(times_wrong(mutated_pairs(48, 2000, 1000, 1000, s, 0.05), s, paths, 3), 3);
}

// With paths that come later, and where lanes hand pairs back that then go one by one: a sample of these, too.
TEST(Estimate, SaysHowLongLongerReadsTake)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Request const request{{.free_target_begin = true, .free_target_end = true}, Output::cigar, CigarStyle::eqx};
    auto const unrelated = mutated_pairs(50, 3000, 1000, 1100, s, 0.9);
    EXPECT_LT(times_wrong(mutated_pairs(49, 3000, 1000, 1100, s, 0.05), s, request, 3), 3);
    EXPECT_LT(times_wrong(unrelated, s, request, 3), 3);
    PairSet const set{unrelated, s.scoring};
    EngineSetup options;
    options.threads = 1;
    double const begin = processor_seconds();
    estimate(options, set.batch(), s.scoring, request);
    double const estimated = processor_seconds();
    align(options, set.batch(), s.scoring, request);
    EXPECT_LT(2 * (estimated - begin), processor_seconds() - estimated);
}

// Of long pairs from how they begin, even where their first letters are not similar.
TEST(Estimate, SaysHowLongSimilarPairsTake)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    auto pairs = mutated_pairs(47, 4, 98000, 98000, s, 0.03);
    Random random{47};
    for (SequencePair & pair : pairs) {
        pair.query.insert(0, random_sequence(random, 2000, s.letters));
        pair.target.insert(0, random_sequence(random, 2000, s.letters));
    }
    EXPECT_LT(times_wrong(std::move(pairs), s, paths, 3), 3);
}

// Where time grows with the square of the letters.
TEST(Estimate, SaysHowLongOtherTiesTake)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Request const request{{.local = true, .ties = Ties::last_end}, Output::cigar, CigarStyle::eqx};
    EXPECT_LT(times_wrong(mutated_pairs(49, 1, 16000, 16000, s, 0.05), s, request, 1.7), 1.7);
}

// Which is found by looking once at all letters: its beginnings may end with a gap.
TEST(Estimate, SaysHowLongAPairOfFewChangesTakes)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{50};
    SequencePair pair{random_sequence(random, 1000000, s.letters), {}};
    for (std::uint64_t at = 0; at < pair.query.size(); at += 2000)
        pair.target += pair.query.substr(at, 1999);
    EXPECT_LT(times_wrong({pair}, s, paths, 3), 3);
}

} // namespace
} // namespace nwgpu::test
