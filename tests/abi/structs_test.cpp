// SPDX-License-Identifier: BSD-3-Clause
// Programs compiled against an older or a newer header: the struct_size rule, and the fields' places.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

// A struct of a header that has one more field.
template <typename Struct>
struct Newer {
    Struct known{};
    uint64_t appended = 0;

    Struct * get()
    {
        known.struct_size = sizeof *this;
        return &known;
    }
};

class Structs : public testing::Test {
protected:
    Context const context_ = make_context();
    Sequences const sequences_ = make_sequences(context_, {"ACGT"});
    nwgpu_error error_ = NWGPU_ERROR_INIT;

    nwgpu_status align_status(nwgpu_scoring const * scoring, nwgpu_align_options const * options)
    {
        nwgpu_result * result = nullptr;
        nwgpu_status const status = nwgpu_align(context_.get(), sequences_.get(), sequences_.get(), nullptr, 0, scoring,
                                                options, &result, &error_);
        nwgpu_result_destroy(result);
        return status;
    }

    nwgpu_status create_status(nwgpu_context_options const * options)
    {
        nwgpu_context * context = nullptr;
        nwgpu_status const status = nwgpu_context_create(options, &context, &error_);
        nwgpu_context_destroy(context);
        return status;
    }
};

// What lies behind the caller's struct is never read.
TEST_F(Structs, OlderCallersMissTheTail)
{
    nwgpu_context_options context_options = cpu_options();
    context_options.struct_size = offsetof(nwgpu_context_options, cpu_isa);
    context_options.cpu_isa = "not read";
    EXPECT_EQ(create_status(&context_options), NWGPU_OK);

    nwgpu_scoring scoring = dna_scoring();
    scoring.struct_size = offsetof(nwgpu_scoring, gap_extend);
    scoring.gap_extend = -9999;
    nwgpu_align_options options = align_options();
    options.struct_size = offsetof(nwgpu_align_options, cigar_style);
    options.cigar_style = 9999;
    EXPECT_EQ(align_status(&scoring, &options), NWGPU_OK) << error_.message;
}

TEST_F(Structs, NewerCallersMayLeaveTheUnknownTailZero)
{
    Newer<nwgpu_context_options> context_options{cpu_options()};
    EXPECT_EQ(create_status(context_options.get()), NWGPU_OK);
    context_options.appended = 1;
    EXPECT_EQ(create_status(context_options.get()), NWGPU_ERROR_UNSUPPORTED);

    Newer<nwgpu_scoring> scoring{dna_scoring()};
    Newer<nwgpu_align_options> options{align_options()};
    EXPECT_EQ(align_status(scoring.get(), options.get()), NWGPU_OK);
    options.appended = uint64_t{1} << 63;
    EXPECT_EQ(align_status(scoring.get(), options.get()), NWGPU_ERROR_UNSUPPORTED);
    options.appended = 0;
    scoring.appended = 1;
    EXPECT_EQ(align_status(scoring.get(), options.get()), NWGPU_ERROR_UNSUPPORTED);
}

// Nor one that ends within a pointer (found by fuzzing).
TEST_F(Structs, AForgottenSizeIsRefused)
{
    nwgpu_scoring const good = dna_scoring();
    for (uint32_t const size :
         {0u, 4u, 1u << 20, 20u, static_cast<uint32_t>(offsetof(nwgpu_context_options, cpu_isa)) + 1}) {
        nwgpu_scoring scoring = dna_scoring();
        scoring.struct_size = size;
        EXPECT_EQ(align_status(&scoring, nullptr), NWGPU_ERROR_INVALID_ARGUMENT);
        nwgpu_align_options options = align_options();
        options.struct_size = size;
        EXPECT_EQ(align_status(&good, &options), NWGPU_ERROR_INVALID_ARGUMENT);
        nwgpu_context_options context_options = cpu_options();
        context_options.struct_size = size;
        EXPECT_EQ(create_status(&context_options), NWGPU_ERROR_INVALID_ARGUMENT);
    }
}

TEST_F(Structs, EstimateIsWrittenBySize)
{
    nwgpu_scoring const scoring = dna_scoring();
    auto const estimate = [&](nwgpu_estimate * result) {
        return nwgpu_align_estimate(context_.get(), sequences_.get(), sequences_.get(), nullptr, 0, &scoring, nullptr,
                                    result, &error_);
    };
    nwgpu_estimate older{};
    older.struct_size = offsetof(nwgpu_estimate, seconds);
    older.seconds = -1;
    ASSERT_EQ(estimate(&older), NWGPU_OK);
    EXPECT_EQ(older.cells, 16u);
    EXPECT_EQ(older.seconds, -1) << "not written";
    EXPECT_EQ(older.struct_size, offsetof(nwgpu_estimate, seconds));

    Newer<nwgpu_estimate> newer;
    newer.appended = 77;
    ASSERT_EQ(estimate(newer.get()), NWGPU_OK);
    EXPECT_EQ(newer.known.cells, 16u);
    EXPECT_EQ(newer.appended, 0u) << "zero: as before it";
}

TEST_F(Structs, ErrorsNeedTheirSize)
{
    nwgpu_error unset;
    std::memset(&unset, 0x55, sizeof unset);
    unset.struct_size = 0;
    nwgpu_error const before = unset;
    EXPECT_EQ(nwgpu_context_trim(nullptr, &unset), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(std::memcmp(&unset, &before, sizeof unset), 0) << "not written";

    Newer<nwgpu_error> newer;
    EXPECT_EQ(nwgpu_context_trim(nullptr, newer.get()), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(newer.known.status, NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(newer.known.pair_index, UINT64_MAX);
    EXPECT_EQ(newer.known.struct_size, sizeof newer);
}

} // namespace
} // namespace nwgpu::test
