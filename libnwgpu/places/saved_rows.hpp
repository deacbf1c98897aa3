// SPDX-License-Identifier: BSD-3-Clause
// The rows of a pair that earlier rounds, or another run, have saved (checkpoint/folder.hpp): on rank 0, which alone
// reads and writes the folder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "backend/row_share.hpp"
#include "checkpoint/folder.hpp"

namespace nwgpu::places {

class SavedRows {
public:
    // Opens the checkpoint of the request; `piece` (one pair) lives longer.  Throws Error checkpoint.
    SavedRows(Piece const & piece, Monitor & monitor);

    std::uint64_t rows() const { return last_.shape.end(); }
    // What was begun in a band is ended by the engine that aligns pairs whole.
    bool is_banded() const { return !last_.shape.band.everything(); }
    // Of these rows, in the matrix; where paths may end anywhere, and in the last column where their end is free.
    RowEnd best() const;
    // Makes their last row ready for bottom().
    void unpack_bottom();
    // From column `begin` on.  On any thread, until save() is called.
    void bottom(std::uint64_t begin, std::span<RowEntry> to) const;

    // The next ones; returns before they are written, but after those of the round before.  Throws Error communication
    // where they are others than asked for.
    void save(std::vector<checkpoint::Slab> && slabs);
    WalkedRows walk(RowEngine & engine, path::Cursor const & from, Monitor & monitor)
    {
        return engine.walk_saved(piece_, folder_, from, monitor);
    }
    // The pair is done.
    void clear() { folder_.clear(); }

private:
    void go_below(checkpoint::Slab const & slab);
    void check_bottom() const;

    Piece const & piece_;
    PairView const pair_;
    checkpoint::SlabReader const reader_;
    checkpoint::Folder folder_;
    checkpoint::Slab last_;        // without what it keeps for a path
    std::vector<RowEntry> bottom_; // of it
};

} // namespace nwgpu::places
