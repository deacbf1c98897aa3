// SPDX-License-Identifier: BSD-3-Clause
// The commands.  Each returns an exit code or throws Failure.
#pragma once

#include "options.hpp"

namespace cli {

int align_command(AlignOptions const & options);
int plot_command(AlignOptions const & options);
int realign_command(RealignOptions const & options);
int doctor_command();
int algorithms_command();
int bench_command(BenchOptions const & options);

} // namespace cli
