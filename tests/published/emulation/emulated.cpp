// SPDX-License-Identifier: BSD-3-Clause
// Compiled, as all of libnwgpu/published here, with the names of its namespaces changed: what the tests link besides
// has the same functions.
#include "emulated.hpp"

#include "cuda/device.hpp"
#include "published/backend.hpp"

namespace nwgpu::cuda {

std::atomic<std::uint64_t> uploaded[test::emulated_devices];

int device_count() { return test::emulated_devices; }
std::string why_none() { return {}; }
std::string name(int) { return "emulated"; }

} // namespace nwgpu::cuda

namespace nwgpu::test {

std::unique_ptr<Backend> make_emulated(std::string_view choice, int device)
{
    return published::make_backend(choice, {.cuda = {.device = device}});
}

std::uint64_t bytes_uploaded_to(int device) { return cuda::uploaded[device]; }

} // namespace nwgpu::test
