// SPDX-License-Identifier: BSD-3-Clause
// From a plan's kind to the type that computes it.
#pragma once

#include "cpu/pair/field.hpp"
#include "cpu/pair/pair_plan.hpp"

namespace nwgpu::cpu {

// What `work` returns for the field of a plan that is computed by strips.
template <class Work>
auto with_field(PairPlan const & plan, Scheme const & scheme, KernelTable const & kernels, Mode const & mode,
                Work const & work)
{
    if (plan.kind == FieldKind::diff)
        return work(DiffField{scheme, kernels});
    return work(ScoreField{scheme, kernels, mode.begins_anywhere(), plan.width});
}

} // namespace nwgpu::cpu
