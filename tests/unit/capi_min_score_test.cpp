// SPDX-License-Identifier: BSD-3-Clause
// options.min_score through the C API: the status of a pair, what a result has of it, and its traceback.
#include <gtest/gtest.h>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

class CapiMinScore : public testing::Test {
protected:
    Context context_ = make_context();
    Sequences const queries_ = make_sequences(context_, {"ACGT", "A*C", "", "GAAC"});
    Sequences const targets_ = make_sequences(context_, {"ACGT", "ACC", "AC", "GAAAAC"});
};

// Of the four pairs one reaches the score, one cannot be aligned, and two are below it, one of them by its lengths.
TEST_F(CapiMinScore, APairBelowItHasAStatusAndNothingElse)
{
    int64_t least = 5;
    nwgpu_align_options options = align_options();
    options.min_score = &least;
    Result const result = align(context_, queries_, targets_, options);
    EXPECT_EQ((std::vector<nwgpu_status>{result.statuses().begin(), result.statuses().end()}),
              (std::vector<nwgpu_status>{NWGPU_OK, NWGPU_ERROR_INVALID_SEQUENCE, NWGPU_BELOW_MIN_SCORE,
                                         NWGPU_BELOW_MIN_SCORE}));
    EXPECT_EQ((std::vector<int64_t>{result.scores().begin(), result.scores().end()}),
              (std::vector<int64_t>{16, 0, 0, 0}));
    EXPECT_EQ(result.failed(), 3u);
    EXPECT_EQ(cigar(result, 0), "4=");
    EXPECT_EQ(cigar(result, 3), "*");
    EXPECT_EQ(result.span(3), (Span{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}));
    EXPECT_EQ(result.error(3).status, NWGPU_BELOW_MIN_SCORE);
    EXPECT_EQ(result.error(3).pair_index, 3u);
    EXPECT_STREQ(result.error(3).message, "the best score is below min_score");
    EXPECT_STREQ(nwgpu_status_name(NWGPU_BELOW_MIN_SCORE), "NWGPU_BELOW_MIN_SCORE");

    least = 4; // is read during the call
    EXPECT_EQ(cigar(align(context_, queries_, targets_, options), 3), "1=2D3=");
    EXPECT_EQ(result.statuses()[3], NWGPU_BELOW_MIN_SCORE);
    for (int64_t const none : {INT64_MIN, INT64_MIN + 1, int64_t{-13}}) {
        least = none;
        EXPECT_EQ(align(context_, queries_, targets_, options).failed(), 1u);
    }
    for (int64_t const all : {INT64_MAX, int64_t{17}}) {
        least = all;
        EXPECT_EQ(align(context_, queries_, targets_, options).failed(), 4u);
    }
    // A caller that was compiled before there was such a field.
    options.struct_size = 64;
    EXPECT_EQ(align(context_, queries_, targets_, options).failed(), 1u);
}

TEST_F(CapiMinScore, TracebackLeavesPairsBelowIt)
{
    int64_t least = 5;
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE);
    options.min_score = &least;
    Result const scores = align(context_, queries_, targets_, options);
    least = -100;
    Result const traced = context_.traceback(queries_, targets_, scores);
    EXPECT_EQ(cigar(traced, 0), "4=");
    EXPECT_EQ(traced.statuses()[3], NWGPU_BELOW_MIN_SCORE);
}

} // namespace
} // namespace nwgpu::test
