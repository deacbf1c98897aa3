// SPDX-License-Identifier: BSD-3-Clause
// Scores that local alignments are known to have before one is looked for: never more than the best, and near it where
// sequences are similar.
#include "backend/known_score.hpp"

#include <gtest/gtest.h>

#include "path/common_words.hpp"
#include "support/cases.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

struct Scores {
    std::int64_t known = 0, best = 0;
};

std::int64_t known_of(PairSet const & set, Scheme const & s, int threads, Progress const & progress = {})
{
    Request const request{{.local = true}};
    std::uint64_t const all[] = {0};
    Batch const batch = set.batch();
    Team team{threads};
    Monitor monitor{progress, 1, team};
    monitor.report(0);
    return known_score({batch, all, s.scoring, request}, 0, engine(EngineSetup{}), monitor);
}

Scores scores_of(SequencePair const & pair, Scheme const & s, int threads)
{
    PairSet const set{{pair}, s.scoring};
    return {known_of(set, s, threads),
            align(engine(EngineSetup{}), set.batch(), s.scoring, Request{{.local = true}}).score[0]};
}

class KnownScore : public testing::TestWithParam<char const *> {};
INSTANTIATE_TEST_SUITE_P(All, KnownScore, testing::Values("dna_2_4_4_2", "linear_1_1_0_2", "BLOSUM62_11_1"),
                         [](auto const & info) { return std::string{info.param}; });

TEST_P(KnownScore, IsNeverMoreThanTheBest)
{
    Scheme const & s = scheme(GetParam());
    int known = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random{seed};
        SequencePair const pair =
            random_pair(random, random.pick(all_models()), random.between(1, 4000), random.between(1, 4000), s.letters,
                        static_cast<double>(random.below(1000)) / 4000);
        Scores const scores = scores_of(pair, s, 1 + static_cast<int>(seed % 2));
        ASSERT_LE(scores.known, scores.best) << "KnownScore.IsNeverMoreThanTheBest seed=" << seed;
        known += scores.known > 0;
    }
    EXPECT_GT(known, 20);
}

TEST_P(KnownScore, IsNearTheBestOfSimilarSequences)
{
    Scheme const & s = scheme(GetParam());
    Random random{7};
    for (double const differences : {0.001, 0.01, 0.05}) {
        // What is like the query lies between other letters, with a piece of it gone, and one from elsewhere.
        std::string const query = random_sequence(random, 30'000, s.letters);
        std::string target = mutated(random, query, s.letters, differences);
        target.erase(9'000, 700);
        target.insert(20'000, random_sequence(random, 900, s.letters));
        target = random_sequence(random, 5'000, s.letters) + target + query.substr(1'000, 400);
        Scores const scores = scores_of({query, target}, s, 2);
        EXPECT_LE(scores.known, scores.best) << differences;
        EXPECT_GE(static_cast<double>(scores.known), 0.97 * static_cast<double>(scores.best)) << differences;
    }
}

TEST_P(KnownScore, IsNotKnownOfOthers)
{
    Scheme const & s = scheme(GetParam());
    Random random{8};
    EXPECT_EQ(
        scores_of({random_sequence(random, 20'000, s.letters), random_sequence(random, 20'000, s.letters)}, s, 2).known,
        0);
    EXPECT_EQ(scores_of({"A", "A"}, s, 1).known, 0);
}

// Of long sequences one word in 128 is looked at, and what has too many cells between two words is left out.
TEST(KnownScoreOfLongPairs, IsNearWhatTheyShare)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{10};
    std::string const query = random_sequence(random, 600'000, s.letters);
    std::string target = mutated(random, query, s.letters, 0.02);
    target.replace(200'000, 40'000, random_sequence(random, 40'000, s.letters)); // 1.6e9 cells: two gaps
    std::int64_t const known = known_of(PairSet{{{query, target}}, s.scoring}, s, 2);
    EXPECT_GT(known, 800'000);
    EXPECT_LT(known, 2 * 560'000);
}

TEST(KnownScoreOfLongPairs, EndsWhenTheCallIsCancelled)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{11};
    std::string const query = random_sequence(random, 30'000, s.letters);
    PairSet const set{{{query, mutated(random, query, s.letters, 0.02)}}, s.scoring};
    try {
        known_of(set, s, 1, [](std::uint64_t, std::uint64_t) { return false; });
        ADD_FAILURE() << "it goes on";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
    }
}

TEST(CommonWords, GoUpInBothSequences)
{
    Random random{9};
    for (int k = 0; k < 50; ++k) {
        PairSet const set{{random_pair(random, random.pick(all_models()), random.between(1, 3000),
                                       random.between(1, 3000), "ACGT", 0.05)},
                          scheme("dna_2_4_4_2").scoring};
        PairView const pair = set.view(0);
        auto const words = path::common_words(pair, scheme("dna_2_4_4_2").scoring, nullptr);
        for (std::size_t w = 0; w < words.size(); ++w) {
            ASSERT_LE(words[w].i + path::CommonWord::letters, pair.m);
            ASSERT_LE(words[w].j + path::CommonWord::letters, pair.n);
            EXPECT_TRUE(std::equal(pair.query + words[w].i, pair.query + words[w].i + path::CommonWord::letters,
                                   pair.target + words[w].j));
            if (w > 0) {
                EXPECT_LT(words[w - 1].i, words[w].i);
                EXPECT_LT(words[w - 1].j, words[w].j);
            }
        }
    }
}

// Rows of pieces are joined where they go up; else all words are looked at together.
TEST(CommonWords, ThreadsHaveTheSameRow)
{
    Scoring const & scoring = scheme("dna_2_4_4_2").scoring;
    Team team{3};
    auto const all = [] { return true; };
    auto const row_of = [&](std::vector<path::CommonWord> const & words, Team * its) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> row;
        for (path::CommonWord const & word : path::best_row(words, scoring, all, its))
            row.emplace_back(word.i, word.j);
        return row;
    };
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        Random random{seed};
        std::vector<path::CommonWord> words;
        std::uint64_t i = 0, shift = 1000;
        bool const is_swapped = seed % 4 == 0; // the first half lies behind the second one
        std::uint64_t const count = random.between(20000, 30000);
        for (std::uint64_t k = 0; k < count; ++k) {
            i += random.between(16, 40);
            shift += random.below(50) == 0 ? random.below(12) : 0;
            std::uint64_t const j = i + shift + (is_swapped && k < count / 2 ? 3'000'000 : 0);
            words.push_back({i, random.below(20) == 0 ? random.below(1'200'000) : j}); // here or anywhere
        }
        auto const expected = row_of(words, nullptr), row = row_of(words, &team);
        EXPECT_GT(row.size(), words.size() * 2 / 5) << seed;
        EXPECT_TRUE(row == expected) << "CommonWords seed=" << seed << " " << row.size() << " " << expected.size();
    }
}

} // namespace
} // namespace nwgpu::test
