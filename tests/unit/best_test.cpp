// SPDX-License-Identifier: BSD-3-Clause
// The best pairs of each query, beside engines: which are chosen while scores come in, what is in memory meanwhile, and
// what an engine is given.
#include <gtest/gtest.h>

#include <algorithm>

#include "align/best_call.hpp"
#include "model/alphabet.hpp"
#include "support/random.hpp"
#include "support/stand_in.hpp"

namespace nwgpu {
namespace {

using test::Random;
using test::StandIn;

TEST(BestOfQueryTest, EqualsSorting)
{
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random{seed};
        Best const best{random.pick(std::vector<std::uint64_t>{1, 2, 31, 64, 200, UINT64_MAX}), random.chance(0.5)};
        std::uint64_t const different = random.pick(std::vector<std::uint64_t>{1, 3, 50, 100'000});
        BestOfQuery of_query{best};
        std::deque<Chosen> chosen;
        for (int query = 0; query < 2; ++query) {
            std::vector<Chosen> all;
            std::vector<std::uint64_t> failed;
            for (std::uint64_t position = 0, count = random.below(1500); position < count; ++position)
                if (random.chance(0.01)) {
                    failed.push_back(position);
                    of_query.add_failed(position, Status::device);
                } else {
                    all.push_back({position, static_cast<std::int64_t>(random.below(different)) - 20, Status::ok});
                    of_query.add(position, all.back().score);
                }
            if (best.targets <= 200 && !best.all_equal) {
                EXPECT_LE(of_query.count(), BestOfQuery::most_held(best.targets) + 2 * failed.size()) << seed;
            }
            std::ranges::stable_sort(all, std::ranges::greater{}, &Chosen::score);
            while (all.size() > best.targets && !(best.all_equal && all.back().score == all[best.targets - 1].score))
                all.pop_back();
            chosen.clear();
            of_query.take(chosen);
            ASSERT_EQ(chosen.size(), all.size() + failed.size()) << seed;
            for (std::size_t k = 0; k < chosen.size(); ++k)
                ASSERT_EQ(chosen[k].position, k < all.size() ? all[k].position : failed[k - all.size()]) << seed;
        }
    }
}

// Parts of the pairs are chosen from apart, as by other threads.
TEST(BestOfQueryTest, EqualsItselfInParts)
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Random random{seed};
        Best const best{random.pick(std::vector<std::uint64_t>{1, 2, 31, 200}), random.chance(0.5)};
        std::uint64_t const different = random.pick(std::vector<std::uint64_t>{1, 3, 50, 100'000});
        BestOfQuery whole{best}, in_parts{best};
        std::uint64_t position = 0;
        for (std::uint64_t part = 0, parts = random.between(1, 8); part < parts; ++part) {
            BestOfQuery some = in_parts.beside();
            for (std::uint64_t const end = position + random.below(600); position < end; ++position) {
                auto const score = static_cast<std::int64_t>(random.below(different)) - 20;
                whole.add(position, score);
                some.add(position, score);
            }
            in_parts.add(some);
        }
        std::deque<Chosen> expected, actual;
        whole.take(expected);
        in_parts.take(actual);
        ASSERT_EQ(actual.size(), expected.size()) << seed;
        for (std::size_t k = 0; k < actual.size(); ++k)
            ASSERT_EQ(actual[k].position, expected[k].position) << seed;
    }
}

TEST(PairsByQueryTest, AListIsReadQueryByQuery)
{
    std::vector<Pair> const list{{3, 0}, {1, 2}, {3, 1}, {1, 2}, {1, 0}};
    PairsByQuery const pairs{Pairing::list, 5, 3, list};
    std::vector<std::uint64_t> numbers, firsts;
    for (std::uint64_t position = 0; position < pairs.count(); ++position) {
        numbers.push_back(pairs.number(position));
        EXPECT_EQ(pairs.pair(position).target, list[numbers.back()].target);
    }
    for (std::uint64_t query = 0; query <= pairs.queries(); ++query)
        firsts.push_back(pairs.first(query));
    EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 3, 4, 0, 2}));
    EXPECT_EQ(firsts, (std::vector<std::uint64_t>{0, 0, 3, 3, 5, 5}));
}

