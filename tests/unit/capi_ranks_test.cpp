// SPDX-License-Identifier: BSD-3-Clause
// Several ranks, as threads of one process whose messages are late: the answers are those of one rank, and failures
// reach who has to know.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "capi_world.hpp"
#include "support/random.hpp"

namespace nwgpu::test {
namespace {

using namespace std::chrono_literals;

struct Texts {
    std::vector<std::string> queries, targets;
};

Texts random_texts(std::uint64_t seed, std::size_t count, std::uint64_t longest)
{
    Random random{seed};
    Texts texts;
    for (std::size_t k = 0; k < count; ++k) {
        auto const model = random.pick(all_models());
        SequencePair pair = random_pair(random, model, random.between(1, longest), random.between(1, longest), "ACGT");
        texts.queries.push_back(std::move(pair.query));
        texts.targets.push_back(std::move(pair.target));
    }
    return texts;
}

std::string difference(Result const & a, Result const & b)
{
    if (a.count() != b.count())
        return "entries: " + std::to_string(a.count()) + " and " + std::to_string(b.count());
    for (std::uint64_t e = 0; e < a.count(); ++e) {
        std::string const where = "entry " + std::to_string(e) + ": ";
        if (a.pairs()[e] != b.pairs()[e] || a.statuses()[e] != b.statuses()[e] || a.scores()[e] != b.scores()[e])
            return where + "pair, status or score";
        if (std::string{a.error(e).message} != b.error(e).message)
            return where + a.error(e).message + " and " + b.error(e).message;
        if (nwgpu_result_spans(a.get()) && a.span(e) != b.span(e))
            return where + "span";
    }
    std::uint32_t const *runs_a = nullptr, *runs_b = nullptr;
    std::uint64_t const *offsets_a = nullptr, *offsets_b = nullptr;
    if (nwgpu_result_cigars(a.get(), &runs_a, &offsets_a, nullptr) != NWGPU_OK)
        return {};
    if (nwgpu_result_cigars(b.get(), &runs_b, &offsets_b, nullptr) != NWGPU_OK)
        return "no CIGARs";
    if (!std::equal(offsets_a, offsets_a + a.count() + 1, offsets_b) ||
        !std::equal(runs_a, runs_a + offsets_a[a.count()], runs_b))
        return "CIGARs";
    return {};
}

TEST_F(WorldTest, AnswersAreThoseOfOneRank)
{
    nwgpu_band band = NWGPU_BAND_INIT; // which some pairs leave
    band.lower = -100;
    band.upper = 200;
    nwgpu_top top = NWGPU_TOP_INIT;
    top.alignments = 3;
    std::vector<nwgpu_align_options> questions;
    for (int32_t const output : {NWGPU_OUTPUT_SCORE, NWGPU_OUTPUT_END, NWGPU_OUTPUT_SPAN, NWGPU_OUTPUT_CIGAR})
        questions.push_back(align_options(output, output % 2 == 0 ? NWGPU_MODE_GLOBAL : NWGPU_MODE_LOCAL));
    questions.push_back(align_options());
    questions.back().band = &band;
    questions.push_back(align_options(NWGPU_OUTPUT_CIGAR, NWGPU_MODE_LOCAL));
    questions.back().top = &top;
    questions.push_back(align_options(NWGPU_OUTPUT_CIGAR, NWGPU_MODE_EXTEND));
    questions.push_back(align_options(NWGPU_OUTPUT_CIGAR, NWGPU_MODE_EXTEND_LEFT));
    questions.push_back(align_options(NWGPU_OUTPUT_CIGAR, NWGPU_MODE_FREE_ENDS));
    questions.back().free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
    questions.back().cigar_style = NWGPU_CIGAR_M;
    questions.back().ties = NWGPU_TIES_LAST_END;
    Texts const texts = random_texts(7, 700, 900); // 1.4e8 cells
    Context alone = make_context(cpu_options(1));
    Sequences const queries = make_sequences(alone, texts.queries), targets = make_sequences(alone, texts.targets);
    std::vector<Result> expected;
    for (nwgpu_align_options const & question : questions)
        expected.push_back(align(alone, queries, targets, question));
    for (int size : {2, 3, 8}) {
        Ranks ranks{size, 1, 300us};
        std::uint64_t answers = 0;
        run(ranks, size, [&](Context & context) {
            EXPECT_EQ(context.threads(), size);
            for (std::size_t k = 0; k < questions.size(); ++k) {
                SCOPED_TRACE(std::to_string(size) + " ranks, question " + std::to_string(k));
                Result const all = align(context, queries, targets, questions[k]);
                EXPECT_EQ(difference(expected[k], all), "");
            }
        });
        for (int rank = 1; rank < size; ++rank) {
            EXPECT_EQ(error(rank).status, NWGPU_OK) << error(rank).message;
            answers += ranks.sent(rank) - 1; // but for hello
        }
        EXPECT_GT(answers, 0u) << "rank 0 has done all of it"; // a short call's work it may do alone
    }
}

// A pairing in which sequences are in many pairs, a matrix, a second pass for paths, and the best of them.
TEST_F(WorldTest, SharedSequencesMatrixAndTraceback)
{
    Texts const texts = random_texts(8, 40, 700);
    Matrix const matrix{"NUC.4.4"};
    nwgpu_scoring const scoring = matrix.scoring(10, 2);
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE, NWGPU_MODE_LOCAL);
    options.pairing = NWGPU_PAIRING_ALL;
    Context alone = make_context(cpu_options(1));
    Sequences const queries = make_sequences(alone, texts.queries), targets = make_sequences(alone, texts.targets);
    Result const one = align(alone, queries, targets, options, scoring);
    Result const one_traced = alone.traceback(queries, targets, one);
    nwgpu_best const three = {sizeof(nwgpu_best), 1, 3};
    nwgpu_align_options best = options;
    best.output = NWGPU_OUTPUT_CIGAR;
    best.best = &three;
    Result const one_best = align(alone, queries, targets, best, scoring);
    Ranks ranks{4, 2};
    run(ranks, 4, [&](Context & context) {
        Result const all = align(context, queries, targets, options, scoring);
        EXPECT_EQ(difference(one, all), "");
        EXPECT_EQ(difference(one_traced, context.traceback(queries, targets, all)), "");
        EXPECT_EQ(difference(one_best, align(context, queries, targets, best, scoring)), "");
    });
    EXPECT_GT(ranks.sent(1) + ranks.sent(2) + ranks.sent(3), 4u);
}

std::int32_t say_no(void *, std::uint64_t, std::uint64_t) { return 1; }

TEST_F(WorldTest, ACallThatIsEndedLeavesTheRanksReady)
{
    auto const [query, target] = unrelated_letters(16'000);
    std::vector<std::string> const many_queries(60, query), many_targets(60, target);
    Ranks ranks{3, 3, 100us};
    run(ranks, 3, [&](Context & context) {
        Sequences const queries = make_sequences(context, many_queries),
                        targets = make_sequences(context, many_targets);
        auto const [long_query, long_target] = unrelated_letters(60'000); // dealt out by rows
        Sequences const one_query = make_sequences(context, {long_query}),
                        one_target = make_sequences(context, {long_target});
        for (int const way : {0, 1, 2, 3}) {
            bool const by_deadline = way % 2 == 1, by_rows = way / 2 == 1;
            nwgpu_control control = NWGPU_CONTROL_INIT;
            if (by_deadline)
                control.deadline_seconds = 0.05;
            else
                control.progress = say_no;
            nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE, NWGPU_MODE_LOCAL);
            options.control = &control;
            std::uint64_t const sent = ranks.sent(1);
            try {
                align(context, by_rows ? one_query : queries, by_rows ? one_target : targets, options);
                ADD_FAILURE() << "the call goes on";
            } catch (Error const & error) {
                EXPECT_EQ(error.status(), by_deadline ? NWGPU_ERROR_DEADLINE : NWGPU_ERROR_CANCELLED) << error.what();
            }
            EXPECT_TRUE(!by_rows || ranks.sent(1) > sent);
        }
        std::uint64_t const before = ranks.sent(1) + ranks.sent(2);
        Result const result = align(context, queries, targets, align_options(NWGPU_OUTPUT_SCORE, NWGPU_MODE_LOCAL));
        EXPECT_EQ(result.failed(), 0u);
        EXPECT_GT(result.scores()[0], 0);
        EXPECT_TRUE(std::ranges::all_of(result.scores(), [&](std::int64_t s) { return s == result.scores()[0]; }));
        EXPECT_GT(ranks.sent(1) + ranks.sent(2), before);
    });
    EXPECT_EQ(error(1).status, NWGPU_OK) << error(1).message;
}

// A pair of so many cells is dealt out by rows, before the shorter ones.
TEST_F(WorldTest, ALongPairIsDealtOutByRows)
{
    Random random{9};
    Texts texts = random_texts(10, 3, 900);
    SequencePair long_pair = random_pair(random, Model::structured, 25'000, 24'000, "ACGT");
    texts.queries[1] = std::move(long_pair.query);
    texts.targets[1] = std::move(long_pair.target);
    nwgpu_align_options const options = align_options(NWGPU_OUTPUT_CIGAR, NWGPU_MODE_LOCAL);
    Context alone = make_context(cpu_options(1));
    Sequences const queries = make_sequences(alone, texts.queries), targets = make_sequences(alone, texts.targets);
    Result const one = align(alone, queries, targets, options);
    for (int size : {2, 4}) {
        Ranks ranks{size, 4, 300us};
        run(ranks, size, [&](Context & context) {
            EXPECT_EQ(difference(one, align(context, queries, targets, options)), "") << size << " ranks";
        });
        for (int rank = 1; rank < size; ++rank) {
            EXPECT_EQ(error(rank).status, NWGPU_OK) << error(rank).message;
            if (rank + 1 < size) {
                EXPECT_GT(ranks.sent(rank), 10u) << rank; // lines
            }
        }
    }
}

TEST_F(WorldTest, WhatIsWrongOnOneRankIsToldOnAll)
{
    for (int wrong : {0, 2}) {
        Ranks ranks{3};
        run(
            ranks, 3, [&](Context &) { ADD_FAILURE() << "a context was made"; },
            [&](int rank, nwgpu_context_options & options) {
                if (rank == wrong)
                    options.cpu_isa = "abacus";
            });
        for (int rank = 0; rank < 3; ++rank) {
            SCOPED_TRACE(std::string{error(rank).message});
            EXPECT_EQ(error(rank).status, rank == wrong ? NWGPU_ERROR_UNSUPPORTED : NWGPU_ERROR_COMMUNICATION);
            if (rank != wrong) {
                EXPECT_EQ(std::string{error(rank).message}.find("rank " + std::to_string(wrong) + " ("), 0u);
            }
            EXPECT_NE(std::string{error(rank).message}.find("abacus"), std::string::npos);
        }
    }
}

TEST_F(WorldTest, ArgumentsHaveToBeEqual)
{
    Ranks ranks{3};
    run(
        ranks, 3, [&](Context &) { ADD_FAILURE() << "a context was made"; }, {}, 77);
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(error(rank).status, NWGPU_ERROR_COMMUNICATION);
        EXPECT_NE(std::string{error(rank).message}.find("rank 2 ("), std::string::npos) << error(rank).message;
        EXPECT_NE(std::string{error(rank).message}.find("arguments differ"), std::string::npos);
    }
}

// A rank whose messages do not arrive any more: the deadline ends the call all the same, and the others go on.
TEST_F(WorldTest, ARankThatIsGoneHoldsNobody)
{
    auto const [query, target] = unrelated_letters(4000);
    std::vector<std::string> const many_queries(60, query), many_targets(60, target);
    Ranks ranks{3};
    ranks.break_after(1, 1); // hello
    run(ranks, 3, [&](Context & context) {
        Sequences const queries = make_sequences(context, many_queries),
                        targets = make_sequences(context, many_targets);
        nwgpu_control control = NWGPU_CONTROL_INIT;
        control.deadline_seconds = 0.5;
        nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE, NWGPU_MODE_LOCAL);
        options.control = &control;
        EXPECT_THROW(align(context, queries, targets, options), Error);
        options.control = nullptr;
        EXPECT_EQ(align(context, queries, targets, options).failed(), 0u);
    });
    EXPECT_EQ(error(1).status, NWGPU_ERROR_COMMUNICATION) << error(1).message;
    EXPECT_EQ(error(2).status, NWGPU_OK) << error(2).message;
}

