// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/band_batch.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/ceil_div.hpp"
#include "base/equal_letters.hpp"
#include "cpu/batch/lane_batch.hpp"
#include "cpu/batch/sampled_changes.hpp"
#include "cpu/furthest/furthest_time.hpp"
#include "path/band.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

// Of the diagonals on both sides of those that every path crosses, as many have trace bits, and an eighth of a wide
// band's: paths of similar pairs hardly leave them.
constexpr std::uint64_t least_kept = 16;
// Where more than one of so many paths does, twice as many.
constexpr std::size_t paths_per_left = 16;

// Bytes of trace bits: a few times what the caches hold.
constexpr std::uint64_t most_trace = 16 << 20;
// Rows of a block (LaneRange), at most.
constexpr std::uint64_t most_block = 16;

// Sequences whose lengths agree but for so many letters may share a group.
constexpr std::uint64_t like_lengths = 128;

std::uint64_t apart(PairView const & pair) { return pair.m < pair.n ? pair.n - pair.m : pair.m - pair.n; }

// Trace bits of one lane, as path::walk reads them, until it asks for one that is not kept.
struct LaneBits {
    BandLanes const & job;
    PairView const & pair;
    std::uint8_t const * trace;
    std::uint64_t plane_bytes;
    int shift;
    bool & left;

    bool bit(std::uint64_t i, std::uint64_t j, TracePlane plane) const
    {
        if (job.kept_row(i - 1, j - 1) >= job.kept_rows()) {
            left = true;
            return false;
        }
        return trace[job.kept_at(i - 1, j - 1, plane_bytes) + plane * plane_bytes] >> shift & 1;
    }
    // As for groups of whole matrices (lane_batch.cpp): the diagonal attains H wherever letters are equal.
    std::uint64_t diagonals(std::uint64_t i, std::uint64_t j, std::uint64_t most) const
    {
        for (std::uint64_t n = 0;; ++n) {
            n += equal_letters_before(pair.query + i - n, pair.target + j - n, most - n);
            if (n == most || !bit(i - n, j - n, plane_diagonal))
                return n;
        }
    }
    bool vertical(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_vertical); }
    bool horizontal(std::uint64_t, std::uint64_t) const { return true; }
    bool e_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_e_opens); }
    bool f_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_f_opens); }
};

std::uint64_t columns_of(Batch const & batch, std::span<std::uint64_t const> pairs)
{
    return pairs.empty() ? 0 : batch.view(pairs.front()).n;
}

bool takes_pair(PairView const & pair) { return std::max(pair.m, pair.n) <= BandBatch::most_letters; }

} // namespace

std::uint64_t BandBatch::workspace(std::uint64_t longest)
{
    // Blocks reach beyond the matrix, by one on each side at most; 16 letters are loaded at a time.
    std::uint64_t const letters = 2 * (longest + 16), state = 2 * longest + ceil_div(longest, batch_columns);
    return most_lanes * (letters + state) +
           std::min(most_trace, lane_trace_bytes(2 * longest + 3 * most_block, longest, BandLanes::planes, most_lanes));
}

bool BandBatch::takes(Scheme const & scheme)
{
    return scheme.scoring().is_uniform() && scheme.reduced().lanes.block > 0 && Penalties::of(scheme.scoring()).count();
}

// What the costs of the first and last changes of some pairs tell of all, had each the greatest cost.
std::uint64_t BandBatch::first_half_width(Batch const & batch, std::span<std::uint64_t const> pairs) const
{
    SampledChanges const sampled = sample_changes(kernels_, batch, pairs, takes_pair);
    auto const half_width = [&](std::int64_t per_change) {
        return static_cast<std::uint64_t>(sampled.changes * per_change / (2 * penalties_.extend)) + 1;
    };
    std::uint64_t const usual = half_width((penalties_.mismatch + penalties_.open + penalties_.extend) / 2);
    return sampled.pairs > 0 && suits(half_width(penalties_.step()), usual, pairs.size(), sampled.columns)
               ? half_width(penalties_.step())
               : 0;
}

// Whether bands of this half-width are quicker for so many pairs, which usually need the other one.
bool BandBatch::suits(std::uint64_t half_width, std::uint64_t usual, std::size_t pairs, std::uint64_t columns) const
{
    std::int64_t const penalty =
        2 * (static_cast<std::int64_t>(usual) * penalties_.extend + penalties_.open); // of sequences of one length
    return forced_ ||
           are_bands_quicker(
               {columns, half_width, kept_for(half_width), kernels_.lanes, std::min(pairs, lanes()),
                columns <= LaneRules::max_letters && LaneRules{scheme_, kernels_, request_}.fits(columns, columns),
                request_.output >= Output::span},
               penalty, penalties_);
}

