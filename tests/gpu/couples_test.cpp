// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of a list are computed two at a time, without a GPU: all pairs are there once, those of couples are
// neighbours, and what is not worth it stays alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <numeric>
#include <set>

#include "cuda/batch/batch_scheme.hpp"
#include "cuda/batch/couples.hpp"
#include "cuda/batch/cutter.hpp"
#include "cuda/batch/probe.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using namespace cuda::batch;

// Queries of these lengths, and targets of 10 letters or so.
struct Sequences {
    PairSet set;
    Sequences(std::vector<std::uint64_t> const & lengths, std::uint64_t targets, Scheme const & s) :
        set{[&] {
                std::vector<SequencePair> pairs;
                for (std::uint64_t k = 0; k < std::max<std::uint64_t>(lengths.size(), targets); ++k)
                    pairs.push_back(
                        {std::string(k < lengths.size() ? lengths[k] : 1, 'A'), std::string(1 + k % 20, 'C')});
                return pairs;
            }(),
            s.scoring}
    {}
};

struct Found {
    Request const request{{.local = true}, Output::score};
    std::vector<Pair> list;
    Batch batch;
    std::vector<std::uint64_t> all;
    Piece piece;
    BatchWork work;
    Couples couples;

    std::uint64_t const least_cells;

    // `least`: cells of couples, and pairs of a query that is none's partner.
    Found(Sequences const & sequences, std::vector<Pair> given, Scheme const & s, std::uint64_t least = 101) :
        list{std::move(given)},
        batch{sequences.set.batch().queries, sequences.set.batch().targets, list},
        all(list.size()),
        piece{batch, all, s.scoring, request},
        work{make_work(s.scoring, request).value()},
        least_cells{least}
    {
        std::iota(all.begin(), all.end(), 0);
        piece.pairs = all;
        Team team{2};
        couples = find_couples(piece, work, least, team);
        check();
    }
    std::uint64_t in_couples() const { return couples.empty() ? 0 : couples.stretches.back().end; }
    std::vector<std::uint64_t> ends() const
    {
        std::vector<std::uint64_t> all_ends;
        for (CoupleStretch const & stretch : couples.stretches)
            all_ends.push_back(stretch.end);
        return all_ends;
    }

private:
    void check() const
    {
        if (couples.empty())
            return;
        std::vector<std::uint64_t> sorted{couples.pairs.begin(), couples.pairs.end()};
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, all);
        std::uint64_t begin = 0;
        for (auto const [end, together] : couples.stretches) {
            ASSERT_LT(begin, end);
            ASSERT_EQ((end - begin) % together, 0u);
            Pair const first = list[couples.pairs[begin]], second = list[couples.pairs[begin + together - 1]];
            EXPECT_LE(batch.queries.length(first.query), batch.queries.length(second.query));
            if (together == 1) {
                EXPECT_TRUE(is_worth_alone(batch.queries.length(first.query), end - begin, least_cells, true));
            }
            for (; begin < end; begin += together) {
                Pair const a = list[couples.pairs[begin]], b = list[couples.pairs[begin + together - 1]];
                ASSERT_EQ(a.target, b.target);
                ASSERT_EQ(a.query, first.query);
                ASSERT_EQ(b.query, second.query);
            }
        }
    }
};

std::vector<Pair> each_with_each(std::uint64_t queries, std::uint64_t targets)
{
    std::vector<Pair> pairs;
    for (std::uint64_t query = 0; query < queries; ++query)
        for (std::uint64_t target = 0; target < targets; ++target)
            pairs.push_back({query, target});
    return pairs;
}

TEST(Couples, QueriesOfNearlyEqualLength)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Sequences const sequences{{1000, 144, 400, 140, 390, 980}, 100, s};
    Found const found{sequences, each_with_each(6, 100), s};
    EXPECT_EQ(found.ends(), (std::vector<std::uint64_t>{200, 400, 600}));
    Sequences const different{{1000, 100, 300}, 100, s};
    EXPECT_TRUE((Found{different, each_with_each(3, 100), s}).couples.empty());
    Sequences const odd{{300, 310, 320}, 100, s};
    EXPECT_EQ((Found{odd, each_with_each(3, 100), s}).in_couples(), 200u);
    Sequences const short_ones{{10, 10}, 100, s}; // lanes of couples have many rows
    EXPECT_TRUE((Found{short_ones, each_with_each(2, 100), s}).couples.empty());
}

