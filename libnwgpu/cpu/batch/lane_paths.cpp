// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/lane_paths.hpp"

#include <cmath>

#include "cpu/batch/lane_losses.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

// Bytes of trace bits: a few times what the caches hold.
constexpr std::uint64_t most_trace = 16 << 20;
// Of a pair's cells: with more of them it is quicker alone.
constexpr double most_cells = 0.4;
// Diagonals beside the end of a path that have trace bits: so many, and so many roots of the number of gaps that there
// may be, beyond which few paths go.
constexpr double least_kept = 8, kept_roots = 2;

} // namespace

// Paths that begin anywhere need more bits, and alone they skip cells; of global pairs BandBatch takes what is worth
// it.
bool LanePaths::takes(Scheme const & scheme, Mode const & mode)
{
    return scheme.reduced().lanes.block > 0 && !mode.begins_anywhere() && !mode.global();
}

std::uint64_t LanePaths::workspace(std::uint64_t longest)
{
    std::uint64_t const letters = 2 * (longest + 16) * max_lanes, state = 3 * longest * max_lanes,
                        trace = lane_trace_bytes(longest, longest, BatchGlobalGroup::planes, max_lanes),
                        runs = 2 * longest * sizeof(std::uint32_t); // as they grow, and of the answer
    return letters + state + std::min(most_trace, trace) + 4 * runs + 6 * max_lanes * sizeof(LocatedPair);
}

LanePaths::LanePaths(Scheme const & scheme, KernelTable const & kernels, Request const & request, bool forced,
                     LocatedPairs & located, LonePairs & alone) :
    scheme_{scheme},
    kernels_{kernels},
    request_{request},
    begins_{.free_query_begin = request.mode.free_query_begin, .free_target_begin = request.mode.free_target_begin},
    forced_{forced},
    located_{located},
    alone_{alone}
{}

std::uint64_t LanePaths::trace_bytes(Shape const & shape) const
{
    std::uint64_t const rows = std::min(shape.rows, shape.kept.width() + batch_columns);
    return lane_trace_bytes(rows, shape.cols, BatchGlobalGroup::planes, lanes());
}

void LanePaths::add(Piece const & piece, std::uint32_t which, std::int64_t score, AlignedSpan const & ends)
{
    PairView const whole = piece.batch.view(piece.pairs[which]);
    PairView pair{whole.query, ends.query_end, whole.target, ends.target_end};
    if (pair.m == 0 || pair.n == 0)
        return alone_.add(which);
    path::Band band = path::proven_band_to_end(pair, begins_, scheme_.scoring(), score);
    auto const cut = [](bool is_free, std::int64_t letters) {
        return is_free && letters > 0 ? static_cast<std::uint64_t>(letters) : 0;
    };
    std::uint64_t const query_begin = cut(begins_.free_query_begin, -band.high),
                        target_begin = cut(begins_.free_target_begin, band.low);
    band = band.from(query_begin, target_begin);
    pair = {pair.query + query_begin, pair.m - query_begin, pair.target + target_begin, pair.n - target_begin};
    Shape const shape{pair.m, pair.n, band, kept_of(pair, score, band)};
    bool const suits =
        forced_ || cells_in_band(pair.m, pair.n, band) <= most_cells * static_cast<double>(whole.cells());
    if (!suits || trace_bytes(shape) > most_trace)
        return alone_.add(which);
    located_.add({which, score, pair, query_begin, target_begin, shape});
}

// Around the diagonal of its end.
path::Band LanePaths::kept_of(PairView const & pair, std::int64_t score, path::Band const & band) const
{
    GapCost const gap = scheme_.scoring().gap();
    auto const lost = static_cast<double>(
        scheme_.scoring().max_score() * static_cast<std::int64_t>(std::min(pair.m, pair.n)) - score);
    double const gaps = lost / static_cast<double>(std::max<std::int64_t>(1, gap.open + gap.extend));
    auto const beside = static_cast<std::int64_t>(least_kept + kept_roots * std::sqrt(std::max(0.0, gaps)));
    std::int64_t const last = static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m);
    // LaneGroup::keep_rows() wants a highest diagonal that is not below 0.
    return {std::max(band.low, last - beside), std::max<std::int64_t>(0, std::min(band.high, last + beside))};
}

