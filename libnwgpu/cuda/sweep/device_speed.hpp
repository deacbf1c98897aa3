// SPDX-License-Identifier: BSD-3-Clause
// How fast a device is beside the one that the costs of its Chip were fitted on: predictions are multiplied by
// it, plans do not depend on it.
#pragma once

#include "cuda/device/device.hpp"
#include "cuda/plan/plan.hpp"

namespace nwgpu::cuda {

// Kernels whose pace may differ: with other instructions, or other widths.
struct KernelKind {
    bool packed = false, local = false, linear = false; // the latter two of packed ones
    bool wide = false;                                  // of plain ones: 64-bit scores

    static KernelKind of(PairFacts const & pair, SweepPlan const & sweep)
    {
        if (sweep.rows_per_half == 0)
            return {.wide = pair.wide};
        return {.packed = true, .local = pair.mode.may_be_empty(), .linear = pair.linear};
    }
    static constexpr int count = 6;
    int index() const { return packed ? 2 + (local ? 2 : 0) + (linear ? 1 : 0) : wide ? 1 : 0; }
};

// Seconds of one step, measured: every scheduler has one warp, none waits for another.  Some 10 ms.
double measure_step(Device & device, KernelKind const & kind);

// Seconds here for each second that a plan predicts; 1 where the device has no memory to measure it,
// or its stream is the caller's.  Measured once a
// process, device and kind.  Any thread.
double device_speed(Device & device, KernelKind const & kind);

} // namespace nwgpu::cuda
