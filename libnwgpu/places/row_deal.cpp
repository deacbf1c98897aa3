// SPDX-License-Identifier: BSD-3-Clause
#include "places/row_deal.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include "base/ceil_div.hpp"

namespace nwgpu::places {

namespace {

using Places = std::span<RowPlace const>;

// Each place begins a panel later than the one above it, so all take (places - 1) panels longer: that asks for narrow
// ones.  Each panel takes longer than its columns: that asks for wide ones.
std::uint64_t best_panel(std::uint64_t n, std::vector<RowPart> const & parts, Places places)
{
    std::uint64_t fill = 0, least = 1;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        fill = std::max(fill, places[k].pace.fill_cols);
        least = std::max(least, places[k].pace.least_cols);
    }
    double const columns =
        std::sqrt(static_cast<double>(fill) * static_cast<double>(n) / static_cast<double>(parts.size() - 1));
    // Some panels per place, or the last place begins when the first has ended.
    std::uint64_t const most = std::max<std::uint64_t>(1024, ceil_div(n, 4 * parts.size()));
    return std::min(most, std::max(static_cast<std::uint64_t>(columns), least));
}

std::uint64_t unit_of(RowPlace const & place, RowRules const & rules)
{
    return ceil_div(rules.unit_rows, place.pace.unit_rows) * place.pace.unit_rows;
}

// What a place sweeps in one go; 0: whatever it is.
std::uint64_t rows_of_go(RowPlace const & place, RowRules const & rules, std::size_t places)
{
    std::uint64_t const rows = place.pace.rows_at_once, unit = unit_of(place, rules);
    if (rows == 0)
        return 0;
    return std::max<std::uint64_t>(1, (rules.round_rows > 0 ? rules.round_rows / places : rows) / unit) * unit;
}

// Multiples of each place's unit, but for the last one, which gets the rest; none: there are too few rows.
std::vector<RowPart> parts_of(std::uint64_t m, Places places, RowRules const & rules)
{
    double all = 0, sum = 0;
    std::uint64_t later = 1; // the last place gets one row at least, each other one a unit
    for (RowPlace const & place : places) {
        all += place.pace.cells_per_second;
        later += unit_of(place, rules);
    }
    later -= unit_of(places.back(), rules);
    std::vector<RowPart> parts;
    std::uint64_t begin = 0;
    for (RowPlace const & place : places.first(places.size() - 1)) {
        std::uint64_t const unit = unit_of(place, rules);
        if (begin + later > m)
            return {};
        later -= unit;
        sum += place.pace.cells_per_second;
        double const goal = static_cast<double>(ceil_div(m, unit) * unit) * sum / all - static_cast<double>(begin);
        auto const units = std::max<std::int64_t>(1, std::llround(goal / static_cast<double>(unit)));
        std::uint64_t const rows = std::min(static_cast<std::uint64_t>(units), (m - later - begin) / unit) * unit;
        parts.push_back({place.rank, begin, rows});
        begin += rows;
    }
    parts.push_back({places.back().rank, begin, m - begin});
    return parts;
}

} // namespace

bool is_worth_rows(double seconds, double all_seconds, std::size_t places, RowRules const & rules)
{
    return places > 1 && seconds >= rules.least_seconds && seconds * static_cast<double>(places) > all_seconds;
}

void give_one_unit(std::span<RowPlace> places)
{
    std::uint64_t unit = 1;
    for (RowPlace const & place : places)
        unit = std::lcm(unit, place.pace.unit_rows);
    for (RowPlace & place : places)
        place.pace.unit_rows = unit;
}

RowPace united(std::span<RowPace const> devices)
{
    RowPace all;
    all.slab_rows = UINT64_MAX;
    for (RowPace const & one : devices) {
        all.cells_per_second += one.cells_per_second;
        all.unit_rows = std::lcm(all.unit_rows, one.unit_rows); // the last device ends where the share does
        all.least_rows = std::max(all.least_rows, one.least_rows);
        all.fill_cols = std::max(all.fill_cols, one.fill_cols);
        all.rows_at_once += one.rows_at_once;
        all.least_cols = std::max(all.least_cols, one.least_cols);
        all.chip = all.chip == 0 ? one.chip : all.chip; // the first stands for them
        all.slab_rows = std::min(all.slab_rows, one.slab_rows);
    }
    return all;
}

