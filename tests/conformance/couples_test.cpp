// SPDX-License-Identifier: BSD-3-Clause
// Several queries against the same targets, of which a GPU computes two at a time: scores as those of the CPU engine,
// whatever the lengths, and whichever pairs have no partner.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "align/best_call.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

class CouplesTest : public OnEachEngine<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CouplesTest); // without CUDA

EngineSetup in_couples(std::uint64_t device_limit = 0) { return on_gpu({.couple_cells = 1}, device_limit); }

// So many sequences on both sides; targets have parts of the queries, some are empty or of one letter.
PairSet queries_and_targets(Random & random, Scheme const & s, std::vector<std::uint64_t> const & query_lengths,
                            std::uint64_t targets, std::uint64_t longest)
{
    std::vector<SequencePair> sequences;
    for (std::uint64_t k = 0; k < std::max<std::uint64_t>(targets, query_lengths.size()); ++k) {
        std::string query, target;
        if (k < query_lengths.size())
            query = random_sequence(random, query_lengths[k], s.letters);
        if (!random.chance(0.2))
            target = random_sequence(random, random.below(longest), s.letters);
        else if (random.chance(0.5))
            target = random_sequence(random, 1, s.letters);
        if (random.chance(0.5)) {
            std::string const & related = k < query_lengths.size() ? query : sequences[k % query_lengths.size()].query;
            std::uint64_t const length = std::min<std::uint64_t>(related.size(), random.between(1, longest));
            target +=
                mutated(random, related.substr(random.below(related.size() - length + 1), length), s.letters, 0.1);
        }
        sequences.push_back({query, target});
    }
    return {std::move(sequences), s.scoring};
}

// Each of the first queries with all targets, but for a share of the pairs.
std::vector<Pair> each_with_all(Random & random, std::uint64_t queries, std::uint64_t targets, double left_out = 0)
{
    std::vector<Pair> pairs;
    for (std::uint64_t query = 0; query < queries; ++query)
        for (std::uint64_t target = 0; target < targets; ++target)
            if (!random.chance(left_out))
                pairs.push_back({query, target});
    return pairs;
}

bool same_as_cpu(PairSet const & set, std::span<Pair const> pairs, Scheme const & s, EngineSetup const & options,
                 std::string const & words)
{
    Batch const whole = set.batch();
    Batch const batch{whole.queries, whole.targets, pairs};
    Request const request{{.local = true}, Output::score};
    BatchResult const result = align(options, batch, s.scoring, request),
                      expected = align({.threads = 2}, batch, s.scoring, request);
    for (std::size_t p = 0; p < pairs.size(); ++p)
        if (result.status[p] != expected.status[p] || result.score[p] != expected.score[p]) {
            ADD_FAILURE() << words << " " << describe(options) << " pair " << p << " of query " << pairs[p].query
                          << " and target " << pairs[p].target << ": " << result.score[p] << " in place of "
                          << expected.score[p];
            return false;
        }
    return true;
}

TEST_P(CouplesTest, QueriesOfAllLengths)
{
    Scheme const & s = scheme(value());
    std::uint64_t seed = 8500;
    std::vector<std::vector<std::uint64_t>> const all{
        {48, 46, 47},    {94, 95, 96, 97, 90},           {140, 144, 145, 1, 33, 190, 192}, {383, 384, 385, 386},
        {330, 300, 432}, {433, 600, 620, 768, 769, 800}, {1000, 1210, 2400, 2432}};
    for (std::vector<std::uint64_t> const & lengths : all) {
        Random random{++seed};
        PairSet const set = queries_and_targets(random, s, lengths, random.between(20, 40), 40);
        for (double const left_out : {0.0, 0.2})
            if (!same_as_cpu(set, each_with_all(random, lengths.size(), set.count(), left_out), s, in_couples(),
                             "CouplesTest seed=" + std::to_string(seed)))
                return;
    }
}

TEST_P(CouplesTest, QueriesAndTargetsThatComeAgain)
{
    Scheme const & s = scheme(value());
    Random random{8520};
    PairSet const set = queries_and_targets(random, s, {120, 130, 140, 135, 125}, 70, 60);
    std::vector<Pair> const all = each_with_all(random, 5, set.count());
    std::vector<Pair> pairs = all;
    pairs.insert(pairs.end(), all.begin(), all.end()); // all queries twice
    EXPECT_TRUE(same_as_cpu(set, pairs, s, in_couples(), "twice"));
    pairs.clear();
    for (Pair const & pair : all) // all targets twice, one behind the other
        pairs.insert(pairs.end(), 2, pair);
    EXPECT_TRUE(same_as_cpu(set, pairs, s, in_couples(), "targets twice"));
    pairs = all;
    for (std::size_t k = pairs.size(); k > 1; --k)
        std::swap(pairs[k - 1], pairs[random.below(k)]);
    EXPECT_TRUE(same_as_cpu(set, pairs, s, in_couples(), "in any order"));
    std::vector<Pair> some; // stretches with and without a partner, and pairs that none have
    for (Pair const & pair : all)
        if (pair.query < 3 || (pair.query == 3 && pair.target > 40) || pair.target % 2 == 0)
            some.push_back(pair);
    EXPECT_TRUE(same_as_cpu(set, some, s, in_couples(), "some"));
}

