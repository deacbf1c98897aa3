// SPDX-License-Identifier: BSD-3-Clause
// What our library says beforehand of the time that a task will take.
#pragma once

#include "peer.hpp"

namespace performance {

double predicted_seconds(Task const & task, Pairs const & pairs);

} // namespace performance
