// SPDX-License-Identifier: BSD-3-Clause
// All peers that this build found, ours first.
#pragma once

#include "peers/peer.hpp"

namespace performance {

Peers const & peers();
// Those that CMake did not find, separated by spaces.
std::string missing_peers();

} // namespace performance
