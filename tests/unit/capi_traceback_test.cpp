// SPDX-License-Identifier: BSD-3-Clause
// nwgpu_traceback: a new result beside an old one that stays as it is.
#include <gtest/gtest.h>

#include <cstring>

#include "support/c_handles.hpp"
#include "support/folder.hpp"

namespace nwgpu::test {
namespace {

class CapiTraceback : public testing::Test {
protected:
    Context context_ = make_context();
    Sequences const queries_ = make_sequences(context_, {"ACGT", "A*C", "", "GAAC"});
    Sequences const targets_ = make_sequences(context_, {"ACGT", "ACC", "AC", "GAAAAC"});
    Result const scores_ = align(context_, queries_, targets_, align_options(NWGPU_OUTPUT_SCORE));

    nwgpu_status status(Sequences const & queries, Sequences const & targets, Result const & result,
                        uint64_t const * chosen, uint64_t count, nwgpu_error * error = nullptr)
    {
        nwgpu_result * traced = nullptr;
        nwgpu_status const code = nwgpu_traceback(context_.get(), queries.get(), targets.get(), result.get(), chosen,
                                                  count, nullptr, &traced, error);
        EXPECT_EQ(code == NWGPU_OK, traced != nullptr);
        nwgpu_result_destroy(traced);
        return code;
    }
};

// What the getters of the earlier result gave is neither moved nor changed: the very use of scores first, then paths.
TEST_F(CapiTraceback, TheEarlierResultStays)
{
    int64_t const * const scores = nwgpu_result_scores(scores_.get());
    nwgpu_status const * const statuses = nwgpu_result_statuses(scores_.get());
    uint64_t const chosen[] = {3, 0};
    Result const traced = context_.traceback(queries_, targets_, scores_, chosen);
    EXPECT_EQ((std::vector<int64_t>{scores, scores + 4}), (std::vector<int64_t>{16, 0, -12, 4}));
    EXPECT_EQ(statuses[1], NWGPU_ERROR_INVALID_SEQUENCE);
    EXPECT_EQ(nwgpu_result_scores(scores_.get()), scores);
    EXPECT_FALSE(scores_.has_spans());
    EXPECT_EQ(cigar(scores_, 3), "none");
    EXPECT_EQ(traced.count(), 2u);
}

TEST_F(CapiTraceback, ChosenEntriesInTheOrderChosen)
{
    uint64_t const chosen[] = {3, 1, 3};
    Result const traced = context_.traceback(queries_, targets_, scores_, chosen);
    ASSERT_EQ(traced.count(), 3u);
    EXPECT_EQ((std::vector<uint64_t>{traced.pairs().begin(), traced.pairs().end()}), (std::vector<uint64_t>{3, 1, 3}));
    EXPECT_EQ(cigar(traced, 0), "1=2D3=");
    EXPECT_EQ(cigar(traced, 2), "1=2D3=");
    EXPECT_EQ(traced.span(0), (Span{0, 4, 0, 6}));
    EXPECT_EQ(traced.failed(), 1u);
    EXPECT_EQ(traced.error(1).pair_index, 1u);
    EXPECT_STREQ(traced.error(1).message, "query: letter '*' at position 1 is not in the alphabet");

    // Of a traced result, again: numbers are still those of the first call.
    uint64_t const second[] = {2};
    Result const again = context_.traceback(queries_, targets_, traced, second);
    EXPECT_EQ(again.pairs()[0], 3u);
    EXPECT_EQ(cigar(again), "1=2D3=");
    EXPECT_EQ(context_.traceback(queries_, targets_, scores_, std::span<uint64_t const>{}).count(), 0u);
}

TEST_F(CapiTraceback, All)
{
    Result const traced = context_.traceback(queries_, targets_, scores_);
    ASSERT_EQ(traced.count(), 4u);
    EXPECT_EQ(cigar(traced, 0), "4=");
    EXPECT_EQ(cigar(traced, 2), "2D");
    EXPECT_EQ(cigar(traced, 3), "1=2D3=");
    EXPECT_EQ(traced.failed(), 1u);
}

TEST_F(CapiTraceback, KeepsStyleModeAndTop)
{
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_END, NWGPU_MODE_FREE_ENDS);
    options.free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
    options.cigar_style = NWGPU_CIGAR_M;
    Sequences const query = make_sequences(context_, {"ACG"}), target = make_sequences(context_, {"TTACGTT"});
    Result const ends = align(context_, query, target, options);
    Result const traced = context_.traceback(query, target, ends);
    EXPECT_EQ(cigar(traced), "3M");
    EXPECT_EQ(traced.span(0), (Span{0, 3, 2, 5}));

    for (int32_t const mode : {NWGPU_MODE_EXTEND, NWGPU_MODE_EXTEND_LEFT}) {
        bool const left = mode == NWGPU_MODE_EXTEND_LEFT;
        Sequences const read = make_sequences(context_, {left ? "CCACGT" : "ACGTCC", left ? "CC" : "TT"}),
                        place = make_sequences(context_, {left ? "GGGACGT" : "ACGTGGG", "AAA"});
        Result const scores = align(context_, read, place, align_options(NWGPU_OUTPUT_SCORE, mode));
        Result const extended = context_.traceback(read, place, scores);
        EXPECT_EQ((std::vector<int64_t>{extended.scores().begin(), extended.scores().end()}),
                  (std::vector<int64_t>{16, 0}));
        EXPECT_EQ(cigar(extended), "4=");
        EXPECT_EQ(extended.span(0), left ? (Span{2, 6, 3, 7}) : (Span{0, 4, 0, 4}));
        EXPECT_EQ(cigar(extended, 1), "*");
        EXPECT_EQ(extended.span(1), left ? (Span{2, 2, 3, 3}) : (Span{0, 0, 0, 0}));
    }

