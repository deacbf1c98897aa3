// SPDX-License-Identifier: BSD-3-Clause
// The second round of pairs: what their bands need is known, or all their cells are computed.  Pairs that cannot be
// computed so are left to others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/batch/chunk.hpp"
#include "cuda/batch/slot.hpp"

namespace nwgpu::cuda::batch {

struct SecondRound {
    std::vector<std::uint64_t> pairs;
    BatchWork work;

    SecondRound(Batch const & batch, BatchWork const & first, std::vector<Unproven> unproven,
                std::vector<std::uint64_t> & others) :
        work{first}
    {
        std::sort(unproven.begin(), unproven.end(), [](auto const & a, auto const & b) { return a.pair < b.pair; });
        for (auto const & [pair, half_width] : unproven) {
            if (work.class_of(batch.view(pair), half_width) < 0) {
                others.push_back(pair);
                continue;
            }
            pairs.push_back(pair);
            work.half_widths.push_back(half_width);
        }
    }
    Piece piece(Piece const & all) const { return {all.batch, pairs, all.scoring, all.request, all.max_host_bytes}; }
};

} // namespace nwgpu::cuda::batch
