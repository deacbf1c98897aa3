// SPDX-License-Identifier: BSD-3-Clause
// Every argument that nwgpu.h forbids is refused with a status, and *error says which.
#include <gtest/gtest.h>

#include <functional>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

class CapiArguments : public testing::Test {
protected:
    Context const context_ = make_context();
    Sequences const sequences_ = make_sequences(context_, {"ACGT", "AC"});
    nwgpu_scoring scoring_ = dna_scoring();
    nwgpu_align_options options_ = align_options();
    nwgpu_error error_ = NWGPU_ERROR_INIT;

    nwgpu_status align_status()
    {
        nwgpu_result * result = nullptr;
        nwgpu_status const status = nwgpu_align(context_.get(), sequences_.get(), sequences_.get(), nullptr, 0,
                                                &scoring_, &options_, &result, &error_);
        nwgpu_result_destroy(result);
        return status;
    }

    void expect_refused(std::function<void(nwgpu_align_options &)> const & change)
    {
        options_ = align_options();
        change(options_);
        EXPECT_EQ(align_status(), NWGPU_ERROR_INVALID_ARGUMENT);
    }

    void expect_scoring(nwgpu_status status, std::function<void(nwgpu_scoring &)> const & change)
    {
        scoring_ = dna_scoring();
        change(scoring_);
        EXPECT_EQ(align_status(), status) << error_.message;
    }
};

TEST_F(CapiArguments, AlignOptions)
{
    expect_refused([](auto & options) { options.span = 3; });
    expect_refused([](auto & options) { options.span = -1; });
    expect_refused([](auto & options) { options.output = 4; });
    expect_refused([](auto & options) { options.cigar_style = 2; });
    expect_refused([](auto & options) { options.reserved = 1; });
    expect_refused([](auto & options) { options.free_ends = NWGPU_FREE_QUERY_END; });
    EXPECT_STREQ(error_.message, "options.free_ends needs NWGPU_SPAN_FREE_ENDS");
    expect_refused([](auto & options) {
        options.span = NWGPU_SPAN_FREE_ENDS;
        options.free_ends = 16;
    });
}

TEST_F(CapiArguments, Scoring)
{
    static int32_t const matrix[] = {1, -1, -1, (1 << 30) + 1};
    static uint8_t const codes[256] = {2};
    expect_scoring(NWGPU_ERROR_INVALID_ARGUMENT, [](auto & scoring) { scoring.match = -1; });
    expect_scoring(NWGPU_ERROR_INVALID_ARGUMENT, [](auto & scoring) { scoring.gap_extend = -1; });
    expect_scoring(NWGPU_ERROR_TOO_LARGE, [](auto & scoring) { scoring.gap_open = (1 << 30) + 1; });
    expect_scoring(NWGPU_OK, [](auto & scoring) { scoring.gap_open = 1 << 30; });
    expect_scoring(NWGPU_ERROR_INVALID_ARGUMENT, [](auto & scoring) { scoring.matrix = matrix; });
    expect_scoring(NWGPU_ERROR_INVALID_ARGUMENT, [](auto & scoring) { scoring.alphabet_size = 2; });
    expect_scoring(NWGPU_ERROR_INVALID_ARGUMENT, [](auto & scoring) {
        scoring.alphabet_size = 2;
        scoring.matrix = matrix;
        scoring.letter_codes = nullptr;
    });
    expect_scoring(NWGPU_ERROR_INVALID_ARGUMENT, [](auto & scoring) {
        scoring.alphabet_size = 129;
        scoring.matrix = matrix;
    });
    expect_scoring(NWGPU_ERROR_TOO_LARGE, [](auto & scoring) {
        scoring.alphabet_size = 2;
        scoring.matrix = matrix;
    });
    expect_scoring(NWGPU_ERROR_INVALID_ARGUMENT, [](auto & scoring) {
        scoring.alphabet_size = 1;
        scoring.matrix = matrix;
        scoring.letter_codes = codes; // byte 0 has code 2
    });
}