TEST(PairsByQueryTest, QueriesInAnotherOrder)
{
    PairsByQuery const all{Pairing::all, 3, 2, {}, {2, 0, 1}};
    std::vector<std::uint64_t> numbers, queries;
    for (std::uint64_t position = 0; position < all.count(); ++position) {
        numbers.push_back(all.number(position));
        queries.push_back(all.pair(position).query);
        EXPECT_EQ(all.pair(position).target, position % 2);
    }
    EXPECT_EQ(numbers, (std::vector<std::uint64_t>{4, 5, 0, 1, 2, 3}));
    EXPECT_EQ(queries, (std::vector<std::uint64_t>{2, 2, 0, 0, 1, 1}));
    std::vector<Pair> const list{{3, 0}, {1, 2}, {3, 1}, {1, 2}, {1, 0}};
    PairsByQuery const listed{Pairing::list, 5, 3, list, {4, 3, 2, 1, 0}};
    numbers.clear();
    for (std::uint64_t position = 0; position < listed.count(); ++position) {
        numbers.push_back(listed.number(position));
        EXPECT_EQ(listed.pair(position).query, list[numbers.back()].query);
    }
    EXPECT_EQ(numbers, (std::vector<std::uint64_t>{0, 2, 1, 3, 4}));
    EXPECT_EQ(listed.first(1), 0u);
    EXPECT_EQ(listed.first(2), 2u);
    EXPECT_EQ(listed.count_of(3), 3u);
}

// Sequences of one letter each.
class BestCallTest : public testing::Test {
protected:
    BestResult align(std::uint64_t queries, std::uint64_t targets, Output output, Best const & best,
                     std::uint64_t limit = 0)
    {
        std::uint64_t const most = std::max(queries, targets);
        std::vector<std::uint8_t> const bytes(most, 'A');
        std::vector<std::uint64_t> offsets(most + 1);
        for (std::uint64_t k = 0; k <= most; ++k)
            offsets[k] = k;
        auto const coded = [&](std::uint64_t count) {
            return CodedSequences{{{bytes.data(), count}, {offsets.data(), count + 1}}, scoring_};
        };
        CodedSequences const first = coded(queries), second = coded(targets);
        PairsByQuery const pairs{Pairing::all, queries, targets, {}, order_};
        return BestCall{engine_, team_, first, second, pairs, scoring_, {{}, output}, best, limit}.align(progress_);
    }

    Scoring const scoring_ = Scoring::uniform(4, 5, {10, 1}, alphabet_codes("dna"));
    StandIn engine_;
    std::vector<std::uint64_t> order_; // of queries; empty: as they are
    Progress progress_;
    Team team_{1};
};

TEST_F(BestCallTest, AnEngineIsGivenScoresInStepsAndThenTheChosen)
{
    std::uint64_t const targets = 700'000, all = 3 * targets, section = Sections{}.most;
    BestResult const result = align(3, targets, Output::cigar, {2});
    EXPECT_EQ(result.numbers, (std::vector<std::uint64_t>{0, 1, targets, targets + 1, 2 * targets, 2 * targets + 1}));
    ASSERT_EQ(engine_.pairs.size(), 4u);
    std::vector<std::uint64_t> sizes;
    for (auto const & pairs : engine_.pairs)
        sizes.push_back(pairs.size());
    EXPECT_EQ(sizes, (std::vector<std::uint64_t>{section, section, all - 2 * section, 6}));
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(engine_.requests[k].output, k < 3 ? Output::score : Output::cigar);
    EXPECT_EQ(result.value.runs.size(), 6u);
}

