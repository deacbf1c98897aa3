// SPDX-License-Identifier: BSD-3-Clause
// How the scan kernel is used for one pair.
#pragma once

#include <cstdint>

#include "base/ceil_div.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"

namespace nwgpu::cpu {

// How many strips to compute at once with the scan kernel: the more they are, the less time each row takes, but the
// fewer there are to divide among threads.  A path's blocks are as high, and more than 1024 rows lose what is gained;
// for differences as many do. Nanoseconds a column, measured with 64 lanes.
inline int choose_scan(std::uint64_t m, Scheme const & scheme, std::uint64_t strip_rows, int lanes8, int threads,
                       bool diff, bool keep_grid, int tuned)
{
    std::uint64_t const most_rows = static_cast<std::uint64_t>(lanes8) * most_scan_rows;
    auto const fits = [&](int strips) {
        std::uint64_t const rows = static_cast<std::uint64_t>(strips) * strip_rows;
        return rows <= most_rows && scheme.max_scan_cols(rows) > 0;
    };
    if (tuned != 0)
        return tuned > 0 && fits(tuned) ? tuned : 0;
    if (m <= (diff ? 1024 : 448)) // the other kernels take shorter vectors
        return 0;
    if (keep_grid) {
        int const strips = std::max(1, static_cast<int>(1024 / strip_rows));
        return !diff && fits(strips) ? strips : 0;
    }
    auto const time = [&](int strips) {
        std::uint64_t const rows = static_cast<std::uint64_t>(strips) * strip_rows, full = (m - 1) / rows;
        auto const of_rows = [&](std::uint64_t n) {
            return 8 + 37 * static_cast<double>(4 * n) / static_cast<double>(most_rows);
        };
        auto const all_threads = static_cast<std::uint64_t>(threads);
        return static_cast<double>(ceil_div(full, all_threads)) * of_rows(rows) +
               (full % all_threads == 0 ? of_rows(m - full * rows) : 0);
    };
    int best = 0;
    for (int strips = static_cast<int>(most_rows / strip_rows); strips >= 1; --strips)
        if (fits(strips) && (best == 0 || time(strips) < time(best)))
            best = strips;
    return best;
}

} // namespace nwgpu::cpu
