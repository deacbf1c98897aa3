// SPDX-License-Identifier: BSD-3-Clause
// nwgpu doctor: what the library finds on this machine, and why it does not use a GPU.
#include "commands.hpp"

#include "failure.hpp"

#include <nwgpu/nwgpu.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cli {

namespace {

std::string describe(std::int32_t backend, std::int32_t device)
{
    std::string line(nwgpu_device_describe(backend, device, nullptr, 0), '\0');
    nwgpu_device_describe(backend, device, line.data(), line.size() + 1);
    return line;
}

void show_cuda()
{
    std::int32_t count = 0;
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_status const status = nwgpu_device_count(NWGPU_BACKEND_CUDA, &count, &error);
    if (status != NWGPU_OK || count == 0)
        std::printf("GPU           not used: %s\n", error.message[0] != '\0' ? error.message : "none found");
    for (std::int32_t i = 0; i < count; ++i)
        std::printf("GPU cuda:%-5d%s\n", i, describe(NWGPU_BACKEND_CUDA, i).c_str());
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
    nwgpu_context * context = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    if (nwgpu_context_create(nullptr, &context, &error) != NWGPU_OK)
        throw Failure(error.message);
    std::printf("--device auto %s, %d threads\n", nwgpu_context_backend_name(context), nwgpu_context_threads(context));
    nwgpu_context_destroy(context);
}

} // namespace

int doctor_command()
{
    std::printf("nwgpu         %s (%s)\n", nwgpu_version_string(), nwgpu_build_info());
    std::printf("CPU           %s\n", describe(NWGPU_BACKEND_CPU, 0).c_str());
    show_cuda();
    show_driver();
    show_environment();
    show_default_context();
    if (std::fflush(stdout) != 0)
        throw system_failure("standard output");
    return exit_ok;
}

} // namespace cli
