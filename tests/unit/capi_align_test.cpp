// SPDX-License-Identifier: BSD-3-Clause
// nwgpu_align and what follows from a result: getters, traceback, estimate, progress, CIGAR helpers.
#include <gtest/gtest.h>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

class CapiAlign : public testing::Test {
protected:
    Context const context_ = make_context();
    Sequences const queries_ = make_sequences(context_, {"ACGT", "A*C", "", "GAAC"});
    Sequences const targets_ = make_sequences(context_, {"ACGT", "ACC", "AC", "GAAAAC"});
};

TEST_F(CapiAlign, ResultsAreInTheCallersOrder)
{
    Result const result = align(context_, queries_, targets_);
    ASSERT_EQ(nwgpu_result_count(result.get()), 4u);
    EXPECT_EQ(nwgpu_result_failed(result.get()), 1u);
    int64_t const * const scores = nwgpu_result_scores(result.get());
    EXPECT_EQ((std::vector<int64_t>{scores, scores + 4}), (std::vector<int64_t>{16, 0, -12, 4}));
    EXPECT_EQ(cigar(result, 0), "4=");
    EXPECT_EQ(cigar(result, 1), "*");
    EXPECT_EQ(cigar(result, 2), "2D");
    EXPECT_EQ(cigar(result, 3), "1=2D3=");
    uint64_t const * const spans = nwgpu_result_spans(result.get());
    EXPECT_EQ((std::vector<uint64_t>{spans + 12, spans + 16}), (std::vector<uint64_t>{0, 4, 0, 6}));
    EXPECT_EQ(spans[4], UINT64_MAX);
}

TEST_F(CapiAlign, FailedPairsSayWhy)
{
    Result const result = align(context_, queries_, targets_);
    EXPECT_EQ(nwgpu_result_statuses(result.get())[1], NWGPU_ERROR_INVALID_SEQUENCE);
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_result_pair_error(result.get(), 1, &error);
    EXPECT_EQ(error.status, NWGPU_ERROR_INVALID_SEQUENCE);
    EXPECT_EQ(error.pair_index, 1u);
    EXPECT_STREQ(error.message, "query: letter '*' at position 1 is not in the alphabet");
    nwgpu_result_pair_error(result.get(), 0, &error);
    EXPECT_EQ(error.status, NWGPU_OK);
    EXPECT_STREQ(error.message, "");
    nwgpu_result_pair_error(result.get(), 4, &error);
    EXPECT_EQ(error.status, NWGPU_ERROR_INVALID_ARGUMENT);
}

TEST_F(CapiAlign, EachOutputLevelHoldsTheOneBefore)
{
    for (int32_t output : {NWGPU_OUTPUT_SCORE, NWGPU_OUTPUT_END, NWGPU_OUTPUT_SPAN, NWGPU_OUTPUT_CIGAR}) {
        Result const result = align(context_, queries_, targets_, align_options(output, NWGPU_SPAN_LOCAL));
        EXPECT_EQ(nwgpu_result_scores(result.get())[0], 16);
        uint64_t const * const span = nwgpu_result_spans(result.get());
        EXPECT_EQ(span == nullptr, output == NWGPU_OUTPUT_SCORE);
        if (output >= NWGPU_OUTPUT_END) {
            EXPECT_EQ(span[1], 4u);
            EXPECT_EQ(span[3], 4u);
            EXPECT_EQ(span[0], output == NWGPU_OUTPUT_END ? UINT64_MAX : 0);
            EXPECT_EQ(span[2], output == NWGPU_OUTPUT_END ? UINT64_MAX : 0);
        }
        uint32_t const * runs = nullptr;
        uint64_t const * offsets = nullptr;
        EXPECT_EQ(nwgpu_result_cigars(result.get(), &runs, &offsets, nullptr),
                  output == NWGPU_OUTPUT_CIGAR ? NWGPU_OK : NWGPU_ERROR_NO_TRACE);
    }
}

// The best inside the band; a band that holds no path fails its pair only.
TEST_F(CapiAlign, Bands)
{
    Sequences const queries = make_sequences(context_, {"AACGTACGTC", "ACGT"});
    Sequences const targets = make_sequences(context_, {"ACGTACGTCC", "ACGTACGT"});
    nwgpu_align_options options = align_options();
    options.banded = 1;
    Result const diagonal = align(context_, queries, targets, options);
    EXPECT_EQ(cigar(diagonal), "1=8X1=");
    EXPECT_EQ(nwgpu_result_statuses(diagonal.get())[1], NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nwgpu_result_failed(diagonal.get()), 1u);
    options.band_lower = -1;
    options.band_upper = 4;
    Result const wider = align(context_, queries, targets, options);
    EXPECT_EQ(nwgpu_result_failed(wider.get()), 0u);
    EXPECT_EQ(cigar(wider), "1I8=1D1=");
    EXPECT_EQ(cigar(wider, 1), "4D4=");
}

