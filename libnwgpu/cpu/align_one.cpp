// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/align_one.hpp"

#include "cpu/pair/align_antidiagonals.hpp"
#include "cpu/pair/align_slabs.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/top/align_top.hpp"

namespace nwgpu::cpu {

PairResult align_one(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
                     PairPlan const & plan, FurthestMemory & memory, Monitor & monitor)
{
    if (plan.kind == FieldKind::antidiagonals)
        return align_antidiagonals(pair, scheme.scoring(), kernels, request, plan, monitor);
    if (!request.checkpoint.folder.empty())
        return align_slabs(pair, scheme, kernels, request, plan, monitor);
    if (request.top > 1)
        return align_top(pair, scheme, kernels, request, plan, monitor);
    if (plan.furthest.tried) {
        if (auto result =
                align_furthest(pair, Penalties::of(scheme.scoring()), kernels, request, plan.furthest, memory, monitor))
            return *std::move(result);
        memory.trim(0); // the plan has room for one way at a time
    }
    return align_strips(pair, scheme, kernels, request, plan, monitor);
}

} // namespace nwgpu::cpu
