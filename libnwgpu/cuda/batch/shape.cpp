// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/shape.hpp"

namespace nwgpu::cuda::batch {

Shape shape_for(std::uint32_t m, bool many_letters)
{
    Shape best;
    int least = INT32_MAX;
    for (int height = 0; height < height_count; ++height)
        for (int log_lanes = 0; log_lanes < lane_counts; ++log_lanes) {
            Shape const shape{height, log_lanes};
            if (shape.capacity() < m)
                continue;
            // A profile of many letters leaves room for few warps of high blocks.
            int const cost = shape.cost() * (many_letters && shape.rows() > 32 ? 2 : 1);
            if (cost < least) {
                least = cost;
                best = shape;
            }
        }
    return best;
}

} // namespace nwgpu::cuda::batch
