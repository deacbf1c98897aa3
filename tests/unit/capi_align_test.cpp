// SPDX-License-Identifier: BSD-3-Clause
// nwgpu_align and what follows from a result: getters, estimate, published algorithms.
#include <gtest/gtest.h>

#include <optional>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

class CapiAlign : public testing::Test {
protected:
    Context context_ = make_context();
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
    EXPECT_EQ(error.status, NWGPU_ERROR_NOT_FOUND);
}

TEST_F(CapiAlign, EachOutputLevelHoldsTheOneBefore)
{
    for (int32_t output : {NWGPU_OUTPUT_SCORE, NWGPU_OUTPUT_END, NWGPU_OUTPUT_SPAN, NWGPU_OUTPUT_CIGAR}) {
        Result const result = align(context_, queries_, targets_, align_options(output, NWGPU_MODE_LOCAL));
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
    nwgpu_band band = NWGPU_BAND_INIT;
    options.band = &band;
    Result const diagonal = align(context_, queries, targets, options);
    EXPECT_EQ(cigar(diagonal), "1=8X1=");
    EXPECT_EQ(nwgpu_result_statuses(diagonal.get())[1], NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nwgpu_result_failed(diagonal.get()), 1u);
    band.lower = -1;
    band.upper = 4;
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
    options = align_options(NWGPU_OUTPUT_END, NWGPU_MODE_FREE_ENDS);
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

TEST_F(CapiAlign, PairingByName)
{
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE);
    nwgpu_scoring const scoring = dna_scoring();
    auto const scores_of = [&](Result const & result) {
        return std::vector<int64_t>{result.scores().begin(), result.scores().end()};
    };
    options.pairing = NWGPU_PAIRING_LIST;
    nwgpu_pair const pairs[] = {{3, 3}, {0, 0}, {3, 3}};
    EXPECT_EQ(scores_of(context_.align(queries_, targets_, scoring, options, pairs)), (std::vector<int64_t>{4, 16, 4}));
    EXPECT_EQ(context_.align(queries_, targets_, scoring, options).count(), 0u) << "a list of no pairs";

    options.pairing = NWGPU_PAIRING_ALL;
    Sequences const two = make_sequences(context_, {"AC", "G"}), three = make_sequences(context_, {"AC", "ACG", "G"});
    Result const all = align(context_, two, three, options);
    EXPECT_EQ(scores_of(all), (std::vector<int64_t>{8, -3, -16, -16, -8, 4}));
    EXPECT_EQ(all.pairs()[5], 5u);
    EXPECT_EQ(align(context_, make_sequences(context_, {}), three, options).count(), 0u);

    // By name, not by counts: one query is not for all targets unless it is said.
    options.pairing = NWGPU_PAIRING_ZIP;
    nwgpu_error error = NWGPU_ERROR_INIT;
    EXPECT_EQ(align_status(context_, make_sequences(context_, {"AC"}), three, options, scoring, &error),
              NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(error.message, "NWGPU_PAIRING_ZIP needs equal numbers of queries and targets, not 1 and 3");
    nwgpu_result * result = nullptr;
    EXPECT_EQ(
        nwgpu_align(context_.get(), queries_.get(), targets_.get(), pairs, 3, &scoring, &options, &result, &error),
        NWGPU_ERROR_INVALID_ARGUMENT)
        << "a list that the options do not name";
    options.pairing = 3;
    EXPECT_EQ(align_status(context_, two, two, options, scoring, &error), NWGPU_ERROR_INVALID_ARGUMENT);
}

// Arrays without entries are never NULL, which other languages' slices forbid.
TEST_F(CapiAlign, NoPairsGiveEmptyArrays)
{
    Sequences const none = make_sequences(context_, {});
    EXPECT_EQ(none.count(), 0u);
    Result const result = align(context_, none, none);
    EXPECT_EQ(result.count(), 0u);
    EXPECT_NE(nwgpu_result_pairs(result.get()), nullptr);
    EXPECT_NE(nwgpu_result_statuses(result.get()), nullptr);
    EXPECT_NE(nwgpu_result_scores(result.get()), nullptr);
    EXPECT_NE(nwgpu_result_spans(result.get()), nullptr);
    uint32_t const * runs = nullptr;
    uint64_t const * offsets = nullptr;
    ASSERT_EQ(nwgpu_result_cigars(result.get(), &runs, &offsets, nullptr), NWGPU_OK);
    EXPECT_NE(runs, nullptr);
    ASSERT_NE(offsets, nullptr);
    EXPECT_EQ(offsets[0], 0u);
}

// The caller's bytes, from a place within them on; the same answers as from a copy.
TEST_F(CapiAlign, ViewsOfMemory)
{
    std::string const letters = "TTACGTA*CGAACTT";
    uint64_t const offsets[] = {2, 6, 9, 9, 13};
    std::span const bytes{reinterpret_cast<uint8_t const *>(letters.data()), letters.size()};
    Sequences const view = Sequences::view(context_, bytes, offsets);
    EXPECT_EQ(view.count(), 4u);
    nwgpu_scoring bare = dna_scoring();
    bare.letter_codes = nullptr; // letters are codes: engines read around the sequences
    for (nwgpu_scoring const & scoring : {dna_scoring(), bare})
        for (int32_t const mode : {NWGPU_MODE_GLOBAL, NWGPU_MODE_LOCAL}) {
            Result const copied = align(context_, queries_, targets_, align_options(NWGPU_OUTPUT_CIGAR, mode), scoring);
            Result const viewed = align(context_, view, targets_, align_options(NWGPU_OUTPUT_CIGAR, mode), scoring);
            for (uint64_t p = 0; p < 4; ++p) {
                EXPECT_EQ(viewed.statuses()[p], copied.statuses()[p]) << p;
                EXPECT_EQ(viewed.scores()[p], copied.scores()[p]) << p;
                EXPECT_EQ(cigar(viewed, p), cigar(copied, p)) << p;
            }
        }
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
    Result const traced = context_.traceback(queries, targets, first);
    EXPECT_EQ(score(traced), 10);
    EXPECT_EQ(cigar(traced), "2=");
}

TEST_F(CapiAlign, ResultsOutliveEverythingElse)
{
    std::optional<Result> result;
    {
        std::optional<Context> context = make_context();
        Sequences const sequences = make_sequences(*context, {"ACGT"});
        context.reset();
        EXPECT_EQ(sequences.count(), 1u);
        context = make_context();
        result = align(*context, sequences, sequences);
        context->trim();
    }
    EXPECT_EQ(cigar(*result), "4=");
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

// Several entries per pair, also beside a pair that fails and one that has nothing.
TEST_F(CapiAlign, TheBestOfAPair)
{
    nwgpu_top top = NWGPU_TOP_INIT;
    top.alignments = 3;
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_CIGAR, NWGPU_MODE_LOCAL);
    options.top = &top;
    Result const result = align(context_, queries_, targets_, options);
    EXPECT_EQ((std::vector<uint64_t>{result.pairs().begin(), result.pairs().end()}),
              (std::vector<uint64_t>{0, 1, 2, 3, 3, 3}));
    EXPECT_EQ((std::vector<int64_t>{result.scores().begin(), result.scores().end()}),
              (std::vector<int64_t>{16, 0, 0, 12, 12, 8}));
    EXPECT_EQ(result.error(1).status, NWGPU_ERROR_INVALID_SEQUENCE);
    EXPECT_EQ(result.error(5).status, NWGPU_OK);
    EXPECT_EQ(cigar(result, 3), "3=");
    EXPECT_EQ(cigar(result, 5), "2=");
    EXPECT_EQ(result.span(5).target_begin, 2u);

    auto const status = [&](nwgpu_align_options const & wrong) {
        return align_status(context_, queries_, targets_, wrong);
    };
    options.ties = NWGPU_TIES_LAST_END;
    EXPECT_EQ(status(options), NWGPU_ERROR_INVALID_ARGUMENT);
    options.ties = NWGPU_TIES_FIRST;
    nwgpu_band const band = NWGPU_BAND_INIT;
    options.band = &band;
    EXPECT_EQ(status(options), NWGPU_ERROR_INVALID_ARGUMENT);
    options.band = nullptr;
    options.mode = NWGPU_MODE_GLOBAL;
    EXPECT_EQ(status(options), NWGPU_ERROR_INVALID_ARGUMENT);
    options.mode = NWGPU_MODE_LOCAL;
    for (uint64_t const alignments : {uint64_t{0}, uint64_t{UINT32_MAX} + 1, UINT64_MAX}) {
        top.alignments = alignments;
        EXPECT_EQ(status(options), alignments == 0 ? NWGPU_ERROR_INVALID_ARGUMENT : NWGPU_ERROR_TOO_LARGE);
    }
    top.alignments = 3;
    context_.set_algorithm("swat-serial");
    EXPECT_EQ(status(options), NWGPU_ERROR_UNSUPPORTED);
    context_.set_algorithm(nullptr);
    nwgpu_checkpoint checkpoint = NWGPU_CHECKPOINT_INIT;
    checkpoint.folder = "no-such-folder";
    options.checkpoint = &checkpoint;
    Sequences const one = make_sequences(context_, {"ACGT"});
    EXPECT_EQ(align_status(context_, one, one, options), NWGPU_ERROR_UNSUPPORTED);
}

// An entry's error is that of its pair, not of the pair with the entry's number.
TEST_F(CapiAlign, AFailureBehindSeveralEntries)
{
    nwgpu_top top = NWGPU_TOP_INIT;
    top.alignments = 3;
    nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE, NWGPU_MODE_LOCAL);
    options.top = &top;
    Sequences const queries = make_sequences(context_, {"GAAC", "A*C"});
    Sequences const targets = make_sequences(context_, {"GAAAAC", "ACC"});
    Result const result = align(context_, queries, targets, options);
    ASSERT_EQ(result.count(), 4u);
    nwgpu_error const error = result.error(3);
    EXPECT_EQ(error.status, NWGPU_ERROR_INVALID_SEQUENCE);
    EXPECT_EQ(error.pair_index, 1u);
    EXPECT_STREQ(error.message, "query: letter '*' at position 1 is not in the alphabet");
}

// A published algorithm answers as the engine does.
TEST_F(CapiAlign, AlgorithmsByName)
{
    context_.set_algorithm("swat-serial");
    Result const result = align(context_, queries_, targets_);
    context_.set_algorithm(nullptr);
    Result const engine = align(context_, queries_, targets_);
    EXPECT_EQ(result.statuses()[1], NWGPU_ERROR_INVALID_SEQUENCE);
    for (uint64_t const p : {0, 2, 3}) {
        EXPECT_EQ(result.scores()[p], engine.scores()[p]);
        EXPECT_EQ(cigar(result, p), cigar(engine, p));
    }
    auto const status = [&](char const * algorithm) {
        try {
            context_.set_algorithm(algorithm);
            return NWGPU_OK;
        } catch (Error const & error) {
            return static_cast<nwgpu_status_code>(error.status());
        }
    };
    EXPECT_EQ(status("no-such-algorithm"), NWGPU_ERROR_NOT_FOUND);
    EXPECT_EQ(status("swat-serial:x=1"), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status("cpu1-st-row"), NWGPU_OK);
    nwgpu_error error = NWGPU_ERROR_INIT;
    EXPECT_EQ(align_status(context_, queries_, targets_, align_options(), dna_scoring(), &error),
              NWGPU_ERROR_UNSUPPORTED);
    EXPECT_STREQ(error.message, "algorithm cpu1-st-row takes linear gaps only: gap_open must be 0, it is 10");
    EXPECT_EQ(status("swat-serial"), NWGPU_OK);
    std::string const plan = context_.estimate(queries_, targets_, dna_scoring(), align_options()).plan;
    EXPECT_NE(plan.find("swat-serial"), std::string::npos) << plan;
}

} // namespace
} // namespace nwgpu::test
