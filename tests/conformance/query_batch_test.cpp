// SPDX-License-Identifier: BSD-3-Clause
// Local scores of queries with many targets each, with a matrix, which the CPU engine computes side by side: as those
// of pairs alone, whatever the lengths, and where scores leave 8 bits.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "cpu/batch/query_batch.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

struct Call {
    PairSet set;
    std::vector<Pair> pairs;
};

// Each query with most of the targets; some are related, or empty.
Call queries_and_targets(Random & random, Scheme const & s, std::vector<std::uint64_t> const & query_lengths,
                         std::uint64_t targets, std::uint64_t longest)
{
    std::vector<SequencePair> sequences;
    for (std::uint64_t k = 0; k < targets; ++k) {
        std::string query, target = random_sequence(random, random.below(longest + 1), s.letters);
        if (k < query_lengths.size())
            query = random_sequence(random, query_lengths[k], s.letters);
        if (k > 0 && random.chance(0.2))
            target += mutated(random, sequences[random.below(std::min(sequences.size(), query_lengths.size()))].query,
                              s.letters, 0.05);
        sequences.push_back({query, target});
    }
    std::vector<Pair> pairs;
    for (std::uint64_t query = 0; query < query_lengths.size(); ++query)
        for (std::uint64_t target = 0; target < targets; ++target)
            if (random.chance(0.95))
                pairs.push_back({query, target});
    return {{std::move(sequences), s.scoring}, std::move(pairs)};
}

// The first query with all targets.
std::vector<Pair> one_with_all(std::uint64_t targets)
{
    std::vector<Pair> pairs;
    for (std::uint64_t target = 0; target < targets; ++target)
        pairs.push_back({0, target});
    return pairs;
}

// The same as a piece.
struct OneQuery {
    OneQuery(std::vector<SequencePair> sequences, Scoring const & scoring) : set{std::move(sequences), scoring}
    {
        std::iota(all.begin(), all.end(), 0);
        piece.emplace(batch, all, scoring, request);
    }

    PairSet const set;
    std::vector<Pair> const pairs = one_with_all(set.count());
    std::vector<std::uint64_t> all = std::vector<std::uint64_t>(pairs.size());
    Request const request{{.local = true}, Output::score, CigarStyle::m};
    Batch const batch{set.batch().queries, set.batch().targets, pairs};
    std::optional<Piece> piece;
};

void expect_same(Call const & call, Scheme const & s, EngineSetup setup, std::string const & words,
                 std::int64_t min_score = INT64_MIN, int lanes = 1)
{
    Batch const whole = call.set.batch(), batch{whole.queries, whole.targets, call.pairs};
    Request request{{.local = true}, Output::score, CigarStyle::m};
    request.min_score = min_score;
    setup.tuning.lanes = lanes;
    BatchResult const actual = align(setup, batch, s.scoring, request);
    setup.tuning.lanes = -1;
    BatchResult const expected = align(setup, batch, s.scoring, request);
    for (std::size_t p = 0; p < call.pairs.size(); ++p)
        if (actual.status[p] != expected.status[p] || actual.score[p] != expected.score[p]) {
            ADD_FAILURE() << words << " isa=" << setup.isa << " threads=" << setup.threads << " pair " << p
                          << " of query " << call.pairs[p].query << " and target " << call.pairs[p].target << ": "
                          << actual.score[p] << " in place of " << expected.score[p];
            return;
        }
}

TEST(QueryBatch, EqualsPairsAlone)
{
    std::uint64_t seed = 8700;
    std::string letters; // as many as there may be
    for (char letter = 'A'; letter < 'A' + cpu::QueryLanes::most_letters; ++letter)
        letters += letter;
    std::vector<Scheme> schemes = matrix_schemes();
    schemes.push_back(random_matrix("extreme_31", 21, letters, -128, 127, {100, 27}));
    schemes.push_back(random_matrix("free_gaps", 22, "ACGTN", -9, 9, {0, 0}));
    for (Scheme const & s : schemes) {
        Random random{++seed};
        Call const call = queries_and_targets(random, s, {1, 2, 15, 64, 144, 0, 300}, 170, 200);
        std::string const words = "QueryBatch.EqualsPairsAlone seed=" + std::to_string(seed) + " " + s.name;
        for (std::string const & isa : cpu::available_isas())
            expect_same(call, s, {.threads = 1, .isa = isa}, words);
        expect_same(call, s, {.threads = 3}, words);
        expect_same(call, s, {.threads = 2}, words, 40);
        expect_same(call, s, {.threads = 1}, words, INT64_MIN, 0);
    }
}

