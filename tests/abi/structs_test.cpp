// SPDX-License-Identifier: BSD-3-Clause
// Programs compiled against an older or a newer header: the struct_size rule, and the fields' places.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <typeinfo>

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
    Context context_ = make_context();
    Sequences const sequences_ = make_sequences(context_, {"ACGT"});
    nwgpu_error error_ = NWGPU_ERROR_INIT;

    nwgpu_status status(nwgpu_scoring const & scoring, nwgpu_align_options const & options)
    {
        return align_status(context_, sequences_, sequences_, options, scoring, &error_);
    }

    nwgpu_status create_status(nwgpu_context_options const * options)
    {
        nwgpu_context * context = nullptr;
        nwgpu_status const status = nwgpu_context_create(options, &context, &error_);
        nwgpu_context_destroy(context);
        return status;
    }
};

TEST_F(Structs, NewerCallersMayLeaveTheUnknownTailZero)
{
    Newer<nwgpu_context_options> context_options{cpu_options()};
    EXPECT_EQ(create_status(context_options.get()), NWGPU_OK);
    context_options.appended = 1;
    EXPECT_EQ(create_status(context_options.get()), NWGPU_ERROR_UNSUPPORTED);

    Newer<nwgpu_scoring> scoring{dna_scoring()};
    Newer<nwgpu_align_options> options{align_options()};
    EXPECT_EQ(status(*scoring.get(), *options.get()), NWGPU_OK);
    options.appended = uint64_t{1} << 63;
    EXPECT_EQ(status(*scoring.get(), *options.get()), NWGPU_ERROR_UNSUPPORTED);
    options.appended = 0;
    scoring.appended = 1;
    EXPECT_EQ(status(*scoring.get(), *options.get()), NWGPU_ERROR_UNSUPPORTED);

    Newer<nwgpu_band> band{nwgpu_band NWGPU_BAND_INIT};
    options.known.band = band.get();
    EXPECT_EQ(status(dna_scoring(), *options.get()), NWGPU_OK);
    band.appended = 1;
    EXPECT_EQ(status(dna_scoring(), *options.get()), NWGPU_ERROR_UNSUPPORTED);
}

TEST_F(Structs, WhatTheLibraryFillsInIsWrittenBySize)
{
    nwgpu_scoring const scoring = dna_scoring();
    Newer<nwgpu_estimate> newer;
    newer.appended = 77;
    ASSERT_EQ(nwgpu_align_estimate(context_.get(), sequences_.get(), sequences_.get(), nullptr, 0, &scoring, nullptr,
                                   newer.get(), &error_),
              NWGPU_OK);
    EXPECT_EQ(newer.known.cells, 16u);
    EXPECT_EQ(newer.known.struct_size, sizeof newer);
    EXPECT_EQ(newer.appended, 0u) << "zero: as before it";
}

// An error of a program compiled with other fields: as much as it holds, the message too; nothing behind it.
TEST_F(Structs, ErrorsAreFilledInWhateverTheirSize)
{
    Newer<nwgpu_error> newer;
    newer.appended = 77;
    EXPECT_EQ(nwgpu_context_trim(nullptr, newer.get()), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(newer.known.status, NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(newer.known.message, "context is NULL");
    EXPECT_EQ(newer.known.pair_index, UINT64_MAX);
    EXPECT_EQ(newer.known.struct_size, sizeof newer);
    EXPECT_EQ(newer.appended, 77u) << "an unknown field is left as it is";

    struct Shorter {
        uint32_t struct_size = sizeof(Shorter);
        nwgpu_status status = 0;
        uint64_t pair_index = 0;
        int32_t cuda_code = 0;
        char message[12] = "";
        char behind[8] = "behind";
    };
    Shorter shorter;
    shorter.struct_size = offsetof(Shorter, behind);
    EXPECT_EQ(nwgpu_context_trim(nullptr, reinterpret_cast<nwgpu_error *>(&shorter)), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(shorter.status, NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(shorter.pair_index, UINT64_MAX);
    EXPECT_STREQ(shorter.message, "context is ");
    EXPECT_STREQ(shorter.behind, "behind");

    nwgpu_error unset;
    std::memset(&unset, 0x55, sizeof unset);
    unset.struct_size = 0;
    nwgpu_error const before = unset;
    EXPECT_EQ(nwgpu_context_trim(nullptr, &unset), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(std::memcmp(&unset, &before, sizeof unset), 0) << "not written";
}

// A struct as it comes from the stack, made ready by a function.  Initializers of static storage have no bits but
// zeros in their padding, so that all bytes can be compared.
template <typename Struct, typename Init>
void expect_init(Init init, Struct const & expected)
{
    Struct known;
    std::memset(&known, 0x55, sizeof known);
    init(&known, sizeof known);
    EXPECT_EQ(known.struct_size, sizeof known);
    EXPECT_EQ(std::memcmp(&known, &expected, sizeof known), 0) << typeid(Struct).name();

    Newer<Struct> newer;
    newer.appended = 77;
    init(&newer.known, sizeof newer);
    EXPECT_EQ(newer.known.struct_size, sizeof newer);
    EXPECT_EQ(newer.appended, 0u);

    std::memset(&known, 0x55, sizeof known);
    init(&known, sizeof(uint32_t));
    EXPECT_EQ(known.struct_size, sizeof(uint32_t));
    EXPECT_EQ(reinterpret_cast<unsigned char const *>(&known)[sizeof(uint32_t)], 0x55) << "an older caller's end";
}

TEST_F(Structs, Initializers)
{
    static constexpr nwgpu_error error = NWGPU_ERROR_INIT;
    expect_init(nwgpu_error_init, error);
    static constexpr nwgpu_context_options context_options = NWGPU_CONTEXT_OPTIONS_INIT;
    expect_init(nwgpu_context_options_init, context_options);
    static constexpr nwgpu_communicator communicator = NWGPU_COMMUNICATOR_INIT;
    expect_init(nwgpu_communicator_init, communicator);
    static constexpr nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    expect_init(nwgpu_scoring_init, scoring);
    static constexpr nwgpu_band band = NWGPU_BAND_INIT;
    expect_init(nwgpu_band_init, band);
    static constexpr nwgpu_checkpoint checkpoint = NWGPU_CHECKPOINT_INIT;
    expect_init(nwgpu_checkpoint_init, checkpoint);
    static constexpr nwgpu_top top = NWGPU_TOP_INIT;
    expect_init(nwgpu_top_init, top);
    static constexpr nwgpu_best best = NWGPU_BEST_INIT;
    expect_init(nwgpu_best_init, best);
    static constexpr nwgpu_control control = NWGPU_CONTROL_INIT;
    expect_init(nwgpu_control_init, control);
    static constexpr nwgpu_align_options align_options = NWGPU_ALIGN_OPTIONS_INIT;
    expect_init(nwgpu_align_options_init, align_options);
    static constexpr nwgpu_estimate estimate = NWGPU_ESTIMATE_INIT;
    expect_init(nwgpu_estimate_init, estimate);
    static constexpr nwgpu_device_info device_info = NWGPU_DEVICE_INFO_INIT;
    expect_init(nwgpu_device_info_init, device_info);
    static constexpr nwgpu_matrix_info matrix_info = NWGPU_MATRIX_INFO_INIT;
    expect_init(nwgpu_matrix_info_init, matrix_info);
    static constexpr nwgpu_algorithm_info algorithm_info = NWGPU_ALGORITHM_INFO_INIT;
    expect_init(nwgpu_algorithm_info_init, algorithm_info);
}

} // namespace
} // namespace nwgpu::test
