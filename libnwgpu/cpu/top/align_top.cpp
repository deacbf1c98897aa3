// SPDX-License-Identifier: BSD-3-Clause
// The matrix lies in tiles: one, or those in which another engine has swept it.  Again and again the best tile's best
// path is walked back, its cells are used up, and what they change is computed again (top_region.hpp), tile by tile.
//
// Of another engine's tile only the boundaries and the best score are known.  It is opened, which is swept here with
// boundaries on a finer grid, when the path crosses it, when its boundaries change, or when its score is the best and
// its place is asked for.  The tiles opened last stay open; all others can be opened again from their boundaries
// (docs/proofs.md, lemma 22).
#include "cpu/top/align_top.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "cpu/top/top_region.hpp"

namespace nwgpu::cpu {

namespace {

using checkpoint::SweptMatrix;

class TopFinder {
public:
    TopFinder(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
              PairPlan const & plan, Monitor & monitor, SweptMatrix * swept) :
        pair_{pair},
        request_{request},
        plan_{plan},
        swept_{swept},
        reader_{pair, scheme.scoring(), request.mode},
        used_{ScoreField{scheme, kernels, true, plan.width}.strip_rows()},
        field_{ScoreField{scheme, kernels, true, plan.width}, scheme.scoring(), used_},
        finder_{field_, pair, request.style, true, Band{}, plan.threads, plan.path_cuts, plan.max_trace_bytes, monitor},
        tile_rows_{swept ? swept->slab.shape.tile_rows : pair.m},
        tile_cols_{swept ? swept->slab.shape.tile_cols : pair.n},
        rows_{ceil_div(pair.m, tile_rows_)},
        cols_{ceil_div(pair.n, tile_cols_)},
        tiles_(rows_ * cols_)
    {
        for (std::uint64_t k = 0; k < tiles_.size(); ++k)
            tiles_[k].best = {swept ? swept->bests[k] : INT64_MAX, k % cols_ * tile_cols_};
    }

    PairResult find()
    {
        PairResult first;
        first.span = {0, 0, 0, 0};
        std::uint64_t bytes = 0;
        for (std::uint32_t k = 0; k < request_.top; ++k) {
            std::uint64_t const best = best_tile();
            std::int64_t const score = tiles_[best].best.score;
            if (score < request_.min_score && k == 0)
                first.score = too_low_score;
            if (score <= 0 || score < request_.min_score)
                break;
            PairResult next = walk(best);
            if (k + 1 < request_.top)
                use_up(next);
            if (request_.output != Output::cigar)
                next.runs.clear();
            bytes += sizeof next + 2 * sizeof(std::uint32_t) * next.runs.size();
            if (bytes + used_.bytes() > plan_.spare_bytes)
                throw Error{Status::memory_limit,
                            "the best " + std::to_string(k + 1) + " alignments take more memory than the limit leaves"};
            if (k == 0)
                first = std::move(next);
            else
                first.more.push_back(std::move(next));
        }
        return first;
    }

private:
    using Part = TopRegion;
    using Field = Part::Field;
    using Cell = Part::Cell;

    struct Tile {
        TileBest best; // not known: no cell of it is before this one
        bool known = false;
        bool changed = false, moved = false; // to be computed again; from other boundaries
        std::uint64_t last_use = 0;
        std::unique_ptr<Part> open;
    };

    Tile & tile(std::uint64_t row, std::uint64_t col) { return tiles_[row * cols_ + col]; }
    Region region_of(std::uint64_t row, std::uint64_t col) const
    {
        return {row * tile_rows_, std::min((row + 1) * tile_rows_, pair_.m), col * tile_cols_,
                std::min((col + 1) * tile_cols_, pair_.n)};
    }

    std::uint64_t best_tile()
    {
        for (;;) {
            // Of equals the first one, which lies above the others.
            auto const best = std::min_element(tiles_.begin(), tiles_.end(), [](Tile const & a, Tile const & b) {
                return a.best.score != b.best.score ? a.best.score > b.best.score : a.best.col < b.best.col;
            });
            auto const number = static_cast<std::uint64_t>(best - tiles_.begin());
            if (best->known || best->best.score <= 0)
                return number;
            open(number / cols_, number % cols_);
        }
    }

    Part::Start start_of(std::uint64_t row, std::uint64_t col) const
    {
        Region const region = region_of(row, col);
        Part::Start start{Boundary<Cell>(region.cols()), Boundary<Cell>(region.rows()), 0};
        if (!swept_) {
            field_.gap_line(start.top.view(), region.cols(), true, 0);
            field_.gap_line(start.left.view(), region.rows(), true, 0);
            return start;
        }
        checkpoint::SlabTile const from =
            reader_.tile(swept_->slab, nullptr, region.row_begin + 1, region.col_begin + 1);
        auto const copy = [](std::vector<checkpoint::Entry> const & entries, BoundaryView<Cell> to) {
            for (std::uint64_t k = 0; k < entries.size(); ++k) {
                to.first[k] = entries[k].h;
                to.second[k] = entries[k].gap;
            }
        };
        copy(from.top, start.top.view());
        copy(from.left, start.left.view());
        start.corner = from.corner;
        return start;
    }

