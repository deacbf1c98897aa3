// SPDX-License-Identifier: BSD-3-Clause
// Rank 0's engine: the pairs of a piece are dealt out to all ranks, itself among them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "places/deal.hpp"
#include "places/world.hpp"

namespace nwgpu::places {

// `local` is the engine of rank 0 itself.  A piece of one pair, or of so little work that this rank has done it sooner,
// goes to it.  A rank whose device fails gets nothing more, and the others do its pairs; any other failure of a rank as
// a whole is that of the call, with rank and host.  `warn` is told.
std::unique_ptr<Backend> make_ranks_backend(std::shared_ptr<World> world, std::unique_ptr<Backend> local,
                                            Speed const & speed, std::function<void(std::string const &)> warn);

} // namespace nwgpu::places
