// SPDX-License-Identifier: BSD-3-Clause
// Scoring matrices through the C API, up to an alignment with one.
#include <gtest/gtest.h>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

TEST(CapiMatrix, NamedMatrixAligns)
{
    Matrix const matrix{"blosum62"};
    EXPECT_EQ(matrix.alphabet_size(), 24u);
    EXPECT_EQ(matrix.letters(), "ARNDCQEGHILKMFPSTWYVBZX*");
    Context context = make_context();
    Result const result = align(context, make_sequences(context, {"GALORA"}), make_sequences(context, {"ALIGATOR"}),
                                align_options(NWGPU_OUTPUT_CIGAR, NWGPU_MODE_LOCAL), matrix.scoring(10, 1));
    EXPECT_EQ(result.scores()[0], 13);
    EXPECT_EQ(cigar(result), "2=1X2=");
}

TEST(CapiMatrix, EveryNameIsFoundAndOthersAreNot)
{
    ASSERT_EQ(nwgpu_matrix_count(), 11u);
    for (uint64_t i = 0; i < nwgpu_matrix_count(); ++i) {
        nwgpu_matrix_info const info = describe_matrix(i);
        EXPECT_EQ(Matrix{info.name}.alphabet_size(), info.alphabet_size) << info.name;
    }
    nwgpu_matrix_info info = NWGPU_MATRIX_INFO_INIT;
    EXPECT_EQ(nwgpu_matrix_describe(11, &info, nullptr), NWGPU_ERROR_NOT_FOUND);
    nwgpu_matrix * matrix = nullptr;
    EXPECT_EQ(nwgpu_matrix_create("BLOSUM99", &matrix, nullptr), NWGPU_ERROR_NOT_FOUND);
    EXPECT_EQ(matrix, nullptr);
}

TEST(CapiMatrix, ParseNeedsNoNulAndReportsTheLine)
{
    std::string const text = "A C\nA 1 -1\nC -1 1\nrest";
    nwgpu_matrix * raw = nullptr;
    ASSERT_EQ(nwgpu_matrix_parse(text.data(), text.size() - 4, &raw, nullptr), NWGPU_OK);
    EXPECT_EQ(Matrix{raw}.alphabet_size(), 2u);
    nwgpu_error error = NWGPU_ERROR_INIT;
    EXPECT_EQ(nwgpu_matrix_parse(text.data(), text.size(), &raw, &error), NWGPU_ERROR_INVALID_MATRIX);
    EXPECT_STREQ(error.message, "line 4: 'rest' is not a letter");
    EXPECT_EQ(nwgpu_matrix_parse(nullptr, 0, &raw, &error), NWGPU_ERROR_INVALID_MATRIX);
    EXPECT_EQ(nwgpu_matrix_parse(nullptr, 1, &raw, &error), NWGPU_ERROR_INVALID_ARGUMENT);
}

TEST(CapiAlphabet, Names)
{
    EXPECT_NE(nwgpu_alphabet_letter_codes("dna"), nullptr);
    EXPECT_NE(nwgpu_alphabet_letter_codes("protein"), nullptr);
    EXPECT_EQ(nwgpu_alphabet_letter_codes("rna"), nullptr);
    EXPECT_EQ(nwgpu_alphabet_letter_codes(nullptr), nullptr);
}

} // namespace
} // namespace nwgpu::test
