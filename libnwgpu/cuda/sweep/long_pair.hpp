// SPDX-License-Identifier: BSD-3-Clause
// One long pair: its matrix is swept with boundaries kept for the path, in one go, or slab by slab where it saves
// checkpoints or the device cannot hold them all; the path is found from the last slab to the first.
#pragma once

#include <optional>

#include "backend/row_share.hpp"
#include "checkpoint/slab_store.hpp"
#include "cuda/sweep/boundary_memory.hpp"
#include "cuda/sweep/launch_batch.hpp"
#include "cuda/sweep/path_finder.hpp"

namespace nwgpu::cuda {

struct Saving {
    checkpoint::SlabStore * store = nullptr; // of slabs, which may be there already; null: the pair is swept in one go
    std::uint64_t slab_rows = 0;
    std::uint64_t most_slabs = 0; // Tuning
};

template <class S>
class LongPair {
public:
    // The plan is not traced at once.
    LongPair(Sweeper<S> const & sweeper, Scoring const & scoring, Request const & request, Monitor & monitor,
             DevicePair const & pair, PairPlan const & plan, Saving const & saving);
    ~LongPair();
    void align();
    // From a cell of the rows in the store, or from their bottom.
    WalkedRows walk_saved(path::Cursor const & from);

private:
    void report_while_waiting();
    void sweep(std::uint64_t row, std::uint64_t rows);
    Tile<S> slab_tile(std::uint64_t row, std::uint64_t rows) const;
    void note_best_cell(std::vector<StripBest<S>> const & strips);
    void note_last_column(LastCells const & last);
    // Saves the slab, whose bottom becomes the top of the next one.
    void save(WrittenBottom const & written);
    // The top of the slab that begins at a row, from the bottom of the one before.
    void set_top(checkpoint::Bytes const & bottom, std::uint64_t row);
    void walk(path::Cursor & cursor, CigarBuilder & cigar);
    CutTile<S> load(checkpoint::Slab const & slab, checkpoint::Slab const * above);
    PathFinder<S> path_finder() const
    {
        return {sweeper_, plan_, pair_.pair, request_, pair_.query, pair_.target, monitor_};
    }

    Sweeper<S> const & sweeper_;
    Scoring const & scoring_;
    Request const & request_;
    Mode const mode_;
    Monitor & monitor_;
    DevicePair const & pair_;
    PairPlan const & plan_;
    Saving const saving_;
    std::uint64_t saved_ = 0; // slabs, by this call

    std::vector<SweepJob<S>> whole_; // one job, without kept boundaries
    Borders<S> borders_;
    DeviceArray<Kept<S>> top_;    // of slabs but the first
    std::uint32_t top_end_ = 0;   // a local top is 0 from here on
    checkpoint::SlabShape shape_; // of the slab at hand
    std::optional<CutTile<S>> slab_;
    LastCells last_{};
};

} // namespace nwgpu::cuda