// Which no group holds: two of nearly equal length, one without a partner, a single one; among others that groups hold.
TEST_P(CouplesTest, LongQueries)
{
    Scheme const & s = scheme(value());
    std::uint64_t seed = 8560;
    for (std::vector<std::uint64_t> const & lengths : std::vector<std::vector<std::uint64_t>>{
             {2433}, {2500, 2432}, {4000, 100, 2700, 3900, 130}, {2305, 2800, 2434}}) {
        Random random{++seed};
        PairSet const set = queries_and_targets(random, s, lengths, 30, 50);
        for (double const left_out : {0.0, 0.2})
            EXPECT_TRUE(same_as_cpu(set, each_with_all(random, lengths.size(), set.count(), left_out), s, in_couples(),
                                    "CouplesTest seed=" + std::to_string(seed)));
    }
}

// One query, of which two targets go together: an odd number of them, some more than once, of all lengths, in order or
// not. Letters that occur decide how many rows a lane has.
TEST_P(CouplesTest, OneQuery)
{
    Scheme const & s = scheme(value());
    std::uint64_t seed = 8600;
    for (std::size_t const letters : {std::size_t{4}, std::size_t{12}, s.letters.size()})
        for (std::uint64_t const length : {1, 64, 65, 80, 83, 94, 112, 113, 128, 129, 170, 385, 2433}) {
            Random random{++seed};
            Scheme few = s;
            few.letters.resize(std::min(letters, s.letters.size()));
            PairSet const set = queries_and_targets(random, few, {length}, random.between(3, 90), 60);
            std::vector<Pair> pairs = each_with_all(random, 1, set.count(), 0.1);
            if (random.chance(0.5))
                for (std::uint64_t k = random.below(10); k > 0; --k)
                    pairs.push_back({0, random.below(set.count())});
            if (!same_as_cpu(set, pairs, s, in_couples(), "CouplesTest seed=" + std::to_string(seed)))
                return;
        }
}

TEST_P(CouplesTest, ManyTargetsOfOneQuery)
{
    Scheme const & s = scheme(value());
    Random random{8650};
    PairSet const set = queries_and_targets(random, s, {140}, 30001, 12);
    std::vector<Pair> const pairs = each_with_all(random, 1, set.count());
    EXPECT_TRUE(same_as_cpu(set, pairs, s, in_couples(), "many"));
    EXPECT_TRUE(same_as_cpu(set, pairs, s, in_couples(12 << 20), "many, little memory"));
}

// More than a chunk has.
TEST_P(CouplesTest, ManyTargets)
{
    Scheme const & s = scheme(value());
    Random random{8530};
    PairSet const set = queries_and_targets(random, s, {110, 60, 120}, 20000, 8);
    std::vector<Pair> const pairs = each_with_all(random, 3, set.count(), 0.01);
    EXPECT_TRUE(same_as_cpu(set, pairs, s, in_couples(), "many"));
    EXPECT_TRUE(same_as_cpu(set, pairs, s, in_couples(12 << 20), "many, little memory"));
}

// Queries come in the order of their lengths, which is not that of the call.
TEST_P(CouplesTest, TheBestOfEachQuery)
{
    Scheme const & s = scheme(value());
    Random random{8540};
    PairSet const set = queries_and_targets(random, s, {330, 120, 300, 47, 140, 45, 310}, 60, 60);
    Batch const batch = set.batch();
    std::vector<Pair> const list = each_with_all(random, 7, set.count(), 0.1);
    Team team{2};
    auto const best_of = [&](EngineSetup const & options, Output output, std::vector<std::uint64_t> order) {
        PairsByQuery const pairs{Pairing::list, batch.queries.count(), batch.targets.count(), list, std::move(order)};
        return BestCall{
            engine(options), team, batch.queries, batch.targets, pairs, s.scoring, {{.local = true}, output}, {5}, 0}
            .align({});
    };
    std::vector<std::uint64_t> order(set.count());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return set.view(a).m < set.view(b).m; });
    for (Output const output : {Output::score, Output::cigar}) {
        BestResult const result = best_of(in_couples(), output, order), expected = best_of({.threads = 2}, output, {});
        EXPECT_EQ(result.numbers, expected.numbers);
        EXPECT_EQ(result.value.score, expected.value.score);
        EXPECT_EQ(result.value.runs, expected.value.runs);
    }
}

INSTANTIATE_TEST_SUITE_P(All, CouplesTest,
                         on_cuda(testing::Values("dna_2_4_4_2", "BLOSUM62_11_1", "match_2_20", "all_zero", "any_byte")),
                         ParameterNames{});

} // namespace
} // namespace nwgpu::test
