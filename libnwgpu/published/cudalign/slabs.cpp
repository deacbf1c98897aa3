// SPDX-License-Identifier: BSD-3-Clause
#include "published/cudalign/slabs.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/ceil_div.hpp"
#include "checkpoint/folder.hpp"
#include "published/cudalign/special_rows.hpp"
#include "published/parts/stored_matrix.hpp"

namespace nwgpu::published {

namespace {

using checkpoint::Entry;
using checkpoint::Slab;
using checkpoint::SlabShape;

class SlabRun {
public:
    SlabRun(Task const & task, RowSweeper & sweeper) :
        task_{task},
        sweeper_{sweeper},
        m_{task.pair.m},
        n_{task.pair.n},
        reader_{task.pair, task.scoring, task.request.mode}
    {
        CheckpointRequest const & wanted = task.request.checkpoint;
        if (!wanted.folder.empty())
            folder_.emplace(wanted.folder, checkpoint::Problem{task.pair, task.scoring, task.request.mode},
                            wanted.resume);
    }

    PairResult align()
    {
        if (folder_ && folder_->count() > 0)
            take_over();
        auto const asked = static_cast<std::uint64_t>(task_.choice.value("checkpoint"));
        // The first slab takes its time; how long tells how many strips the next one may have.
        std::uint64_t strips = asked > 0 ? asked : 4 * sweeper_.diagonals_to_drain();
        while (true) {
            std::uint64_t const row = slab_.shape.end(), left = m_ - row;
            auto const begin = std::chrono::steady_clock::now();
            Swept const swept = sweep(row, folder_ ? std::min(strips * sweeper_.strip_rows(), left) : left);
            if (slab_.shape.end() == m_)
                return finish(affine_end(task_, swept.corner, swept.best));
            save(swept);
            std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
            double const times = std::clamp(task_.request.checkpoint.seconds / (seconds.count() + 1e-6), 1.0, 1e3);
            if (asked == 0)
                strips = static_cast<std::uint64_t>(static_cast<double>(strips) * times);
        }
    }

private:
    // Below the slabs of an earlier run.
    void take_over()
    {
        Request const & request = task_.request;
        if (request.output >= (request.mode.local ? Output::end : Output::span))
            folder_->require_tiles();
        auto const last = folder_->load(folder_->count() - 1);
        SlabShape const & shape = last->shape;
        if (!shape.band.everything())
            throw checkpoint::file_error(request.checkpoint.folder,
                                         "the checkpoint was begun in a band: resume it without an algorithm");
        slab_.shape = shape;
        Best best;
        best.score = static_cast<Score>(shape.best_score);
        best.i = static_cast<std::uint32_t>(shape.best_i);
        best.j = static_cast<std::uint32_t>(shape.best_j);
        std::vector<BusEntry> row;
        row.reserve(n_);
        for (Entry const & entry : checked(reader_.below(last.get()), &*folder_).top)
            row.push_back({static_cast<Score>(entry.h), static_cast<Score>(entry.gap + task_.extend())});
        sweeper_.start_below(row, best);
    }

    Swept sweep(std::uint64_t row, std::uint64_t rows)
    {
        std::uint64_t const strip = sweeper_.strip_rows(), strips = ceil_div(m_, strip);
        std::uint64_t const apart = // strips between two special rows
            task_.traced() ? ceil_div(strips, static_cast<std::uint64_t>(task_.choice.value("rows")) + 1) : 0;
        slab_ = {};
        SlabShape & shape = slab_.shape;
        shape.row = row;
        shape.rows = rows;
        shape.cols = shape.tile_cols = n_;
        shape.strip_rows = strip;
        shape.tile_rows = (apart > 0 ? apart : ceil_div(rows, strip)) * strip;
        if (!path::keeps_in_32_bits(task_.scoring, m_, n_))
            shape.entry_bytes = sizeof(path::Kept<std::int64_t>);
        std::uint64_t const special = shape.row_lines().entries;
        check_memory(special);

        Swept swept = sweeper_.sweep(row, rows, apart, row + rows < m_);
        slab_.row_cuts.resize(special * shape.entry_bytes);
        for (std::uint64_t k = 0; k < special / n_; ++k)
            keep(swept.special.data() + k * swept.width, slab_.row_cuts, k * n_);
        swept.special = {};
        if (task_.request.mode.local && swept.best.score > 0) {
            shape.best_score = swept.best.score;
            shape.best_i = swept.best.i;
            shape.best_j = swept.best.j;
            if (shape.best_i == 0) // an engine that was asked for the score does not know the cell
                shape.tile_rows = shape.tile_cols = 0;
        }
        return swept;
    }

    // As they come from the GPU, and in the slabs, of which one may be on its way to its file.
    void check_memory(std::uint64_t special) const
    {
        std::uint64_t const entry = sizeof(BusEntry) + (folder_ ? 2 : 1) * slab_.shape.entry_bytes;
        if (special > task_.max_host_bytes / entry)
            throw Error{Status::memory_limit, "the special rows need " + std::to_string(special * entry) +
                                                  " bytes of host memory, there are " +
                                                  std::to_string(task_.max_host_bytes)};
    }

    void keep(BusEntry const * from, checkpoint::Bytes & to, std::uint64_t at) const
    {
        for (std::uint64_t j = 0; j < n_; ++j) {
            auto const [h, f] = from[j];
            std::int64_t const gap = std::max<std::int64_t>(f, std::int64_t{h} - task_.open()) - task_.extend();
            reader_.store({h, gap}, to, at + j, slab_.shape);
        }
    }

    void save(Swept const & swept)
    {
        SlabShape const shape = slab_.shape;
        slab_.bottom.resize(n_ * shape.entry_bytes);
        keep(swept.bottom.data(), slab_.bottom, 0);
        folder_->save(std::move(slab_));
        slab_ = {};
        slab_.shape = shape;
        task_.monitor.report(shape.end() * n_);
        task_.monitor.throw_if_stopped();
    }

    PairResult finish(PairResult end)
    {
        if (task_.traced() && end.score >= task_.request.min_score)
            end = walk_special_rows(task_, reader_, slab_, folder_ ? &*folder_ : nullptr, end);
        if (folder_)
            folder_->clear();
        return end;
    }

    Task const & task_;
    RowSweeper & sweeper_;
    std::uint64_t const m_, n_;
    checkpoint::SlabReader const reader_;
    std::optional<checkpoint::Folder> folder_; // none: nothing is saved
    Slab slab_;                                // the one that was swept last
};

} // namespace

PairResult align_by_slabs(Task const & task, RowSweeper & sweeper) { return SlabRun{task, sweeper}.align(); }

} // namespace nwgpu::published
