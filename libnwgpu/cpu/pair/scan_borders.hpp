// SPDX-License-Identifier: BSD-3-Clause
// A strip of differences computed by the scan kernel, which works on scores: the boundaries as scores, relative to the
// strip's corner, and back.
#pragma once

#include <cstdint>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"

namespace nwgpu::cpu {

class ScanBorders {
    static constexpr std::size_t most_rows = scan_page;

public:
    // Of the strip's workspace, before the profile.
    static constexpr std::size_t bytes = 2 * sizeof(std::int64_t) * (most_rows + most_scan_cols);

    explicit ScanBorders(DiffStrip const & strip) : strip_{strip} {}

    // `rows`: of the highest strip that may come.
    void compute(KernelTable const & kernels, Scheme const & scheme, std::uint64_t rows) const
    {
        auto * const space = reinterpret_cast<std::int64_t *>(strip_.profile);
        ScoreStrip scores;
        scores.scheme = &scheme.score();
        scores.query = strip_.query;
        scores.target = strip_.target;
        scores.rows = strip_.rows;
        scores.cols = strip_.cols;
        scores.base = scheme.scan_base(rows);
        scores.floor = INT64_MIN / 2;
        scores.left_h = space;
        scores.left_e = space + most_rows;
        scores.top_h = space + 2 * most_rows;
        scores.top_f = space + 2 * most_rows + most_scan_cols;
        scores.profile = strip_.profile + bytes;
        std::int64_t const gap = strip_.scheme->open_extend;
        to_scores(strip_.left_u, strip_.left_x, strip_.rows, gap, scores.left_h, scores.left_e);
        to_scores(strip_.top_v, strip_.top_y, strip_.cols, gap, scores.top_h, scores.top_f);
        std::int64_t const lower_left = scores.left_h[strip_.rows - 1], upper_right = scores.top_h[strip_.cols - 1];
        kernels.strip_scan(scores);
        to_differences(upper_right, scores.left_h, scores.left_e, strip_.rows, gap, strip_.left_u, strip_.left_x);
        to_differences(lower_left, scores.top_h, scores.top_f, strip_.cols, gap, strip_.top_v, strip_.top_y);
    }

private:
    static void to_scores(std::uint8_t const * first, std::uint8_t const * second, std::uint64_t n, std::int64_t gap,
                          std::int64_t * h, std::int64_t * open)
    {
        std::int64_t score = 0;
        for (std::uint64_t k = 0; k < n; ++k) {
            score += first[k] - gap;
            h[k] = score;
            open[k] = score + second[k] - gap;
        }
    }
    static void to_differences(std::int64_t begin, std::int64_t const * h, std::int64_t const * open, std::uint64_t n,
                               std::int64_t gap, std::uint8_t * first, std::uint8_t * second)
    {
        for (std::uint64_t k = 0; k < n; ++k) {
            first[k] = static_cast<std::uint8_t>(h[k] - begin + gap);
            second[k] = static_cast<std::uint8_t>(open[k] - h[k] + gap);
            begin = h[k];
        }
    }

    DiffStrip const & strip_;
};

} // namespace nwgpu::cpu
