// SPDX-License-Identifier: BSD-3-Clause
// What the sparse GPU algorithms of paper A share: header rows and columns of tiles on the device (tileHrowMat and
// tileHcolMat), the borders among them, and the walk back over them on the host.
//
//     c r r r | c r r r     every tile has the row above it (r) and the column to its left, with the corner c in both;
//     c . . . | c . . .     a tile writes its last row as the header of the tile below, its last column as that of the
//     c . . . | c . . x     tile to the right
#pragma once

#include "published/parts/linear_pair.cuh"
#include "published/parts/sparse_trace.hpp"

namespace nwgpu::published {

struct DeviceHeaders {
    DeviceArray<Score> rows, cols;

    DeviceHeaders(Device & device, Headers & headers) :
        rows{device, headers.row_scores()}, cols{device, headers.col_scores()}
    {
        headers.rows = rows.data();
        headers.cols = cols.data();
    }
};

namespace {

// The headers of the first row and column of tiles.
__global__ void border_headers(LinearPair p, Headers headers)
{
    for (std::uint64_t k = thread_number(); k < p.cols + headers.grid.across; k += thread_count()) {
        auto const tile = static_cast<std::uint32_t>(k / (headers.width + 1));
        auto const c = static_cast<std::uint32_t>(k % (headers.width + 1));
        headers.row(0, tile)[c] = p.border(std::uint64_t{tile} * headers.width + c);
    }
    for (std::uint64_t k = thread_number(); k < p.rows + headers.grid.down; k += thread_count()) {
        auto const tile = static_cast<std::uint32_t>(k / (headers.height + 1));
        auto const r = static_cast<std::uint32_t>(k % (headers.height + 1));
        headers.col(tile, 0)[r] = p.border(std::uint64_t{tile} * headers.height + r);
    }
}

} // namespace

inline void launch_border_headers(GpuTask const & task, LinearPair const & pair, Headers const & headers)
{
    std::uint64_t const most = std::max(pair.cols + headers.grid.across, pair.rows + headers.grid.down);
    launch(task.device, border_headers, {ceil_div(most, 256), 256}, pair, headers);
}

// The headers in host memory.
class HostHeaders {
public:
    HostHeaders(Device & device, Headers const & on_device) :
        rows_{std::make_unique_for_overwrite<Score[]>(on_device.row_scores())},
        cols_{std::make_unique_for_overwrite<Score[]>(on_device.col_scores())},
        headers_{on_device}
    {
        device.download(rows_.get(), on_device.rows, on_device.row_scores() * sizeof(Score));
        device.download(cols_.get(), on_device.cols, on_device.col_scores() * sizeof(Score));
        headers_.rows = rows_.get();
        headers_.cols = cols_.get();
    }
    Headers const & get() const { return headers_; }

private:
    std::unique_ptr<Score[]> rows_, cols_;
    Headers headers_;
};

// Copies all headers to the host, as the paper does; the last tile gives the score.
inline PairResult finish_sparse(GpuTask const & task, Headers const & on_device)
{
    HostHeaders const headers{task.device, on_device};
    SparseTrace trace{task.task};
    Score const score = trace.last_score(headers.get(), 0, 0);
    if (task.task.traced())
        trace.walk(headers.get(), 0, 0);
    return trace.finish(score);
}

} // namespace nwgpu::published