// No group holds them, whether they have a partner or not.
TEST(Couples, LongQueries)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Sequences const sequences{{2600, 2400, 5478, 4000, 40000, 5000}, 100, s};
    Found const found{sequences, each_with_each(6, 100), s, 100};
    ASSERT_EQ(found.ends(), (std::vector<std::uint64_t>{200, 400, 500}));
    auto const query = [&](std::uint64_t position) { return found.list[found.couples.pairs[position]].query; };
    EXPECT_EQ(found.couples.stretches[0].pairs, 2u);
    EXPECT_EQ(query(0), 1u);
    EXPECT_EQ(query(1), 0u);
    EXPECT_EQ(query(200), 3u);
    EXPECT_EQ(query(201), 5u);
    EXPECT_EQ(found.couples.stretches[2].pairs, 1u);
    EXPECT_EQ(query(400), 2u);
    Found const partners{sequences, each_with_each(6, 100), s}; // too few pairs of the others
    EXPECT_EQ(partners.ends(), (std::vector<std::uint64_t>{200, 400}));
    Found const one{sequences, {{0, 0}, {0, 1}, {0, 5}, {0, 7}}, s, 4},
        few{sequences, {{0, 0}, {0, 1}, {0, 2}, {0, 3}}, s, 1 << 20};
    EXPECT_EQ(one.ends(), (std::vector<std::uint64_t>{4}));
    EXPECT_TRUE(few.couples.empty());
    Sequences const usual{{2432}, 100, s};
    EXPECT_TRUE((Found{usual, each_with_each(1, 100), s}).couples.empty());
}

// Two of nearly equal length still go together.
TEST(Couples, TargetsOfQueriesWithoutPartner)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Sequences const sequences{{300, 1000, 310, 100, 5478}, 101, s};
    Found const found{sequences, each_with_each(5, 101), s, 101};
    ASSERT_EQ(found.ends(), (std::vector<std::uint64_t>{101, 303, 404, 505}));
    auto const query = [&](std::uint64_t position) { return found.list[found.couples.pairs[position]].query; };
    EXPECT_EQ(query(0), 3u);
    EXPECT_EQ(query(101), 0u);
    EXPECT_EQ(query(102), 2u);
    EXPECT_EQ(query(303), 1u);
    EXPECT_EQ(query(404), 4u);
}

// Of a call with one query it is known without a look at all pairs.
TEST(Couples, TheOnlyQuery)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Sequences const sequences{{300, 5478}, 100, s};
    auto const work = [&](std::uint64_t query, std::uint64_t least, Request const & request, bool both = false) {
        std::vector<Pair> list;
        for (std::uint64_t target = 0; target < 100; ++target)
            list.push_back({both ? target % 2 : query, target});
        std::vector<std::uint64_t> all(list.size());
        std::iota(all.begin(), all.end(), 0);
        Batch const batch{sequences.set.batch().queries, sequences.set.batch().targets, list};
        Piece const piece{batch, all, s.scoring, request};
        BatchWork const its = work_for(piece, 0, nullptr, least).value();
        return its.class_of(batch.view(0), std::uint64_t{0}) == couple_class;
    };
    Request const local{{.local = true}, Output::score};
    EXPECT_TRUE(work(0, 100, local));
    EXPECT_TRUE(work(1, 100, local));
    EXPECT_FALSE(work(0, 1000, local)) << "few pairs";
    EXPECT_FALSE(work(0, 1 << 30, local));
    EXPECT_FALSE(work(0, 100, local, true));
    EXPECT_FALSE(work(0, 100, {{.local = true}, Output::cigar}));
    EXPECT_FALSE(work(0, 100, {{}, Output::score}));
}

TEST(Couples, OnlyWhereItIsWorthIt)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Sequences const sequences{{144, 144}, 2000, s};
    std::uint64_t const cells = 2 * 144 * 2000 * 21 / 2;
    EXPECT_EQ((Found{sequences, each_with_each(2, 2000), s, cells}).in_couples(), 4000u);
    EXPECT_TRUE((Found{sequences, each_with_each(2, 2000), s, cells + 1}).couples.empty());
}

