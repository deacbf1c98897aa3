// SPDX-License-Identifier: BSD-3-Clause
// Large copies between the device and memory that is not page-locked: piece by piece, so that the caller can stop them
// (Error cancelled), through page-locked memory, so that one piece travels while another is copied.
#pragma once

#include "checkpoint/slab.hpp"
#include "cuda/device/device.hpp"

namespace nwgpu::cuda {

// Whether the device copies from there without help.
bool is_page_locked(void const * memory);
checkpoint::Bytes fetch(Device & device, void const * from, std::uint64_t bytes, Monitor & monitor);
void send(Device & device, void * to, void const * from, std::uint64_t bytes, Monitor & monitor);

} // namespace nwgpu::cuda