// Each score is 1.  That of later pairs has to be higher, unless equal ones count, in sections of one query.
TEST_F(BestCallTest, ACpuIsAskedForScoresThatMatter)
{
    std::uint64_t const own = Sections{}.own;
    auto const expect = [&](std::vector<std::uint64_t> const & sizes, std::vector<std::int64_t> const & least) {
        ASSERT_EQ(engine_.pairs.size(), sizes.size());
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            EXPECT_EQ(engine_.pairs[k].size(), sizes[k]) << k;
            EXPECT_EQ(engine_.requests[k].min_score, least[k]) << k;
        }
        engine_.pairs.clear();
        engine_.requests.clear();
    };
    std::int64_t const none = no_min_score;
    std::uint64_t const targets = 3 * own + 1;
    align(2, targets, Output::score, {2});
    expect({2 * targets}, {none});
    engine_.early = true;
    EXPECT_EQ(align(2, targets, Output::score, {2}).numbers, (std::vector<std::uint64_t>{0, 1, targets, targets + 1}));
    expect({own, own, own + 1, own, own, own + 1}, {none, 2, 2, none, 2, 2});
    EXPECT_EQ(align(1, targets, Output::score, {2, true}).numbers.size(), targets);
    expect({own, own, own + 1}, {none, 1, 1});
    align(1, 10 * own, Output::score, {4 * own});
    expect({4 * own, 6 * own}, {none, 2});
    align(1, targets, Output::score, {own * 2});
    expect({targets}, {none});
    align(3, 2 * own - 1, Output::score, {1});
    expect({3 * (2 * own - 1)}, {none});
    align(1, targets, Output::score, {2}, std::uint64_t{1} << 30);
    expect({targets}, {none});
}

TEST_F(BestCallTest, ScoresAreNotComputedAgainAndFailedPairsNotTriedAgain)
{
    align(2, 5, Output::score, {1});
    EXPECT_EQ(engine_.pairs.size(), 1u);
    engine_.failing = Status::out_of_device_memory;
    BestResult const result = align(2, 2, Output::cigar, {1});
    EXPECT_EQ(result.value.status, Array<Status>(4, Status::out_of_device_memory));
    EXPECT_EQ(result.value.failures.message(3), "the pair fails");
    ASSERT_EQ(engine_.pairs.size(), 3u);
    EXPECT_EQ(engine_.pairs[2].size(), 0u);
}

// Two queries with all their targets at a time, at least.
TEST_F(BestCallTest, QueriesInAnotherOrderAreWhole)
{
    std::uint64_t const targets = 400'000, most = Sections{}.most;
    engine_.common = true;
    auto const sizes = [&](std::uint64_t queries, std::uint64_t count, std::uint64_t limit = 0) {
        engine_.pairs.clear();
        order_.clear();
        for (std::uint64_t query = queries; query > 0; --query)
            order_.push_back(query - 1);
        BestResult const result = align(queries, count, Output::score, {1}, limit);
        EXPECT_EQ(result.numbers.size(), queries);
        for (std::uint64_t query = 0; query < result.numbers.size(); ++query)
            EXPECT_EQ(result.numbers[query], query * count);
        std::vector<std::uint64_t> all;
        for (auto const & pairs : engine_.pairs)
            all.push_back(pairs.size());
        return all;
    };
    EXPECT_EQ(sizes(5, targets), (std::vector<std::uint64_t>{2 * targets, 2 * targets, targets}));
    EXPECT_EQ(sizes(3, 700'000), (std::vector<std::uint64_t>{1'400'000, 700'000}));
    EXPECT_EQ(sizes(21, 100'000), (std::vector<std::uint64_t>{1'000'000, 1'000'000, 100'000}));
    EXPECT_EQ(sizes(2, 5 * most), (std::vector<std::uint64_t>{8 * most, 2 * most}));
    EXPECT_EQ(sizes(2, 700'000, std::uint64_t{1} << 32), (std::vector<std::uint64_t>{most, 1'400'000 - most}));
}

// An engine may refuse a call that has none.
TEST_F(BestCallTest, WithoutPairs)
{
    align(3, 0, Output::cigar, {1});
    EXPECT_EQ(engine_.pairs.size(), 2u);
}

// However short its sections are, a call reports, and ends when it is told to.
TEST_F(BestCallTest, ShortSectionsReport)
{
    int calls = 0;
    std::uint64_t last = 0;
    progress_ = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_LE(last, done);
        EXPECT_LE(done, total);
        last = done;
        return ++calls > 0;
    };
    align(3, 10, Output::cigar, {2});
    EXPECT_GE(calls, 1);
    progress_ = [&](std::uint64_t, std::uint64_t) { return false; };
    try {
        align(3, 10, Output::cigar, {2});
        FAIL() << "it went on";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
    }
}

} // namespace
} // namespace nwgpu
