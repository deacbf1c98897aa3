// SPDX-License-Identifier: BSD-3-Clause
// -x: the parameters of other programs under their names.  What the user gives himself wins.
#pragma once

#include "alphabet.hpp"
#include "options.hpp"

#include <string>
#include <vector>

namespace cli {

std::vector<std::string> preset_names();
// The options with what their preset says filled in, for output as SAM, BAM or CRAM or another one; the same where
// there is none.
AlignOptions with_preset(AlignOptions options, AlphabetKind kind, bool sam);

} // namespace cli