TEST_F(CapiAlign, Ties)
{
    Sequences const queries = make_sequences(context_, {"GAAC"}), targets = make_sequences(context_, {"GAAAAC"});
    nwgpu_align_options options = align_options();
    EXPECT_EQ(cigar(align(context_, queries, targets, options)), "1=2D3=");
    options.ties = NWGPU_TIES_GAPS_FIRST;
    EXPECT_EQ(cigar(align(context_, queries, targets, options)), "3=2D1=");

    Sequences const motif = make_sequences(context_, {"AC"}), twice = make_sequences(context_, {"ACTAC"});
    options = align_options(NWGPU_OUTPUT_END, NWGPU_SPAN_FREE_ENDS);
    options.free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
    EXPECT_EQ(nwgpu_result_spans(align(context_, motif, twice, options).get())[3], 2u);
    options.ties = NWGPU_TIES_LAST_END;
    EXPECT_EQ(nwgpu_result_spans(align(context_, motif, twice, options).get())[3], 5u);
}

TEST_F(CapiAlign, WithoutOptionsGlobalAndScoreOnly)
{
    nwgpu_scoring const scoring = dna_scoring();
    nwgpu_result * result = nullptr;
    ASSERT_EQ(
        nwgpu_align(context_.get(), queries_.get(), targets_.get(), nullptr, 0, &scoring, nullptr, &result, nullptr),
        NWGPU_OK);
    EXPECT_EQ(nwgpu_result_scores(result)[2], -12);
    EXPECT_EQ(nwgpu_result_spans(result), nullptr);
    nwgpu_result_destroy(result);
}

TEST_F(CapiAlign, ChosenPairsAndOneAgainstMany)
{
    nwgpu_scoring const scoring = dna_scoring();
    nwgpu_pair const pairs[] = {{3, 3}, {0, 0}, {3, 3}};
    nwgpu_result * raw = nullptr;
    ASSERT_EQ(nwgpu_align(context_.get(), queries_.get(), targets_.get(), pairs, 3, &scoring, nullptr, &raw, nullptr),
              NWGPU_OK);
    Result const chosen{raw};
    int64_t const * const scores = nwgpu_result_scores(chosen.get());
    EXPECT_EQ((std::vector<int64_t>{scores, scores + 3}), (std::vector<int64_t>{4, 16, 4}));

    Result const many = align(context_, make_sequences(context_, {"AC"}), targets_);
    EXPECT_EQ(nwgpu_result_count(many.get()), 4u);
    EXPECT_EQ(nwgpu_result_scores(many.get())[2], 8);
    // An array of no pairs is not the same as no array.
    ASSERT_EQ(nwgpu_align(context_.get(), queries_.get(), targets_.get(), pairs, 0, &scoring, nullptr, &raw, nullptr),
              NWGPU_OK);
    EXPECT_EQ(nwgpu_result_count(Result{raw}.get()), 0u);
}

TEST_F(CapiAlign, TracebackFillsInChosenPairs)
{
    Result const result = align(context_, queries_, targets_, align_options(NWGPU_OUTPUT_SCORE));
    uint64_t const chosen[] = {3};
    ASSERT_EQ(nwgpu_traceback(context_.get(), queries_.get(), targets_.get(), result.get(), chosen, 1, nullptr),
              NWGPU_OK);
    EXPECT_EQ(cigar(result, 3), "1=2D3=");
    EXPECT_EQ(cigar(result, 0), "*");
    EXPECT_EQ(nwgpu_result_spans(result.get())[0], UINT64_MAX);
    EXPECT_EQ(nwgpu_result_spans(result.get())[15], 6u);
    ASSERT_EQ(nwgpu_traceback(context_.get(), queries_.get(), targets_.get(), result.get(), nullptr, 0, nullptr),
              NWGPU_OK);
    EXPECT_EQ(cigar(result, 0), "4=");
    EXPECT_EQ(cigar(result, 3), "1=2D3=");
    EXPECT_EQ(nwgpu_result_failed(result.get()), 1u);
}

