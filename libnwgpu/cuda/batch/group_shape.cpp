// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/group_shape.hpp"

namespace nwgpu::cuda::batch {

GroupShape shape_for(std::uint32_t m, bool large_profiles)
{
    GroupShape best;
    int least = INT32_MAX;
    auto const slower = [&](int rows) { return !large_profiles || rows <= 16 ? 4 : rows <= 32 ? 5 : 8; };
    for (int height = 0; height < height_count; ++height)
        for (int log_lanes = 0; log_lanes < lane_counts; ++log_lanes) {
            GroupShape const shape{height, log_lanes};
            if (shape.capacity() < m)
                continue;
            int const cost = shape.cost() * slower(shape.rows());
            if (cost < least) {
                least = cost;
                best = shape;
            }
        }
    return best;
}

int chain_for(std::uint64_t m)
{
    for (int which = first_group_chain; which < couple_class; ++which)
        if (GroupShape::of(which).capacity() >= m)
            return which;
    return -1;
}

} // namespace nwgpu::cuda::batch
