// SPDX-License-Identifier: BSD-3-Clause
// Neighbouring slabs as one: the rows that several places have swept are saved in few files.
#pragma once

#include <vector>

#include "checkpoint/slab.hpp"

namespace nwgpu::checkpoint {

// Whether the path ends rather in the lower one of two slabs, by the tie rule: smallest column, then row.
bool has_better_end(SlabShape const & lower, SlabShape const & upper);

class SlabJoiner {
public:
    // The next one below those that were added.  Its best end, if it names one, is one of its own rows.
    void add(Slab && slab);
    // From the top to the bottom: one where all have tiles that go on across their boundaries, and it is not too large
    // for a device that has to walk through it.  What they name as the best end may be in a slab above.
    std::vector<Slab> take();

private:
    bool goes_on(SlabShape const & next) const;
    void close();

    std::vector<Slab> parts_; // of the slab at hand
    std::vector<Slab> joined_;
};

} // namespace nwgpu::checkpoint
