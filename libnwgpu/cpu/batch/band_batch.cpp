// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/band_batch.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "base/ceil_div.hpp"
#include "base/equal_letters.hpp"
#include "cpu/batch/sampled_changes.hpp"
#include "path/band.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

// Diagonals on both sides of those that every path crosses of which trace bits are kept: paths of similar pairs hardly
// leave them.
constexpr std::uint64_t kept_half_width = 32;

std::uint64_t apart(PairView const & pair) { return pair.m < pair.n ? pair.n - pair.m : pair.m - pair.n; }

// Of blocks that hold this many diagonals on one side.
std::uint64_t blocks(std::uint64_t diagonals, std::uint64_t block) { return ceil_div(diagonals, block); }

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

bool takes_pair(PairView const & pair) { return std::max(pair.m, pair.n) <= BandBatch::most_letters; }

} // namespace

bool BandBatch::takes(Scheme const & scheme)
{
    return scheme.scoring().is_uniform() && scheme.reduced().lanes.block > 0 &&
           Penalties::of(scheme.scoring()).count();
}

// As many half-widths as changes of the greatest cost lead to.
std::uint64_t BandBatch::first_half_width(Batch const & batch, std::span<std::uint64_t const> pairs) const
{
    SampledChanges const sampled = sample_changes(kernels_, batch, pairs, takes_pair);
    if (sampled.pairs == 0)
        return 0;
    return static_cast<std::uint64_t>(sampled.changes * penalties_.step() / (2 * penalties_.extend)) + 1;
}

bool BandBatch::suits(std::uint64_t half_width) const
{
    return half_width > 0;
}

// A group from the first pairs; returns how many it has taken or left out.
std::size_t BandBatch::fill(Batch const & batch, std::span<std::uint64_t const> pairs, std::uint64_t half_width)
{
    count_ = 0;
    job_ = {};
    std::uint64_t longer = 0, higher = 0; // targets than queries, and the other way round
    std::size_t taken = 0;
    for (; taken < pairs.size() && count_ < static_cast<std::size_t>(kernels_.lanes); ++taken) {
        PairView const pair = batch.view(pairs[taken]);
        if (count_ > 0 && 10 * pair.n < 7 * job_.cols)
            break;
        if (apart(pair) > half_width + 16) {
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
    std::uint64_t const block = job_.block(), kept = std::min(half_width, kept_half_width);
    job_.before = blocks(half_width + longer, block);
    job_.behind = blocks(half_width + higher, block);
    job_.kept_before = blocks(kept + longer, block);
    job_.kept_behind = blocks(kept + higher, block);
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
    auto const lanes = static_cast<std::uint64_t>(kernels_.lanes);
    std::uint8_t * const query = memory_.query.grow((job_.rows + 16) * lanes);
    std::uint8_t * const target = memory_.target.grow((job_.cols + 16) * lanes);
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
    LaneBits const bits{job_,
                        pairs_[lane],
                        job_.trace + lane / 8,
                        (static_cast<std::uint64_t>(kernels_.lanes) + 7) / 8,
                        static_cast<int>(lane % 8),
                        left};
    path::Cursor cursor{pairs_[lane].m, pairs_[lane].n};
    cigar_.clear();
    path::walk(bits, 0, 0, pairs_[lane], request_.style, false, cursor, cigar_);
    path::finish(request_.mode, cursor, cigar_, answer_);
    return !left;
}

void BandBatch::compute(AnswerWriter & writer, Monitor & monitor)
{
    auto const lanes = static_cast<std::uint64_t>(kernels_.lanes);
    load_letters();
    job_.state = memory_.state.grow((2 * job_.rows + job_.rows / job_.block()) * lanes);
    job_.score = score_;
    if (request_.output >= Output::span)
        job_.trace = memory_.trace.grow(job_.trace_bytes(lanes));
    kernels_.band_lanes(job_);
    needed_.clear();
    for (std::size_t k = 0; k < count_; ++k) {
        PairView const & pair = pairs_[k];
        answer_.score = score_[k] * scheme_.unit();
        auto const needed = path::BandProof{pair, scheme_.scoring()}.half_width(answer_.score);
        std::uint64_t const longer = pair.n > pair.m ? pair.n - pair.m : 0, higher = pair.m > pair.n ? pair.m - pair.n : 0;
        needed_.push_back(*needed);
        if (*needed > std::min(job_.before * job_.block() - longer, job_.behind * job_.block() - higher)) {
            open_.push_back({index_[k], *needed});
            continue;
        }
        answer_.span = {no_position, pair.m, no_position, pair.n};
        answer_.runs.clear();
        if (request_.output >= Output::span && !walk(k)) {
            others_.push_back(index_[k]);
            continue;
        }
        writer.put(index_[k], answer_);
        monitor.poll_short(pair.cells());
    }
}

std::size_t BandBatch::align(Batch const & batch, std::span<std::uint64_t> pairs, AnswerWriter & writer,
                             Monitor & monitor)
{
    std::uint64_t half_width = forced_ ? 1 : first_half_width(batch, pairs);
    if (!suits(half_width))
        return pairs.size();
    others_.clear();
    open_.clear();
    std::vector<std::uint64_t> now;
    now.reserve(pairs.size());
    for (std::uint64_t const p : pairs)
        (takes_pair(batch.view(p)) ? now : others_).push_back(p);
    auto const columns = [&](std::uint64_t p) { return batch.view(p).n; };
    std::ranges::stable_sort(now, std::greater{}, columns);
    for (std::size_t k = 0; k < now.size();) {
        std::span<std::uint64_t const> const rest = std::span{now}.subspan(k);
        if (rest.size() < least() || !suits(half_width) || monitor.stopped()) {
            others_.insert(others_.end(), rest.begin(), rest.end());
            break;
        }
        k += fill(batch, rest, half_width);
        if (count_ < least()) {
            others_.insert(others_.end(), index_, index_ + count_);
            continue;
        }
        compute(writer, monitor);
        if (forced_)
            continue;
        // Most pairs are alike: as wide as this group would have needed, but for pairs that are much more different.
        std::ranges::sort(needed_);
        std::uint64_t const most = needed_[needed_.size() / 2] * 3 / 2;
        half_width = std::max<std::uint64_t>(1, *(std::ranges::upper_bound(needed_, most) - 1));
    }
    std::vector<Open> const open = std::move(open_);
    open_.clear();
    for (Open const & pair : open)
        others_.push_back(pair.index);
    std::ranges::sort(others_);
    std::ranges::copy(others_, pairs.begin());
    return others_.size();
}

} // namespace nwgpu::cpu
