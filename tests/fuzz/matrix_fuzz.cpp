// SPDX-License-Identifier: BSD-3-Clause
// Any text to nwgpu_matrix_parse: a matrix that keeps its promises, or INVALID_MATRIX with a message.
#include <nwgpu/nwgpu.h>

#include "fuzz/bytes.hpp"

using nwgpu::fuzz::demand;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const * data, std::size_t size)
{
    nwgpu_matrix * matrix = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_status const status = nwgpu_matrix_parse(reinterpret_cast<char const *>(data), size, &matrix, &error);
    if (status != NWGPU_OK) {
        demand(status == NWGPU_ERROR_INVALID_MATRIX || status == NWGPU_ERROR_TOO_LARGE, "status of a faulty matrix");
        demand(matrix == nullptr, "output unchanged on failure");
        demand(error.status == status && error.message[0] != '\0', "a message");
        return 0;
    }
    std::uint32_t const letters = nwgpu_matrix_alphabet_size(matrix);
    demand(letters >= 1 && letters <= 128, "size");
    demand(std::strlen(nwgpu_matrix_letters(matrix)) == letters, "letters");
    std::uint8_t const * const codes = nwgpu_matrix_letter_codes(matrix);
    for (int byte = 0; byte < 256; ++byte)
        demand(codes[byte] < letters || codes[byte] == 255, "codes");
    for (std::uint32_t i = 0; i < letters; ++i) {
        demand(codes[static_cast<std::uint8_t>(nwgpu_matrix_letters(matrix)[i])] == i, "code of a letter");
        for (std::uint32_t j = 0; j < letters; ++j) {
            std::int64_t const score = nwgpu_matrix_scores(matrix)[std::size_t{i} * letters + j];
            demand(score >= -(1 << 30) && score <= 1 << 30, "score within the limit");
        }
    }
    nwgpu_matrix_destroy(matrix);
    return 0;
}
