// SPDX-License-Identifier: BSD-3-Clause
// Compiled, as all of libnwgpu/published here, with the names of its namespaces changed: what the tests link besides
// has the same functions.
#include "emulated.hpp"

#include "published/backend.hpp"

namespace nwgpu::cuda {

int device_count() { return 1; }
std::string why_none() { return {}; }
std::string name(int) { return "emulated"; }

} // namespace nwgpu::cuda

namespace nwgpu::test {

std::unique_ptr<Backend> make_emulated(std::string_view choice) { return published::make_backend(choice, {}); }

} // namespace nwgpu::test
