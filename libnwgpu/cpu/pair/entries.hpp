// SPDX-License-Identifier: BSD-3-Clause
// Boundaries of scores, as engines exchange them, from and to those of a field.
#pragma once

#include <cstdint>
#include <span>

#include "backend/row_share.hpp"
#include "cpu/pair/field.hpp"

namespace nwgpu::cpu {

// `corner`: the score before the first entry.
inline void to_line(DiffField const & field, std::span<RowEntry const> entries, std::int64_t corner, GapCost gap,
                    BoundaryView<std::uint8_t> line)
{
    for (std::uint64_t k = 0; k < entries.size(); corner = entries[k++].h) {
        std::int64_t const difference = field.difference(corner, entries[k].h);
        std::int64_t const rest = entries[k].gap - (entries[k].h - gap.open - gap.extend);
        line.first[k] = static_cast<std::uint8_t>(difference);
        line.second[k] = static_cast<std::uint8_t>(rest);
    }
}
inline void to_line(ScoreField const &, std::span<RowEntry const> entries, std::int64_t, GapCost,
                    BoundaryView<std::int64_t> line)
{
    for (std::uint64_t k = 0; k < entries.size(); ++k) {
        line.first[k] = entries[k].h;
        line.second[k] = entries[k].gap;
    }
}
template <class Field>
auto to_border(Field const & field, std::span<RowEntry const> entries, std::int64_t corner, GapCost gap)
{
    Boundary<typename Field::Cell> border(entries.size());
    to_line(field, entries, corner, gap, border.view());
    return border;
}

// `before`: the score of the entry before.
inline RowEntry to_entry(DiffField const & field, std::int64_t before, std::uint8_t first, std::uint8_t second,
                         GapCost gap)
{
    std::int64_t const h = field.next_score(before, first);
    return {h, h - gap.open - gap.extend + second};
}
inline RowEntry to_entry(ScoreField const &, std::int64_t, std::int64_t first, std::int64_t second, GapCost)
{
    return {first, second};
}

} // namespace nwgpu::cpu
