// SPDX-License-Identifier: BSD-3-Clause
// The header from C++, the library at run time: their versions have to agree.
#include <nwgpu/nwgpu.h>

#include <iostream>
#include <string>

int main()
{
    std::string const header = std::to_string(NWGPU_VERSION_MAJOR) + "." + std::to_string(NWGPU_VERSION_MINOR) + "." +
                               std::to_string(NWGPU_VERSION_PATCH);
    std::cout << "header " << header << ", library " << nwgpu_version_string() << "\n";
    return header == nwgpu_version_string() && nwgpu_abi_version() == NWGPU_ABI_VERSION ? 0 : 1;
}
