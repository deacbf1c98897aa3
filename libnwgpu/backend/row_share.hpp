// SPDX-License-Identifier: BSD-3-Clause
// One pair whose rows are dealt out to several places.  Each place sweeps its share, some neighbouring rows from side
// to side, panel by panel (a panel is some neighbouring columns of a share); the boundary below a panel flows on to the
// place that has the rows below, which sweeps that panel while this place sweeps the next one.  Then the path is walked
// share by share, from the one that holds its end back.  A share is determined by its letters and its boundaries
// (docs/proofs.md, lemma 4), so each place may have an engine of its own kind.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "base/error.hpp"
#include "checkpoint/slab.hpp"
#include "path/end.hpp"
#include "path/kept.hpp"
#include "path/walk.hpp"

namespace nwgpu::checkpoint {
class Folder;
}

namespace nwgpu {

// H and F along a row, absolute.
using RowEntry = path::Entry<std::int64_t>;

struct RowTask {
    PairView pair;              // the share's letters of the query, all of the target; neither is empty
    std::uint64_t row = 0;      // rows of the matrix above the share
    std::uint64_t all_rows = 0; // of the matrix
    std::uint64_t panel_cols = UINT64_MAX;
    Scoring const & scoring;          // lives longer than the share, as the letters and the request
    Request const & request;          // of RowEngine::suits()
    std::uint64_t max_host_bytes = 0; // for the share; 0: no limit
    std::uint64_t max_slab_bytes = 0; // of all its slabs(); 0: they are not asked for

    bool is_first() const { return row == 0; }
    bool is_last() const { return row + pair.m == all_rows; }

    // The matrix's row above its first letter, and its column left of it, so many letters from their begin.
    RowEntry top_border(std::uint64_t letters) const { return border(letters, request.mode.free_target_begin); }
    RowEntry left_border(std::uint64_t letters) const { return border(letters, request.mode.free_query_begin); }

private:
    RowEntry border(std::uint64_t letters, bool free) const
    {
        GapCost const gap = scoring.gap();
        std::int64_t const h = free || request.mode.begins_anywhere() ? 0 : path::gap_score(gap, letters);
        return {h, h - gap.open - gap.extend};
    }
};

// How a share's boundaries come and go: in order, all columns of a panel at a time.
class RowLines {
public:
    virtual ~RowLines() = default;
    // The row above the share, from column `begin` on; waits until it is there.  Not for the first share.  Throws Error
    // cancelled.
    virtual void receive(std::uint64_t begin, std::span<RowEntry> to) = 0;
    // The last row of the share.  Not for the last share.
    virtual void send(std::uint64_t begin, std::span<RowEntry const> from) = 0;
};

// Cell (i, j) of a share: so many letters before it.
struct RowEnd {
    std::int64_t score = INT64_MIN; // there is no end
    std::uint64_t i = 0, j = 0;
};

// What a share knows of the best end.  Plain data.  `i` and `j` are letters before the end.
struct SweptRows {
    RowEnd anywhere;         // where paths may end anywhere: the first column that has the best score; no row
    RowEnd in_last_column;   // of free query ends: the first best, but for the last cell of the matrix
    RowEnd in_last_row;      // of the last share, the same of free target ends
    std::int64_t corner = 0; // of the last share: the last cell of the matrix
};

struct WalkedRows {
    path::Cursor end, begin; // where the walk began, and where it left the share; in its own rows
    Runs runs;
};

class RowShare {
public:
    virtual ~RowShare() = default;
    // All members may be called on any thread, one at a time, sweep() first.  They throw Error cancelled when the
    // monitor is stopped, and std::bad_alloc.
    virtual SweptRows sweep(RowLines & lines, Monitor & monitor) = 0;
    // From a cursor in the share, or on its bottom, to its top, to column 0 or to where the path begins.
    virtual WalkedRows walk(path::Cursor const & from, Monitor & monitor) = 0;
    // The same from SweptRows::anywhere, whose row is found first.  Without `with_path` that is all.
    virtual WalkedRows walk_from_best(bool with_path, Monitor & monitor) = 0;
    // Its rows as slabs, neighbouring ones from the top on.  The best end that a slab names is one of its own rows;
    // where paths may end anywhere, it names none that `above`, the best one of all rows above the share, goes before.
    virtual std::vector<checkpoint::Slab> slabs(RowEnd const & /*above*/, Monitor &)
    {
        throw Error{Status::unsupported, "this engine's shares of rows cannot be saved"};
    }
};

// How an engine likes its shares, for dealing out rows.  Plain data.
struct RowPace {
    double cells_per_second = 0;  // of long shares, about; 0: it takes none
    std::uint64_t unit_rows = 1;  // shares are a multiple of this, but for the last one of a pair
    std::uint64_t least_rows = 1; // of a share, about: with less there is not enough to do at a time
    // What a panel takes longer than its columns, in columns, about, as many rows being swept at a time as here; 0:
    // whatever the rows are.
    std::uint64_t fill_cols = 0, rows_at_once = 0;
    std::uint64_t least_cols = 1; // of a panel
    std::uint64_t saves = 0;      // 1: its shares have slabs(), and it knows walk_saved()
};

// Of an engine that takes part in such pairs.
class RowEngine {
public:
    virtual ~RowEngine() = default;
    virtual bool suits(Request const & request) const = 0;
    virtual RowPace pace() const = 0;
    // Whether one place has answered the pair of the piece (one) in much less time than all cells take, because its
    // sequences are similar.
    virtual bool align_if_similar(Piece const & piece, Monitor & monitor, Answers & answers) = 0;
    // Throws Error memory_limit, out_of_device_memory; unsupported for rows that are no multiple of pace().unit_rows.
    virtual std::unique_ptr<RowShare> share(RowTask const & task) = 0;
    // From a cell of the saved rows of the pair of the piece (one), or from their bottom, to where the path begins or
    // to row or column 0.  Throws Error checkpoint, memory_limit.
    virtual WalkedRows walk_saved(Piece const & /*piece*/, checkpoint::Folder &, path::Cursor const & /*from*/,
                                  Monitor &)
    {
        throw Error{Status::unsupported, "this engine does not walk through saved rows"};
    }
};

} // namespace nwgpu
