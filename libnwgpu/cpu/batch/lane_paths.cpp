// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/lane_paths.hpp"

#include <algorithm>

#include "cpu/batch/lane_losses.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

// Bytes of trace bits: a few times what the caches hold.
constexpr std::uint64_t most_trace = 16 << 20;
// Of a pair's cells: with more of them it is quicker alone.
constexpr double most_cells = 0.4;

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
                        trace = lane_trace_bytes(longest, longest, BatchGlobalGroup::planes, max_lanes);
    return letters + state + std::min(most_trace, trace);
}

LanePaths::LanePaths(Scheme const & scheme, KernelTable const & kernels, Request const & request) :
    scheme_{scheme},
    kernels_{kernels},
    request_{request},
    begins_{.free_query_begin = request.mode.free_query_begin, .free_target_begin = request.mode.free_target_begin}
{}

std::uint64_t LanePaths::trace_bytes(Shape const & shape) const
{
    // The band's lowest diagonal is rounded.
    std::uint64_t const rows = std::min(shape.rows, shape.band.width() + 2 * batch_columns);
    return lane_trace_bytes(rows, shape.cols, BatchGlobalGroup::planes, lanes());
}

bool LanePaths::add(Piece const & piece, std::uint32_t which, std::int64_t score, AlignedSpan const & ends,
                    AnswerWriter & writer)
{
    PairView const whole = piece.batch.view(piece.pairs[which]);
    PairView pair{whole.query, ends.query_end, whole.target, ends.target_end};
    if (pair.m == 0 || pair.n == 0)
        return false;
    path::Band band = path::proven_band_to_end(pair, begins_, scheme_.scoring(), score);
    auto const cut = [](bool is_free, std::int64_t letters) {
        return is_free && letters > 0 ? static_cast<std::uint64_t>(letters) : 0;
    };
    std::uint64_t const query_begin = cut(begins_.free_query_begin, -band.high),
                        target_begin = cut(begins_.free_target_begin, band.low);
    band = band.from(query_begin, target_begin);
    pair = {pair.query + query_begin, pair.m - query_begin, pair.target + target_begin, pair.n - target_begin};
    Shape const alone{pair.m, pair.n, band};
    if (cells_in_band(pair.m, pair.n, band) > most_cells * static_cast<double>(whole.cells()) ||
        trace_bytes(alone) > most_trace)
        return false;
    auto const with = [&](Shape const & others) {
        return Shape{std::max(others.rows, pair.m),
                     std::max(others.cols, pair.n),
                     {std::min(others.band.low, band.low), std::max(others.band.high, band.high)}};
    };
    Shape shape = with(shape_);
    if (count_ > 0 &&
        (10 * pair.m < 7 * shape.rows || 10 * pair.n < 7 * shape.cols || trace_bytes(shape) > most_trace)) {
        align_waiting(piece, writer);
        shape = with({});
    }
    shape_ = shape;
    waiting_[count_] = which;
    pairs_[count_] = pair;
    located_[count_++] = {score, query_begin, target_begin};
    if (count_ == lanes())
        align_waiting(piece, writer);
    return true;
}

void LanePaths::align_waiting(Piece const & piece, AnswerWriter & writer)
{
    if (count_ == 0)
        return;
    auto const & [rows, cols, band] = shape_;
    load_letters(kernels_, {pairs_, count_}, static_cast<int>(lanes()),
                 {rows, cols, 0, 0, rows_of_, cols_of_, query_.grow((rows + 16) * lanes()),
                  target_.grow((cols + 16) * lanes())});
    BatchGlobalGroup group;
    group.rows = rows;
    group.cols = cols;
    group.query = query_.data();
    group.target = target_.data();
    group.set_band(band.low, band.high);
    group.keep_rows_of_band();
    group.trace = trace_.grow(lane_trace_bytes(group.kept_rows, cols, BatchGlobalGroup::planes, lanes()));
    group.scheme = &scheme_.reduced();
    group.rows_of = rows_of_;
    group.cols_of = cols_of_;
    group.free_top = begins_.free_target_begin;
    group.free_left = begins_.free_query_begin;
    group.state = state_.grow((2 * rows + rows / group.block()) * lanes());
    group.score = score_;
    group.end_row = end_row_;
    group.end_col = end_col_;
    kernels_.batch_global(group);
    group_ = group;
    for (std::size_t k = 0; k < count_; ++k) {
        if (score_[k] * scheme_.unit() != located_[k].score)
            throw Error{Status::internal, "a pair has another score where its path is looked for"};
        walk(k);
        writer.put(piece.pairs[waiting_[k]], answer_);
    }
    count_ = 0;
    shape_ = {};
}

void LanePaths::walk(std::size_t lane)
{
    Located const & located = located_[lane];
    answer_.score = located.score;
    answer_.span.query_end = located.query_begin + pairs_[lane].m;
    answer_.span.target_end = located.target_begin + pairs_[lane].n;
    answer_.runs.clear();
    bool is_outside = false; // never: rows of all best paths have bits
    LaneBits const bits{group_, pairs_[lane], lanes(), lane, BatchGlobalGroup::planes, is_outside};
    path::Cursor cursor{pairs_[lane].m, pairs_[lane].n};
    cigar_.clear(); // of a walk for which memory was short
    path::walk(bits, 0, 0, pairs_[lane], request_.style, false, cursor, cigar_);
    path::finish(begins_, cursor, cigar_, answer_);
    answer_.span.query_begin += located.query_begin;
    answer_.span.target_begin += located.target_begin;
}

} // namespace nwgpu::cpu
