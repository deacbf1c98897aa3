// SPDX-License-Identifier: BSD-3-Clause
// Arguments as an attacker or a mistaken program gives them to every function: NULL, sizes that are not those of the
// structs, counts that wrap around.  Each has a defined answer and touches no memory that is not there.
#include <gtest/gtest.h>

#include <cstring>
#include <tuple>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

constexpr nwgpu_status invalid = NWGPU_ERROR_INVALID_ARGUMENT, too_large = NWGPU_ERROR_TOO_LARGE;

class CapiHostile : public testing::Test {
protected:
    Context context_ = make_context();
    Sequences const sequences_ = make_sequences(context_, {"ACGT", "AC"});
    nwgpu_scoring scoring_ = dna_scoring();
    nwgpu_align_options options_ = align_options();
    Result const result_ = align(context_, sequences_, sequences_);
    nwgpu_error error_ = NWGPU_ERROR_INIT;
    nwgpu_context * const context = context_.get();
    nwgpu_sequences const * const sequences = sequences_.get();
    nwgpu_error * const none = nullptr;
};

TEST_F(CapiHostile, NullIntoCalls)
{
    nwgpu_result * made = nullptr;
    nwgpu_estimate estimate = NWGPU_ESTIMATE_INIT;
    EXPECT_EQ(nwgpu_align(nullptr, sequences, sequences, nullptr, 0, &scoring_, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_align(context, nullptr, sequences, nullptr, 0, &scoring_, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_align(context, sequences, nullptr, nullptr, 0, &scoring_, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_align(context, sequences, sequences, nullptr, 1, &scoring_, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_align(context, sequences, sequences, nullptr, 0, nullptr, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_align(context, sequences, sequences, nullptr, 0, &scoring_, nullptr, nullptr, &error_), invalid);
    EXPECT_STREQ(error_.message, "result is NULL");
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(nwgpu_align_estimate(nullptr, sequences, sequences, nullptr, 0, &scoring_, nullptr, &estimate, none),
              invalid);
    EXPECT_EQ(nwgpu_align_estimate(context, nullptr, sequences, nullptr, 0, &scoring_, nullptr, &estimate, none),
              invalid);
    EXPECT_EQ(nwgpu_align_estimate(context, sequences, nullptr, nullptr, 0, &scoring_, nullptr, &estimate, none),
              invalid);
    EXPECT_EQ(nwgpu_align_estimate(context, sequences, sequences, nullptr, 0, nullptr, nullptr, &estimate, none),
              invalid);
    EXPECT_EQ(nwgpu_align_estimate(context, sequences, sequences, nullptr, 0, &scoring_, nullptr, nullptr, none),
              invalid);
    nwgpu_result const * const result = result_.get();
    EXPECT_EQ(nwgpu_traceback(nullptr, sequences, sequences, result, nullptr, 0, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_traceback(context, nullptr, sequences, result, nullptr, 0, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_traceback(context, sequences, nullptr, result, nullptr, 0, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_traceback(context, sequences, sequences, nullptr, nullptr, 0, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_traceback(context, sequences, sequences, result, nullptr, 1, nullptr, &made, none), invalid);
    EXPECT_EQ(nwgpu_traceback(context, sequences, sequences, result, nullptr, 0, nullptr, nullptr, none), invalid);
    EXPECT_EQ(made, nullptr);
}

TEST_F(CapiHostile, NullIntoTheRest)
{
    nwgpu_sequences * made = nullptr;
    nwgpu_matrix * matrix = nullptr;
    void * memory = nullptr;
    uint64_t const offsets[] = {0, 1};
    uint8_t const letter[] = {'A'};
    EXPECT_EQ(nwgpu_context_create(nullptr, nullptr, none), invalid);
    EXPECT_EQ(nwgpu_context_trim(nullptr, none), invalid);
    EXPECT_EQ(nwgpu_context_set_algorithm(nullptr, nullptr, none), invalid);
    for (auto const create : {nwgpu_sequences_create, nwgpu_sequences_create_view}) {
        EXPECT_EQ(create(nullptr, letter, offsets, 1, &made, none), invalid);
        EXPECT_EQ(create(context, nullptr, offsets, 1, &made, none), invalid);
        EXPECT_EQ(create(context, letter, nullptr, 1, &made, none), invalid);
        EXPECT_EQ(create(context, letter, offsets, 1, nullptr, none), invalid);
        ASSERT_EQ(create(context, nullptr, nullptr, 0, &made, none), NWGPU_OK);
        nwgpu_sequences_destroy(made);
    }
    EXPECT_EQ(nwgpu_host_alloc(nullptr, 1, &memory, none), invalid);
    EXPECT_EQ(nwgpu_host_alloc(context, 1, nullptr, none), invalid);
    EXPECT_EQ(nwgpu_matrix_create(nullptr, &matrix, none), invalid);
    EXPECT_EQ(nwgpu_matrix_create("BLOSUM62", nullptr, none), invalid);
    EXPECT_EQ(nwgpu_matrix_parse(nullptr, 1, &matrix, none), invalid);
    EXPECT_EQ(nwgpu_matrix_parse(" A\nA 1\n", 7, nullptr, none), invalid);
    EXPECT_EQ(nwgpu_matrix_describe(0, nullptr, none), invalid);
    EXPECT_EQ(nwgpu_device_describe(NWGPU_BACKEND_CPU, 0, nullptr, none), invalid);
    EXPECT_EQ(nwgpu_algorithm_describe(0, nullptr, none), invalid);
    EXPECT_EQ(nwgpu_alphabet_letter_codes(nullptr), nullptr);
    int64_t score = 0;
    uint32_t const run = 1 << 4;
    EXPECT_EQ(nwgpu_cigar_score(nullptr, 1, letter, 1, &scoring_, &run, 1, &score, none), invalid);
    EXPECT_EQ(nwgpu_cigar_score(letter, 1, nullptr, 1, &scoring_, &run, 1, &score, none), invalid);
    EXPECT_EQ(nwgpu_cigar_score(letter, 1, letter, 1, nullptr, &run, 1, &score, none), invalid);
    EXPECT_EQ(nwgpu_cigar_score(letter, 1, letter, 1, &scoring_, nullptr, 1, &score, none), invalid);
    EXPECT_EQ(nwgpu_cigar_score(letter, 1, letter, 1, &scoring_, &run, 1, nullptr, none), invalid);
    nwgpu_context_destroy(nullptr);
    nwgpu_context_cancel(nullptr);
    nwgpu_sequences_destroy(nullptr);
    nwgpu_matrix_destroy(nullptr);
    nwgpu_result_destroy(nullptr);
    nwgpu_host_free(nullptr);
}

TEST_F(CapiHostile, NullIntoGetters)
{
    EXPECT_STREQ(nwgpu_context_backend_name(nullptr), "");
    EXPECT_EQ(nwgpu_context_threads(nullptr), 0);
    EXPECT_EQ(nwgpu_matrix_alphabet_size(nullptr), 0u);
    EXPECT_NE(nwgpu_matrix_scores(nullptr), nullptr);
    EXPECT_EQ(nwgpu_matrix_letter_codes(nullptr)['A'], 255);
    EXPECT_EQ(nwgpu_matrix_letter_codes(nullptr)[255], 255);
    EXPECT_STREQ(nwgpu_matrix_letters(nullptr), "");
    EXPECT_EQ(nwgpu_sequences_count(nullptr), 0u);
    EXPECT_EQ(nwgpu_result_count(nullptr), 0u);
    EXPECT_EQ(nwgpu_result_failed(nullptr), 0u);
    EXPECT_NE(nwgpu_result_pairs(nullptr), nullptr);
    EXPECT_NE(nwgpu_result_statuses(nullptr), nullptr);
    EXPECT_NE(nwgpu_result_scores(nullptr), nullptr);
    EXPECT_EQ(nwgpu_result_spans(nullptr), nullptr);
    nwgpu_result_pair_error(nullptr, 0, &error_);
    EXPECT_EQ(error_.status, NWGPU_ERROR_NOT_FOUND);
    nwgpu_result_pair_error(result_.get(), UINT64_MAX, &error_);
    EXPECT_EQ(error_.status, NWGPU_ERROR_NOT_FOUND);
    nwgpu_result_pair_error(result_.get(), 0, nullptr);
    uint32_t const * runs = nullptr;
    uint64_t const * offsets = nullptr;
    EXPECT_EQ(nwgpu_result_cigars(nullptr, &runs, &offsets, none), invalid);
    EXPECT_EQ(nwgpu_result_cigars(result_.get(), nullptr, &offsets, none), invalid);
    EXPECT_EQ(nwgpu_result_cigars(result_.get(), &runs, nullptr, none), invalid);
    EXPECT_EQ(nwgpu_cigar_to_text(nullptr, 5, nullptr, 0), 1u);
    char text[4] = "xxx";
    EXPECT_EQ(nwgpu_cigar_to_text(nullptr, 5, text, sizeof text), 1u);
    EXPECT_STREQ(text, "*");
    EXPECT_EQ(nwgpu_cigar_to_text(nullptr, 0, nullptr, 5), 1u) << "text is NULL, whatever the size";
    EXPECT_STREQ(nwgpu_status_name(INT32_MIN), "NWGPU_ERROR_UNKNOWN");
}

TEST_F(CapiHostile, NullIntoInitializers)
{
    nwgpu_error_init(nullptr, 272);
    nwgpu_context_options_init(nullptr, 64);
    nwgpu_scoring_init(nullptr, 40);
    nwgpu_band_init(nullptr, 24);
    nwgpu_checkpoint_init(nullptr, 24);
    nwgpu_top_init(nullptr, 16);
    nwgpu_control_init(nullptr, 32);
    nwgpu_align_options_init(nullptr, 64);
    nwgpu_estimate_init(nullptr, 560);
    nwgpu_device_info_init(nullptr, 256);
    nwgpu_matrix_info_init(nullptr, 16);
    nwgpu_algorithm_info_init(nullptr, 72);
}

// Sums and products of these wrap around in 64 bits.
TEST_F(CapiHostile, CountsThatWrap)
{
    nwgpu_sequences * made = nullptr;
    uint8_t const letter[] = {'A'};
    nwgpu_result * result = nullptr;
    void * memory = nullptr;
    uint64_t const index = 0;
    nwgpu_pair const pair{0, 0};
    for (auto const create : {nwgpu_sequences_create, nwgpu_sequences_create_view}) {
        for (uint64_t const end : {UINT64_MAX, UINT64_MAX - 255, UINT64_MAX - 256, uint64_t{1} << 63}) {
            uint64_t const offsets[] = {0, end};
            EXPECT_EQ(create(context, letter, offsets, 1, &made, &error_), too_large) << end;
        }
        uint64_t const offsets[] = {0, 1};
        for (uint64_t const count : {UINT64_MAX, UINT64_MAX / 8, UINT64_MAX / 8 + 1, uint64_t{1} << 61})
            EXPECT_EQ(create(context, letter, offsets, count, &made, &error_), too_large) << count;
    }
    EXPECT_EQ(made, nullptr);
    options_.pairing = NWGPU_PAIRING_LIST;
    for (uint64_t const count : {UINT64_MAX, uint64_t{1} << 60, uint64_t{1} << 61}) {
        EXPECT_EQ(nwgpu_align(context, sequences, sequences, &pair, count, &scoring_, &options_, &result, &error_),
                  too_large);
        nwgpu_estimate estimate = NWGPU_ESTIMATE_INIT;
        EXPECT_EQ(
            nwgpu_align_estimate(context, sequences, sequences, &pair, count, &scoring_, &options_, &estimate, none),
            too_large);
        EXPECT_EQ(nwgpu_traceback(context, sequences, sequences, result_.get(), &index, count, nullptr, &result, none),
                  too_large);
        nwgpu_matrix * matrix = nullptr;
        EXPECT_EQ(nwgpu_matrix_parse("A", count, &matrix, none), too_large);
        int64_t score = 0;
        uint32_t const run = 1 << 4;
        EXPECT_EQ(nwgpu_cigar_score(letter, count, letter, 1, &scoring_, &run, 1, &score, none), too_large);
        EXPECT_EQ(nwgpu_cigar_score(letter, 1, letter, count, &scoring_, &run, 1, &score, none), too_large);
        EXPECT_EQ(nwgpu_cigar_score(letter, 1, letter, 1, &scoring_, &run, count, &score, none), too_large);
        EXPECT_EQ(nwgpu_host_alloc(context, count, &memory, none), too_large);
    }
    EXPECT_EQ(nwgpu_host_alloc(context, SIZE_MAX, &memory, none), too_large);
    EXPECT_EQ(memory, nullptr);
    EXPECT_EQ(result, nullptr);
}

// Runs whose lengths add up beyond 64 bits cannot be made from 2^28 - 1 each; beyond the sequences they can.
TEST_F(CapiHostile, RunsBeyondTheSequences)
{
    std::vector<uint32_t> const runs(40, UINT32_MAX >> 4 << 4 | 1);
    uint8_t const letter[] = {'A'};
    int64_t score = 7;
    EXPECT_EQ(nwgpu_cigar_score(letter, 1, letter, 1, &scoring_, runs.data(), runs.size(), &score, &error_), invalid);
    for (uint32_t op = 0; op < 16; ++op) {
        uint32_t const run = UINT32_MAX >> 4 << 4 | op;
        EXPECT_EQ(nwgpu_cigar_score(letter, 1, letter, 1, &scoring_, &run, 1, &score, &error_), invalid) << op;
    }
    EXPECT_EQ(score, 7);
}

// sizeof a pointer, the mistake that `sizeof options` for a pointer makes, is below the size of every struct.
TEST_F(CapiHostile, SizesThatAreNotTheStructs)
{
    nwgpu_result * result = nullptr;
    auto const aligned = [&] {
        return nwgpu_align(context, sequences, sequences, nullptr, 0, &scoring_, &options_, &result, &error_);
    };
    nwgpu_band band = NWGPU_BAND_INIT;
    nwgpu_top top = NWGPU_TOP_INIT;
    nwgpu_checkpoint checkpoint = NWGPU_CHECKPOINT_INIT;
    checkpoint.folder = "never-made";
    nwgpu_control control = NWGPU_CONTROL_INIT;
    nwgpu_estimate estimate = NWGPU_ESTIMATE_INIT;
    nwgpu_device_info device = NWGPU_DEVICE_INFO_INIT;
    nwgpu_matrix_info matrix = NWGPU_MATRIX_INFO_INIT;
    nwgpu_algorithm_info algorithm = NWGPU_ALGORITHM_INFO_INIT;
    nwgpu_context_options context_options = cpu_options();
    auto const with_size = [](auto & value, uint32_t size, auto const & call) {
        uint32_t const right = std::exchange(value.struct_size, size);
        EXPECT_EQ(call(), invalid) << "struct_size " << size << " of " << right;
        value.struct_size = right;
    };
    for (uint32_t const wrong : {0u, 1u, 4u, 8u, 12u, 4104u, 1u << 20, UINT32_MAX}) {
        with_size(scoring_, wrong, aligned);
        with_size(options_, wrong, aligned);
        options_.band = &band;
        with_size(band, wrong, aligned);
        options_.band = nullptr;
        options_.top = &top;
        with_size(top, wrong, aligned);
        options_.top = nullptr;
        options_.checkpoint = &checkpoint;
        with_size(checkpoint, wrong, aligned);
        options_.checkpoint = nullptr;
        options_.control = &control;
        with_size(control, wrong, aligned);
        options_.control = nullptr;
        with_size(estimate, wrong, [&] {
            return nwgpu_align_estimate(context, sequences, sequences, nullptr, 0, &scoring_, &options_, &estimate,
                                        &error_);
        });
        with_size(device, wrong, [&] { return nwgpu_device_describe(NWGPU_BACKEND_CPU, 0, &device, &error_); });
        with_size(matrix, wrong, [&] { return nwgpu_matrix_describe(0, &matrix, &error_); });
        with_size(algorithm, wrong, [&] { return nwgpu_algorithm_describe(0, &algorithm, &error_); });
        with_size(context_options, wrong, [&] {
            nwgpu_context * made = nullptr;
            return nwgpu_context_create(&context_options, &made, &error_);
        });
    }
    EXPECT_EQ(result, nullptr);
}

} // namespace
} // namespace nwgpu::test