std::uint64_t rows_of_round(std::uint64_t left, double rows, Places places, RowRules const & rules)
{
    std::uint64_t least = 0, step = 1, at_once = 0;
    for (RowPlace const & place : places) {
        std::uint64_t const unit = unit_of(place, rules), go = rows_of_go(place, rules, places.size());
        double const asked = rules.least_part * static_cast<double>(place.pace.least_rows);
        least += ceil_div(std::max({std::uint64_t{1}, go, static_cast<std::uint64_t>(asked)}), unit) * unit;
        step = unit;
        at_once += go > 0;
    }
    if (at_once == places.size())
        step = least;
    double const most = static_cast<double>(left);
    std::uint64_t const count = std::max(least, static_cast<std::uint64_t>(std::min(rows, most)) / step * step);
    return left / 3 < count / 2 || left <= count ? left : count;
}

RowDeal deal_rows(std::uint64_t m, std::uint64_t n, Places places, RowRules const & rules)
{
    std::uint64_t const whole = ceil_div(m, rules.unit_rows) * rules.unit_rows;
    std::size_t count = 0;
    for (double rows = 0; count < places.size(); ++count) {
        RowPlace const & place = places[count];
        rows += std::max(rules.least_part * static_cast<double>(place.pace.least_rows),
                         static_cast<double>(unit_of(place, rules)));
        if (rows > static_cast<double>(whole))
            break;
    }
    RowDeal deal;
    for (; count >= 2 && deal.parts.empty(); --count)
        deal.parts = parts_of(m, places.first(count), rules);
    if (!deal.parts.empty())
        deal.panel_cols = rules.panel_cols > 0 ? rules.panel_cols : best_panel(n, deal.parts, places);
    return deal;
}

RowDeal deal_rounds(std::uint64_t m, std::uint64_t n, Places places, RowRules const & rules)
{
    // A place that sweeps other rows after these would make those that go panel by panel wait, and they it.
    std::vector<RowPlace> alike;
    std::copy_if(places.begin(), places.end(), std::back_inserter(alike),
                 [](RowPlace const & place) { return place.pace.rows_at_once > 0; });
    RowDeal once = deal_rows(m, n, places, rules);
    std::set<std::uint64_t> chips;
    for (RowPlace const & place : alike)
        chips.insert(place.pace.chip);
    if (alike.size() < 2 || places.front().pace.rows_at_once == 0 || chips.contains(0) || chips.size() < alike.size())
        return once;
    std::uint64_t unit = 1;
    for (RowPlace const & place : alike)
        unit = std::lcm(unit, unit_of(place, rules)); // each part ends where strips of all places do
    std::uint64_t round = 0;
    for (RowPlace & place : alike) {
        place.pace.unit_rows = unit;
        place.pace.rows_at_once = rows_of_go(place, rules, alike.size());
        round += place.pace.rows_at_once;
    }
    if (m <= round)
        return once;
    RowDeal deal{{}, deal_rows(m, n, alike, rules).panel_cols};
    std::uint64_t row = 0;
    for (; m - row > round; row += round)
        for (std::uint64_t begin = row; RowPlace const & place : alike) {
            deal.parts.push_back({place.rank, begin, place.pace.rows_at_once});
            begin += place.pace.rows_at_once;
        }
    // A place that has all the rest to itself sweeps it in one go, too.
    std::vector<RowPart> rest{{alike.front().rank, 0, m - row}};
    if (m - row > alike.front().pace.rows_at_once)
        if (std::vector<RowPart> const parts = parts_of(m - row, alike, rules); !parts.empty())
            rest = parts;
    for (RowPart const & part : rest)
        deal.parts.push_back({part.rank, row + part.row, part.rows});
    return deal;
}

} // namespace nwgpu::places