    nwgpu_top top = NWGPU_TOP_INIT;
    top.alignments = 3;
    options = align_options(NWGPU_OUTPUT_SCORE, NWGPU_MODE_LOCAL);
    options.top = &top;
    Result const several = align(context_, queries_, targets_, options);
    Result const paths = context_.traceback(queries_, targets_, several);
    ASSERT_EQ(paths.count(), 6u);
    EXPECT_EQ(cigar(paths, 5), "2=");
    uint64_t const chosen[] = {0};
    EXPECT_EQ(status(queries_, targets_, several, chosen, 1), NWGPU_ERROR_INVALID_ARGUMENT);
}

// Known by their letters, not by their handles.
TEST_F(CapiTraceback, OtherSequencesAreRefused)
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    Sequences const same = make_sequences(context_, {"ACGT", "A*C", "", "GAAC"});
    EXPECT_EQ(status(same, targets_, scores_, nullptr, 0, &error), NWGPU_OK) << error.message;
    for (std::vector<std::string> const & other : std::vector<std::vector<std::string>>{
             {"ACGT", "A*C", "", "GATC"}, {"ACGT", "A*", "C", "GAAC"}, {"ACGT"}, {"ACGT", "A*C", "", "GAAC", ""}}) {
        EXPECT_EQ(status(make_sequences(context_, other), targets_, scores_, nullptr, 0, &error),
                  NWGPU_ERROR_INVALID_ARGUMENT);
        EXPECT_STREQ(error.message, "queries are not those of the result");
    }
    EXPECT_EQ(status(queries_, queries_, scores_, nullptr, 0, &error), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(error.message, "targets are not those of the result");
}

// Letters are read in pieces, by several threads: each of them counts, and all are copied.
TEST_F(CapiTraceback, LongSequencesDifferInAnyLetter)
{
    std::string const letters = unrelated_letters(5 << 19).first; // two and a half pieces
    Sequences const targets = make_sequences(context_, {letters});
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE);
    options.pairing = NWGPU_PAIRING_ALL;
    Sequences const query = make_sequences(context_, {letters.substr(letters.size() - 40)});
    options.mode = NWGPU_MODE_LOCAL;
    Result const result = align(context_, query, targets, options);
    EXPECT_EQ(nwgpu_result_scores(result.get())[0], 40 * 4);
    EXPECT_EQ(status(query, make_sequences(context_, {letters}), result, nullptr, 0), NWGPU_OK);
    for (std::size_t const at : {std::size_t{0}, std::size_t{1} << 20, letters.size() - 1}) {
        std::string other = letters;
        other[at] = other[at] == 'A' ? 'C' : 'A';
        EXPECT_EQ(status(query, make_sequences(context_, {other}), result, nullptr, 0), NWGPU_ERROR_INVALID_ARGUMENT)
            << "letter " << at;
    }
}

TEST_F(CapiTraceback, EntriesThatDoNotExistAreRefused)
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    uint64_t const chosen[] = {0, 4};
    EXPECT_EQ(status(queries_, targets_, scores_, chosen, 2, &error), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(error.message, "chosen[1] is 4, but there are 4 entries");
    EXPECT_EQ(status(queries_, targets_, scores_, nullptr, 1), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status(queries_, targets_, scores_, chosen, uint64_t{1} << 61), NWGPU_ERROR_TOO_LARGE);
}

TEST_F(CapiTraceback, ObeysItsControl)
{
    auto const [query, target] = unrelated_letters(80'000);
    Sequences const queries = make_sequences(context_, {query}), targets = make_sequences(context_, {target});
    Result const scores = align(context_, queries, targets, align_options(NWGPU_OUTPUT_SCORE));
    auto const traced_status = [&](nwgpu_control const & control) {
        try {
            context_.traceback(queries, targets, scores, &control);
            return nwgpu_status{NWGPU_OK};
        } catch (Error const & error) {
            return error.status();
        }
    };
    nwgpu_control control = NWGPU_CONTROL_INIT;
    int calls = 0;
    control.progress_user = &calls;
    control.progress = [](void * user, uint64_t, uint64_t) -> int32_t { return ++*static_cast<int *>(user); };
    EXPECT_EQ(traced_status(control), NWGPU_ERROR_CANCELLED);
    EXPECT_EQ(calls, 1);
    control = NWGPU_CONTROL_INIT;
    control.deadline_seconds = 1e-3;
    EXPECT_EQ(traced_status(control), NWGPU_ERROR_DEADLINE);
    control.deadline_seconds = -1;
    EXPECT_EQ(traced_status(control), NWGPU_ERROR_INVALID_ARGUMENT);
}

// A checkpoint belongs to the call that it was given to: a traceback neither needs the folder nor writes to it.
TEST_F(CapiTraceback, AfterACheckpointedCall)
{
    TemporaryFolder const folder;
    std::string const path = folder / "run";
    nwgpu_checkpoint checkpoint = NWGPU_CHECKPOINT_INIT;
    checkpoint.folder = path.c_str();
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE);
    options.checkpoint = &checkpoint;
    Sequences const query = make_sequences(context_, {"GAAC"}), target = make_sequences(context_, {"GAAAAC"});
    Result const scores = align(context_, query, target, options);
    std::filesystem::remove_all(path);
    EXPECT_EQ(cigar(context_.traceback(query, target, scores)), "1=2D3=");
    EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace
} // namespace nwgpu::test