TEST_F(CapiAlign, TracebackKeepsStyleAndSpan)
{
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_END, NWGPU_SPAN_FREE_ENDS);
    options.free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
    options.cigar_style = NWGPU_CIGAR_M;
    Sequences const query = make_sequences(context_, {"ACG"});
    Sequences const target = make_sequences(context_, {"TTACGTT"});
    Result const result = align(context_, query, target, options);
    ASSERT_EQ(nwgpu_traceback(context_.get(), query.get(), target.get(), result.get(), nullptr, 0, nullptr), NWGPU_OK);
    EXPECT_EQ(cigar(result), "3M");
    EXPECT_EQ(nwgpu_result_spans(result.get())[2], 2u);
}

// A context keeps what it derived from the scoring of its last call; what the caller changes behind the same pointers
// counts all the same, and results keep the scoring that they were made with.
TEST_F(CapiAlign, ScoringIsReadInEveryCall)
{
    Sequences const queries = make_sequences(context_, {"AC"}), targets = make_sequences(context_, {"AC"});
    int32_t matrix[] = {5, -4, -4, 5};
    uint8_t codes[256];
    std::fill_n(codes, 256, uint8_t{255});
    codes['A'] = 0;
    codes['C'] = 1;
    nwgpu_scoring scoring{};
    scoring.struct_size = sizeof scoring;
    scoring.gap_open = 10;
    scoring.gap_extend = 1;
    scoring.alphabet_size = 2;
    scoring.matrix = matrix;
    scoring.letter_codes = codes;
    nwgpu_align_options const options = align_options(NWGPU_OUTPUT_SCORE);
    auto const call = [&] {
        nwgpu_result * result = nullptr;
        EXPECT_EQ(
            nwgpu_align(context_.get(), queries.get(), targets.get(), nullptr, 0, &scoring, &options, &result, nullptr),
            NWGPU_OK);
        return Result{result};
    };
    auto const score = [](Result const & result) { return nwgpu_result_scores(result.get())[0]; };
    Result const first = call();
    EXPECT_EQ(score(first), 10);
    matrix[3] = 7;
    EXPECT_EQ(score(call()), 12);
    codes['C'] = 0;
    EXPECT_EQ(score(call()), 10);
    codes['C'] = 1;
    matrix[0] = matrix[3] = -30;
    matrix[1] = matrix[2] = -40;
    EXPECT_EQ(score(call()), -24);
    scoring.gap_open = 2;
    EXPECT_EQ(score(call()), -8);
    scoring.gap_extend = 3;
    EXPECT_EQ(score(call()), -16);
    matrix[0] = 11; // the same in one letter
    scoring.alphabet_size = 1;
    codes['C'] = 0;
    EXPECT_EQ(score(call()), 22);
    scoring.letter_codes = nullptr;
    nwgpu_result * none = nullptr;
    EXPECT_EQ(nwgpu_align(context_.get(), queries.get(), targets.get(), nullptr, 0, &scoring, &options, &none, nullptr),
              NWGPU_ERROR_INVALID_ARGUMENT);
    nwgpu_error error = NWGPU_ERROR_INIT;
    ASSERT_EQ(nwgpu_traceback(context_.get(), queries.get(), targets.get(), first.get(), nullptr, 0, &error), NWGPU_OK)
        << error.message;
    EXPECT_EQ(score(first), 10);
    EXPECT_EQ(cigar(first), "2=");
}

TEST_F(CapiAlign, ResultsOutliveEverythingElse)
{
    Context context = make_context();
    Sequences sequences = make_sequences(context, {"ACGT"});
    context.reset();
    EXPECT_EQ(nwgpu_sequences_count(sequences.get()), 1u);
    context = make_context();
    Result const result = align(context, sequences, sequences);
    EXPECT_EQ(nwgpu_context_trim(context.get(), nullptr), NWGPU_OK);
    context.reset();
    sequences.reset();
    EXPECT_EQ(cigar(result), "4=");
}

TEST_F(CapiAlign, EstimateIsFilledIn)
{
    nwgpu_scoring const scoring = dna_scoring();
    nwgpu_estimate estimate{};
    estimate.struct_size = sizeof estimate;
    ASSERT_EQ(nwgpu_align_estimate(context_.get(), queries_.get(), targets_.get(), nullptr, 0, &scoring, nullptr,
                                   &estimate, nullptr),
              NWGPU_OK);
    EXPECT_EQ(estimate.pairs, 4u);
    EXPECT_EQ(estimate.cells, 16u + 24u);
    EXPECT_GT(estimate.host_bytes, 0u);
    EXPECT_EQ(estimate.device_bytes, 0u);
    EXPECT_STRNE(estimate.plan, "");
}

