// SPDX-License-Identifier: BSD-3-Clause
// A slab as a file: a header, then the arrays.  docs/checkpoints.md has the format.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/error.hpp"
#include "checkpoint/problem.hpp"

namespace nwgpu::checkpoint {

// Numbers as a little-endian machine has them.  Plain data, without padding.
struct SlabHeader {
    char magic[8] = {'n', 'w', 'g', 'p', 'u', 's', 'l', 'b'};
    std::uint64_t version = 3;
    Identity identity;
    std::uint64_t number = 0; // of the slab, from 0
    SlabShape shape;
    SlabSizes sizes;
    std::uint64_t content = 0; // fingerprint of the three arrays
    std::uint64_t header = 0;  // fingerprint of everything before it
};

// For messages: what helps against a damaged file.
extern char const * const remedy_for_damage;

// Error checkpoint about a file.  `why` may end with what to do.
Error file_error(std::string const & file, std::string const & why);
// The same about the last call of the system, by errno.
Error system_call_error(std::string const & file);

// The header of a file that is as long as it says, and has not changed.  Throws Error checkpoint.
SlabHeader read_slab_header(std::string const & file);

// Called between two pieces; what it throws ends the work.
using Between = std::function<void()>;

// The slab of a file that still has this header, which is known to be in order.  Throws Error checkpoint, or
// std::bad_alloc.
Slab read_slab(std::string const & file, SlabHeader const & header, Between const & between);

// Writes a file of this name, or leaves none.  Of the header the identity and the number are asked for; returns it as
// it was written.  `durable`: the content is on the disk afterwards.  Throws Error checkpoint.
SlabHeader write_slab(std::string const & file, SlabHeader header, Slab const & slab, bool durable,
                      Between const & between);

} // namespace nwgpu::checkpoint