// Queries here and there, of which only neighbours go side by side; and one whose scores are mostly high.
TEST(QueryBatch, AnyOrderAndHighScores)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Random random{8720};
    Call call = queries_and_targets(random, s, {30, 60, 90}, 150, 120);
    for (std::size_t k = call.pairs.size(); k > 1; --k)
        if (random.chance(0.1))
            std::swap(call.pairs[k - 1], call.pairs[random.below(k)]);
    expect_same(call, s, {.threads = 2}, "QueryBatch.AnyOrderAndHighScores seed=8720");
    std::string const query = random_sequence(random, 300, s.letters);
    std::vector<SequencePair> related;
    for (std::uint64_t k = 0; k < 700; ++k)
        related.push_back({query, k % 8 == 0 ? random_sequence(random, 300, s.letters)
                                             : mutated(random, query, s.letters, 0.3 * random.below(4))});
    Call const high{{std::move(related), s.scoring}, one_with_all(700)};
    expect_same(high, s, {.threads = 2}, "QueryBatch.AnyOrderAndHighScores seed=8720, high");
}

// Which pairs have their answers from lanes: all whose scores are below 255, here 253 to 255.
TEST(QueryBatch, ScoresAtTheLimit)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    std::vector<SequencePair> sequences;
    for (std::uint64_t k = 0; k < 384; ++k)
        sequences.push_back({std::string(30, 'W'), std::string(23, 'W') + "AYF"[k % 3]}); // 11 for each, -3, 2 and 1
    OneQuery const call{std::move(sequences), s.scoring};
    std::size_t const count = call.pairs.size();
    for (std::string const & isa : cpu::available_isas()) {
        Team team{1};
        BatchResult result;
        Answers answers{result, count, call.request};
        answers.begin(0, count, 0, 1);
        cpu::QueryBatch lanes{*call.piece, cpu::kernel_table(isa), false, team};
        EXPECT_EQ(lanes.groups(), count / static_cast<std::size_t>(cpu::kernel_table(isa).lanes)) << isa;
        Progress const silent;
        Monitor monitor{silent, 1, team};
        cpu::QueryMemory memory;
        AnswerWriter writer{&answers};
        lanes.work(memory, writer, monitor);
        answers.end();
        std::vector<std::uint64_t> others(count), expected;
        others.resize(lanes.others(others));
        for (std::uint64_t k = 0; k < count; ++k)
            if (k % 3 == 1)
                expected.push_back(k);
            else
                EXPECT_EQ(result.score[k], k % 3 == 0 ? 253 : 254) << isa << " pair " << k;
        EXPECT_EQ(others, expected) << isa;
    }
}

// Which calls are quicker in lanes, with as many threads.
TEST(QueryBatch, WhereItIsQuicker)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Random random{8730};
    auto const groups = [&](std::uint64_t query, std::uint64_t targets, int threads) {
        std::vector<SequencePair> sequences;
        for (std::uint64_t k = 0; k < targets; ++k)
            sequences.push_back({random_sequence(random, query, s.letters), random_sequence(random, 300, s.letters)});
        OneQuery const call{std::move(sequences), s.scoring};
        Team team{threads};
        cpu::KernelTable const & kernels = cpu::kernel_table({});
        return cpu::QueryBatch{*call.piece, kernels, false, team}.groups() * static_cast<std::size_t>(kernels.lanes);
    };
    EXPECT_EQ(groups(1000, 128, 1), 128u);
    EXPECT_EQ(groups(1000, 128, 16), 0u) << "two or eight groups keep as many threads busy";
    EXPECT_GE(groups(100, 2048, 16), 2048u);
}

TEST(QueryBatch, WhatItTakes)
{
    using cpu::QueryBatch;
    Request const scores{{.local = true}, Output::score}, ends{{.local = true}, Output::end}, global{{}, Output::score};
    auto const takes = [&](char const * name, Request const & request) {
        return QueryBatch::takes(scheme(name).scoring, request);
    };
    EXPECT_TRUE(takes("BLOSUM62_11_1", scores));
    EXPECT_FALSE(takes("BLOSUM62_11_1", ends));
    EXPECT_FALSE(takes("BLOSUM62_11_1", global));
    EXPECT_FALSE(takes("dna_2_4_4_2", scores)) << "LaneBatch has them";
    EXPECT_FALSE(takes("letters_32", scores)) << "one stands beyond the ends";
    auto const takes_matrix = [&](int low, int high, GapCost gap) {
        LetterCodes codes;
        codes.fill(invalid_code);
        codes['A'] = 0;
        codes['C'] = 1;
        return QueryBatch::takes(Scoring::matrix({high, low, low, high}, 2, codes, gap), scores);
    };
    EXPECT_TRUE(takes_matrix(-128, 127, {100, 27}));
    EXPECT_FALSE(takes_matrix(-129, 127, {100, 27}));
    EXPECT_FALSE(takes_matrix(-128, 128, {100, 27}));
    EXPECT_FALSE(takes_matrix(-128, 127, {100, 28}));
    for (auto const change : {+[](Request & request) { request.top = 2; },
                              +[](Request & request) {
                                  request.mode.band = Diagonals{-5, 5};
                              },
                              +[](Request & request) { request.checkpoint.folder = "somewhere"; }}) {
        Request other = scores;
        change(other);
        EXPECT_FALSE(takes("BLOSUM62_11_1", other));
    }
}

} // namespace
} // namespace nwgpu::test
