// SPDX-License-Identifier: BSD-3-Clause
// Long pairs that landmarks are tried for, whatever the mode.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "cpu/landmarks/align_between.hpp"
#include "cpu/landmarks/align_inside.hpp"

namespace nwgpu::cpu {

// Of a thread, and of one call.
class LandmarksSoFar {
public:
    // Nothing where they are not for such pairs, or too little is proven.
    std::optional<PairResult> align(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                    Request const & request, FurthestMemory & memory, Monitor & monitor)
    {
        auto answer = inside_.align(pair, scheme, kernels, request, memory, monitor);
        return answer ? std::move(answer) : between_.align(pair, scheme, kernels, request, monitor);
    }

    // Upper bound of what is allocated for a pair of such lengths, and may be kept; 0: nothing is tried.  Where memory
    // has no limit.
    static std::uint64_t bytes(PairView const & pair, Scheme const & scheme, Request const & request)
    {
        return std::max(InsideSoFar::bytes(pair, scheme.scoring(), request),
                        BetweenSoFar::bytes(pair, scheme, request));
    }

private:
    InsideSoFar inside_;
    BetweenSoFar between_;
};

} // namespace nwgpu::cpu
