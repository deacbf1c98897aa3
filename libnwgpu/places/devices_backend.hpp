// SPDX-License-Identifier: BSD-3-Clause
// Several engines of one host as one: the pairs of a piece are dealt out to them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "places/pairs_call.hpp"
#include "places/row_deal.hpp"

namespace nwgpu::places {

// A pair that would make the others wait is dealt out by rows; another piece of one pair, or of so little work that
// one device has done it sooner, goes to the first device.  Each gets an equal part of a limit of host memory.  A
// device that fails gets nothing more, and the others do its pairs; the call fails when none is left.  `warn` is told,
// on any thread.
std::unique_ptr<Backend> make_devices_backend(std::vector<Device> devices, Speed const & speed, RowRules const & rows,
                                              std::function<void(std::string const &)> warn);

} // namespace nwgpu::places
