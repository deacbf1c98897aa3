// SPDX-License-Identifier: BSD-3-Clause
// One pair whose rows are dealt out to several places.  Each place sweeps its share, some neighbouring rows from side
// to side, panel by panel (a panel is some neighbouring columns of a share); the boundary below a panel flows on to the
// place that has the rows below, which sweeps that panel while this place sweeps the next one.  Then the path is walked
// share by share, from the one that holds its end back.  A share is determined by its letters and its boundaries
// (docs/proofs.md, lemma 4), so each place may have an engine of its own kind.
//
// A share may have several parts, with rows of other places between them: places that sweep a part in one go begin the
// next one while the last rows of the one before are still on their way.
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

struct RowRange {
    std::uint64_t row = 0, rows = 0;
};

struct RowTask {
    PairView pair;         // the share's letters of the query, those between its parts too, all of the target; neither
                           // is empty
    std::uint64_t row = 0; // rows of the matrix above the share
    std::uint64_t all_rows = 0; // of the matrix
    std::uint64_t panel_cols = UINT64_MAX;
    Scoring const & scoring;          // lives longer than the share, as the letters and the request
    Request const & request;          // of RowEngine::suits()
    std::uint64_t max_host_bytes = 0; // for the share; 0: no limit
    std::uint64_t max_slab_bytes = 0; // of all its slabs(); 0: they are not asked for
    std::int64_t known_score = 0;     // that some alignment of the pair has: lemma 19
    // Of the letters of `pair`, from the top to the bottom; empty: one part, all of them.
    std::vector<RowRange> parts = {};

    // Of the panel that begins after so many columns.
    std::uint64_t panel_end(std::uint64_t begin) const
    {
        return pair.n - begin > panel_cols ? begin + panel_cols : pair.n;
    }
    std::size_t part_count() const { return parts.empty() ? 1 : parts.size(); }
    RowRange part(std::size_t k) const { return parts.empty() ? RowRange{0, pair.m} : parts[k]; }
    bool is_first(std::size_t k = 0) const { return row + part(k).row == 0; }
    bool is_last(std::size_t k = 0) const { return row + part(k).row + part(k).rows == all_rows; }

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

// How the boundaries of a share's parts come and go: for each part in order, all columns of a panel at a time.  One
// thread at a time.  Members throw Error cancelled where somebody has ended the pair.
class RowLines {
public:
    virtual ~RowLines() = default;
    // The row above a part, from column `begin` on; waits until it is there.  Not for the first part of the matrix.
    virtual void receive(std::size_t part, std::uint64_t begin, std::span<RowEntry> to) = 0;
    // The same without a wait.  False: it is not there yet.
    virtual bool try_receive(std::size_t part, std::uint64_t begin, std::span<RowEntry> to) = 0;
    // The last row of a part; waits where the receiver is far behind.  Not for the last part of the matrix.
    virtual void send(std::size_t part, std::uint64_t begin, std::span<RowEntry const> from) = 0;
    // The same without a wait.  False: the receiver is far behind.
    virtual bool try_send(std::size_t part, std::uint64_t begin, std::span<RowEntry const> from) = 0;
    // The highest score that any place has found so far, as far as it is known here; `own`: that of this share.
    virtual std::int64_t best_so_far(std::int64_t own) { return own; }
};

// Cell (i, j) of a part: so many letters before it.
struct RowEnd {
    std::int64_t score = INT64_MIN; // there is no end
    std::uint64_t i = 0, j = 0;
};

// Of ends in other rows, the upper ones first: whether `one` goes before `best` by the tie rule.
inline bool goes_before(RowEnd const & one, RowEnd const & best)
{
    return one.score > best.score || (one.score == best.score && one.j < best.j);
}

// What is known of the best end in a part.  Plain data.  `i` and `j` are letters before the end.
struct SweptRows {
    // Where paths may end anywhere: the first column that has the best score, and no row.  The column is right for the
    // part that decides: it may be missing where another part of the share has a higher score.
    RowEnd anywhere;
    RowEnd in_last_column;   // of free query ends: the first best, but for the last cell of the matrix
    RowEnd in_last_row;      // of the last part, the same of free target ends
    std::int64_t corner = 0; // of the last part: the last cell of the matrix
};

struct WalkedRows {
    path::Cursor end, begin; // where the walk began, and where it left the part; in its own rows
    Runs runs;
};

class RowShare {
public:
    virtual ~RowShare() = default;
    // All members may be called on any thread, one at a time, sweep() first.  They throw Error cancelled when the
    // monitor is stopped, and std::bad_alloc.
    // What it returns has an entry per part.
    virtual std::vector<SweptRows> sweep(RowLines & lines, Monitor & monitor) = 0;
    // From a cursor in a part, or on its bottom, to its top, to column 0 or to where the path begins.
    virtual WalkedRows walk(std::size_t part, path::Cursor const & from, Monitor & monitor) = 0;
    // The same from SweptRows::anywhere, whose row is found first.  Without `with_path` that is all.
    virtual WalkedRows walk_from_best(std::size_t part, bool with_path, Monitor & monitor) = 0;
    // The rows of a part, which is not the last of the matrix, as slabs: neighbouring ones from the top on.  The best
    // end that a slab names is one of its own rows; where paths may end anywhere, it names none that `above`, the best
    // one of all rows above the part, goes before.
    virtual std::vector<checkpoint::Slab> slabs(std::size_t /*part*/, RowEnd const & /*above*/, Monitor &)
    {
        throw Error{Status::unsupported, "this engine's shares of rows cannot be saved"};
    }
};

// How an engine likes its shares, for dealing out rows.  Plain data.
struct RowPace {
    double cells_per_second = 0;    // of long shares, about; 0: it takes none
    std::uint64_t unit_rows = 1;    // shares are a multiple of this, but for the last one of a pair
    std::uint64_t least_rows = 1;   // of a share, about: with less there is not enough to do at a time
    std::uint64_t fill_cols = 0;    // what a panel takes longer than its columns, in columns, about
    std::uint64_t rows_at_once = 0; // that are swept in one go, as the rows of a part should be; 0: whatever they are
    std::uint64_t least_cols = 1;   // of a panel
    // Of each slab of its shares, about, which have slabs(), and it knows walk_saved(); 0: they have none.
    std::uint64_t slab_rows = 0;
    // Which chip sweeps, on whatever host; 0: none that others could hold.  A chip has the parts of one share at a
    // time, so only shares on different chips may each have parts that wait for the other's.
    std::uint64_t chip = 0;
};

// Of an engine that takes part in such pairs.
class RowEngine {
public:
    virtual ~RowEngine() = default;
    virtual bool suits(Request const & request) const = 0;
    virtual RowPace pace() const = 0;
    // The same for a share of so many rows with this scoring, which may be swept in other strips.
    virtual RowPace pace_of(std::uint64_t /*rows*/, Scoring const &) const { return pace(); }
    // Whether one place has answered the pair of the piece (one) in much less time than all cells take, because its
    // sequences are similar; with a checkpoint only where it saves one.
    virtual bool align_if_similar(Piece const & piece, Monitor & monitor, Answers & answers) = 0;
    // That some alignment of the pair of the piece (one) has, if it is of use for shares; 0: none is known.  Throws
    // Error cancelled.
    virtual std::int64_t known_score(Piece const & /*piece*/, Monitor &) { return 0; }
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
