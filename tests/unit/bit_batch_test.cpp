// SPDX-License-Identifier: BSD-3-Clause
// Pairs of unit costs as bits in lanes (docs/proofs.md, lemma 32), forced for pairs of any kind and number: the
// oracle's answers, at every width and for every instruction set, whatever lies in the other lanes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cpu/batch/bit_batch.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "support/lane_cases.hpp"

namespace nwgpu::cpu {
namespace {

using test::EngineSetup;
using test::PairSet;
using test::Random;
using test::random_sequence;
using test::SequencePair;

// The second has other scores, and the same costs in proportion.
std::vector<Scoring> const & unit_costs()
{
    static std::vector<Scoring> const all{Scoring::uniform(0, 1, {0, 1}), Scoring::uniform(2, 1, {0, 2})};
    return all;
}

EngineSetup forced(std::string const & isa, int bits = 1)
{
    EngineSetup setup{.threads = 1, .isa = isa};
    setup.tuning.bits = bits;
    return setup;
}

void expect_oracle(PairSet const & set, Scoring const & scoring, Request const & request, std::string const & words)
{
    test::expect_oracle_of_all_isas(
        set, scoring, request, [](std::string const & isa) { return forced(isa); }, words);
}

// Few letters, so that many paths are equally good; from equal to unrelated sequences side by side; some have a letter
// that the others have not.
TEST(BitBatch, PairsWithManyTies)
{
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Random random{seed};
        std::vector<SequencePair> const pairs = test::tie_rich_lanes(random, seed % 20 == 0);
        Scoring const & scoring = random.pick(unit_costs());
        PairSet const set{pairs, scoring};
        Request request = test::any_global_request(random);
        if (random.chance(0.2))
            request.min_score = -static_cast<std::int64_t>(random.below(20));
        expect_oracle(set, scoring, request, "PairsWithManyTies seed=" + std::to_string(seed));
        if (HasFailure())
            return;
    }
}

// Paths along the diagonals at the edges of the bands: a gap there, and one back, or none; between them so few letters
// that mismatches cost about as much.
TEST(BitBatch, PathsAtTheEdgesOfBands)
{
    Random random{1};
    Scoring const & scoring = unit_costs()[0];
    for (std::uint64_t const width : {16, 32, 64})
        for (int round = 0; round < 40; ++round) {
            std::vector<SequencePair> pairs;
            for (std::uint64_t gap = width / 2 - 3; gap <= width / 2 + 2; ++gap)
                for (std::uint64_t const back : {std::uint64_t{0}, gap - 2, gap - 1, gap, gap + 1}) {
                    auto const letters = [&](std::uint64_t count) { return random_sequence(random, count, "ACGT"); };
                    std::string const begin = letters(random.below(30)), end = letters(random.below(30)),
                                      middle = letters(2 * gap + random.below(gap)),
                                      a = begin + letters(gap) + middle + end, b = begin + middle + letters(back) + end;
                    pairs.push_back({a, b});
                    pairs.push_back({b, a});
                }
            PairSet const set{pairs, scoring};
            expect_oracle(set, scoring, {Mode{}, Output::cigar},
                          "width=" + std::to_string(width) + " round=" + std::to_string(round));
            if (HasFailure())
                return;
        }
}

TEST(BitBatch, LengthsAtTheEdgesOfVectors)
{
    Random random{2};
    Scoring const & scoring = unit_costs()[0];
    std::vector<SequencePair> pairs;
    for (std::uint64_t const m : {1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 257})
        for (std::uint64_t const n : {m, m + 1, m + 7, m + 16, m + 33, m > 8 ? m - 8 : m}) {
            pairs.push_back({random_sequence(random, m, "ACGT"), random_sequence(random, n, "ACGT")});
            pairs.push_back({std::string(m, 'A'), std::string(n, 'A')});
            pairs.push_back({std::string(m, 'A'), std::string(n, 'C')});
            auto mutated = random_pair(random, test::Model::mutated, m, n, "ACGT", 0.1);
            if (!mutated.query.empty() && !mutated.target.empty())
                pairs.push_back(mutated);
        }
    PairSet const set{pairs, scoring};
    expect_oracle(set, scoring, {Mode{}, Output::cigar}, "edges");
}

// Letters whose bits do not tell them apart, or of which there are too many, are left to others.
TEST(BitBatch, AnyLetters)
{
    Random random{3};
    Scoring const & scoring = unit_costs()[0];
    for (std::string const letters :
         {"01", "\x01\x81", "acgt", "ACGU", "ACDEFGHIKLMNPQRSTVWY", "\x10\x20\x30\x40", "AQ"}) {
        std::vector<SequencePair> pairs;
        for (int k = 0; k < 40; ++k)
            pairs.push_back(random_pair(random, test::Model::mutated, 80, 80, letters, 0.1));
        PairSet const set{pairs, scoring};
        expect_oracle(set, scoring, {Mode{}, Output::cigar}, "letters " + letters);
    }
}

// As long as lanes take them, and longer; chosen by itself and not at all: the same answers.
TEST(BitBatch, LongPairs)
{
    Random random{4};
    Scoring const & scoring = unit_costs()[0];
    for (double const divergence : {0.003, 0.01, 0.02, 0.05}) {
        std::vector<SequencePair> pairs;
        for (std::uint64_t k = 0; k < 70; ++k)
            pairs.push_back(random_pair(random, test::Model::mutated, k < 50 ? 1000 : BitBatch::most_letters - 60 + k,
                                        1000, "ACGT", divergence));
        PairSet const set{pairs, scoring};
        Request const request{Mode{}, Output::cigar};
        auto const expected = test::run(set, scoring, request, forced("", -1));
        for (int const bits : {0, 1})
            test::expect_equal(expected, test::run(set, scoring, request, forced("", bits)), set,
                               "divergence=" + std::to_string(divergence) + " bits=" + std::to_string(bits));
    }
}

// What a thread holds is within what is said.
TEST(BitBatch, MemoryIsWithinItsBound)
{
    Random random{5};
    std::vector<SequencePair> pairs;
    for (int k = 0; k < 64; ++k)
        pairs.push_back(random_pair(random, test::Model::mutated, 500, 500, "ACGT", 0.05));
    Scoring const & scoring = unit_costs()[0];
    PairSet const set{pairs, scoring};
    std::uint64_t longest = 0;
    std::vector<std::uint64_t> all;
    for (std::uint64_t p = 0; p < set.count(); ++p) {
        longest = std::max({longest, set.view(p).m, set.view(p).n});
        all.push_back(p);
    }
    Penalties const penalties = Penalties::of(scoring);
    Request const request{Mode{}, Output::cigar};
    Progress const silent;
    Team team{1};
    Monitor monitor{silent, 1, team};
    for (std::string const & isa : available_isas()) {
        BitMemory memory;
        AnswerWriter nowhere{nullptr};
        auto open = all;
        std::size_t const left =
            BitBatch{kernel_table(isa), penalties, request, false, memory}.align(set.batch(), open, nowhere, monitor);
        EXPECT_LT(left, set.count() / 4) << isa;
        EXPECT_LE(memory.letters.bytes() + memory.state.bytes() + memory.steps.bytes(), BitBatch::workspace(longest));
    }
}

// A call that was stopped leaves its pairs as they were.
TEST(BitBatch, StopsBetweenGroups)
{
    Random random{6};
    std::vector<SequencePair> pairs;
    std::vector<std::uint64_t> all;
    for (std::uint64_t p = 0; p < 64; ++p) {
        pairs.push_back(random_pair(random, test::Model::mutated, 300, 300, "ACGT", 0.03));
        all.push_back(p);
    }
    Scoring const & scoring = unit_costs()[0];
    PairSet const set{pairs, scoring};
    Penalties const penalties = Penalties::of(scoring);
    Request const request{Mode{}, Output::cigar};
    Progress const silent;
    Team team{1};
    for (bool const stops : {false, true}) {
        Monitor monitor{silent, 1, team};
        if (stops)
            monitor.stop();
        BitMemory memory;
        AnswerWriter nowhere{nullptr};
        auto open = all;
        std::size_t const left =
            BitBatch{kernel_table(""), penalties, request, false, memory}.align(set.batch(), open, nowhere, monitor);
        EXPECT_EQ(left == set.count(), stops);
        if (stops) {
            EXPECT_EQ(open, all);
        }
    }
}

} // namespace
} // namespace nwgpu::cpu
