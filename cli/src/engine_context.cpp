// SPDX-License-Identifier: BSD-3-Clause
#include "engine_context.hpp"

#include "failure.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

#include <dlfcn.h>

namespace cli {

namespace {

void log_message(void * progress, std::int32_t level, char const * message)
{
    auto & to = *static_cast<Progress *>(progress);
    if (level == NWGPU_LOG_WARNING)
        to.warning(message);
    else
        to.detail(message);
}

// `numbers`: of several GPUs; lives as long as the options.
void set_device(nwgpu_context_options & options, std::string const & device, std::vector<std::int32_t> & numbers)
{
    if (device == "auto" || device == "all") {
        options.backend = device == "auto" ? NWGPU_BACKEND_AUTO : NWGPU_BACKEND_CUDA;
        options.device_count = device == "auto" ? 0 : NWGPU_ALL_DEVICES;
    } else if (device == "cpu") {
        options.backend = NWGPU_BACKEND_CPU;
    } else if (device == "cuda" || device.starts_with("cuda:")) {
        options.backend = NWGPU_BACKEND_CUDA;
        char const * at = device.data() + std::min<std::size_t>(5, device.size());
        char const * const end = device.data() + device.size();
        for (bool more = device != "cuda"; more; ++at) {
            auto const parsed = std::from_chars(at, end, numbers.emplace_back());
            at = parsed.ptr;
            more = at != end;
            if (parsed.ec != std::errc() || (more && *at != ',') || numbers.back() < 0)
                throw Failure(text("--device ", device, ": what follows cuda: must be device numbers, as 0 or 0,1"));
        }
        options.device = numbers.empty() ? 0 : numbers.front();
        if (numbers.size() > 1) {
            options.devices = numbers.data();
            options.device_count = numbers.size();
        }
    } else {
        throw Failure(text("--device ", device, ": must be auto, cpu, cuda, cuda:N, cuda:N,M or all"));
    }
}

} // namespace

bool has_gpu_driver()
{
    void * const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver)
        dlclose(driver);
    return driver != nullptr;
}

int count_threads(EngineOptions const & options)
{
    return options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::uint64_t count_places(EngineOptions const & options)
{
    std::uint64_t const ranks = options.communicator ? static_cast<std::uint64_t>(options.communicator->size) : 1;
    std::uint64_t const devices =
        options.device == "all" ? nwgpu_device_count(NWGPU_BACKEND_CUDA) : 1 + std::ranges::count(options.device, ',');
    return ranks * std::max<std::uint64_t>(1, devices);
}

nwgpu::Context make_context(EngineOptions const & options, std::int32_t threads, Progress & progress, bool log)
{
    nwgpu_context_options given = NWGPU_CONTEXT_OPTIONS_INIT;
    given.cpu_threads = threads;
    given.max_device_bytes = options.max_device_memory;
    given.max_host_bytes = options.max_memory;
    given.log = log ? log_message : nullptr;
    given.log_user = &progress;
    given.communicator = options.communicator;
    std::vector<std::int32_t> numbers;
    set_device(given, options.device, numbers);
    try {
        nwgpu::Context context(given);
        if (!options.algorithm.empty())
            context.set_algorithm(options.algorithm.c_str());
        return context;
    } catch (nwgpu::Error const & error) {
        if (error.status() == NWGPU_ERROR_NO_DEVICE || error.status() == NWGPU_ERROR_UNSUPPORTED)
            throw Failure(text("--device ", options.device, ": ", error.what(), " (`nwgpu doctor` tells more)"));
        throw;
    }
}

} // namespace cli
