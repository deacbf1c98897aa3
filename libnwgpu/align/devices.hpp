// SPDX-License-Identifier: BSD-3-Clause
// Which engines this build has and this machine can run, for choosing one and for people.
#pragma once

#include <cstdint>
#include <string>

namespace nwgpu {

enum class BackendKind : std::int32_t { automatic = 0, cpu = 1, cuda = 2 };

// The engine that `kind` stands for on this machine: never automatic.
BackendKind resolve(BackendKind kind);

// The CPU counts as one device.
int device_count(BackendKind kind);
// Why device_count(cuda) is 0.
std::string why_no_device();
// One line; empty when there is no such device.
std::string describe_device(BackendKind kind, int device);
// Of the GPU, or of the machine.
std::uint64_t device_bytes(BackendKind kind, int device);

// "cuda=none cpu=avx3,avx2,sse4,sse2"
std::string build_info();

} // namespace nwgpu
