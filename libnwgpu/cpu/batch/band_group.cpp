// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/band_group.hpp"

#include <cmath>

#include "base/ceil_div.hpp"
#include "base/large_pages.hpp"
#include "path/band.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

// Rows on both sides that have trace bits: of paths with as many gaps as the band leaves room for, fewer than one in a
// thousand goes so many roots of their number away from the line between its ends.
constexpr double kept_roots = 1.5;
constexpr std::uint64_t least_kept = 8;
// Where more than one of so many paths does, twice as many.
constexpr std::size_t paths_per_left = 16;
constexpr std::uint64_t most_kept_factor = 1 << 12;

// Bytes of trace bits: a few times what the caches hold.
constexpr std::uint64_t most_trace = 16 << 20;
// A pair that ends farther from the main diagonal than by the half-width and this would make the band of all too wide.
constexpr std::uint64_t most_beside = 16;
// Memory is for lengths that are a multiple of this, and more trace bits by a part: groups that follow each other
// differ a little, and new memory takes its time.
constexpr std::uint64_t length_step = 128, spare_part = 4;

std::uint64_t apart(PairView const & pair) { return pair.m < pair.n ? pair.n - pair.m : pair.m - pair.n; }

std::uint64_t rounded(std::uint64_t length) { return ceil_div(length, length_step) * length_step; }

} // namespace

std::uint64_t BandGroup::workspace(std::uint64_t longest)
{
    // 16 letters are loaded at a time.
    std::uint64_t const length = rounded(longest), letters = 2 * (length + 16),
                        state = 2 * length + ceil_div(length, batch_columns);
    return most_lanes * (letters + state) +
           std::min(most_trace,
                    (spare_part + 1) *
                        lane_trace_bytes(2 * longest + batch_columns, longest, BatchGlobalGroup::planes, most_lanes) /
                        spare_part);
}

std::uint64_t BandGroup::kept_for(std::uint64_t half_width, Penalties const & penalties)
{
    auto const gaps = static_cast<double>(2 * static_cast<std::int64_t>(half_width) * penalties.extend) /
                      static_cast<double>(penalties.open + penalties.extend);
    return std::min(half_width, std::max(least_kept, static_cast<std::uint64_t>(kept_roots * std::sqrt(gaps))));
}

std::size_t BandGroup::fill(Batch const & batch, std::span<Member const> pairs, std::uint64_t half_width)
{
    count_ = 0;
    job_ = {};
    std::uint64_t longer = 0, higher = 0; // targets than queries, and the other way round
    std::size_t taken = 0;
    for (; taken < pairs.size() && count_ < lanes(); ++taken) {
        PairView const pair = batch.view(pairs[taken].pair);
        if (count_ > 0 && (10 * pair.n < 7 * job_.cols || 7 * pair.n > 10 * job_.cols))
            break;
        if (apart(pair) > half_width + most_beside) // too wide for the others
            continue;
        members_[count_] = pairs[taken];
        pairs_[count_++] = pair;
        job_.rows = std::max(job_.rows, pair.m);
        job_.cols = std::max(job_.cols, pair.n);
        (pair.m < pair.n ? longer : higher) = std::max(pair.m < pair.n ? longer : higher, apart(pair));
    }
    job_.scheme = &scheme_.reduced();
    job_.set_band(-static_cast<std::int64_t>(half_width + higher), static_cast<std::int64_t>(half_width + longer));
    if (count_ > 0 && request_.output >= Output::span)
        keep_rows(half_width);
    return taken;
}

