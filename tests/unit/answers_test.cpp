// SPDX-License-Identifier: BSD-3-Clause
// Answers find their places in the result, whoever puts them and in whatever order; why pairs failed is kept in little
// memory.
#include "model/answers.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "base/team.hpp"
#include "unit/used_memory.hpp"

namespace nwgpu {
namespace {

using nwgpu::Runs;
using Offsets = Array<std::uint64_t>;
using Scores = Array<std::int64_t>;

Request request_of(Output output, std::uint32_t top = 1)
{
    Request request{Mode{.local = top > 1}, output, CigarStyle::eqx};
    request.top = top;
    return request;
}

PairResult answer(std::int64_t score, Runs runs = {}, std::vector<PairResult> more = {})
{
    return {score, {1, 2, 3, 4}, std::move(runs), std::move(more)};
}

void put(AnswerWriter & writer, std::uint64_t pair, PairResult result) { writer.put(pair, result); }

TEST(Answers, OnlyWhatWasAskedForIsThere)
{
    for (Output const output : {Output::score, Output::end, Output::span, Output::cigar}) {
        BatchResult result;
        Answers answers{result, 2, request_of(output)};
        answers.begin(0, 2, 10, 1);
        AnswerWriter writer{&answers};
        put(writer, 1, answer(7, {5, 6}));
        put(writer, 0, answer(8, {9}));
        answers.end();
        answers.finish();
        EXPECT_EQ(result.score, (Scores{8, 7}));
        EXPECT_EQ(result.status, Array<Status>(2, Status::ok));
        EXPECT_EQ(result.pair, (Offsets{0, 1}));
        EXPECT_EQ(result.span.capacity() == 0, output == Output::score);
        if (output >= Output::end) {
            EXPECT_EQ(result.span[1].target_end, 4u);
            EXPECT_EQ(result.span[1].query_begin, output == Output::end ? no_position : 1);
        }
        EXPECT_EQ(result.run_offsets, output == Output::cigar ? (Offsets{0, 1, 3}) : Offsets{});
        EXPECT_EQ(result.run_offsets.capacity() == 0, output != Output::cigar);
        EXPECT_EQ(result.runs, output == Output::cigar ? (Runs{9, 5, 6}) : Runs{});
    }
}

TEST(Answers, WithoutPairsArraysHaveAnAddress)
{
    for (std::uint32_t const top : {1, 3}) {
        BatchResult result;
        Answers answers{result, 0, request_of(Output::cigar, top)};
        answers.begin(0, 0, 0, 1);
        answers.end();
        answers.finish();
        EXPECT_EQ(result.count(), 0u);
        EXPECT_EQ(result.run_offsets, Offsets{0});
        EXPECT_NE(result.status.data(), nullptr);
        EXPECT_NE(result.score.data(), nullptr);
        EXPECT_NE(result.pair.data(), nullptr);
        EXPECT_NE(result.span.data(), nullptr);
        EXPECT_NE(result.runs.data(), nullptr);
    }
}

// Pairs with no, few and very many runs, in pieces, by several threads, each of which puts every third pair, backwards.
TEST(Answers, RunsFromManyThreadsInPieces)
{
    auto const runs_of = [](std::uint64_t p) {
        Runs runs(p % 7 == 0 ? 0 : p % 50 == 3 ? 3000 + p : p % 11);
        std::iota(runs.begin(), runs.end(), static_cast<std::uint32_t>(p * 10000));
        return runs;
    };
    constexpr std::uint64_t count = 1000;
    for (std::uint64_t const piece : {1u, 10u, 333u, 1000u}) {
        BatchResult result;
        Answers answers{result, count, request_of(Output::cigar)};
        for (std::uint64_t first = 0; first < count; first += piece) {
            std::uint64_t const last = std::min(count, first + piece);
            answers.begin(first, last, piece * 60, 3);
            std::vector<std::thread> threads;
            for (std::uint64_t t = 0; t < 3; ++t)
                threads.emplace_back([&, t] {
                    AnswerWriter writer{&answers};
                    for (std::uint64_t p = last; p-- > first;)
                        if (p % 3 == t)
                            put(writer, p, answer(static_cast<std::int64_t>(p), runs_of(p)));
                });
            for (std::thread & thread : threads)
                thread.join();
            answers.end();
        }
        answers.finish();
        for (std::uint64_t p = 0; p < count; ++p) {
            ASSERT_EQ(result.score[p], static_cast<std::int64_t>(p)) << "piece=" << piece;
            auto const at = [&](std::uint64_t k) { return result.runs.begin() + static_cast<std::ptrdiff_t>(k); };
            ASSERT_EQ(Runs(at(result.run_offsets[p]), at(result.run_offsets[p + 1])), runs_of(p))
                << "piece=" << piece << " pair=" << p;
        }
        EXPECT_EQ(result.runs.size(), result.run_offsets[count]);
    }
}

// Long arrays, by a team; runs in blocks of many pairs, neighbours in another order than the pairs, some pairs alone.
TEST(Answers, RunsInBlocksOfManyPairs)
{
    constexpr std::uint64_t count = 300000, block_pairs = 1000;
    auto const runs_of = [](std::uint64_t p) { return p % 5; };
    for (std::uint64_t const piece : {count, std::uint64_t{70000}}) {
        Team team{3};
        BatchResult result;
        Answers answers{result, count, request_of(Output::cigar), &team};
        for (std::uint64_t first = 0; first < count; first += piece) {
            std::uint64_t const last = std::min(count, first + piece);
            answers.begin(first, last, 0, 1);
            AnswerWriter writer{&answers};
            std::uint32_t * at = answers.new_block(piece * 4);
            for (std::uint64_t begin = last - (last - first) % block_pairs; begin + block_pairs > first;
                 begin -= block_pairs) {
                for (std::uint64_t p = begin; p < std::min(begin + block_pairs, last); ++p) {
                    std::uint32_t * const runs = at;
                    at = std::fill_n(at, runs_of(p), static_cast<std::uint32_t>(p));
                    if (p % 1234 == 0)
                        put(writer, p, answer(static_cast<std::int64_t>(p), Runs(runs, at)));
                    else
                        writer.put(p, static_cast<std::int64_t>(p), {p, p + 1, p + 2, p + 3}, {runs, runs_of(p)});
                }
                if (begin == first)
                    break;
            }
            answers.end();
        }
        answers.finish();
        std::uint64_t offset = 0;
        for (std::uint64_t p = 0; p < count; ++p) {
            ASSERT_EQ(result.score[p], static_cast<std::int64_t>(p));
            ASSERT_EQ(result.pair[p], p);
            ASSERT_EQ(result.span[p].query_begin, p % 1234 == 0 ? 1 : p);
            ASSERT_EQ(result.run_offsets[p], offset) << "piece=" << piece << " pair=" << p;
            for (std::uint64_t k = 0; k < runs_of(p); ++k)
                ASSERT_EQ(result.runs[offset++], static_cast<std::uint32_t>(p)) << "piece=" << piece << " pair=" << p;
        }
        EXPECT_EQ(result.run_offsets[count], offset);
        EXPECT_EQ(result.runs.size(), offset);
    }
}

// One pair, several alignments, scores alone, answers that may be dropped: nothing has a place in order.
TEST(Answers, NoRunsInOrderWhereTheyHaveNoPlace)
{
    Request limited = request_of(Output::cigar);
    limited.min_score = 0;
    for (auto const & [pairs, request] : {std::pair{std::uint64_t{1}, request_of(Output::cigar)},
                                          {3, request_of(Output::cigar, 2)},
                                          {3, limited},
                                          {3, request_of(Output::span)}}) {
        BatchResult result;
        Answers answers{result, pairs, request};
        answers.begin(0, pairs, 0, 1);
        EXPECT_EQ(answers.next_runs(pairs, 0, 1, 1).runs, nullptr);
    }
}

TEST(Answers, TheLastWordOfAPairCounts)
{
    BatchResult result{used_memory(100 << 20)};
    Answers answers{result, 4, request_of(Output::cigar)};
    answers.begin(0, 4, 10, 1);
    AnswerWriter writer{&answers};
    put(writer, 0, answer(1, {1}));
    put(writer, 1, answer(2, {2}));
    put(writer, 1, answer(3, {3, 3}));
    put(writer, 2, answer(4, {4}));
    writer.fail(2, Status::out_of_host_memory, "out of memory");
    EXPECT_FALSE(answers.is_open(1));
    EXPECT_FALSE(answers.is_open(2));
    EXPECT_TRUE(answers.is_open(3));
    answers.end();
    answers.finish();
    EXPECT_EQ(result.score, (Scores{1, 3, 0, 0}));
    EXPECT_EQ(result.runs, (Runs{1, 3, 3}));
    EXPECT_EQ(result.run_offsets, (Offsets{0, 1, 3, 3, 3}));
    EXPECT_EQ(result.span[2], AlignedSpan{});
    EXPECT_EQ(result.status[2], Status::out_of_host_memory);
    EXPECT_EQ(result.failures.message(2), "out of memory");
    EXPECT_EQ(result.status[3], Status::internal) << "left out";
}

// Their status alone is kept, whatever was put before.
TEST(Answers, ScoresThatAreTooLow)
{
    for (std::uint32_t const top : {1u, 3u}) {
        BatchResult result;
        Request request = request_of(Output::cigar, top);
        request.min_score = 5;
        Answers answers{result, 3, request};
        answers.begin(0, 3, 10, 1);
        AnswerWriter writer{&answers};
        put(writer, 0, answer(5, {1}));
        put(writer, 1, answer(6, {2}));
        put(writer, 1, answer(4, {3, 3}));
        put(writer, 2, answer(too_low_score));
        EXPECT_FALSE(answers.is_open(1));
        answers.end();
        answers.finish();
        EXPECT_EQ(result.status, (Array<Status>{Status::ok, Status::below_min_score, Status::below_min_score}));
        EXPECT_EQ(result.score, (Scores{5, 0, 0}));
        EXPECT_EQ(result.run_offsets, (Offsets{0, 1, 1, 1}));
        EXPECT_EQ(result.span[1], AlignedSpan{});
        EXPECT_EQ(result.failures.count(), 0u);
    }
}

TEST(Answers, ARescueLeavesPairsOpen)
{
    BatchResult result;
    Answers answers{result, 3, request_of(Output::score)};
    answers.begin(0, 3, 0, 1);
    AnswerWriter writer{&answers};
    std::string said;
    answers.set_rescue([&](std::uint64_t pair, Status status, std::string const & what) {
        said += std::to_string(pair) + what;
        return status == Status::memory_limit;
    });
    writer.fail(0, Status::memory_limit, "a");
    writer.fail(1, Status::too_large, "b");
    answers.set_rescue({});
    writer.fail(2, Status::memory_limit, "c");
    EXPECT_EQ(said, "0a1b");
    EXPECT_TRUE(answers.is_open(0));
    put(writer, 0, answer(5));
    answers.end();
    answers.finish();
    EXPECT_EQ(result.status, (Array<Status>{Status::ok, Status::too_large, Status::memory_limit}));
    EXPECT_EQ(result.failures.message(0), "");
    EXPECT_EQ(result.failures.message(2), "c");
}

// Pairs with several entries, in two pieces; a pair that fails has one.
TEST(Answers, SeveralAlignments)
{
    BatchResult result;
    Answers answers{result, 4, request_of(Output::cigar, 3)};
    AnswerWriter writer{&answers};
    answers.begin(0, 3, 10, 1);
    put(writer, 2, answer(5, {50}));
    put(writer, 0, answer(9, {90, 91}, {answer(8, {80}), answer(7)}));
    writer.fail(1, Status::memory_limit, "too long");
    answers.end();
    answers.begin(3, 4, 10, 1);
    put(writer, 3, answer(4, {40}, {answer(3, {30})}));
    answers.end();
    answers.finish();
    EXPECT_EQ(result.pair, (Offsets{0, 0, 0, 1, 2, 3, 3}));
    EXPECT_EQ(result.score, (Scores{9, 8, 7, 0, 5, 4, 3}));
    EXPECT_EQ(result.runs, (Runs{90, 91, 80, 50, 40, 30}));
    EXPECT_EQ(result.run_offsets, (Offsets{0, 2, 3, 3, 3, 4, 5, 6}));
    EXPECT_EQ(result.span[1].target_end, 4u);
    EXPECT_EQ(result.span[3].target_end, no_position);
    EXPECT_EQ(result.status[3], Status::memory_limit);
    EXPECT_EQ(result.failures.message(1), "too long");
}

TEST(Answers, AnEngineThatMeasuresItselfDropsThem)
{
    AnswerWriter nowhere{nullptr};
    put(nowhere, 3, answer(1, {1}));
    nowhere.fail(4, Status::internal, "dropped");
}

TEST(Failures, LettersAreSpelledWhenAsked)
{
    Failures failures;
    failures.add_letter(9, Failures::Side::target, 7, std::uint64_t{1} << 40);
    failures.add_letter(2, Failures::Side::query, '*', 1);
    failures.sort();
    EXPECT_EQ(failures.count(), 2u);
    EXPECT_EQ(failures.message(2), "query: letter '*' at position 1 is not in the alphabet");
    EXPECT_EQ(failures.message(9), "target: letter 7 at position 1099511627776 is not in the alphabet");
    EXPECT_EQ(failures.message(3), "");
    EXPECT_EQ(Failures{}.message(0), "");
}

// Of many different texts the first ones are kept; each status has one.
TEST(Failures, TextsAreBounded)
{
    Failures failures;
    auto const text = [](std::uint64_t p) { return "the pair needs " + std::to_string(p) + " bytes"; };
    for (std::uint64_t p = 0; p < 1000; ++p)
        failures.add(p, Status::memory_limit, text(p));
    failures.add(1000, Status::device, "a device");
    failures.add(1001, Status::memory_limit, text(3));
    failures.add(1002, Status::device, std::string(100000, 'x'));
    failures.sort();
    EXPECT_EQ(failures.message(0), text(0));
    EXPECT_EQ(failures.message(3), text(3));
    EXPECT_EQ(failures.message(999), "as another pair: " + text(0));
    EXPECT_EQ(failures.message(1000), "a device");
    EXPECT_EQ(failures.message(1001), text(3));
    EXPECT_EQ(failures.message(1002), "as another pair: a device");
}

} // namespace
} // namespace nwgpu
