// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/path_finder.hpp"

#include <algorithm>
#include <cmath>

#include "cuda/kernels/boundaries.hpp"

namespace nwgpu::cuda {

namespace {

// How far the path may be from the guess: it drifts like a random walk, and where a diagonal meets a tile's corner more
// closely it may as well go through one of the tiles beside it.
constexpr std::uint64_t corner_share = 32; // of the tile

std::uint64_t slack(Level const & size, std::uint64_t gone)
{
    return std::max({size.tile_rows / corner_share, size.tile_cols / corner_share,
                     static_cast<std::uint64_t>(std::sqrt(static_cast<double>(gone)))});
}

constexpr SweepPlan plain{.warps_per_multiprocessor = 16, .strip_rows = trace_strip_rows};

// The first item, from one on and round, for which `is` holds; their number if there is none.  A path asks for one tile
// after the other.
template <class Items, class Is>
std::size_t find_from(std::size_t begin, Items const & items, Is const & is)
{
    for (std::size_t k = 0; k < items.size(); ++k)
        if (std::size_t const at = (begin + k) % items.size(); is(items[at]))
            return at;
    return items.size();
}
constexpr std::ptrdiff_t tiles_in_question = 8; // the last ones of a look

template <class S>
std::uint64_t cells_of(std::vector<Tile<S>> const & tiles)
{
    std::uint64_t cells = 0;
    for (Tile<S> const & tile : tiles)
        cells += tile.rows * tile.cols;
    return cells;
}

} // namespace

template <class S>
PathFinder<S>::PathFinder(Sweeper<S> const & sweeper, PairPlan const & plan, PairView const & pair,
                          Request const & request, std::uint8_t const * query, std::uint8_t const * target,
                          Monitor & monitor) :
    sweeper_{sweeper},
    plan_{plan},
    pair_{pair},
    request_{request},
    query_{query},
    target_{target},
    monitor_{monitor},
    cut_(plan.levels.size()),
    looks_(plan.levels.size())
{}

template <class S>
SweepJob<S> PathFinder<S>::job(Tile<S> const & tile) const
{
    SweepJob<S> job;
    job.query = query_ + tile.row;
    job.target = target_ + tile.col;
    job.rows = static_cast<std::uint32_t>(tile.rows);
    job.cols = static_cast<std::uint32_t>(tile.cols);
    job.top = tile.top;
    job.left = tile.left;
    path::Band const band = plan_.band.from(tile.row, tile.col);
    job.band_low = band.low;
    job.band_high = band.high;
    return job;
}

template <class S>
std::uint64_t PathFinder<S>::bytes_of(std::size_t level, Tile<S> const & tile) const
{
    if (level + 1 == cut_.size())
        return trace_bytes(tile.rows, tile.cols, sizeof(Kept<S>));
    return cut_bytes(tile.rows, tile.cols, plan_.levels[level + 1], {plan_.band, plan_.levels[level].sweep.strip_rows},
                     sizeof(Kept<S>)) +
           (level == 0 && request_.mode.local ? (tile.rows + 1) * sizeof(Kept<S>) : 0); // CutTile::own_left()
}

template <class S>
std::uint64_t PathFinder<S>::next_bytes(std::size_t level, path::Cursor const & cursor) const
{
    Level const & size = plan_.levels[level];
    Tile<S> const full{.rows = size.tile_rows, .cols = size.tile_cols};
    std::uint64_t const most = size.tiles_at_once * bytes_of(level, full);
    Look const & last = looks_[level];
    if (last.bytes == 0)
        return most;
    auto const length = [&](std::uint64_t end) {
        return static_cast<double>(last.begin - std::min(end, last.begin - 1));
    };
    double const share = std::min(1.0, length(cursor.i + cursor.j) / length(last.end.i + last.end.j));
    return std::clamp(static_cast<std::uint64_t>(2 * share * static_cast<double>(last.bytes)),
                      2 * bytes_of(level, full), most);
}

template <class S>
auto PathFinder<S>::ahead(std::size_t level, Guess way, std::uint64_t bytes) const -> Look
{
    Level const & size = plan_.levels[level];
    Look look;
    look.begin = way.i + way.j;
    std::size_t cut = 0; // of this level, that held the last cell
    auto const holds = [](Guess const & at) { return [&](auto const & tile) { return tile.holds(at.i, at.j); }; };
    auto const add = [&](Guess const & at, std::uint64_t beside) {
        auto const last = look.tiles.rbegin();
        if (std::any_of(last, last + std::min(tiles_in_question, look.tiles.rend() - last), holds(at)))
            return true;
        std::size_t const found =
            find_from(cut, cut_[level], [&](CutTile<S> const & c) { return c.whole().holds(at.i, at.j); });
        if (found == cut_[level].size())
            return false;
        cut = found;
        Tile<S> tile = cut_[level][cut].part(at.i, at.j);
        tile.end_at(at.i + beside, at.j + beside);
        if (level + 1 < cut_.size())
            for (CutTile<S> const & known : cut_[level + 1])
                if (known.whole().holds(tile))
                    tile = known.whole();
        look.bytes += bytes_of(level, tile);
        if (look.bytes > bytes && !look.tiles.empty())
            return false;
        look.tiles.push_back(tile);
        return true;
    };
    for (;;) {
        std::uint64_t const beside = slack(size, way.gone);
        if (way.i == 0 || way.j == 0 || !add(way, way.gone > 0 ? beside : 0))
            break;
        Tile<S> const tile = *std::find_if(look.tiles.rbegin(), look.tiles.rend(), holds(way));
        std::uint64_t const rows = way.i - tile.row, cols = way.j - tile.col;
        if (std::max(rows, cols) - std::min(rows, cols) < beside) {
            if (tile.row > 0)
                add({tile.row, tile.col + 1}, 2 * beside);
            if (tile.col > 0)
                add({tile.row + 1, tile.col}, 2 * beside);
        }
        std::uint64_t const steps = std::min(rows, cols);
        way = {way.i - steps, way.j - steps, way.gone + steps};
    }
    look.end = way;
    return look;
}

template <class S>
void PathFinder<S>::sweep_ahead(std::size_t level, path::Cursor const & cursor)
{
    for (std::size_t below = level + 2; below < cut_.size(); ++below)
        cut_[below].clear();
    traced_ = {};
    Level const & size = plan_.levels[level];
    looks_[level] = ahead(level, {cursor.i, cursor.j}, next_bytes(level, cursor));
    std::vector<Tile<S>> tiles = std::move(looks_[level].tiles);
    // Where the path has left the diagonal, tiles further ahead may still be of use.
    std::erase_if(cut_[level + 1], [&](CutTile<S> const & known) {
        return std::none_of(tiles.begin(), tiles.end(), [&](auto const & tile) { return known.whole().holds(tile); });
    });
    std::erase_if(tiles, [&](Tile<S> const & tile) {
        auto const & known = cut_[level + 1];
        return std::any_of(known.begin(), known.end(), [&](auto const & cut) { return cut.whole().holds(tile); });
    });
    // The widest first: then the last to end are short.
    std::sort(tiles.begin(), tiles.end(), [](Tile<S> const & a, Tile<S> const & b) { return a.cols > b.cols; });
    bool const skipped =
        level == 0 && request_.mode.local; // the sweep that kept the boundaries may have left out cells
    std::vector<SweepJob<S>> jobs;
    for (Tile<S> const & tile : tiles) {
        Level const & parts = plan_.levels[level + 1];
        cut_[level + 1].emplace_back(sweeper_.device(), tile, parts.tile_rows, parts.tile_cols, size.sweep.strip_rows,
                                     plan_.band);
        if (skipped)
            cut_[level + 1].back().own_left();
        jobs.push_back(job(cut_[level + 1].back().whole()));
        cut_[level + 1].back().describe(jobs.back());
    }
    if constexpr (sizeof(S) == 4)
        if (skipped)
            raise_skipped(sweeper_.device(), jobs, sweeper_.most_steps(), sweeper_.args().code);
    sweeper_.run(sweeper_.kernel(size.sweep.rows_per_half), std::move(jobs), size.sweep, monitor_, cells_of(tiles));
}

template <class S>
auto PathFinder<S>::start_trace(Guess const & way, std::uint64_t bytes, int buffer) const -> Traced
{
    Device & device = sweeper_.device();
    Traced traced{ahead(cut_.size() - 1, way, bytes), {}, buffer};
    std::uint64_t words = 0, cols = 0;
    for (Tile<S> const & tile : traced.look.tiles) {
        words += job_trace_words(tile.rows, tile.cols);
        cols += tile.cols;
    }
    if (words == 0)
        return traced;
    DeviceArray<std::uint32_t> const trace{device, words};
    DeviceArray<Kept<S>> const work{device, cols};
    auto * const host = static_cast<std::uint32_t *>(device.trace_buffer(buffer).grow(4 * words));
    std::vector<SweepJob<S>> jobs;
    words = cols = 0;
    for (Tile<S> const & tile : traced.look.tiles) {
        jobs.push_back(job(tile));
        jobs.back().trace = trace.data() + words;
        jobs.back().work = work.data() + cols;
        traced.words.push_back(host + words);
        words += job_trace_words(tile.rows, tile.cols);
        cols += tile.cols;
    }
    if (!plan_.band.everything()) // not all words are written
        check(cudaMemsetAsync(trace.data(), 0, trace.bytes(), device.stream()), "clearing memory");
    sweeper_.start(sweeper_.plain(true), std::move(jobs), plain);
    device.start_download(host, trace.data(), trace.bytes());
    return traced;
}

template <class S>
void PathFinder<S>::wait_for(Traced const & traced) const
{
    if (!traced.look.tiles.empty())
        sweeper_.device().wait(monitor_, nullptr, 0, cells_of(traced.look.tiles));
}

template <class S>
void PathFinder<S>::trace_ahead(path::Cursor const & cursor)
{
    std::size_t const level = cut_.size() - 1;
    std::uint64_t const bytes = next_bytes(level, cursor);
    auto const here = [&](Tile<S> const & tile) { return tile.holds(cursor.i, cursor.j); };
    wait_for(next_);
    if (std::none_of(next_.look.tiles.begin(), next_.look.tiles.end(), here)) {
        next_ = start_trace({cursor.i, cursor.j}, bytes, next_.buffer);
        wait_for(next_);
    }
    traced_ = std::move(next_);
    looks_[level] = traced_.look;
    looks_[level].begin = cursor.i + cursor.j;
    Guess way{}; // behind these tiles, on the cursor's diagonal
    if (std::uint64_t const i = traced_.look.end.i; i < cursor.i && cursor.j + i > cursor.i)
        way = {i, cursor.j + i - cursor.i, cursor.i - i};
    next_ = start_trace(way, bytes, 1 - traced_.buffer);
}

template <class S>
path::Cursor PathFinder<S>::find_best(CutTile<S> const & whole, std::vector<StripBest<S>> const & strips) const
{
    path::Cursor first;
    for (StripBest<S> const & strip : strips) {
        Tile<S> const & swept = whole.whole();
        std::uint64_t const end = swept.col + std::min<std::uint64_t>(strip.col, swept.cols);
        std::uint64_t const begin = std::max(swept.col, end > best_window ? end - best_window : 0);
        // From the last kept boundaries on, as far as the strip and the steps in question.
        Tile<S> tile = whole.part(swept.row + strip.row + 1, begin + 1);
        tile.cols = end - tile.col;
        SweepJob<S> part = job(tile);
        DeviceArray<Kept<S>> const work{sweeper_.device(), tile.cols};
        part.work = work.data();
        std::vector<std::vector<StripBest<S>>> found;
        sweeper_.run(sweeper_.plain(false), {part}, plain, monitor_, 0, &found);
        for (StripBest<S> const & cell : found[0]) {
            std::uint64_t const i = tile.row + cell.row + 1, j = tile.col + cell.col + 1;
            bool const before = first.i == 0 || j < first.j || (j == first.j && i < first.i);
            if (cell.score == strip.score && before)
                first = {i, j};
        }
    }
    if (first.i == 0)
        throw Error{Status::internal, "the end of an alignment was not found again"};
    return first;
}

template <class S>
void PathFinder<S>::walk(CutTile<S> && whole, path::Cursor & cursor, CigarBuilder & cigar)
{
    std::vector<CutTile<S>> one;
    one.push_back(std::move(whole));
    walk(std::move(one), cursor, cigar);
}

template <class S>
void PathFinder<S>::walk(std::vector<CutTile<S>> && panels, path::Cursor & cursor, CigarBuilder & cigar)
{
    std::uint64_t const first_row = panels.front().whole().row;
    cut_[0] = std::move(panels);
    auto const here = [&](Tile<S> const & tile) { return tile.holds(cursor.i, cursor.j); };
    std::size_t at = 0; // of the traced tiles, the last that held the cursor
    while (!cursor.stopped && cursor.i > first_row && cursor.j > 0) {
        auto const & tiles = traced_.look.tiles;
        at = find_from(at, tiles, here);
        if (at < tiles.size()) {
            Tile<S> const & tile = tiles[at];
            path::walk(TraceBits<S>{tile, traced_.words[at]}, tile.row, tile.col, pair_, request_.style,
                       request_.mode.begins_anywhere(), cursor, cigar);
            continue;
        }
        std::size_t level = cut_.size() - 1; // the deepest one that knows the cursor's surroundings
        while (
            std::none_of(cut_[level].begin(), cut_[level].end(), [&](CutTile<S> const & c) { return here(c.whole()); }))
            --level;
        if (level + 1 < cut_.size())
            sweep_ahead(level, cursor);
        else
            trace_ahead(cursor);
    }
    wait_for(next_); // before its buffer serves others
    next_ = {};
    traced_ = {};
    looks_.assign(looks_.size(), {});
    for (auto & level : cut_) // before other rows need memory
        level.clear();
}

template class PathFinder<std::int32_t>;
template class PathFinder<std::int64_t>;

} // namespace nwgpu::cuda
