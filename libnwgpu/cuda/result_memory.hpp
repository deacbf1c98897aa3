// SPDX-License-Identifier: BSD-3-Clause
// Memory for the results of an engine, from call to call.
#pragma once

#include "model/result.hpp"

namespace nwgpu::cuda {

// Runs are page-locked, for all devices, made through this one.  What results still have when this ends is freed with
// them.
class KeptResults {
public:
    explicit KeptResults(int device);
    KeptResults(KeptResults const &) = delete;
    ~KeptResults();

    ResultMemory const & memory() const { return memory_; }
    void trim() noexcept;

private:
    ResultMemory memory_;
};

} // namespace nwgpu::cuda