TEST_F(CapiArguments, Nulls)
{
    nwgpu_context * const context = context_.get();
    nwgpu_sequences * const sequences = sequences_.get();
    nwgpu_result * result = nullptr;
    nwgpu_status const bad = NWGPU_ERROR_INVALID_ARGUMENT;
    nwgpu_error * const none = nullptr;
    EXPECT_EQ(nwgpu_align(nullptr, sequences, sequences, nullptr, 0, &scoring_, nullptr, &result, none), bad);
    EXPECT_EQ(nwgpu_align(context, nullptr, sequences, nullptr, 0, &scoring_, nullptr, &result, none), bad);
    EXPECT_EQ(nwgpu_align(context, sequences, nullptr, nullptr, 0, &scoring_, nullptr, &result, none), bad);
    EXPECT_EQ(nwgpu_align(context, sequences, sequences, nullptr, 1, &scoring_, nullptr, &result, none), bad);
    EXPECT_EQ(nwgpu_align(context, sequences, sequences, nullptr, 0, nullptr, nullptr, &result, none), bad);
    EXPECT_EQ(nwgpu_align(context, sequences, sequences, nullptr, 0, &scoring_, nullptr, nullptr, &error_), bad);
    EXPECT_STREQ(error_.message, "result is NULL");
    EXPECT_EQ(nwgpu_align_estimate(context, sequences, sequences, nullptr, 0, &scoring_, nullptr, nullptr, none), bad);
    EXPECT_EQ(nwgpu_traceback(context, sequences, sequences, nullptr, nullptr, 0, none), bad);
    EXPECT_EQ(nwgpu_context_create(nullptr, nullptr, none), bad);
    EXPECT_EQ(nwgpu_context_trim(nullptr, none), bad);
    EXPECT_EQ(nwgpu_device_count(NWGPU_BACKEND_CPU, nullptr, none), bad);
    EXPECT_EQ(nwgpu_host_alloc(context, 1, nullptr, none), bad);
    nwgpu_context_destroy(nullptr);
    nwgpu_sequences_destroy(nullptr);
    nwgpu_matrix_destroy(nullptr);
    nwgpu_result_destroy(nullptr);
    nwgpu_host_free(context, nullptr);
}