    Part & open(std::uint64_t row, std::uint64_t col)
    {
        Tile & wanted = tile(row, col);
        wanted.last_use = ++uses_;
        if (wanted.open)
            return *wanted.open;
        if (open_.size() >= plan_.open_tiles) {
            auto const oldest =
                std::min_element(open_.begin(), open_.end(), [](auto a, auto b) { return a->last_use < b->last_use; });
            (*oldest)->open.reset();
            open_.erase(oldest);
        }
        open_.push_back(&wanted);
        wanted.open =
            std::make_unique<Part>(Part::Tools{field_, finder_, plan_}, region_of(row, col), start_of(row, col));
        wanted.best = wanted.open->best();
        wanted.known = true;
        return *wanted.open;
    }

    PairResult walk(std::uint64_t best)
    {
        PairResult result;
        result.score = tiles_[best].best.score;
        path::Cursor const end = open(best / cols_, best % cols_).walk_from_best();
        path::Cursor const & cursor = finder_.cursor;
        while (!cursor.stopped && cursor.i > 0 && cursor.j > 0)
            open((cursor.i - 1) / tile_rows_, (cursor.j - 1) / tile_cols_).walk();
        result.span.query_end = end.i;
        result.span.target_end = end.j;
        path::finish(request_.mode, cursor, finder_.cigar, result);
        return result;
    }

    // No further alignment may align what this one does.
    void use_up(PairResult const & path)
    {
        std::uint64_t i = path.span.query_begin, j = path.span.target_begin;
        for (std::uint32_t const run : path.runs) {
            CigarOp const op = run_op(run);
            std::uint64_t const length = run_length(run);
            if (op != CigarOp::insertion && op != CigarOp::deletion) {
                used_.add(i, j, length);
                for (std::uint64_t k = 0, part; k < length; k += part) {
                    std::uint64_t const row = (i + k) / tile_rows_, col = (j + k) / tile_cols_;
                    part = std::min({length - k, (row + 1) * tile_rows_ - (i + k), (col + 1) * tile_cols_ - (j + k)});
                    Tile & here = tile(row, col);
                    here.changed = true;
                    if (here.open)
                        here.open->note_used(i + k, j + k, part);
                }
            }
            i += op != CigarOp::deletion ? length : 0;
            j += op != CigarOp::insertion ? length : 0;
        }
        // A tile changes none but those right of it and below.
        for (std::uint64_t row = 0; row < rows_; ++row)
            for (std::uint64_t col = 0; col < cols_; ++col)
                if (std::exchange(tile(row, col).changed, false))
                    compute_again(row, col);
    }

    void compute_again(std::uint64_t row, std::uint64_t col)
    {
        Tile & here = tile(row, col);
        bool const moved = std::exchange(here.moved, false), was_open = here.open != nullptr;
        Part & part = open(row, col);
        if (was_open) {
            if (moved)
                part.note_start(start_of(row, col));
            part.compute_changed();
            here.best = part.best();
        }
        if (!swept_)
            return;
        Region const region = region_of(row, col);
        checkpoint::Slab & slab = swept_->slab;
        bool corner = false;
        if (row + 1 < rows_ && update(slab.row_cuts, slab.shape.row_lines(), row, region.col_begin,
                                      part.bottom().view(), region.cols(), corner))
            change(row + 1, col);
        if (corner)
            change(row + 1, col + 1);
        if (col + 1 < cols_ && update(slab.col_cuts, slab.shape.col_lines(), col, region.row_begin, part.right().view(),
                                      region.rows(), corner))
            change(row, col + 1);
    }

    void change(std::uint64_t row, std::uint64_t col)
    {
        if (row < rows_ && col < cols_)
            tile(row, col).changed = tile(row, col).moved = true;
    }

    // Of a kept line, from `begin` on.  Returns whether anything changed; sets `corner` if the last score did.
    bool update(checkpoint::Bytes & cuts, path::CutLines const & lines, std::uint64_t line, std::uint64_t begin,
                BoundaryView<Cell const> now, std::uint64_t n, bool & corner) const
    {
        auto const first = static_cast<std::uint64_t>(lines.place(line, begin));
        bool changed = false;
        for (std::uint64_t k = 0; k < n; ++k) {
            checkpoint::Entry const kept = reader_.load(cuts, first + k, swept_->slab.shape);
            if (kept.h == now.first[k] && kept.gap == now.second[k])
                continue;
            corner |= k + 1 == n && kept.h != now.first[k];
            reader_.store({now.first[k], now.second[k]}, cuts, first + k, swept_->slab.shape);
            changed = true;
        }
        return changed;
    }

    PairView const pair_;
    Request const & request_;
    PairPlan const & plan_;
    SweptMatrix * const swept_;
    checkpoint::SlabReader const reader_;
    UsedCells used_;
    Field const field_;
    PathFinder<Field> finder_;
    std::uint64_t const tile_rows_, tile_cols_, rows_, cols_;
    std::vector<Tile> tiles_;
    std::vector<Tile *> open_;
    std::uint64_t uses_ = 0;
};

} // namespace

PairResult align_top(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
                     PairPlan const & plan, Monitor & monitor, checkpoint::SweptMatrix * swept)
{
    return TopFinder{pair, scheme, kernels, request, plan, monitor, swept}.find();
}

} // namespace nwgpu::cpu
