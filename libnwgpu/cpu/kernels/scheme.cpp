// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/kernels/scheme.hpp"

#include <algorithm>
#include <numeric>

#include "base/allocated.hpp"

namespace nwgpu::cpu {

namespace {

// Scores + bias in int8, by target letter and by query letter; they are known to fit.
ProfileTable make_table(Scoring const & scoring, std::int64_t lowest, std::int64_t bias,
                        std::vector<std::int8_t> & storage)
{
    if (scoring.is_uniform())
        return {};
    int const letters = scoring.size(), stride = std::max(32, letters);
    std::size_t const size = static_cast<std::size_t>(letters) * static_cast<std::size_t>(stride);
    storage.assign(2 * size, 0);
    std::int8_t *const by_target = storage.data(), *const by_query = by_target + size;
    std::int32_t const least = static_cast<std::int32_t>(std::max<std::int64_t>(lowest, -(1 << 30))),
                       more = static_cast<std::int32_t>(bias);
    for (int query = 0; query < letters; ++query) {
        std::int32_t const * const scores = scoring.scores().data() + query * letters;
        std::int8_t * const row = by_query + query * stride;
        for (int target = 0; target < letters; ++target)
            row[target] = static_cast<std::int8_t>(std::max(scores[target], least) + more);
        for (int target = 0; target < letters; ++target)
            by_target[target * stride + query] = row[target];
    }
    return {letters, stride, by_target, by_query};
}

constexpr std::uint64_t least_cols = 512;
constexpr std::int64_t scan_margin = 512; // bases lie within 256 of an H, and values within 256 of a base

} // namespace

Scheme::Scheme(Scoring const & scoring) : scoring_{scoring}
{
    std::int64_t const open = scoring.gap().open, extend = scoring.gap().extend;
    std::int64_t const lowest = lowest_useful_score(scoring);
    std::int64_t const best = std::max<std::int64_t>(0, scoring.max_score());
    std::int64_t const worst = std::max(scoring.min_score(), lowest);

    fits_diff_ = best + 2 * extend + open <= 127 && best + 2 * open - worst <= 128;
    if (fits_diff_) {
        std::int64_t const bias = 2 * extend;
        diff_.open = static_cast<std::uint8_t>(open);
        diff_.open_extend = static_cast<std::uint8_t>(open + extend);
        diff_.match = static_cast<std::int8_t>(scoring.match() + bias);
        diff_.mismatch = static_cast<std::int8_t>(std::max(-scoring.mismatch(), lowest) + bias);
        diff_.table = make_table(scoring, lowest, bias, diff_table_);
    }

    small_codes_ = scoring.is_uniform() && std::ranges::all_of(scoring.codes(), [](std::uint8_t code) {
                       return code < most_small_codes || code == invalid_code;
                   });

    score_.open = open;
    score_.extend = extend;
    score_.match = scoring.match();
    score_.mismatch = std::max(-scoring.mismatch(), lowest);
    if (scoring.is_uniform()) {
        unit_ =
            std::max<std::int64_t>(1, std::gcd(std::gcd(scoring.match(), scoring.mismatch()), std::gcd(open, extend)));
        reduced_.open = open / unit_;
        reduced_.extend = extend / unit_;
        reduced_.match = scoring.match() / unit_;
        reduced_.mismatch = std::max(-scoring.mismatch() / unit_, -2 * (reduced_.open + reduced_.extend) - 1);
        reduced_.lanes = lane_range();
    }
    score_.local = local_range();
    score_.scan = scan_range();
    fits_profile16_ = scoring.is_uniform() || (best + extend <= 127 && worst + extend >= -128);
    if (!scoring.is_uniform()) {
        score_.letters = scoring.size();
        score_matrix_ = scoring.scores();
        for (std::int32_t & score : score_matrix_)
            score = static_cast<std::int32_t>(std::max<std::int64_t>(score, lowest));
        score_.scores = score_matrix_.data();
        if (fits_profile16_)
            score_.table = make_table(scoring, lowest, extend, score_table_);
        if (score_.scan.interval > 0)
            score_.scan_table = make_table(scoring, lowest, 2 * extend, scan_table_);
    }
}

std::uint64_t Scheme::bytes(Scoring const & scoring)
{
    auto const letters = static_cast<std::uint64_t>(scoring.size());
    std::uint64_t const tables = 3 * 2 * letters * std::max<std::uint64_t>(32, letters); // of make_table()
    std::uint64_t const scores =
        (2 * letters * letters + 2 * letters) * sizeof(std::int32_t); // here and in the scoring
    return allocated(sizeof(Scheme) + tables + scores, 8);
}

LocalRange Scheme::local_range() const
{
    constexpr std::int64_t rows = 16; // of a lane
    std::int64_t const open = score_.open, extend = score_.extend;
    std::int64_t const best = std::max<std::int64_t>(0, scoring_.max_score());
    std::int64_t const worst = std::max(scoring_.min_score(), lowest_useful_score(scoring_));
    // With the drift, how far H falls and rises from the one in a lane's first row at the last change of base: within
    // the lane, and in the row above it.  Then what the kernel derives from it.
    std::int64_t const fall = 2 * open + (rows - 1) * extend, fall_above = 2 * open + best + extend;
    for (std::int64_t interval = 32; interval >= 4; --interval) {
        std::int64_t const below =
            std::max({fall + open + extend + 1, fall_above + open + 2 * extend, std::max(fall, fall_above) - worst,
                      fall + interval * extend}); // the last: the floor, which drifts from the least 8-bit number
        std::int64_t const above =
            open + std::max((rows - 1) * (best + extend), interval * (best + 2 * extend) + extend);
        if (below + above <= 255)
            return {static_cast<int>(rows), static_cast<int>(interval), static_cast<int>(below) - 128,
                    static_cast<int>(128 - open - interval * extend)};
    }
    return {};
}

LocalRange Scheme::scan_range() const
{
    if (scoring_.is_uniform() || scoring_.size() > most_scan_letters)
        return {};
    std::int64_t const open = score_.open, extend = score_.extend;
    std::int64_t const best = std::max<std::int64_t>(0, scoring_.max_score());
    std::int64_t const worst = std::max(scoring_.min_score(), lowest_useful_score(scoring_));
    // As in local_range(), with the drift of rows.
    std::int64_t const fall = 2 * open, fall_above = 2 * open + best + 2 * extend;
    for (int const rows : {16, 8})
        for (std::int64_t interval = 32; interval >= 6; --interval) {
            std::int64_t const below = std::max({fall + open + 1, fall_above + open, fall_above - (worst + 2 * extend),
                                                 fall + (interval + rows - 1) * extend + 1});
            std::int64_t const above = open + std::max<std::int64_t>(rows - 1, interval) * (best + 2 * extend);
            if (below + above <= 255)
                return {rows, static_cast<int>(interval), static_cast<int>(below) - 128,
                        static_cast<int>(128 - open - interval * extend)};
        }
    return {};
}

LaneRange Scheme::lane_range() const
{
    std::int64_t const open = reduced_.open, drift = 2 * reduced_.extend;
    std::int64_t const below = std::max(3 * open, 2 * open - std::min(std::int64_t{0}, reduced_.mismatch + drift));
    for (int const block : {16, 8, 4})
        if (below + block * (std::max(std::int64_t{0}, reduced_.match) + drift) + open <= 255)
            return {block, static_cast<int>(below)};
    return {};
}

bool Scheme::fits_local(int lanes8) const
{
    return score_.local.interval > 0 && score_width(lanes8) == 16 &&
           max_cols(8, static_cast<std::uint64_t>(lanes8) * 16) >= least_cols;
}

std::uint64_t Scheme::max_cols(int width, std::uint64_t rows) const
{
    // From the corner to any cell H rises by at most rows + cols matches and falls by at most two gaps over all rows
    // and columns (whether the path exists inside the strip or not); the drift adds cols * extend, one more step and
    // E and F lie within open + extend of H, a diagonal step within `worst`.
    std::int64_t const open = scoring_.gap().open, extend = scoring_.gap().extend;
    if (width == 8) { // bases in 16 bits, which lie within 256 of an H; they do not drift
        std::int64_t const most = (1 << 15) - 2 * 256, rise = std::max<std::int64_t>(0, scoring_.max_score()) + extend;
        std::int64_t const risen = rise == 0 ? most : (most - open) / rise,
                           fallen =
                               extend == 0 ? most : (most - 2 * open) / extend - static_cast<std::int64_t>(rows) - 2;
        bool const high = risen < static_cast<std::int64_t>(rows);
        return high || fallen < 0 ? 0 : static_cast<std::uint64_t>(std::min(risen, fallen));
    }
    std::int64_t const limit = width == 64 ? INT64_MAX / 4 : (std::int64_t{1} << (width - 1)) - 1;
    std::int64_t const step = std::max<std::int64_t>(0, scoring_.max_score()) + 2 * extend;
    std::int64_t const margin = 8 * (open + extend) + 8;
    if (width < 64 && margin >= limit)
        return 0;
    std::int64_t const steps = step == 0 ? limit : (limit - margin) / step;
    std::int64_t const cols = steps - static_cast<std::int64_t>(rows) - 128;
    return cols > 0 ? static_cast<std::uint64_t>(cols) : 0;
}

std::uint64_t Scheme::max_scan_cols(std::uint64_t rows) const
{
    if (score_.scan.interval == 0)
        return 0;
    // How high and how far below the corner numbers are must fit 16 bits together.
    std::int64_t const m = static_cast<std::int64_t>(rows), extend = score_.extend,
                       step = std::max<std::int64_t>(0, scoring_.max_score()) + extend,
                       rest = (1 << 16) - 1 - 4 * score_.open - 2 * scan_margin - 2 * m * extend;
    constexpr std::int64_t enough = most_scan_cols;
    std::int64_t cols = step + extend > 0 ? rest / (step + extend) : enough;
    if (cols < m)
        cols = std::min(m, extend > 0 ? (rest - m * step) / extend : rest >= m * step ? m : 0);
    return cols >= static_cast<std::int64_t>(least_cols) ? static_cast<std::uint64_t>(std::min(cols, enough)) : 0;
}

std::int64_t Scheme::scan_base(std::uint64_t rows) const
{
    // How high numbers are above the corner that are made comparable by extending all rows.
    auto const longest = static_cast<std::int64_t>(std::max(rows, max_scan_cols(rows)));
    std::int64_t const rise = longest * (std::max<std::int64_t>(0, scoring_.max_score()) + score_.extend) +
                              score_.open + static_cast<std::int64_t>(rows) * score_.extend + scan_margin;
    return rise - ((std::int64_t{1} << 15) - 1);
}

int Scheme::score_width(int lanes8) const
{
    if (fits_profile16_ && max_cols(16, static_cast<std::uint64_t>(lanes8) / 2 * 16) >= least_cols)
        return 16;
    return max_cols(32, static_cast<std::uint64_t>(lanes8)) >= least_cols ? 32 : 64;
}

} // namespace nwgpu::cpu
