// SPDX-License-Identifier: BSD-3-Clause
// Linux's own files for memory, and four functions of NVML by their names, so that nothing is needed to build.
#include "bench_meter.hpp"

#include <dlfcn.h>
#include <sys/resource.h>

#include <fstream>
#include <string>

namespace cli {

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

std::uint64_t peak_memory()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (std::uint64_t kilobytes = 0; word == "VmHWM:" && status >> kilobytes)
            return kilobytes * 1024;
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

namespace {

template <typename... Arguments>
bool call(void * library, char const * name, Arguments... arguments)
{
    auto const function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
    return function != nullptr && function(arguments...) == 0;
}

} // namespace

GpuEnergy::GpuEnergy() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL))
{
    if (library_ == nullptr)
        return;
    if (!call(library_, "nvmlInit_v2")) {
        dlclose(library_);
        library_ = nullptr;
        return;
    }
    if (!call(library_, "nvmlDeviceGetHandleByIndex_v2", 0u, &device_))
        device_ = nullptr;
}

GpuEnergy::~GpuEnergy()
{
    if (library_ == nullptr)
        return;
    call(library_, "nvmlShutdown");
    dlclose(library_);
}

std::optional<double> GpuEnergy::joules() const
{
    unsigned long long millijoules = 0;
    if (device_ == nullptr || !call(library_, "nvmlDeviceGetTotalEnergyConsumption", device_, &millijoules))
        return std::nullopt;
    return static_cast<double>(millijoules) / 1000;
}

} // namespace cli
