// SPDX-License-Identifier: BSD-3-Clause
// The CUDA engine of a build without CUDA: there is none, and it says so.
#include "cuda/batch_model.hpp"
#include "cuda/engine.hpp"

namespace nwgpu::cuda {

std::string build_info() { return "none"; }

int device_count() { return 0; }

std::string why_none() { return "this build of nwgpu has no CUDA support"; }

std::string name(int) { return "cuda"; }

std::string describe(int) { return {}; }

std::uint64_t memory_bytes(int) { return 0; }

RowPace row_pace(int) { return {}; }

void * allocate_pinned(std::uint64_t, int) { throw Error{Status::unsupported, why_none()}; }

void free_pinned(void *) noexcept {}

std::optional<BatchModel> batch_model(Scoring const &, Request const &) { return std::nullopt; }
std::optional<BatchModel> batch_model(Piece const &, Team *) { return std::nullopt; }

std::unique_ptr<Backend> make_engine(EngineOptions const &) { throw Error{Status::unsupported, why_none()}; }

} // namespace nwgpu::cuda
