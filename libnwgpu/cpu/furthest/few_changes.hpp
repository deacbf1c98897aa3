// SPDX-License-Identifier: BSD-3-Clause
// Pairs that differ so little that comparing their letters once is enough: equal sequences, sequences of one length
// with few mismatches, and those that one gap makes equal (docs/proofs.md, lemma 30).
#pragma once

#include "cpu/furthest/penalties.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// False, and nothing is said, if they differ more.  Neither is empty; the mode is global, the scheme uniform.  What
// `result` was before does not matter.
bool align_few_changes(PairView const & pair, Penalties const & penalties, KernelTable const & kernels,
                       Request const & request, PairResult & result);

} // namespace nwgpu::cpu
