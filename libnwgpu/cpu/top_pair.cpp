// SPDX-License-Identifier: BSD-3-Clause
// The matrix is swept once, and boundaries and the best score of every block of a grid are kept.  Then, again and
// again: the best block's best path is walked back, its cells are used up, and the blocks that it crosses are computed
// again; so are blocks to the right and below as far as a boundary changes.  Hence boundaries and bests are at all
// times those of the matrix in which used cells cannot be aligned, and each path is the best by the tie rule.
//
//      . . . . .        path from s to e through blocks B: those are computed again, then the blocks x,
//      . s B . .        whose top or left boundary is another now; changes die out quickly, since what
//      . . B e x        goes on from the path loses score on the way
//      . . . x .
#include "cpu/top_pair.hpp"

#include <algorithm>

#include "cpu/masked_field.hpp"
#include "cpu/path_finder.hpp"

namespace nwgpu::cpu {

namespace {

// At most so much is traced at a time, because that is computed cell by cell beside used cells.
constexpr std::uint64_t trace_bytes = 1 << 17;

template <class KeptScore>
class TopFinder {
public:
    TopFinder(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
              PairPlan const & plan, Monitor & monitor) :
        pair_{pair},
        request_{request},
        plan_{plan},
        used_{ScoreField<KeptScore>{scheme, kernels, true, plan.width}.strip_rows()},
        field_{ScoreField<KeptScore>{scheme, kernels, true, plan.width}, scheme.scoring(), used_},
        finder_{field_, pair, request.style, true, Band{}, plan.threads, std::min(plan.max_trace_bytes, trace_bytes),
                monitor},
        grid_{grid_shape(field_, whole(), plan.cuts, narrowest_block(field_)), {}, {}}
    {}

    PairResult find()
    {
        first_sweep();
        PairResult first;
        first.span = {0, 0, 0, 0};
        std::uint64_t bytes = 0;
        for (std::uint32_t k = 0; k < request_.top; ++k) {
            TileBest const best = best_of_all();
            if (best.score <= 0)
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
    using Field = MaskedField<KeptScore>;
    using Cell = typename Field::Cell;

    Region whole() const { return {0, pair_.m, 0, pair_.n}; }
    std::uint64_t block_rows() const { return grid_.shape.strips_apart * field_.strip_rows(); }
    TileBest & best_of(std::uint64_t row, std::uint64_t col) { return bests_[row * grid_.col_cuts.size() + col]; }

    void first_sweep()
    {
        grid_.allocate(whole(), field_.strip_rows());
        std::uint64_t const cols = grid_.col_cuts.size();
        bests_.resize(grid_.row_cuts.size() * cols);
        changed_.resize(bests_.size());
        std::uint64_t const strips = (pair_.m + field_.strip_rows() - 1) / field_.strip_rows();
        std::vector<TileBest> parts(strips * cols);
        Border<Cell> top(pair_.n), left(pair_.m);
        field_.gap_line(top.line(), pair_.n, true, 0);
        field_.gap_line(left.line(), pair_.m, true, 0);
        SweepJob<Field> sweep = job(whole(), top, left, 0);
        sweep.keep = &grid_;
        sweep.part_bests = parts.data();
        Sweep<Field>{field_, sweep}.run();
        for (std::uint64_t s = 0; s < strips; ++s)
            for (std::uint64_t c = 0; c < cols; ++c) {
                TileBest & best = best_of(s / grid_.shape.strips_apart, c);
                if (parts[s * cols + c].before(best))
                    best = parts[s * cols + c];
            }
    }

    SweepJob<Field> job(Region const & region, Border<Cell> & top, Border<Cell> & left, std::int64_t corner) const
    {
        SweepJob<Field> sweep = finder_.job(region);
        sweep.top = top.line();
        sweep.left = left.line();
        sweep.corner = corner;
        sweep.threads = plan_.threads;
        sweep.tile_cols = plan_.tile_cols;
        return sweep;
    }

    TileBest best_of_all() const
    {
        return *std::min_element(bests_.begin(), bests_.end(),
                                 [](TileBest const & a, TileBest const & b) { return a.before(b); });
    }

    PairResult walk(TileBest const & best)
    {
        PairResult result;
        result.score = best.score;
        path::Cursor const end = finder_.walk_from_best(whole(), grid_, best, true);
        result.span.query_end = end.i;
        result.span.target_end = end.j;
        path::finish(request_.mode, finder_.cursor, finder_.cigar, result);
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
                for (std::uint64_t k = 0; k < length;) {
                    std::uint64_t const row = (i + k) / block_rows(), col = (j + k) / grid_.shape.cols_apart;
                    change(row, col);
                    k = std::min((row + 1) * block_rows() - i, (col + 1) * grid_.shape.cols_apart - j);
                }
            }
            i += op != CigarOp::deletion ? length : 0;
            j += op != CigarOp::insertion ? length : 0;
        }
        // A block changes none but those right of it and below.
        for (std::uint64_t row = 0; row < grid_.row_cuts.size(); ++row)
            for (std::uint64_t col = 0; col < grid_.col_cuts.size(); ++col)
                if (std::exchange(changed_[row * grid_.col_cuts.size() + col], false))
                    compute_again(row, col);
    }

