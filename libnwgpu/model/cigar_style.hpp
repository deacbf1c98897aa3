// SPDX-License-Identifier: BSD-3-Clause
// The operations that stand for two letters in a CIGAR of each style.
#pragma once

#include "model/cigar.hpp"
#include "model/mode.hpp"

namespace nwgpu {

constexpr CigarOp op_of_equal(CigarStyle style) { return style == CigarStyle::m ? CigarOp::match : CigarOp::equal; }
constexpr CigarOp op_of_different(CigarStyle style)
{
    return style == CigarStyle::m ? CigarOp::match : CigarOp::different;
}

} // namespace nwgpu