void LanePaths::give_up()
{
    for (; done_ < count_; ++done_)
        alone_.add(taken_[done_].which);
}

bool LanePaths::align_some(Piece const & piece, LocatedPairs::Wanted wanted, AnswerWriter & writer)
{
    done_ = 0;
    count_ = located_.take(wanted, taken_);
    while (done_ < count_) {
        Shape shape;
        std::span<LocatedPair const> const pairs = next_group(shape);
        if (forced_ || 3 * pairs.size() >= lanes())
            align(piece, pairs, shape, writer);
        else
            for (LocatedPair const & pair : pairs) {
                alone_.add(pair.which);
                ++done_;
            }
    }
    return count_ > 0;
}

// As many of the next ones as have room for their trace bits.
std::span<LocatedPair const> LanePaths::next_group(Shape & shape) const
{
    shape = taken_[done_].shape;
    std::size_t end = done_ + 1;
    for (; end < count_; ++end) {
        Shape const & next = taken_[end].shape;
        Shape const with_next{std::max(shape.rows, next.rows), std::max(shape.cols, next.cols),
                              shape.band.with(next.band), shape.kept.with(next.kept)};
        if (trace_bytes(with_next) > most_trace)
            break;
        shape = with_next;
    }
    return {taken_ + done_, end - done_};
}

void LanePaths::align(Piece const & piece, std::span<LocatedPair const> pairs, Shape const & shape,
                      AnswerWriter & writer)
{
    describe(pairs, shape);
    kernels_.batch_global(group_);
    for (std::size_t k = 0; k < pairs.size(); ++k, ++done_) {
        if (score_[k] * scheme_.unit() != pairs[k].score)
            throw Error{Status::internal, "a pair has another score where its path is looked for"};
        if (walk(pairs[k], k))
            writer.put(piece.pairs[pairs[k].which], answer_);
        else
            alone_.add(pairs[k].which);
    }
}

void LanePaths::describe(std::span<LocatedPair const> pairs, Shape const & shape)
{
    PairView views[max_lanes];
    std::ranges::transform(pairs, views, &LocatedPair::pair);
    auto const & [rows, cols, band, kept] = shape;
    load_letters(kernels_, {views, pairs.size()}, kernels_.lanes,
                 {rows, cols, 0, 0, rows_of_, cols_of_, query_.grow((rows + 16) * lanes()),
                  target_.grow((cols + 16) * lanes())});
    group_ = {};
    group_.rows = rows;
    group_.cols = cols;
    group_.query = query_.data();
    group_.target = target_.data();
    group_.set_band(band.low, band.high);
    group_.keep_rows(kept.low, kept.high);
    group_.trace = trace_.grow(lane_trace_bytes(group_.kept_rows, cols, BatchGlobalGroup::planes, lanes()));
    group_.scheme = &scheme_.reduced();
    group_.rows_of = rows_of_;
    group_.cols_of = cols_of_;
    group_.free_top = begins_.free_target_begin;
    group_.free_left = begins_.free_query_begin;
    group_.state = state_.grow(group_.state_bytes(rows, lanes()));
    group_.score = score_;
    group_.end_row = end_row_;
    group_.end_col = end_col_;
}

// False: the path leaves the rows that have bits.
bool LanePaths::walk(LocatedPair const & located, std::size_t lane)
{
    PairView const & pair = located.pair;
    answer_.score = located.score;
    answer_.span.query_end = located.query_begin + pair.m;
    answer_.span.target_end = located.target_begin + pair.n;
    answer_.runs.clear();
    bool is_outside = false;
    LaneBits const bits{group_, pair, lanes(), lane, BatchGlobalGroup::planes, is_outside};
    path::Cursor cursor{pair.m, pair.n};
    cigar_.clear(); // of a walk that was given up
    path::walk(bits, 0, 0, pair, request_.style, false, cursor, cigar_);
    path::finish(begins_, cursor, cigar_, answer_);
    answer_.span.query_begin += located.query_begin;
    answer_.span.target_begin += located.target_begin;
    return !is_outside;
}

} // namespace nwgpu::cpu
