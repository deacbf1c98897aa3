// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/cut_tile.hpp"

#include <algorithm>

#include "cuda/device/pinned_copy.hpp"
#include "cuda/kernels/boundaries.hpp"

namespace nwgpu::cuda {

template <class S>
CutTile<S>::CutTile(Device & device, Tile<S> const & whole, std::uint64_t tile_rows, std::uint64_t tile_cols,
                    std::uint64_t strip_rows, path::Band const & band) :
    device_{&device},
    whole_{whole},
    tile_rows_{tile_rows},
    tile_cols_{tile_cols},
    strip_rows_{strip_rows},
    row_lines_{path::row_cuts(whole.rows, whole.cols, tile_rows, {band.from(whole.row, whole.col), strip_rows})},
    col_lines_{path::col_cuts(whole.rows, whole.cols, tile_cols, {band.from(whole.row, whole.col), strip_rows})},
    row_cuts_{device, row_lines_.entries},
    col_cuts_{device, col_lines_.entries},
    work_{device, whole.cols}
{}

template <class S>
void CutTile<S>::describe(SweepJob<S> & job) const
{
    job.work = work_.data();
    job.row_cuts = row_cuts_.data() + row_lines_.offset;
    job.row_stride = row_lines_.stride;
    job.strips_apart = tile_rows_ < whole_.rows ? static_cast<std::uint32_t>(tile_rows_ / strip_rows_) : 0;
    job.col_cuts = col_cuts_.data() + col_lines_.offset;
    job.col_stride = col_lines_.stride;
    job.cols_apart = tile_cols_ < whole_.cols ? static_cast<std::uint32_t>(tile_cols_) : 0;
}

template <class S>
void CutTile<S>::fill(Kept<S> entry)
{
    fill_entries(*device_, row_cuts_.data(), row_cuts_.size(), entry);
    fill_entries(*device_, col_cuts_.data(), col_cuts_.size(), entry);
}

template <class S>
void CutTile<S>::own_left()
{
    left_ = DeviceArray<Kept<S>>{*device_, whole_.rows + 1};
    check(cudaMemcpyAsync(left_.data(), whole_.left - 1, left_.bytes(), cudaMemcpyDeviceToDevice, device_->stream()),
          "copying a boundary");
    whole_.left = left_.data() + 1;
}

template <class S>
void CutTile<S>::save(checkpoint::Slab & slab, WrittenBottom const & written, Sweeper<S> const & sweeper,
                      Monitor & monitor) const
{
    slab.bottom = bottom(monitor);
    auto * const entries = reinterpret_cast<Kept<S> *>(slab.bottom.data());
    KeptCode<S> const & code = sweeper.args().code;
    std::uint64_t const cols = whole_.cols, begin = std::min<std::uint64_t>(written.begin, cols),
                        end = std::clamp<std::uint64_t>(written.end, begin, cols);
    std::fill_n(entries, begin, code.keep(0));
    std::fill(entries + end, entries + cols, code.keep(0));
    if (begin < end)
        path::raise_beside(begin, end, path::widened(code.show(entries[begin])),
                           path::widened(code.show(entries[end - 1])), sweeper.most_steps(), 0, cols,
                           [&](std::uint64_t col, Entry<std::int64_t> const & cell) {
                               entries[col] = code.keep({static_cast<S>(cell.h), static_cast<S>(cell.gap)});
                           });
    slab.row_cuts = fetch(*device_, row_cuts_.data(), row_cuts_.bytes(), monitor);
    slab.col_cuts = fetch(*device_, col_cuts_.data(), col_cuts_.bytes(), monitor);
}

template <class S>
checkpoint::Bytes CutTile<S>::bottom(Monitor & monitor) const
{
    return fetch(*device_, work_.data(), work_.bytes(), monitor);
}

template <class S>
void CutTile<S>::load(checkpoint::Slab const & slab, Monitor & monitor)
{
    send(*device_, row_cuts_.data(), slab.row_cuts.data(), slab.row_cuts.size(), monitor);
    send(*device_, col_cuts_.data(), slab.col_cuts.data(), slab.col_cuts.size(), monitor);
}

template <class S>
Tile<S> CutTile<S>::part(std::uint64_t i, std::uint64_t j) const
{
    std::uint64_t const row = (i - 1 - whole_.row) / tile_rows_, col = (j - 1 - whole_.col) / tile_cols_;
    Tile<S> part;
    part.row = whole_.row + row * tile_rows_;
    part.col = whole_.col + col * tile_cols_;
    part.rows = std::min(tile_rows_, whole_.row + whole_.rows - part.row);
    part.cols = std::min(tile_cols_, whole_.col + whole_.cols - part.col);
    part.top =
        row == 0 ? whole_.top + col * tile_cols_ : row_cuts_.data() + row_lines_.place(row - 1, col * tile_cols_);
    part.left =
        col == 0 ? whole_.left + row * tile_rows_ : col_cuts_.data() + col_lines_.place(col - 1, row * tile_rows_);
    return part;
}

template class CutTile<std::int32_t>;
template class CutTile<std::int64_t>;

} // namespace nwgpu::cuda