TEST_F(CapiAlign, ProgressCanCancel)
{
    nwgpu_align_options options = align_options();
    options.progress = [](void * user, uint64_t, uint64_t) -> int32_t { return *static_cast<int *>(user) += 1; };
    int calls = 0;
    options.progress_user = &calls;
    // Unrelated, and long enough that the first report comes before the end.
    std::string query(200'000, 'A'), target(200'000, 'A');
    uint32_t state = 1;
    for (std::string * const sequence : {&query, &target})
        for (char & letter : *sequence)
            letter = "ACGT"[(state = state * 1664525 + 1013904223) >> 30];
    Sequences const queries = make_sequences(context_, {query});
    Sequences const targets = make_sequences(context_, {target});
    nwgpu_scoring const scoring = dna_scoring();
    nwgpu_result * result = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    EXPECT_EQ(
        nwgpu_align(context_.get(), queries.get(), targets.get(), nullptr, 0, &scoring, &options, &result, &error),
        NWGPU_ERROR_CANCELLED);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(result, nullptr) << "outputs are unchanged on failure";
    EXPECT_EQ(error.status, NWGPU_ERROR_CANCELLED);
}

TEST(CapiCigar, TextFollowsTheSnprintfRule)
{
    uint32_t const runs[] = {3u << 4 | 7, 12u << 4 | 2};
    char text[8] = "xxxxxxx";
    EXPECT_EQ(nwgpu_cigar_to_text(runs, 2, nullptr, 0), 5u);
    EXPECT_EQ(nwgpu_cigar_to_text(runs, 2, text, sizeof text), 5u);
    EXPECT_STREQ(text, "3=12D");
    EXPECT_EQ(nwgpu_cigar_to_text(runs, 2, text, 3), 5u);
    EXPECT_STREQ(text, "3=");
    EXPECT_EQ(nwgpu_cigar_to_text(nullptr, 0, text, sizeof text), 1u);
    EXPECT_STREQ(text, "*");
}

TEST(CapiCigar, ScoreChecksLettersAndRuns)
{
    auto const bytes = [](char const * text) { return reinterpret_cast<uint8_t const *>(text); };
    nwgpu_scoring const scoring = dna_scoring();
    nwgpu_error error = NWGPU_ERROR_INIT;
    uint32_t const runs[] = {1u << 4 | 7, 2u << 4 | 2, 3u << 4 | 7};
    int64_t score = 0;
    EXPECT_EQ(nwgpu_cigar_score(bytes("GAAC"), 4, bytes("gaaaac"), 6, &scoring, runs, 3, &score, &error), NWGPU_OK);
    EXPECT_EQ(score, 4);
    EXPECT_EQ(nwgpu_cigar_score(bytes("GAAC"), 4, bytes("gaaaac"), 6, &scoring, runs, 2, &score, &error),
              NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nwgpu_cigar_score(bytes("GAAC"), 4, bytes("ga-aac"), 6, &scoring, runs, 3, &score, &error),
              NWGPU_ERROR_INVALID_SEQUENCE);
    EXPECT_STREQ(error.message, "target: letter '-' at position 2 is not in the alphabet");
    EXPECT_EQ(score, 4);
    EXPECT_EQ(nwgpu_cigar_score(nullptr, 0, nullptr, 0, &scoring, nullptr, 0, &score, &error), NWGPU_OK);
    EXPECT_EQ(score, 0);
}

