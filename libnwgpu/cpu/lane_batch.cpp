// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/lane_batch.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t max_letters = 2048;  // longer pairs keep all lanes busy alone
constexpr std::uint64_t max_trace = 4 << 20; // bytes of trace that a group may have: about what the caches hold

// Trace bits of one lane, as path::walk reads them.
struct LaneBits {
    std::uint8_t const * trace;
    std::size_t row_bytes, column_bytes, plane_bytes;
    int shift;

    bool bit(std::uint64_t i, std::uint64_t j, TracePlane plane) const
    {
        return trace[(j - 1) * column_bytes + (i - 1) * row_bytes + plane * plane_bytes] >> shift & 1;
    }
    bool diagonal(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_diagonal); }
    bool vertical(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_vertical); }
    bool horizontal(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_horizontal); }
    bool e_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_e_opens); }
    bool f_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_f_opens); }
};

// Beyond the ends of a lane stand two letters that differ from each other.
constexpr std::uint8_t query_padding = 254, target_padding = 255;

bool has_padding_letter(std::uint8_t const * letters, std::uint64_t n)
{
    return std::memchr(letters, query_padding, n) != nullptr || std::memchr(letters, target_padding, n) != nullptr;
}

std::vector<std::uint32_t> distinct(std::span<PairView const> pairs, std::uint64_t PairView::*length)
{
    std::vector<std::uint32_t> all;
    for (PairView const & pair : pairs)
        all.push_back(static_cast<std::uint32_t>(pair.*length));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::size_t index_of(std::vector<std::uint32_t> const & ends, std::uint64_t end)
{
    return static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), end) - ends.begin());
}

} // namespace

LaneRules::LaneRules(Scheme const & scheme, KernelTable const & kernels, Request const & request) :
    scheme_{scheme}, request_{request}
{
    if (!scheme.scoring().is_uniform())
        return; // both letters differ from lane to lane: a lookup per cell and lane costs more than it saves
    if (request.mode.local)
        lanes_ = kernels.lanes / 2;
    else if (scheme.fits_diff())
        lanes_ = kernels.lanes;
}

bool LaneRules::takes(PairView const & pair) const
{
    if (lanes_ == 0 || pair.m == 0 || pair.n == 0 || std::max(pair.m, pair.n) > max_letters)
        return false;
    if (!fits(pair.m, pair.n))
        return false;
    if (request_.mode.local && (has_padding_letter(pair.query, pair.m) || has_padding_letter(pair.target, pair.n)))
        return false;
    GapCost const gap = scheme_.scoring().gap();
    auto const most = static_cast<std::int64_t>(std::min(pair.m, pair.n)) * scheme_.scoring().max_score();
    return !request_.mode.local || most + gap.open + gap.extend - scheme_.score().mismatch < 32000;
}

bool LaneRules::fits(std::uint64_t rows, std::uint64_t cols) const
{
    std::uint64_t const planes = request_.mode.local ? 5 : 4;
    return request_.output < Output::span || rows * cols * planes * static_cast<std::uint64_t>(lanes_) / 8 <= max_trace;
}

LaneBatch::LaneBatch(Scheme const & scheme, KernelTable const & kernels, Request const & request) :
    scheme_{scheme},
    kernels_{kernels},
    request_{request},
    lanes_{static_cast<std::uint64_t>(LaneRules{scheme, kernels, request}.lanes())}
{}

void LaneBatch::align(std::span<PairView const> pairs, std::span<PairResult * const> results)
{
    load_letters(pairs);
    if (request_.mode.local)
        align_local(pairs, results);
    else
        align_diff(pairs, results);
}

// Letters one position after another, all lanes side by side.
void LaneBatch::load_letters(std::span<PairView const> pairs)
{
    rows_ = cols_ = 0;
    for (PairView const & pair : pairs) {
        rows_ = std::max(rows_, pair.m);
        cols_ = std::max(cols_, pair.n);
    }
    std::uint8_t * const query = query_.grow((rows_ + 1) * lanes_ + 64);
    std::uint8_t * const target = target_.grow((cols_ + 1) * lanes_ + 64);
    std::fill_n(query, rows_ * lanes_, query_padding);
    std::fill_n(target, cols_ * lanes_, target_padding);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        for (std::uint64_t i = 0; i < pairs[k].m; ++i)
            query[i * lanes_ + k] = pairs[k].query[i];
        for (std::uint64_t j = 0; j < pairs[k].n; ++j)
            target[j * lanes_ + k] = pairs[k].target[j];
    }
}

