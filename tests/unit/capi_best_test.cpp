// SPDX-License-Identifier: BSD-3-Clause
// options.best through the C API: which pairs get entries, in what order, and what else a call may ask for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/c_handles.hpp"
#include "support/random.hpp"

namespace nwgpu::test {
namespace {

using Numbers = std::vector<uint64_t>;

Numbers pairs_of(Result const & result) { return {result.pairs().begin(), result.pairs().end()}; }

// Scores of the pairs: 16, fails, 16, -3 for the first query; fails in all pairs for the second one; -3, fails, -3, 16
// for the third one.
class CapiBest : public testing::Test {
protected:
    CapiBest()
    {
        options_.pairing = NWGPU_PAIRING_ALL;
        options_.best = &best_;
    }
    Result align_best() { return align(context_, queries_, targets_, options_); }
    nwgpu_status status(nwgpu_error * error = nullptr)
    {
        return align_status(context_, queries_, targets_, options_, dna_scoring(), error);
    }

    Context context_ = make_context();
    Sequences const queries_ = make_sequences(context_, {"ACGT", "A*C", "GGGG"});
    Sequences const targets_ = make_sequences(context_, {"ACGT", "*", "ACGT", "GGGG"});
    nwgpu_best best_ = NWGPU_BEST_INIT;
    nwgpu_align_options options_ = align_options();
};

TEST_F(CapiBest, EntriesForTheBestAndForThoseThatFailed)
{
    Result const one = align_best();
    EXPECT_EQ(pairs_of(one), (Numbers{0, 1, 4, 5, 6, 7, 11, 9}));
    EXPECT_EQ(one.scores()[0], 16);
    EXPECT_EQ(cigar(one, 0), "4=");
    EXPECT_EQ(cigar(one, 1), "*");
    EXPECT_EQ(cigar(one, 6), "4=");
    EXPECT_EQ(one.span(6), (Span{0, 4, 0, 4}));
    EXPECT_EQ(one.failed(), 6u);
    EXPECT_STREQ(one.error(1).message, "target: letter '*' at position 0 is not in the alphabet");
    EXPECT_STREQ(one.error(4).message, "query: letter '*' at position 1 is not in the alphabet");
    EXPECT_EQ(one.error(4).pair_index, 6u);
    EXPECT_EQ(one.error(6).status, NWGPU_OK);

    best_.all_equal = 1;
    EXPECT_EQ(pairs_of(align_best()), (Numbers{0, 2, 1, 4, 5, 6, 7, 11, 9}));
    best_.targets = UINT64_MAX; // is read during the call
    EXPECT_EQ(pairs_of(align_best()), (Numbers{0, 2, 3, 1, 4, 5, 6, 7, 11, 8, 10, 9}));
    EXPECT_EQ(pairs_of(one).size(), 8u);
}

TEST_F(CapiBest, EveryOutput)
{
    best_.targets = 2;
    Result const cigars = align_best();
    options_.output = NWGPU_OUTPUT_SCORE;
    Result const scores = align_best();
    EXPECT_EQ(pairs_of(scores), pairs_of(cigars));
    EXPECT_EQ((std::vector<int64_t>{scores.scores().begin(), scores.scores().end()}),
              (std::vector<int64_t>{cigars.scores().begin(), cigars.scores().end()}));
    EXPECT_EQ(cigar(scores), "none");
    EXPECT_FALSE(scores.has_spans());
    EXPECT_STREQ(scores.error(2).message, cigars.error(2).message);
    options_.output = NWGPU_OUTPUT_END;
    EXPECT_EQ(align_best().span(0), (Span{UINT64_MAX, 4, UINT64_MAX, 4}));
}

TEST_F(CapiBest, PairsBelowMinScoreHaveNoEntry)
{
    int64_t const least = 16;
    best_.targets = 10;
    options_.min_score = &least;
    EXPECT_EQ(pairs_of(align_best()), (Numbers{0, 2, 1, 4, 5, 6, 7, 11, 9}));
}

TEST_F(CapiBest, ListsAndNeighbours)
{
    nwgpu_pair const list[] = {{2, 3}, {0, 3}, {2, 0}, {0, 2}, {0, 0}, {0, 2}, {0, 1}};
    options_.pairing = NWGPU_PAIRING_LIST;
    best_.targets = 2;
    Result const result = context_.align(queries_, targets_, dna_scoring(), options_, list);
    EXPECT_EQ(pairs_of(result), (Numbers{3, 4, 6, 0, 2}));
    nwgpu_pair const wrong[] = {{0, 0}, {0, 4}};
    EXPECT_THROW((void) context_.align(queries_, targets_, dna_scoring(), options_, wrong), Error);
    EXPECT_EQ(context_.align(queries_, targets_, dna_scoring(), options_, {}).count(), 0u);

    options_.pairing = NWGPU_PAIRING_ZIP;
    nwgpu_error error = NWGPU_ERROR_INIT;
    EXPECT_EQ(status(&error), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(error.message, "NWGPU_PAIRING_ZIP needs equal numbers of queries and targets, not 3 and 4");
    Result const zipped = align(context_, queries_, queries_, options_);
    EXPECT_EQ(pairs_of(zipped), (Numbers{0, 1, 2}));
    EXPECT_EQ(zipped.failed(), 1u);
}

TEST_F(CapiBest, WithoutQueriesOrTargets)
{
    Sequences const none = make_sequences(context_, {});
    EXPECT_EQ(align(context_, none, targets_, options_).count(), 0u);
    EXPECT_EQ(align(context_, queries_, none, options_).count(), 0u);
    EXPECT_EQ(context_.estimate(queries_, none, dna_scoring(), options_).pairs, 0u);
}

TEST_F(CapiBest, Traceback)
{
    best_.targets = 2;
    options_.output = NWGPU_OUTPUT_SCORE;
    Result const scores = align_best();
    EXPECT_EQ(pairs_of(scores), (Numbers{0, 2, 1, 4, 5, 6, 7, 11, 8, 9}));
    Result const all = context_.traceback(queries_, targets_, scores);
    EXPECT_EQ(pairs_of(all), pairs_of(scores));
    EXPECT_EQ(all.failed(), 6u);
    EXPECT_EQ(cigar(all, 7), "4=");
    uint64_t const chosen[] = {8, 0, 2};
    Result const some = context_.traceback(queries_, targets_, scores, chosen);
    EXPECT_EQ(pairs_of(some), (Numbers{8, 0, 1}));
    EXPECT_EQ(cigar(some, 0), "2X1=1X");
    EXPECT_EQ(some.error(2).pair_index, 1u);
}

TEST_F(CapiBest, WhatItCannotGoWith)
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    best_.targets = 0;
    EXPECT_EQ(status(&error), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(error.message, "options.best: targets is 0");
    best_ = NWGPU_BEST_INIT;
    best_.struct_size = 8;
    EXPECT_EQ(status(), NWGPU_ERROR_INVALID_ARGUMENT);
    best_ = NWGPU_BEST_INIT;
    nwgpu_top top = NWGPU_TOP_INIT;
    options_.mode = NWGPU_MODE_LOCAL;
    options_.top = &top;
    EXPECT_EQ(status(), NWGPU_OK) << "one alignment a pair";
    top.alignments = 2;
    EXPECT_EQ(status(&error), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(error.message, "options.best goes neither with several alignments of options.top nor with "
                                "options.checkpoint");
    nwgpu_checkpoint checkpoint = NWGPU_CHECKPOINT_INIT;
    checkpoint.folder = "unused";
    options_.top = nullptr;
    options_.checkpoint = &checkpoint;
    EXPECT_EQ(status(), NWGPU_ERROR_INVALID_ARGUMENT);
    // A caller that was compiled before there was such a field.
    options_.checkpoint = nullptr;
    options_.struct_size = 72;
    EXPECT_EQ(align_best().count(), 12u);
}

class CapiBestOfMany : public testing::Test {
protected:
    CapiBestOfMany()
    {
        Random random{1};
        for (std::vector<std::string> * const texts : {&queries_, &targets_})
            for (int k = texts == &queries_ ? 20 : 2000; k > 0; --k)
                texts->push_back(random_sequence(random, random.between(100, 300), "ACGT"));
        options_.pairing = NWGPU_PAIRING_ALL;
        options_.best = &best_;
        best_.targets = 3;
    }
    static Context limited(uint64_t bytes)
    {
        nwgpu_context_options options = cpu_options(2);
        options.max_host_bytes = bytes;
        return make_context(options);
    }

    std::vector<std::string> queries_, targets_;
    nwgpu_best best_ = NWGPU_BEST_INIT;
    nwgpu_align_options options_ = align_options();
};

// The estimate is enough, although the result of all pairs alone would be larger; much less is an error.
TEST_F(CapiBestOfMany, KeepsToTheLimitOfMemory)
{
    Context context = limited(0);
    Sequences const queries = make_sequences(context, queries_), targets = make_sequences(context, targets_);
    Result const expected = align(context, queries, targets, options_);
    ASSERT_EQ(expected.count(), 60u);
    nwgpu_estimate const free = context.estimate(queries, targets, dna_scoring(), options_);
    EXPECT_EQ(free.pairs, 40'000u);
    for (uint64_t const bytes : {free.host_bytes, uint64_t{1'500'000}}) {
        Context small = limited(bytes);
        EXPECT_LE(small.estimate(queries, targets, dna_scoring(), options_).host_bytes, bytes);
        Result const result = align(small, queries, targets, options_);
        EXPECT_EQ(pairs_of(result), pairs_of(expected)) << bytes;
        EXPECT_EQ(result.failed(), 0u);
        for (uint64_t entry = 0; entry < result.count(); ++entry)
            EXPECT_EQ(cigar(result, entry), cigar(expected, entry));
    }
    for (uint64_t const bytes : {100'000, 500'000}) {
        Context small = limited(bytes);
        EXPECT_EQ(align_status(small, queries, targets, options_), NWGPU_ERROR_MEMORY_LIMIT) << bytes;
    }
}

TEST_F(CapiBestOfMany, IsWatchedAndEnded)
{
    Context context = limited(0);
    Sequences const queries = make_sequences(context, queries_), targets = make_sequences(context, targets_);
    struct Seen {
        uint64_t done = 0, total = 0;
        int calls = 0, last = INT32_MAX;
    } seen;
    nwgpu_control control = NWGPU_CONTROL_INIT;
    control.progress_user = &seen;
    control.progress = [](void * user, uint64_t done, uint64_t total) -> int32_t {
        Seen & s = *static_cast<Seen *>(user);
        EXPECT_LE(s.done, done);
        EXPECT_LE(done, total);
        EXPECT_TRUE(s.total == 0 || s.total == total);
        s.done = done;
        s.total = total;
        return ++s.calls >= s.last;
    };
    options_.control = &control;
    EXPECT_EQ(align(context, queries, targets, options_).count(), 60u);
    EXPECT_GE(seen.calls, 1);
    seen = {.last = 1};
    nwgpu_error error = NWGPU_ERROR_INIT;
    EXPECT_EQ(align_status(context, queries, targets, options_, dna_scoring(), &error), NWGPU_ERROR_CANCELLED);
    EXPECT_STREQ(error.message, "the progress function ended the call");
    EXPECT_EQ(seen.calls, 1);
}

} // namespace
} // namespace nwgpu::test
