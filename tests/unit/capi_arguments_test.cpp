// SPDX-License-Identifier: BSD-3-Clause
// Every argument that nwgpu.h forbids is refused with a status, and *error says which.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

class CapiArguments : public testing::Test {
protected:
    Context context_ = make_context();
    Sequences const sequences_ = make_sequences(context_, {"ACGT", "AC"});
    nwgpu_scoring scoring_ = dna_scoring();
    nwgpu_align_options options_ = align_options();
    nwgpu_error error_ = NWGPU_ERROR_INIT;

    nwgpu_status align_status()
    {
        return test::align_status(context_, sequences_, sequences_, options_, scoring_, &error_);
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
    expect_refused([](auto & options) { options.mode = 5; });
    expect_refused([](auto & options) { options.mode = -1; });
    expect_refused([](auto & options) { options.output = 4; });
    expect_refused([](auto & options) { options.cigar_style = 2; });
    expect_refused([](auto & options) { options.pairing = 3; });
    expect_refused([](auto & options) { options.ties = 3; });
    expect_refused([](auto & options) { options.free_ends = NWGPU_FREE_QUERY_END; });
    EXPECT_STREQ(error_.message, "options.free_ends needs NWGPU_MODE_FREE_ENDS");
    expect_refused([](auto & options) {
        options.mode = NWGPU_MODE_EXTEND;
        options.free_ends = NWGPU_FREE_QUERY_END;
    });
    expect_refused([](auto & options) {
        options.mode = NWGPU_MODE_FREE_ENDS;
        options.free_ends = 16;
    });
    static nwgpu_band band = NWGPU_BAND_INIT;
    band.lower = 1;
    expect_refused([](auto & options) { options.band = &band; });
    static nwgpu_checkpoint checkpoint = NWGPU_CHECKPOINT_INIT;
    expect_refused([](auto & options) { options.checkpoint = &checkpoint; });
    checkpoint.folder = "";
    expect_refused([](auto & options) { options.checkpoint = &checkpoint; });
    checkpoint.folder = "never-made";
    checkpoint.seconds = -1;
    expect_refused([](auto & options) { options.checkpoint = &checkpoint; });
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

TEST_F(CapiArguments, Pairs)
{
    nwgpu_pair const pairs[] = {{0, 0}, {0, 2}};
    nwgpu_result * result = nullptr;
    options_.pairing = NWGPU_PAIRING_LIST;
    EXPECT_EQ(nwgpu_align(context_.get(), sequences_.get(), sequences_.get(), pairs, 2, &scoring_, &options_, &result,
                          &error_),
              NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(error_.pair_index, 1u);
}

// On success *error is cleared; it says nothing of an earlier failure.
TEST_F(CapiArguments, ErrorsAreClearedOnSuccess)
{
    options_.mode = 99;
    EXPECT_EQ(align_status(), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_STRNE(error_.message, "");
    options_.mode = NWGPU_MODE_GLOBAL;
    EXPECT_EQ(align_status(), NWGPU_OK);
    EXPECT_EQ(error_.status, NWGPU_OK);
    EXPECT_STREQ(error_.message, "");
    EXPECT_EQ(error_.pair_index, UINT64_MAX);
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
    EXPECT_EQ(status([](auto & options) { options.cpu_threads = INT32_MAX; }), NWGPU_ERROR_TOO_LARGE);
    if (nwgpu_device_count(NWGPU_BACKEND_CUDA) == 0) {
        nwgpu_status const cuda = status([](auto & options) { options.backend = NWGPU_BACKEND_CUDA; });
        EXPECT_TRUE(cuda == NWGPU_ERROR_UNSUPPORTED || cuda == NWGPU_ERROR_NO_DEVICE);
        EXPECT_STRNE(error_.message, "") << "says why";
    }
}

// Its memory outlives its context.
TEST_F(CapiArguments, HostMemoryIsAlignedAndNeedsNoContext)
{
    void * memory = nullptr;
    {
        Context context = make_context();
        ASSERT_EQ(nwgpu_host_alloc(context.get(), 1000, &memory, &error_), NWGPU_OK);
    }
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    std::memset(memory, 1, 1000);
    nwgpu_host_free(memory);
    ASSERT_EQ(nwgpu_host_alloc(context_.get(), 0, &memory, &error_), NWGPU_OK);
    nwgpu_host_free(memory);
}

TEST_F(CapiArguments, HugeRequestsFail)
{
    void * memory = nullptr;
    EXPECT_EQ(nwgpu_host_alloc(context_.get(), uint64_t{1} << 48, &memory, &error_), NWGPU_ERROR_OUT_OF_HOST_MEMORY);
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

TEST(CapiDevice, AreCountedAndDescribed)
{
    EXPECT_EQ(nwgpu_device_count(NWGPU_BACKEND_CPU), 1u);
    nwgpu_device_info const cpu = describe_device(NWGPU_BACKEND_CPU, 0);
    EXPECT_EQ(cpu.backend, NWGPU_BACKEND_CPU);
    EXPECT_GT(cpu.memory_bytes, uint64_t{1} << 20);
    EXPECT_STRNE(cpu.summary, "");
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_device_info info = NWGPU_DEVICE_INFO_INIT;
    EXPECT_EQ(nwgpu_device_describe(NWGPU_BACKEND_CPU, 1, &info, &error), NWGPU_ERROR_NO_DEVICE);
    uint64_t const gpus = nwgpu_device_count(NWGPU_BACKEND_CUDA);
    EXPECT_EQ(nwgpu_device_describe(NWGPU_BACKEND_CUDA, gpus, &info, &error), NWGPU_ERROR_NO_DEVICE);
    EXPECT_STRNE(error.message, "") << "says why there is none";
    EXPECT_EQ(nwgpu_device_count(77), 0u);
    EXPECT_EQ(nwgpu_device_describe(77, 0, &info, &error), NWGPU_ERROR_INVALID_ARGUMENT);
}

} // namespace
} // namespace nwgpu::test