// Several entries a pair, also beside a pair that fails and one that has nothing; levels can be added later.
TEST_F(CapiAlign, TheBestOfAPair)
{
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE, NWGPU_SPAN_LOCAL);
    options.top = 3;
    Result result = align(context_, queries_, targets_, options);
    ASSERT_EQ(nwgpu_result_count(result.get()), 6u);
    uint64_t const * const pairs = nwgpu_result_pairs(result.get());
    EXPECT_EQ((std::vector<uint64_t>{pairs, pairs + 6}), (std::vector<uint64_t>{0, 1, 2, 3, 3, 3}));
    int64_t const * const scores = nwgpu_result_scores(result.get());
    EXPECT_EQ((std::vector<int64_t>{scores, scores + 6}), (std::vector<int64_t>{16, 0, 0, 12, 12, 8}));
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_result_pair_error(result.get(), 1, &error);
    EXPECT_EQ(error.status, NWGPU_ERROR_INVALID_SEQUENCE);
    nwgpu_result_pair_error(result.get(), 5, &error);
    EXPECT_EQ(error.status, NWGPU_OK);
    uint64_t const chosen[] = {0};
    EXPECT_EQ(nwgpu_traceback(context_.get(), queries_.get(), targets_.get(), result.get(), chosen, 1, &error),
              NWGPU_ERROR_INVALID_ARGUMENT);
    ASSERT_EQ(nwgpu_traceback(context_.get(), queries_.get(), targets_.get(), result.get(), nullptr, 0, &error),
              NWGPU_OK);
    EXPECT_EQ(cigar(result, 3), "3=");
    EXPECT_EQ(cigar(result, 5), "2=");
    EXPECT_EQ(nwgpu_result_spans(result.get())[4 * 5 + 2], 2u);

    nwgpu_scoring const scoring = dna_scoring();
    auto const refused = [&](nwgpu_align_options const & wrong) {
        nwgpu_result * other = nullptr;
        return nwgpu_align(context_.get(), queries_.get(), targets_.get(), nullptr, 0, &scoring, &wrong, &other,
                           &error);
    };
    options.ties = NWGPU_TIES_LAST_END;
    EXPECT_EQ(refused(options), NWGPU_ERROR_INVALID_ARGUMENT);
    options.ties = NWGPU_TIES_FIRST;
    options.banded = 1;
    EXPECT_EQ(refused(options), NWGPU_ERROR_INVALID_ARGUMENT);
    options.banded = 0;
    options.span = NWGPU_SPAN_GLOBAL;
    EXPECT_EQ(refused(options), NWGPU_ERROR_INVALID_ARGUMENT);
    options.span = NWGPU_SPAN_LOCAL;
    options.algorithm = "swat-serial";
    EXPECT_EQ(refused(options), NWGPU_ERROR_UNSUPPORTED);
    options.algorithm = nullptr;
    Sequences const one = make_sequences(context_, {"ACGT"});
    options.checkpoint = "no-such-folder";
    nwgpu_result * other = nullptr;
    EXPECT_EQ(nwgpu_align(context_.get(), one.get(), one.get(), nullptr, 0, &scoring, &options, &other, &error),
              NWGPU_ERROR_UNSUPPORTED);
    options.checkpoint = nullptr;
    options.reserved2 = 1;
    EXPECT_EQ(refused(options), NWGPU_ERROR_INVALID_ARGUMENT);
}

// A published algorithm answers as the engine does, and nwgpu_traceback asks it again.
TEST_F(CapiAlign, AlgorithmsByName)
{
    nwgpu_align_options options = align_options();
    options.algorithm = "swat-serial";
    Result const result = align(context_, queries_, targets_, options);
    Result const engine = align(context_, queries_, targets_);
    EXPECT_EQ(nwgpu_result_statuses(result.get())[1], NWGPU_ERROR_INVALID_SEQUENCE);
    for (uint64_t const p : {0, 2, 3}) {
        EXPECT_EQ(nwgpu_result_scores(result.get())[p], nwgpu_result_scores(engine.get())[p]);
        EXPECT_EQ(cigar(result, p), cigar(engine, p));
    }
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_scoring const scoring = dna_scoring();
    auto const status = [&](char const * algorithm) {
        options.algorithm = algorithm;
        nwgpu_result * other = nullptr;
        nwgpu_status const code =
            nwgpu_align(context_.get(), queries_.get(), targets_.get(), nullptr, 0, &scoring, &options, &other, &error);
        nwgpu_result_destroy(other);
        return code;
    };
    EXPECT_EQ(status("no-such-algorithm"), NWGPU_ERROR_NOT_FOUND);
    EXPECT_EQ(status("cpu1-st-row"), NWGPU_ERROR_UNSUPPORTED);
    EXPECT_STREQ(error.message, "algorithm cpu1-st-row takes linear gaps only: gap_open must be 0, it is 10");
    EXPECT_EQ(status("swat-serial:x=1"), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status("swat-serial"), NWGPU_OK);
    nwgpu_estimate estimate{};
    estimate.struct_size = sizeof estimate;
    EXPECT_EQ(nwgpu_align_estimate(context_.get(), queries_.get(), targets_.get(), nullptr, 0, &scoring, &options,
                                   &estimate, &error),
              NWGPU_OK);
    EXPECT_NE(std::string{estimate.plan}.find("swat-serial"), std::string::npos) << estimate.plan;
}

} // namespace
} // namespace nwgpu::test
