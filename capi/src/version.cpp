// SPDX-License-Identifier: BSD-3-Clause
// Section 1 of nwgpu.h: versions.
#include <string>

#include "align/devices.hpp"
#include "guard.hpp"

#define NWGPU_TEXT_OF(x) #x
#define NWGPU_TEXT(x) NWGPU_TEXT_OF(x)

uint32_t nwgpu_abi_version(void) { return NWGPU_ABI_VERSION; }

char const * nwgpu_version_string(void)
{
    return NWGPU_TEXT(NWGPU_VERSION_MAJOR) "." NWGPU_TEXT(NWGPU_VERSION_MINOR) "." NWGPU_TEXT(NWGPU_VERSION_PATCH);
}

char const * nwgpu_build_info(void)
{
    char const * info = "";
    nwgpu::capi::guard(nullptr, [&] {
        static std::string const text = nwgpu::build_info();
        info = text.c_str();
    });
    return info;
}