TEST_F(WorldTest, ACommunicatorThatFailsEndsTheCall)
{
    auto const [query, target] = unrelated_letters(4000);
    std::vector<std::string> const many_queries(60, query), many_targets(60, target);
    Ranks ranks{2};
    std::optional<Error> failure;
    nwgpu_communicator const table = ranks.table(1);
    nwgpu_context_options const options = options_of(table);
    nwgpu_context * server = nullptr;
    std::atomic<bool> served{false};
    nwgpu_status status = NWGPU_OK;
    std::thread serving{[&] {
        if (nwgpu_context_create(&options, &server, nullptr) == NWGPU_OK)
            status = nwgpu_context_serve(server, nullptr);
        served = true;
    }};
    {
        nwgpu_communicator const first = ranks.table(0);
        Context context{options_of(first)};
        Sequences const queries = make_sequences(context, many_queries),
                        targets = make_sequences(context, many_targets);
        ranks.break_after(0, 1); // a task goes, the one ahead of it does not
        try {
            align(context, queries, targets, align_options(NWGPU_OUTPUT_SCORE, NWGPU_MODE_LOCAL));
        } catch (Error const & error) {
            failure = error;
        }
    }
    EXPECT_TRUE(failure && failure->status() == NWGPU_ERROR_COMMUNICATION);
    while (!served) { // rank 0 cannot tell it that all has ended
        nwgpu_context_cancel(server);
        std::this_thread::sleep_for(1ms);
    }
    serving.join();
    nwgpu_context_destroy(server);
    EXPECT_EQ(status, NWGPU_ERROR_CANCELLED);
}

