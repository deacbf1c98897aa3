// SPDX-License-Identifier: BSD-3-Clause
// The CPU engine as align/ sees it.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "checkpoint/swept_matrix.hpp"
#include "cpu/options.hpp"

namespace nwgpu::cpu {

// Throws Error unsupported for an instruction set that is not available.
std::unique_ptr<Backend> make_engine(EngineOptions const & options);
// The same for matrices that another engine has swept.
std::shared_ptr<checkpoint::SweptFinder const> make_swept_finder(EngineOptions const & options);

} // namespace nwgpu::cpu
