// SPDX-License-Identifier: BSD-3-Clause
// Scoring matrices through the C API, up to an alignment with one.
#include <gtest/gtest.h>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

nwgpu_scoring scoring_with(Matrix const & matrix)
{
    return {sizeof(nwgpu_scoring),
            0,
            0,
            10,
            1,
            nwgpu_matrix_size(matrix.get()),
            nwgpu_matrix_scores(matrix.get()),
            nwgpu_matrix_codes(matrix.get())};
}

TEST(CapiMatrix, NamedMatrixAligns)
{
    nwgpu_matrix * raw = nullptr;
    ASSERT_EQ(nwgpu_matrix_named("blosum62", &raw, nullptr), NWGPU_OK);
    Matrix const matrix{raw};
    EXPECT_EQ(nwgpu_matrix_size(raw), 24u);
    EXPECT_STREQ(nwgpu_matrix_letters(raw), "ARNDCQEGHILKMFPSTWYVBZX*");
    Context const context = make_context();
    Result const result = align(context, make_sequences(context, {"GALORA"}), make_sequences(context, {"ALIGATOR"}),
                                align_options(NWGPU_OUTPUT_CIGAR, NWGPU_SPAN_LOCAL), scoring_with(matrix));
    EXPECT_EQ(nwgpu_result_scores(result.get())[0], 13);
    EXPECT_EQ(cigar(result), "2=1X2=");
}

TEST(CapiMatrix, EveryNameIsFoundAndOthersAreNot)
{
    size_t count = 0;
    for (; nwgpu_matrix_name(count); ++count) {
        nwgpu_matrix * matrix = nullptr;
        EXPECT_EQ(nwgpu_matrix_named(nwgpu_matrix_name(count), &matrix, nullptr), NWGPU_OK);
        nwgpu_matrix_destroy(matrix);
    }
    EXPECT_EQ(count, 11u);
    nwgpu_matrix * matrix = nullptr;
    EXPECT_EQ(nwgpu_matrix_named("BLOSUM99", &matrix, nullptr), NWGPU_ERROR_NOT_FOUND);
    EXPECT_EQ(nwgpu_matrix_named(nullptr, &matrix, nullptr), NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(matrix, nullptr);
}

TEST(CapiMatrix, ParseNeedsNoNulAndReportsTheLine)
{
    std::string const text = "A C\nA 1 -1\nC -1 1\nrest";
    nwgpu_matrix * raw = nullptr;
    ASSERT_EQ(nwgpu_matrix_parse(text.data(), text.size() - 4, &raw, nullptr), NWGPU_OK);
    EXPECT_EQ(nwgpu_matrix_size(Matrix{raw}.get()), 2u);
    nwgpu_error error = NWGPU_ERROR_INIT;
    EXPECT_EQ(nwgpu_matrix_parse(text.data(), text.size(), &raw, &error), NWGPU_ERROR_INVALID_MATRIX);
    EXPECT_STREQ(error.message, "line 4: 'rest' is not a letter");
    EXPECT_EQ(nwgpu_matrix_parse(nullptr, 0, &raw, &error), NWGPU_ERROR_INVALID_MATRIX);
    EXPECT_EQ(nwgpu_matrix_parse(nullptr, 1, &raw, &error), NWGPU_ERROR_INVALID_ARGUMENT);
}

TEST(CapiAlphabet, Names)
{
    EXPECT_NE(nwgpu_alphabet_codes("dna"), nullptr);
    EXPECT_NE(nwgpu_alphabet_codes("protein"), nullptr);
    EXPECT_EQ(nwgpu_alphabet_codes("rna"), nullptr);
    EXPECT_EQ(nwgpu_alphabet_codes(nullptr), nullptr);
}

} // namespace
} // namespace nwgpu::test
