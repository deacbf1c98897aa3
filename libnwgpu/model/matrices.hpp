// SPDX-License-Identifier: BSD-3-Clause
// Scoring matrices in NCBI text format: the parser, and the built-in ones by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/scoring.hpp"

namespace nwgpu {

struct ScoreMatrix {
    std::string letters;              // code i is letters[i]
    std::vector<std::int32_t> scores; // letters.size()^2, row = query letter
    LetterCodes codes{};
};

// The rules of the format are those of nwgpu_matrix_parse.  Throws Error invalid_matrix that names the line.
ScoreMatrix parse_matrix(std::string_view text);

// Case does not matter.  Throws Error not_found.
ScoreMatrix named_matrix(std::string_view name);

// Name number `index` of the built-in matrices, or NULL past the last.
char const * matrix_name(std::size_t index);

} // namespace nwgpu
