// SPDX-License-Identifier: BSD-3-Clause
// Compiled, as all of libnwgpu/published here, with the names of its namespaces changed: what the tests link besides
// has the same functions.
#include "emulated.hpp"

#include "cuda/kernels/letters.hpp"
#include "published/engine.hpp"

namespace nwgpu::cuda {

std::atomic<std::uint64_t> uploaded[test::emulated_devices];

int device_count() { return test::emulated_devices; }
std::string why_none() { return {}; }
std::string name(int) { return "emulated"; }

void upload_letters(Device & device, std::uint8_t * to, std::uint8_t const * codes, std::uint64_t count,
                    LetterMap const & map)
{
    device.upload(to, codes, count);
    for (std::uint64_t k = 0; k < count; ++k)
        to[k] = map[to[k]];
}

} // namespace nwgpu::cuda

namespace nwgpu::test {

std::unique_ptr<Backend> make_emulated(std::string_view choice, int device)
{
    return published::make_engine(choice, {.cuda = {.device = device}});
}

std::uint64_t bytes_uploaded_to(int device) { return cuda::uploaded[device]; }

} // namespace nwgpu::test