TEST(Couples, PartsOfListsThatAreCommon)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Sequences const sequences{{144, 144, 144, 144}, 300, s};
    Random random{8540};
    for (int round = 0; round < 30; ++round) {
        std::vector<Pair> pairs;
        for (Pair const & pair : each_with_each(4, 300))
            if (pair.target == 0 || pair.target == 299 || !random.chance(0.3))
                pairs.push_back(pair);
        Found const found{sequences, pairs, s};
        EXPECT_EQ(found.couples.stretches.size(), 2u);
        // The two of each couple have all that their queries have in common.
        std::uint64_t begin = 0;
        for (std::uint64_t const end : found.ends()) {
            std::set<std::uint64_t> of[2];
            for (Pair const & pair : pairs)
                for (int k = 0; k < 2; ++k)
                    if (pair.query == pairs[found.couples.pairs[begin + static_cast<std::uint64_t>(k)]].query)
                        of[k].insert(pair.target);
            std::vector<std::uint64_t> common;
            std::set_intersection(of[0].begin(), of[0].end(), of[1].begin(), of[1].end(), std::back_inserter(common));
            EXPECT_EQ(end - begin, 2 * common.size());
            begin = end;
        }
    }
}

TEST(Couples, OrderOfTargetsMatters)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Sequences const sequences{{144, 144, 140}, 300, s};
    std::vector<Pair> pairs = each_with_each(2, 300);
    std::vector<Pair> backwards{pairs.rbegin(), pairs.rend()};
    EXPECT_TRUE((Found{sequences, backwards, s}).couples.empty());
    for (Pair & pair : pairs)
        pair.target /= 2; // each twice, one behind the other
    EXPECT_TRUE((Found{sequences, pairs, s}).couples.empty());
    std::vector<Pair> zip;
    for (std::uint64_t k = 0; k < 3; ++k)
        zip.push_back({k, k});
    EXPECT_TRUE((Found{sequences, zip, s}).couples.empty());
}

// Chunks have whole couples, of two queries.
TEST(Couples, StayTogetherInChunks)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Sequences const sequences{{144, 144, 300, 310, 3000}, 1000, s};
    Found found{sequences, each_with_each(5, 1000), s};
    ASSERT_EQ(found.in_couples(), 5000u);
    found.work.couples = found.couples.stretches;
    Piece const piece{found.batch, found.couples.pairs, s.scoring, found.request};
    Team team{2};
    for (std::uint64_t const most : {2, 3, 37, 256, 257, 1000, 5000})
        for (std::uint64_t const letters : {700, 5000, 1 << 28}) {
            Cutter cutter{piece, found.work, team};
            std::vector<ChunkPair> pairs(5000);
            std::uint64_t done = 0;
            while (!cutter.done()) {
                Chunk const chunk = cutter.next({most, letters, 1 << 28, 0, 1u << 30}, 5000, pairs.data());
                ASSERT_EQ(chunk.first, done);
                done = chunk.last;
                if (!chunk.fits || !chunk.sums.has_couples())
                    continue;
                std::uint64_t const together = chunk.first < 4000 ? 2 : 1;
                EXPECT_EQ(chunk.count() % together, 0u);
                EXPECT_EQ(chunk.sums.classes, 1ull << couple_class);
                for (std::uint64_t k = 0; k < chunk.count(); ++k) {
                    EXPECT_EQ(pairs[k].query, pairs[k % together].query);
                    EXPECT_EQ(pairs[k].target, pairs[k / together * together].target);
                }
            }
            EXPECT_EQ(done, 5000u);
        }
}

// Strips have all rows and waste less than a lane.
TEST(Couples, StripsHaveAllRows)
{
    for (int m = 1; m <= 5000; ++m) {
        int rows = 0, last_lanes = most_couple_lanes;
        for (CoupleStrip strip = CoupleStrip::at(0, m);; strip = strip.behind(m)) {
            ASSERT_EQ(strip.first_row, rows);
            EXPECT_LE(strip.lanes(), last_lanes);
            last_lanes = strip.lanes();
            rows += strip.lanes() * couple_rows;
            if (strip.is_last)
                break;
            ASSERT_LT(rows, m);
        }
        EXPECT_GE(rows, m);
        EXPECT_LT(rows, m + couple_rows);
    }
}

// Each lane of each strip of two targets has all of its rows but less than one per strip.
TEST(Couples, StripsOfTwoTargets)
{
    for (int m = 1; m <= 5000; ++m) {
        TargetStrips const strips = TargetStrips::of(m);
        int const of_strip = TargetStrips::lanes * strips.rows;
        ASSERT_GE(strips.rows, TargetStrips::least_rows);
        ASSERT_LE(strips.rows, TargetStrips::most_rows);
        for (int k = 0; k < strips.count; ++k) {
            EXPECT_EQ(strips[k].first_row, k * of_strip);
            EXPECT_EQ(strips[k].lanes(), TargetStrips::lanes);
            EXPECT_EQ(strips[k].is_last, k + 1 == strips.count);
        }
        EXPECT_GE(strips.count * of_strip, m);
        if (strips.rows > TargetStrips::least_rows) {
            EXPECT_LT(strips.count * TargetStrips::lanes * (strips.rows - 1), m);
        }
    }
}