std::uint64_t BandBatch::kept_for(std::uint64_t half_width) const
{
    return std::min(half_width, std::max(least_kept, half_width / 8) * kept_factor_);
}

// A group from the first pairs; returns how many it has taken or left out.
std::size_t BandBatch::fill(Batch const & batch, std::span<std::uint64_t const> pairs, std::uint64_t half_width)
{
    count_ = 0;
    job_ = {};
    std::uint64_t longer = 0, higher = 0; // targets than queries, and the other way round
    std::size_t taken = 0;
    for (; taken < pairs.size() && count_ < lanes(); ++taken) {
        PairView const pair = batch.view(pairs[taken]);
        if (count_ > 0 && (10 * pair.n < 7 * job_.cols || 7 * pair.n > 10 * job_.cols))
            break;
        if (apart(pair) > half_width + most_block) { // too wide for the others
            others_.push_back(pairs[taken]);
            continue;
        }
        index_[count_] = pairs[taken];
        pairs_[count_++] = pair;
        job_.rows = std::max(job_.rows, pair.m);
        job_.cols = std::max(job_.cols, pair.n);
        (pair.m < pair.n ? longer : higher) = std::max(pair.m < pair.n ? longer : higher, apart(pair));
    }
    job_.scheme = &scheme_.reduced();
    std::uint64_t const block = job_.block(), kept = kept_for(half_width), columns = ceil_div(job_.cols, block),
                        rows = ceil_div(job_.rows, block),
                        of_block = lane_trace_bytes(block, job_.cols, BandLanes::planes, lanes()),
                        most_kept = (most_trace / of_block - 1) / 2; // on a side
    job_.before = std::min(columns, ceil_div(half_width + longer, block));
    job_.behind = std::min(rows, ceil_div(half_width + higher, block));
    job_.kept_before = std::min({most_kept, columns, ceil_div(kept + longer, block)});
    job_.kept_behind = std::min({most_kept, rows, ceil_div(kept + higher, block)});
    return taken;
}

void BandBatch::load_letters()
{
    std::uint8_t const * queries[most_lanes] = {};
    std::uint8_t const * targets[most_lanes] = {};
    std::fill_n(rows_of_, most_lanes, 0);
    std::fill_n(cols_of_, most_lanes, 0);
    for (std::size_t k = 0; k < count_; ++k) {
        queries[k] = pairs_[k].query;
        targets[k] = pairs_[k].target;
        rows_of_[k] = static_cast<std::int32_t>(pairs_[k].m);
        cols_of_[k] = static_cast<std::int32_t>(pairs_[k].n);
    }
    std::uint8_t * const query = memory_.query.grow((job_.rows + 16) * lanes());
    std::uint8_t * const target = memory_.target.grow((job_.cols + 16) * lanes());
    kernels_.batch_letters({queries, rows_of_, job_.rows, 0, query}, kernels_.lanes);
    kernels_.batch_letters({targets, cols_of_, job_.cols, 0, target}, kernels_.lanes);
    job_.query = query;
    job_.target = target;
    job_.rows_of = rows_of_;
    job_.cols_of = cols_of_;
}

bool BandBatch::walk(std::size_t lane)
{
    bool left = false;
    LaneBits const bits{job_, pairs_[lane], job_.trace + lane / 8, (lanes() + 7) / 8, static_cast<int>(lane % 8), left};
    path::Cursor cursor{pairs_[lane].m, pairs_[lane].n};
    cigar_.clear();
    path::walk(bits, 0, 0, pairs_[lane], request_.style, false, cursor, cigar_);
    path::finish(request_.mode, cursor, cigar_, answer_);
    return !left;
}

