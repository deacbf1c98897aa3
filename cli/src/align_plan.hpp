// SPDX-License-Identifier: BSD-3-Clause
// --plan: how long all pairs will take, and how much memory.
#pragma once

#include "engine.hpp"
#include "options.hpp"
#include "pairing.hpp"

namespace cli {

void print_plan(AlignOptions const & options, Pairing & pairing, Engine & engine);

} // namespace cli