TEST_F(CapiArguments, PairsAndChosen)
{
    nwgpu_pair const pairs[] = {{0, 0}, {0, 2}};
    nwgpu_result * result = nullptr;
    EXPECT_EQ(
        nwgpu_align(context_.get(), sequences_.get(), sequences_.get(), pairs, 2, &scoring_, nullptr, &result, &error_),
        NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(error_.pair_index, 1u);

    Sequences const three = make_sequences(context_, {"A", "C", "G"});
    EXPECT_EQ(
        nwgpu_align(context_.get(), sequences_.get(), three.get(), nullptr, 0, &scoring_, nullptr, &result, &error_),
        NWGPU_ERROR_INVALID_ARGUMENT);

    Result const good = align(context_, sequences_, sequences_, align_options(NWGPU_OUTPUT_SCORE));
    uint64_t const chosen[] = {2};
    EXPECT_EQ(nwgpu_traceback(context_.get(), sequences_.get(), sequences_.get(), good.get(), chosen, 1, &error_),
              NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nwgpu_traceback(context_.get(), sequences_.get(), sequences_.get(), good.get(), nullptr, 1, &error_),
              NWGPU_ERROR_INVALID_ARGUMENT);
    Sequences const fewer = make_sequences(context_, {"ACGT"});
    EXPECT_EQ(nwgpu_traceback(context_.get(), fewer.get(), sequences_.get(), good.get(), nullptr, 0, &error_),
              NWGPU_ERROR_INVALID_ARGUMENT);
}

TEST_F(CapiArguments, Sequences)
{
    auto const status = [&](char const * bytes, std::vector<uint64_t> const & offsets) {
        nwgpu_sequences * sequences = nullptr;
        nwgpu_status const result = nwgpu_sequences_create(context_.get(), reinterpret_cast<uint8_t const *>(bytes),
                                                           offsets.data(), offsets.size() - 1, &sequences, &error_);
        nwgpu_sequences_destroy(sequences);
        return result;
    };
    EXPECT_EQ(status("ACGT", {0, 2, 4}), NWGPU_OK);
    EXPECT_EQ(status("ACGT", {1, 1, 3}), NWGPU_OK) << "a part of a longer array";
    EXPECT_EQ(status(nullptr, {0}), NWGPU_OK);
    EXPECT_EQ(status(nullptr, {0, 0}), NWGPU_OK);
    EXPECT_EQ(status(nullptr, {0, 1}), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status("ACGT", {0, 3, 2}), NWGPU_ERROR_INVALID_ARGUMENT);
}

TEST_F(CapiArguments, ContextOptions)
{
    auto const status = [&](std::function<void(nwgpu_context_options &)> const & change) {
        nwgpu_context_options options = cpu_options();
        change(options);
        nwgpu_context * context = nullptr;
        nwgpu_status const result = nwgpu_context_create(&options, &context, &error_);
        nwgpu_context_destroy(context);
        return result;
    };
    EXPECT_EQ(status([](auto &) {}), NWGPU_OK);
    EXPECT_EQ(status([](auto & options) { options.cpu_threads = -1; }), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status([](auto & options) { options.device = -1; }), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status([](auto & options) { options.backend = 3; }), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(status([](auto & options) { options.cpu_isa = "avx9"; }), NWGPU_ERROR_UNSUPPORTED);
    int32_t count = 0;
    ASSERT_EQ(nwgpu_device_count(NWGPU_BACKEND_CUDA, &count, &error_), NWGPU_OK);
    if (count == 0) {
        EXPECT_STRNE(error_.message, "") << "says why";
        nwgpu_status const cuda = status([](auto & options) { options.backend = NWGPU_BACKEND_CUDA; });
        EXPECT_TRUE(cuda == NWGPU_ERROR_UNSUPPORTED || cuda == NWGPU_ERROR_NO_DEVICE);
    }
}

TEST_F(CapiArguments, HostMemoryIsAlignedAndHugeRequestsFail)
{
    void * memory = nullptr;
    ASSERT_EQ(nwgpu_host_alloc(context_.get(), 1000, &memory, &error_), NWGPU_OK);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    nwgpu_host_free(context_.get(), memory);
    EXPECT_EQ(nwgpu_host_alloc(context_.get(), SIZE_MAX / 2, &memory, &error_), NWGPU_ERROR_OUT_OF_HOST_MEMORY);
}

TEST(CapiVersion, IsThatOfTheHeader)
{
    EXPECT_EQ(nwgpu_abi_version(), static_cast<uint32_t>(NWGPU_ABI_VERSION));
    EXPECT_EQ(nwgpu_version_string(), std::to_string(NWGPU_VERSION_MAJOR) + "." + std::to_string(NWGPU_VERSION_MINOR) +
                                          "." + std::to_string(NWGPU_VERSION_PATCH));
    EXPECT_EQ(std::string{nwgpu_build_info()}.substr(0, 5), "cuda=");
}

TEST(CapiStatus, HasNames)
{
    EXPECT_STREQ(nwgpu_status_name(NWGPU_OK), "NWGPU_OK");
    EXPECT_STREQ(nwgpu_status_name(NWGPU_ERROR_NO_TRACE), "NWGPU_ERROR_NO_TRACE");
    EXPECT_STREQ(nwgpu_status_name(1234), "NWGPU_ERROR_UNKNOWN");
}

TEST(CapiDevice, DescribeFollowsTheSnprintfRule)
{
    char text[256] = "";
    size_t const length = nwgpu_device_describe(NWGPU_BACKEND_CPU, 0, text, sizeof text);
    EXPECT_GT(length, 0u);
    EXPECT_EQ(std::string{text}.size(), length);
    EXPECT_EQ(nwgpu_device_describe(NWGPU_BACKEND_CPU, 0, nullptr, 0), length);
    EXPECT_EQ(nwgpu_device_describe(NWGPU_BACKEND_CPU, 1, nullptr, 0), 0u);
    EXPECT_EQ(nwgpu_device_describe(77, 0, nullptr, 0), 0u);
}

} // namespace
} // namespace nwgpu::test
