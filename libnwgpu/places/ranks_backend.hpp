// SPDX-License-Identifier: BSD-3-Clause
// Rank 0's engine: the pairs of a piece are dealt out to all ranks, itself among them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "places/deal.hpp"
#include "places/row_deal.hpp"
#include "places/world.hpp"

namespace nwgpu::places {

// `local` is the engine of rank 0 itself.  A piece of so little work that this rank has done it sooner goes to it.
// Pairs that are worth it are dealt out by rows (row_deal.hpp), one after the other, before the others are dealt out; a
// global one whose sequences are so similar that few cells are enough stays with rank 0, as one that a rank has no
// memory for.  A rank whose device fails gets nothing more, and the others do its pairs; any other failure of a rank as
// a whole is that of the call, with rank and host.  `warn` is told.
std::unique_ptr<Backend> make_ranks_backend(std::shared_ptr<World> world, std::unique_ptr<Backend> local,
                                            Speed const & speed, RowRules const & rows,
                                            std::function<void(std::string const &)> warn);

} // namespace nwgpu::places