void LaneBatch::align_diff(std::span<PairView const> pairs, std::span<PairResult * const> results)
{
    Mode const & mode = request_.mode;
    std::vector<std::uint32_t> const col_ends = distinct(pairs, &PairView::n);
    std::vector<std::uint32_t> const row_ends =
        mode.free_target_end ? distinct(pairs, &PairView::m) : std::vector<std::uint32_t>{};
    LaneDiffGroup group;
    group.rows = rows_;
    group.cols = cols_;
    group.query = query_.data();
    group.target = target_.data();
    group.scheme = &scheme_.diff();
    group.free_top = mode.free_target_begin;
    group.free_left = mode.free_query_begin;
    group.col_ends = col_ends.data();
    group.col_end_count = static_cast<int>(col_ends.size());
    group.row_ends = row_ends.data();
    group.row_end_count = static_cast<int>(row_ends.size());
    group.right = right_.grow(col_ends.size() * rows_ * lanes_);
    group.bottom = bottom_.grow(row_ends.size() * cols_ * lanes_);
    group.state = state8_.grow(2 * rows_ * lanes_);
    if (request_.output >= Output::span)
        group.trace = trace_.grow(rows_ * cols_ * 4 * ((lanes_ + 7) / 8) + 8);
    kernels_.lane_diff(group);

    GapCost const gap = scheme_.scoring().gap();
    int const bias = scheme_.diff().open_extend;
    auto const border = [&](std::uint64_t length, bool free) {
        return free ? 0 : -gap.open - static_cast<std::int64_t>(length) * gap.extend;
    };
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        PairView const & pair = pairs[k];
        PairResult & result = *results[k];
        result.score = INT64_MIN;
        auto const consider = [&](std::int64_t score, std::uint64_t i, std::uint64_t j) {
            if (score > result.score) {
                result.score = score;
                result.span.query_end = i;
                result.span.target_end = j;
            }
        };
        if (mode.free_target_end) {
            std::uint8_t const * v = group.bottom + index_of(row_ends, pair.m) * cols_ * lanes_ + k;
            std::int64_t score = border(pair.m, mode.free_query_begin);
            consider(score, pair.m, 0);
            for (std::uint64_t j = 1; j < pair.n; ++j)
                consider(score += v[(j - 1) * lanes_] - bias, pair.m, j);
        }
        std::uint8_t const * u = group.right + index_of(col_ends, pair.n) * rows_ * lanes_ + k;
        std::int64_t score = border(pair.n, mode.free_target_begin);
        for (std::uint64_t i = 0; i < pair.m; ++i) {
            if (mode.free_query_end)
                consider(score, i, pair.n);
            score += u[i * lanes_] - bias;
        }
        consider(score, pair.m, pair.n);
        if (request_.output >= Output::span)
            walk(pair, static_cast<int>(k), 4, result);
    }
}

// Cells beyond the ends of a lane never count: they score no more than the cells of the pair that they come from, since
// their columns hold at least one padding letter, which equals no letter (LaneRules::takes).
void LaneBatch::align_local(std::span<PairView const> pairs, std::span<PairResult * const> results)
{
    std::int16_t best[64];
    std::uint16_t best_row[64], best_col[64];
    LaneLocalGroup group;
    group.rows = rows_;
    group.cols = cols_;
    group.query = query_.data();
    group.target = target_.data();
    group.scheme = &scheme_.score();
    group.find_end = request_.output > Output::score;
    group.state = state16_.grow(2 * rows_ * lanes_);
    group.best = best;
    group.best_row = best_row;
    group.best_col = best_col;
    if (request_.output >= Output::span)
        group.trace = trace_.grow(rows_ * cols_ * 5 * ((lanes_ + 7) / 8) + 8);
    kernels_.lane_local(group);

    for (std::size_t k = 0; k < pairs.size(); ++k) {
        PairResult & result = *results[k];
        result.score = best[k];
        result.span = {0, 0, 0, 0};
        if (result.score == 0 || request_.output == Output::score)
            continue;
        result.span.query_end = best_row[k] + std::uint64_t{1};
        result.span.target_end = best_col[k] + std::uint64_t{1};
        if (request_.output >= Output::span)
            walk(pairs[k], static_cast<int>(k), 5, result);
    }
}

void LaneBatch::walk(PairView const & pair, int lane, int planes, PairResult & result)
{
    Mode const & mode = request_.mode;
    std::size_t const plane_bytes = (lanes_ + 7) / 8, row_bytes = plane_bytes * static_cast<std::size_t>(planes);
    LaneBits const bits{trace_.data() + lane / 8, row_bytes, row_bytes * rows_, plane_bytes, lane % 8};
    path::Cursor cursor{result.span.query_end, result.span.target_end};
    CigarBuilder cigar;
    path::walk(bits, 0, 0, pair, request_.style, mode.local, cursor, cigar);
    path::finish(mode, cursor, cigar, result);
}

} // namespace nwgpu::cpu