TEST(Communicator, WhatDoesNotFitIsRefused)
{
    Ranks ranks{2};
    nwgpu_communicator const good = ranks.table(0);
    auto const status_of = [&](auto const & change) {
        nwgpu_communicator table = good;
        change(table);
        nwgpu_context_options const options = options_of(table);
        nwgpu_context * context = nullptr;
        nwgpu_status const status = nwgpu_context_create(&options, &context, nullptr);
        nwgpu_context_destroy(context);
        return status;
    };
    EXPECT_EQ(status_of([](auto & table) { table.rank = 2; }), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of([](auto & table) { table.rank = -1; }), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of([](auto & table) { table.send = nullptr; }), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of([](auto & table) { table.reserved = 1; }), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of([](auto & table) { table.struct_size = 48; }), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of([](auto & table) { table.size = 1; }), NWGPU_OK); // no messages
    Context alone = make_context();
    EXPECT_EQ(nwgpu_context_serve(alone.get(), nullptr), NWGPU_ERROR_INVALID_ARGUMENT);
}

TEST(Devices, ListsThatDoNotFitAreRefused)
{
    auto const status_of = [&](std::vector<std::int32_t> const & devices, std::uint64_t count) {
        nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
        options.backend = NWGPU_BACKEND_CPU; // which has no use for the list
        options.devices = devices.empty() ? nullptr : devices.data();
        options.device_count = count;
        nwgpu_context * context = nullptr;
        nwgpu_status const status = nwgpu_context_create(&options, &context, nullptr);
        nwgpu_context_destroy(context);
        return status;
    };
    EXPECT_EQ(status_of({0, 1}, 2), NWGPU_OK);
    EXPECT_EQ(status_of({}, NWGPU_ALL_DEVICES), NWGPU_OK);
    EXPECT_EQ(status_of({}, 2), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of({0}, 0), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of({0}, NWGPU_ALL_DEVICES), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of({0, 0}, 2), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of({0, -1}, 2), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status_of({0, 1}, 5000), NWGPU_ERROR_TOO_LARGE);
}

} // namespace
} // namespace nwgpu::test