TEST(Couples, WhenOneQueryIsWorthIt)
{
    auto const is_worth = [](std::uint64_t rows, std::uint64_t pairs, bool suits = true) {
        return is_worth_alone(rows, pairs, least_couple_cells, suits);
    };
    EXPECT_TRUE(is_worth(375, 100000));
    EXPECT_FALSE(is_worth(400, 100000)) << "groups of 400 rows waste none";
    EXPECT_FALSE(is_worth(375, 10000));
    EXPECT_FALSE(is_worth(375, 100000, false));
    EXPECT_TRUE(is_worth(5478, 2000, false));
    EXPECT_FALSE(is_worth(32000, 1)) << "a pair has the device for itself";
}

// The targets of a chunk wait for the longest one in each strip: rare ones are left out, with many all are of groups.
TEST(Couples, NoTargetMuchLongerThanOthers)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    Request const request{{.local = true}, Output::score};
    for (int const apart : {777, 20}) { // long ones
        std::vector<SequencePair> sequences;
        for (int k = 0; k < 1000; ++k)
            sequences.push_back({k == 0 ? std::string(100, 'A') : "A", std::string(k % apart == 3 ? 9000 : 300, 'C')});
        PairSet const set{std::move(sequences), s.scoring};
        std::vector<Pair> list;
        for (std::uint64_t target = 0; target < 1000; ++target)
            list.push_back({0, target});
        std::vector<std::uint64_t> all(list.size());
        std::iota(all.begin(), all.end(), 0);
        Batch const batch{set.batch().queries, set.batch().targets, list};
        BatchWork const work = work_for({batch, all, s.scoring, request}, 0, nullptr, 100).value();
        EXPECT_EQ(work.class_of(batch.view(0), std::uint64_t{0}) == couple_class, apart == 777);
        EXPECT_EQ(work.suits(batch.view(3)), apart != 777);
    }
}

// Numbers below the one that is no letter are those that come most; all scores go with their letters.
TEST(Couples, CommonLettersComeFirst)
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    BatchScheme const batch_scheme = make_batch_scheme(s.scoring, {.local = true}).value();
    std::string const letters = "ACDXW";
    std::bitset<256> seen;
    for (char const letter : letters)
        seen.set(static_cast<unsigned char>(letter));
    LetterTable const before = make_letters(seen, s.scoring, batch_scheme).value();
    auto const number = [](LetterTable const & table, char letter) {
        return int{table.number[static_cast<unsigned char>(letter)]};
    };
    std::vector<std::uint64_t> counts(5);
    counts[static_cast<std::size_t>(number(before, 'W'))] = 7;
    counts[static_cast<std::size_t>(number(before, 'C'))] = 9;
    for (int common = 0; common <= 5; ++common) {
        LetterTable now = before;
        put_common_first(now, counts, common);
        ASSERT_EQ(now.letters, 6);
        if (common >= 2) {
            EXPECT_EQ(number(now, 'C'), 0);
            EXPECT_EQ(number(now, 'W'), 1);
        }
        std::set<int> numbers;
        for (char const q : letters) {
            numbers.insert(number(now, q));
            EXPECT_NE(number(now, q), common);
            for (char const t : letters)
                EXPECT_EQ(now.scores[static_cast<std::size_t>(number(now, q) * 6 + number(now, t))],
                          before.scores[static_cast<std::size_t>(number(before, q) * 5 + number(before, t))]);
            EXPECT_EQ(now.scores[static_cast<std::size_t>(number(now, q) * 6 + common)], no_letter_score);
            EXPECT_EQ(now.scores[static_cast<std::size_t>(common * 6 + number(now, q))], no_letter_score);
        }
        EXPECT_EQ(numbers.size(), 5u);
        EXPECT_LE(*numbers.rbegin(), 5);
    }
}

// As many as there is room for, down to none.
TEST(Couples, RoomForCommonLetters)
{
    TargetStrips const full{1, 16}, low{1, 8};
    EXPECT_EQ(full.most_common(227 << 10, 20), 20u);
    EXPECT_EQ(full.most_common(227 << 10, 31), 20u);
    EXPECT_EQ(low.most_common(227 << 10, 25), 25u);
    EXPECT_EQ(full.most_common(99 << 10, 20), 12u);
    EXPECT_EQ(full.most_common(0, 20), 0u);
}

} // namespace
} // namespace nwgpu::test