// Around the line to where the pairs end on average, and as much more as one of them ends beside it.
void BandGroup::keep_rows(std::uint64_t half_width)
{
    std::span<PairView const> const pairs{pairs_, count_};
    std::uint64_t rows = 0, cols = 0, above = 0, below = 0;
    for (PairView const & pair : pairs) {
        rows += pair.m;
        cols += pair.n;
    }
    job_.slope = (rows << LaneGroup::slope_bits) / cols;
    for (PairView const & pair : pairs) {
        std::uint64_t const line = job_.line_row(pair.n - 1), last = pair.m - 1;
        above = std::max(above, line - std::min(line, last));
        below = std::max(below, last - std::min(line, last));
    }
    std::uint64_t const kept = kept_factor_ * kept_for(half_width, penalties_);
    above = std::min(above + kept, job_.rows);
    below = std::min(below + kept, job_.rows);
    std::uint64_t const wanted = above + below + batch_columns,
                        of_row = lane_trace_bytes(1, job_.cols, BatchGlobalGroup::planes, lanes());
    job_.kept_rows = std::min(wanted, most_trace / of_row);
    job_.kept_above = above - std::min(above, (wanted - job_.kept_rows) / 2);
}

void BandGroup::load_letters()
{
    std::uint8_t * const query = memory_.query.grow((rounded(job_.rows) + 16) * lanes());
    std::uint8_t * const target = memory_.target.grow((rounded(job_.cols) + 16) * lanes());
    cpu::load_letters(kernels_, {pairs_, count_}, kernels_.lanes,
                      {job_.rows, job_.cols, 0, 0, rows_of_, cols_of_, query, target});
    job_.query = query;
    job_.target = target;
    job_.rows_of = rows_of_;
    job_.cols_of = cols_of_;
}

bool BandGroup::walk(std::size_t lane)
{
    bool left = false;
    LaneBits const bits{job_, pairs_[lane], lanes(), lane, BatchGlobalGroup::planes, left};
    path::Cursor cursor{pairs_[lane].m, pairs_[lane].n};
    cigar_.clear();
    path::walk(bits, 0, 0, pairs_[lane], request_.style, false, cursor, cigar_);
    path::finish(request_.mode, cursor, cigar_, answer_);
    return !left;
}

std::span<BandGroup::Outcome const> BandGroup::compute(AnswerWriter & writer, std::span<std::uint8_t> answered,
                                                       Monitor & monitor)
{
    load_letters();
    std::uint64_t const rows = rounded(job_.rows);
    job_.state = memory_.state.grow(job_.state_bytes(rows, lanes()));
    job_.score = score_;
    job_.end_row = end_row_;
    job_.end_col = end_col_;
    if (request_.output >= Output::span) {
        std::uint64_t const bytes = lane_trace_bytes(job_.kept_rows, job_.cols, BatchGlobalGroup::planes, lanes());
        if (bytes > memory_.trace.bytes()) {
            memory_.trace.grow(std::max(bytes, std::min(most_trace, bytes + bytes / spare_part)));
            prefer_large_pages(memory_.trace.data(), memory_.trace.bytes());
        }
        job_.trace = memory_.trace.data();
    }
    kernels_.batch_global(job_);
    std::size_t left = 0;
    for (std::size_t k = 0; k < count_; ++k) {
        PairView const & pair = pairs_[k];
        answer_.score = score_[k] * scheme_.unit();
        auto const needed = path::BandProof{pair, scheme_.scoring()}.half_width(answer_.score);
        std::uint64_t const longer = pair.n > pair.m ? pair.n - pair.m : 0,
                            higher = pair.m > pair.n ? pair.m - pair.n : 0;
        Outcome & outcome = outcomes_[k] = {members_[k].entry, Outcome::answered, *needed};
        if (*needed >
            std::min(static_cast<std::uint64_t>(job_.high) - longer, static_cast<std::uint64_t>(-job_.low) - higher)) {
            outcome.what = Outcome::unproven;
            continue;
        }
        answer_.span = {no_position, pair.m, no_position, pair.n};
        answer_.runs.clear();
        if (request_.output >= Output::span && !walk(k)) {
            ++left;
            outcome.what = Outcome::left;
            continue;
        }
        writer.put(members_[k].pair, answer_);
        answered[members_[k].entry] = 1;
        monitor.poll_short(pair.cells());
    }
    if (left * paths_per_left > count_ && kept_factor_ < most_kept_factor)
        kept_factor_ *= 2;
    return {outcomes_, count_};
}

} // namespace nwgpu::cpu
