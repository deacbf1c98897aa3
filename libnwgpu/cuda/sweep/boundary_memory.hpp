// SPDX-License-Identifier: BSD-3-Clause
// Memory for the boundaries of whole matrices, one allocation for all of them.
#pragma once

#include <vector>

#include "cuda/device/device.hpp"
#include "cuda/kernels/sweep_job.hpp"

namespace nwgpu::cuda {

template <class S>
class Borders {
public:
    // Gives every job its top, left and work line, and those of its right and bottom that are asked for.
    Borders(Device & device, std::vector<SweepJob<S>> & jobs, bool right, bool bottom)
    {
        std::uint64_t entries = 0, bottoms = 0;
        for (SweepJob<S> const & job : jobs) {
            entries += 2 * std::uint64_t{job.cols} + (right ? 2 : 1) * (std::uint64_t{job.rows} + 1);
            bottoms += bottom ? job.cols : 0;
        }
        lines_ = DeviceArray<Kept<S>>{device, entries};
        bottoms_ = DeviceArray<S>{device, bottoms};
        Kept<S> * line = lines_.data();
        S * scores = bottoms_.data();
        for (SweepJob<S> & job : jobs) {
            job.top = line;
            job.work = line + job.cols;
            job.left = job.work + job.cols + 1;
            line += 2 * std::uint64_t{job.cols} + job.rows + 1;
            if (right) {
                job.right = line + 1;
                line += std::uint64_t{job.rows} + 1;
            }
            if (bottom) {
                job.bottom = scores;
                scores += job.cols;
            }
        }
    }

private:
    DeviceArray<Kept<S>> lines_;
    DeviceArray<S> bottoms_;
};

} // namespace nwgpu::cuda
