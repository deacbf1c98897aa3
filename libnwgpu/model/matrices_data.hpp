// SPDX-License-Identifier: BSD-3-Clause
// The texts of the built-in matrices; only matrices.cpp reads them.
#pragma once

#include <span>

namespace nwgpu {

struct MatrixText {
    char const * name;
    char const * text; // NCBI format
};

std::span<MatrixText const> matrix_texts();

} // namespace nwgpu
