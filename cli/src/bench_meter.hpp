// SPDX-License-Identifier: BSD-3-Clause
// What a measurement takes besides time: the peak of the host memory, and a GPU's energy where the driver tells it.
#pragma once

#include <cstdint>
#include <optional>

namespace cli {

// The most memory that the process has held since the last reset, in bytes; since its start where the system does not
// let it be reset.
void reset_peak_memory();
std::uint64_t peak_memory();

// Joules that the first GPU has taken since the driver started, through NVML, which is looked for when it is needed.
class GpuEnergy {
public:
    GpuEnergy();
    ~GpuEnergy();
    GpuEnergy(GpuEnergy const &) = delete;
    GpuEnergy & operator=(GpuEnergy const &) = delete;

    std::optional<double> joules() const; // nothing without NVML or such a counter

private:
    void * library_ = nullptr;
    void * device_ = nullptr;
};

} // namespace cli
