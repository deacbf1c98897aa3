// SPDX-License-Identifier: BSD-3-Clause
// Asks both engines the same questions.
#include "align/devices.hpp"

#include <vector>

#include "base/machine_bytes.hpp"
#include "cpu/engine.hpp"
#include "cuda/engine.hpp"

namespace nwgpu {

namespace {

std::string join(std::vector<std::string> const & words, char between)
{
    std::string text;
    for (std::string const & word : words) {
        if (!text.empty())
            text += between;
        text += word;
    }
    return text;
}

} // namespace

BackendKind resolve(BackendKind kind)
{
    if (kind != BackendKind::automatic)
        return kind;
    return cuda::device_count() > 0 ? BackendKind::cuda : BackendKind::cpu;
}

int device_count(BackendKind kind) { return resolve(kind) == BackendKind::cpu ? 1 : cuda::device_count(); }

std::string why_no_device() { return cuda::why_none(); }

std::string describe_device(BackendKind kind, int device)
{
    if (resolve(kind) == BackendKind::cuda)
        return cuda::describe(device);
    return device == 0 ? join(cpu::available_isas(), ' ') : std::string{};
}

std::uint64_t device_bytes(BackendKind kind, int device)
{
    return resolve(kind) == BackendKind::cuda ? cuda::memory_bytes(device) : machine_bytes();
}

std::string build_info() { return "cuda=" + cuda::build_info() + " cpu=" + join(cpu::compiled_isas(), ','); }

} // namespace nwgpu
