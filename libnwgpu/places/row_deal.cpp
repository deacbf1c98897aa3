// SPDX-License-Identifier: BSD-3-Clause
#include "places/row_deal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/ceil_div.hpp"

namespace nwgpu::places {

namespace {

// What a tile takes longer than its columns, in columns, about: the lanes of its vectors.
constexpr double tile_overhead = 64;
constexpr std::uint64_t least_tile_cols = 1024; // of a thread

// Each place begins a panel later than the one above it, so all take (places - 1) panels longer: that asks for narrow
// ones.  Each panel is cut into a tile per strip: that asks for wide ones.
std::uint64_t best_panel(std::uint64_t n, std::size_t places, int threads)
{
    double const columns = std::sqrt(tile_overhead * static_cast<double>(n) / static_cast<double>(places - 1));
    // Some panels per place, or the last place begins when the first has ended.
    std::uint64_t const most = std::max(least_tile_cols, ceil_div(n, 4 * places));
    std::uint64_t const for_threads = least_tile_cols * static_cast<std::uint64_t>(threads);
    return std::min(most, std::max(static_cast<std::uint64_t>(columns), for_threads));
}

} // namespace

bool is_worth_rows(double seconds, double all_seconds, std::size_t places, RowRules const & rules)
{
    return places > 1 && seconds >= rules.least_seconds && seconds * static_cast<double>(places) > all_seconds;
}

RowDeal deal_rows(std::uint64_t m, std::uint64_t n, std::span<int const> ranks, std::span<int const> threads,
                  RowRules const & rules)
{
    std::uint64_t const units = ceil_div(m, rules.unit_rows);
    std::size_t const places = std::min<std::uint64_t>(ranks.size(), units / rules.least_units);
    RowDeal deal;
    if (places < 2)
        return deal;
    std::span<int const> const used = threads.first(places);
    double const all = std::accumulate(used.begin(), used.end(), 0.0);
    double sum = 0;
    for (std::size_t k = 0, begin = 0; k < places; ++k) {
        sum += used[k];
        // Each place gets one at least.
        auto const goal = static_cast<std::uint64_t>(std::llround(static_cast<double>(units) * sum / all));
        std::uint64_t const end = std::clamp<std::uint64_t>(goal, begin + 1, units - (places - 1 - k));
        std::uint64_t const row = begin * rules.unit_rows;
        deal.parts.push_back({ranks[k], row, std::min(m, end * rules.unit_rows) - row});
        begin = end;
    }
    deal.panel_cols =
        rules.panel_cols > 0 ? rules.panel_cols : best_panel(n, places, *std::max_element(used.begin(), used.end()));
    return deal;
}

} // namespace nwgpu::places
