// SPDX-License-Identifier: BSD-3-Clause
// Threads for a library that has none: the plain loop over pairs that any user would write.
#pragma once

#include "peer.hpp"

namespace performance {

// Each thread has a session of its own with every n-th pair; with one thread, the peer itself.
std::unique_ptr<Peer> in_parallel(std::unique_ptr<Peer> peer);

} // namespace performance