    void change(std::uint64_t row, std::uint64_t col)
    {
        if (row < grid_.row_cuts.size() && col < grid_.col_cuts.size())
            changed_[row * grid_.col_cuts.size() + col] = true;
    }

    void compute_again(std::uint64_t row, std::uint64_t col)
    {
        auto const block = finder_.block_of(whole(), grid_, row * block_rows(), col * grid_.shape.cols_apart, 0);
        Region const & region = block.region;
        Border<Cell> top = finder_.slice(grid_.row_cuts[row], region.col_begin, region.cols());
        Border<Cell> left = finder_.slice(grid_.col_cuts[col], region.row_begin, region.rows());
        SweepJob<Field> sweep = job(region, top, left, block.corner);
        Sweep<Field>{field_, sweep}.run();
        TileBest & best = best_of(row, col) = sweep.best;
        best.strip += region.row_begin / field_.strip_rows();

        bool corner = false;
        if (row + 1 < grid_.row_cuts.size() &&
            update(grid_.row_cuts[row + 1].line() + region.col_begin, top.line(), region.cols(), corner))
            change(row + 1, col);
        if (col + 1 < grid_.col_cuts.size() &&
            update(grid_.col_cuts[col + 1].line() + region.row_begin, left.line(), region.rows(), corner))
            change(row, col + 1);
        if (corner)
            change(row + 1, col + 1);
    }

    // Returns whether anything changed; sets `corner` if the last score did.
    static bool update(Line<KeptScore> kept, Line<Cell> now, std::uint64_t n, bool & corner)
    {
        if (std::equal(now.first, now.first + n, kept.first) && std::equal(now.second, now.second + n, kept.second))
            return false;
        corner |= kept.first[n - 1] != now.first[n - 1];
        copy_line(kept, now, n);
        return true;
    }

    PairView const pair_;
    Request const & request_;
    PairPlan const & plan_;
    UsedCells used_;
    Field const field_;
    PathFinder<Field> finder_;
    Grid<Field> grid_;
    std::vector<TileBest> bests_; // [row_cuts][col_cuts], one of each block
    std::vector<char> changed_;   // the same: blocks that have to be computed again
};

} // namespace

PairResult align_top(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
                     PairPlan const & plan, Monitor & monitor)
{
    if (plan.kind == FieldKind::score32)
        return TopFinder<std::int32_t>{pair, scheme, kernels, request, plan, monitor}.find();
    return TopFinder<std::int64_t>{pair, scheme, kernels, request, plan, monitor}.find();
}

} // namespace nwgpu::cpu
