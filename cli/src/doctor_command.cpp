// SPDX-License-Identifier: BSD-3-Clause
// nwgpu doctor: what the library finds on this machine, and why it does not use a GPU.
#include "commands.hpp"

#include "byte_source.hpp"
#include "failure.hpp"

#include <nwgpu/nwgpu.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cli {

namespace {

void show_cuda()
{
    std::uint64_t const count = nwgpu_device_count(NWGPU_BACKEND_CUDA);
    try {
        for (std::uint64_t i = 0; i < std::max<std::uint64_t>(count, 1); ++i) // where there is none, number 0 says why
            std::printf("GPU cuda:%-5d%s\n", static_cast<int>(i),
                        nwgpu::describe_device(NWGPU_BACKEND_CUDA, i).summary);
    } catch (nwgpu::Error const & error) {
        std::printf("GPU           not used: %s\n", error.what());
    }
}

// The driver is looked at from outside, so that it is told even where this build has no CUDA.
void show_driver()
{
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    if (std::getline(file, line))
        std::printf("NVIDIA driver %s\n", line.c_str());
    else
        std::printf("NVIDIA driver not loaded%s\n",
                    std::filesystem::exists("/dev/nvidiactl") ? " here, although /dev/nvidiactl exists" : "");
}

void show_environment()
{
    for (char const * const name : {"CUDA_VISIBLE_DEVICES", "NWGPU_FORCE_ISA"})
        if (char const * const value = std::getenv(name))
            std::printf("environment   %s=%s\n", name, value);
}

// Small on purpose: does the library run here at all?
void show_default_context()
{
    nwgpu::Context const context;
    std::printf("--device auto %s, %d threads\n", context.backend_name().data(), context.threads());
}

} // namespace

int doctor_command()
{
    std::printf("nwgpu         %s (%s)\n", nwgpu_version_string(), nwgpu_build_info());
    std::printf("CPU           %s\n", nwgpu::describe_device(NWGPU_BACKEND_CPU, 0).summary);
    show_cuda();
    show_driver();
    show_environment();
    show_default_context();
    std::printf("input files   %s\n", readable_kinds().c_str());
    if (std::fflush(stdout) != 0)
        throw system_failure("standard output");
    return exit_ok;
}

} // namespace cli
