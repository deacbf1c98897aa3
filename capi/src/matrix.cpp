// SPDX-License-Identifier: BSD-3-Clause
// Section 5 of nwgpu.h: scoring matrices and alphabets.
#include "guard.hpp"
#include "handles.hpp"
#include "model/alphabet.hpp"

using namespace nwgpu;
using namespace nwgpu::capi;

nwgpu_status nwgpu_matrix_named(char const * name, nwgpu_matrix ** matrix, nwgpu_error * error)
{
    return guard(error, [&] {
        require(name, "name");
        require(matrix, "matrix");
        *matrix = new nwgpu_matrix{named_matrix(name)};
    });
}

char const * nwgpu_matrix_name(size_t index) { return matrix_name(index); }

nwgpu_status nwgpu_matrix_parse(char const * text, size_t length, nwgpu_matrix ** matrix, nwgpu_error * error)
{
    return guard(error, [&] {
        require_that(text || length == 0, "text is NULL");
        require(matrix, "matrix");
        *matrix = new nwgpu_matrix{parse_matrix({text, length})};
    });
}

void nwgpu_matrix_destroy(nwgpu_matrix * matrix) { delete matrix; }

uint32_t nwgpu_matrix_size(nwgpu_matrix const * matrix) { return static_cast<uint32_t>(matrix->value.letters.size()); }

int32_t const * nwgpu_matrix_scores(nwgpu_matrix const * matrix) { return matrix->value.scores.data(); }

uint8_t const * nwgpu_matrix_codes(nwgpu_matrix const * matrix) { return matrix->value.codes.data(); }

char const * nwgpu_matrix_letters(nwgpu_matrix const * matrix) { return matrix->value.letters.c_str(); }

uint8_t const * nwgpu_alphabet_codes(char const * name)
{
    LetterCodes const * const codes = name ? alphabet_codes(name) : nullptr;
    return codes ? codes->data() : nullptr;
}
