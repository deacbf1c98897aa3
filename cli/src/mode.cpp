// SPDX-License-Identifier: BSD-3-Clause
// The table of modes: the one place that says what semiglobal, overlap and extend-to-end mean.
#include "mode.hpp"

#include <nwgpu/nwgpu.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace cli {

namespace {

constexpr std::int32_t target_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
constexpr std::int32_t query_ends = NWGPU_FREE_QUERY_BEGIN | NWGPU_FREE_QUERY_END;

struct NamedMode {
    std::string_view name;
    Mode mode;
};
constexpr std::array<NamedMode, 7> modes{{
    {"global", {NWGPU_MODE_GLOBAL, 0}},
    {"local", {NWGPU_MODE_LOCAL, 0}},
    {"semiglobal", {NWGPU_MODE_FREE_ENDS, target_ends}},
    {"overlap", {NWGPU_MODE_FREE_ENDS, query_ends | target_ends}},
    {"extend", {NWGPU_MODE_EXTEND, 0}},
    {"extend-left", {NWGPU_MODE_EXTEND_LEFT, 0}},
    {"extend-to-end", {NWGPU_MODE_FREE_ENDS, NWGPU_FREE_QUERY_END | NWGPU_FREE_TARGET_END}},
}};

struct NamedEnd {
    std::string_view name;
    std::int32_t bit;
};
constexpr std::array<NamedEnd, 4> ends{{
    {"query-begin", NWGPU_FREE_QUERY_BEGIN},
    {"query-end", NWGPU_FREE_QUERY_END},
    {"target-begin", NWGPU_FREE_TARGET_BEGIN},
    {"target-end", NWGPU_FREE_TARGET_END},
}};

template <typename Table>
std::vector<std::string> names_of(Table const & table)
{
    std::vector<std::string> names;
    for (auto const & entry : table)
        names.emplace_back(entry.name);
    return names;
}

template <typename Table>
auto const & entry_of(Table const & table, std::string_view name)
{
    return *std::find_if(table.begin(), table.end(), [&](auto const & entry) { return entry.name == name; });
}

} // namespace

bool Mode::free_target() const { return mode == NWGPU_MODE_LOCAL || (free_ends & target_ends) == target_ends; }

std::vector<std::string> mode_names() { return names_of(modes); }

std::vector<std::string> free_end_names() { return names_of(ends); }

Mode make_mode(std::string const & name, std::vector<std::string> const & free_ends)
{
    if (free_ends.empty())
        return entry_of(modes, name.empty() ? "global" : name).mode;
    Mode mode{NWGPU_MODE_FREE_ENDS, 0};
    for (auto const & end : free_ends)
        mode.free_ends |= entry_of(ends, end).bit;
    return mode;
}

} // namespace cli