void BandBatch::compute(AnswerWriter & writer, Monitor & monitor)
{
    load_letters();
    job_.state = memory_.state.grow((2 * job_.rows + job_.rows / job_.block()) * lanes());
    job_.score = score_;
    if (request_.output >= Output::span)
        job_.trace = memory_.trace.grow(job_.trace_bytes(lanes()));
    kernels_.band_lanes(job_);
    needed_.clear();
    std::size_t left = 0;
    for (std::size_t k = 0; k < count_; ++k) {
        PairView const & pair = pairs_[k];
        answer_.score = score_[k] * scheme_.unit();
        auto const needed = path::BandProof{pair, scheme_.scoring()}.half_width(answer_.score);
        std::uint64_t const longer = pair.n > pair.m ? pair.n - pair.m : 0,
                            higher = pair.m > pair.n ? pair.m - pair.n : 0;
        needed_.push_back(*needed);
        if (*needed > std::min(job_.before * job_.block() - longer, job_.behind * job_.block() - higher)) {
            open_.push_back({index_[k], *needed});
            continue;
        }
        answer_.span = {no_position, pair.m, no_position, pair.n};
        answer_.runs.clear();
        if (request_.output >= Output::span && !walk(k)) {
            ++left;
            others_.push_back(index_[k]);
            continue;
        }
        writer.put(index_[k], answer_);
        monitor.poll_short(pair.cells());
    }
    if (left * paths_per_left > count_)
        kept_factor_ *= 2;
}

// Groups from the first pairs on, as wide as the ones before would have needed.
void BandBatch::first_turn(Batch const & batch, std::span<std::uint64_t const> pairs, std::uint64_t half_width,
                           AnswerWriter & writer, Monitor & monitor)
{
    while (!pairs.empty()) {
        std::size_t const taken = fill(batch, pairs, half_width);
        bool const alone = count_ < least(); // in their lengths
        if (alone)
            others_.insert(others_.end(), index_, index_ + count_);
        else
            compute(writer, monitor);
        pairs = pairs.subspan(taken);
        if (alone || forced_)
            continue;
        // Most pairs are alike; a few may be much more different.
        std::ranges::sort(needed_);
        std::uint64_t const usual = needed_[needed_.size() / 2];
        half_width = std::max<std::uint64_t>(1, *(std::ranges::upper_bound(needed_, usual * 3 / 2) - 1));
        if (!suits(half_width, usual, pairs.size(), columns_of(batch, pairs)) || monitor.stopped())
            break;
    }
    others_.insert(others_.end(), pairs.begin(), pairs.end());
}

// Of those that have a score but no proof, the most alike first.
void BandBatch::second_turn(Batch const & batch, AnswerWriter & writer, Monitor & monitor)
{
    std::vector<Open> open = std::move(open_);
    open_.clear();
    std::ranges::stable_sort(open, {}, &Open::half_width);
    std::vector<std::uint64_t> pairs;
    for (Open const & pair : open)
        pairs.push_back(pair.index);
    for (std::size_t k = 0; k < open.size();) {
        std::size_t const last = std::min(open.size(), k + lanes()) - 1;
        std::uint64_t const most = open[last].half_width;
        if (last + 1 - k < least() || monitor.stopped() ||
            !suits(most, most, open.size() - k, columns_of(batch, std::span{pairs}.subspan(k)))) {
            others_.insert(others_.end(), pairs.begin() + static_cast<std::ptrdiff_t>(k), pairs.end());
            break;
        }
        k += fill(batch, std::span{pairs}.subspan(k, last + 1 - k), most);
        compute(writer, monitor);
    }
    for (Open const & pair : open_) // more than their letters allow
        others_.push_back(pair.index);
}

std::size_t BandBatch::align(Batch const & batch, std::span<std::uint64_t> pairs, AnswerWriter & writer,
                             Monitor & monitor)
{
    std::uint64_t const half_width = forced_ ? 1 : first_half_width(batch, pairs);
    if (half_width == 0 || monitor.stopped())
        return pairs.size();
    others_.clear();
    open_.clear();
    std::vector<std::uint64_t> now;
    now.reserve(pairs.size());
    for (std::uint64_t const p : pairs)
        (takes_pair(batch.view(p)) ? now : others_).push_back(p);
    // Pairs of about the same length side by side, whose ends are on about the same diagonal.
    std::ranges::stable_sort(now, {}, [&](std::uint64_t p) {
        PairView const pair = batch.view(p);
        return std::pair{-static_cast<std::int64_t>(pair.n / like_lengths),
                         static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m)};
    });
    first_turn(batch, now, half_width, writer, monitor);
    second_turn(batch, writer, monitor);
    std::ranges::sort(others_);
    std::ranges::copy(others_, pairs.begin());
    return others_.size();
}

} // namespace nwgpu::cpu
