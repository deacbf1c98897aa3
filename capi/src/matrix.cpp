// SPDX-License-Identifier: BSD-3-Clause
// Section 6 of nwgpu.h: scoring matrices and alphabets.
#include "guard.hpp"
#include "handles.hpp"
#include "model/alphabet.hpp"
#include "structs.hpp"

using namespace nwgpu;
using namespace nwgpu::capi;

namespace {

// What getters answer to NULL: a matrix without letters.
ScoreMatrix const & value_of(nwgpu_matrix const * matrix)
{
    static ScoreMatrix const none = [] {
        ScoreMatrix empty;
        empty.scores.reserve(1); // data() is not NULL
        empty.codes.fill(invalid_code);
        return empty;
    }();
    return matrix ? matrix->value : none;
}

} // namespace

uint64_t nwgpu_matrix_count(void)
{
    uint64_t count = 0;
    while (matrix_name(count))
        ++count;
    return count;
}

nwgpu_status nwgpu_matrix_describe(uint64_t index, nwgpu_matrix_info * info, nwgpu_error * error)
{
    return guard(error, [&] {
        check_struct_size(require(info, "info"), "info");
        char const * const name = matrix_name(index);
        if (!name)
            throw Error{Status::not_found, "there are " + std::to_string(nwgpu_matrix_count()) + " matrices"};
        nwgpu_matrix_info result{};
        result.alphabet_size = static_cast<uint32_t>(named_matrix(name).letters.size());
        result.name = name;
        write_struct(*info, result);
    });
}

nwgpu_status nwgpu_matrix_create(char const * name, nwgpu_matrix ** matrix, nwgpu_error * error)
{
    return guard(error, [&] {
        require(name, "name");
        require(matrix, "matrix");
        *matrix = new nwgpu_matrix{named_matrix(name)};
    });
}

nwgpu_status nwgpu_matrix_parse(char const * text, uint64_t length, nwgpu_matrix ** matrix, nwgpu_error * error)
{
    return guard(error, [&] {
        require_that(text || length == 0, "text is NULL");
        require_size(length, "length");
        require(matrix, "matrix");
        *matrix = new nwgpu_matrix{parse_matrix({text, length})};
    });
}

void nwgpu_matrix_destroy(nwgpu_matrix * matrix) { delete matrix; }

uint32_t nwgpu_matrix_alphabet_size(nwgpu_matrix const * matrix)
{
    return static_cast<uint32_t>(value_of(matrix).letters.size());
}

int32_t const * nwgpu_matrix_scores(nwgpu_matrix const * matrix) { return value_of(matrix).scores.data(); }

uint8_t const * nwgpu_matrix_letter_codes(nwgpu_matrix const * matrix) { return value_of(matrix).codes.data(); }

char const * nwgpu_matrix_letters(nwgpu_matrix const * matrix) { return value_of(matrix).letters.c_str(); }

uint8_t const * nwgpu_alphabet_letter_codes(char const * name)
{
    LetterCodes const * const codes = name ? alphabet_codes(name) : nullptr;
    return codes ? codes->data() : nullptr;
}
