// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/furthest_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/allocated.hpp"
#include "base/ceil_div.hpp"
#include "cpu/furthest/bit_band.hpp"
#include "cpu/furthest/furthest_time.hpp"
#include "cpu/furthest/seed_bound.hpp"

namespace nwgpu::cpu {

namespace {

// So much of the time of the other way does not matter.
constexpr double free_share = 0.005;
// From here on it takes less time to find an upper bound for the penalty than it saves.
constexpr std::int64_t first_gaps = 50, first_gaps_unit_costs = 60;
constexpr std::int64_t lag_letters = 192, lag_letters_unit_costs = 48;
constexpr std::uint64_t most_ring = 1 << 12; // fronts

std::uint64_t ring_of(std::int64_t fronts) { return std::bit_ceil(static_cast<std::uint64_t>(fronts) + 1); }

// Numbers between `base` and the least one: cells that are not reached rise by 1 with every step to the end of a path
// (docs/proofs.md, lemma 23).
std::int64_t slack(Penalties const & penalties, std::int64_t most)
{
    return most / std::min(penalties.mismatch, penalties.extend) + 4;
}

bool fits(int width, std::uint64_t n, Penalties const & penalties, std::int64_t most)
{
    std::int64_t const numbers = width == 16 ? UINT16_MAX : UINT32_MAX;
    return static_cast<std::int64_t>(n) + slack(penalties, most) + most / penalties.extend + 16 <= numbers;
}

// Larger bands of bits are no quicker than fronts and strips.
constexpr std::uint64_t most_bit_bytes = 1 << 18;

// `plan` with the room for kept fronts, and all bytes.
void add_bytes(FurthestPlan & plan, std::uint64_t m, std::uint64_t n, Penalties const & penalties, bool needs_path,
               OtherWay const & other)
{
    Fronts const fronts = lay_out_fronts(m, n, penalties, plan);
    std::uint64_t bytes = 2 * allocated(bytes_of(fronts, plan.width));
    if (may_be_worth_words(plan.most_penalty, m, n, penalties))
        bytes += SeedBound::bytes_for(m);
    plan.bytes = bytes;
    if (!needs_path)
        return;
    auto const bytes_with = [&](FrontRoom const & room) {
        auto const size = static_cast<std::uint64_t>(plan.width) / 8;
        // Fronts of which all are kept; their list doubles when it is full, as that of snapshots does.
        std::uint64_t const most = static_cast<std::uint64_t>(plan.most_penalty) + 64,
                            listed = room.spacing == 1 ? most : std::min(most, 2 * plan.first_points + 64),
                            snapshots = most / static_cast<std::uint64_t>(room.spacing) + 2;
        return bytes + allocated(3 * (listed * sizeof(KeptFront) + snapshots * sizeof(FrontSnapshot)), 4) +
               allocated(size * (room_of(plan.first_points, plan.most_penalty, penalties) + room.numbers), 2) +
               window_bytes(room.spacing, penalties, fronts.rings(), plan.width);
    };
    plan.room = room_for(plan.most_points, plan.most_penalty, penalties, fronts.rings());
    plan.bytes = bytes_with(plan.room);
    if (plan.bytes > other.bytes) {
        plan.room = least_room_for(plan.most_points, plan.most_penalty, penalties, fronts.rings());
        plan.bytes = bytes_with(plan.room);
    }
    plan.bit_bytes = 0;
    if (!penalties.unit_costs())
        return;
    std::uint64_t const bits = std::min(most_bit_bytes, BitBand::bytes_for(m, n, plan.most_penalty, other.lanes));
    if (plan.bytes + allocated(bits, 2) <= other.bytes) {
        plan.bit_bytes = bits;
        plan.bytes += allocated(bits, 2);
    }
}

} // namespace

Fronts lay_out_fronts(std::uint64_t m, std::uint64_t n, Penalties const & penalties, FurthestPlan const & plan)
{
    Fronts fronts;
    fronts.m = static_cast<std::int64_t>(m);
    fronts.n = static_cast<std::int64_t>(n);
    fronts.toward = fronts.n - fronts.m;
    fronts.mismatch = penalties.mismatch;
    fronts.open = penalties.open;
    fronts.extend = penalties.extend;
    // Diagonals that a gap leads to; one more, and what a vector reads beside them.
    std::int64_t const reach = plan.most_penalty / penalties.extend;
    std::int64_t const low = std::min(reach, fronts.m) + 4 + front_block,
                       high = std::min(reach, fronts.n) + 4 + 2 * front_block;
    auto const blocks = static_cast<std::int64_t>(ceil_div(low + high, front_block));
    fronts.first = -low;
    fronts.stride = (blocks | 1) * front_block; // an odd number of blocks: rows do not share lines of the cache
    fronts.ring = static_cast<std::int64_t>(ring_of(penalties.step()));
    fronts.gap_ring = penalties.open > 0 ? static_cast<std::int64_t>(ring_of(penalties.extend)) : 0;
    std::int64_t const least = plan.width == 16 ? INT16_MIN : INT32_MIN;
    fronts.base = least + slack(penalties, plan.most_penalty);
    return fronts;
}

std::uint64_t bytes_of(Fronts const & fronts, int width)
{
    return static_cast<std::uint64_t>((fronts.rings() + 1) * fronts.stride) * static_cast<std::uint64_t>(width) / 8;
}

FurthestPlan plan_furthest(std::uint64_t m, std::uint64_t n, Penalties const & penalties, std::int64_t min_score,
                           bool needs_path, OtherWay const & other, std::int64_t forced_points)
{
    FurthestPlan plan;
    auto const step = static_cast<std::uint64_t>(penalties.step());
    if (m == 0 || n == 0 || !penalties.count() || step >= most_ring || std::max(m, n) > INT32_MAX / 2)
        return plan;
    auto const shorter = static_cast<double>(std::min(m, n)), longer = static_cast<double>(std::max(m, n));
    auto const strip = static_cast<double>(other.strip_rows);
    double const cells = cells_per_point(penalties, other);
    std::optional<SameTime> limit{std::in_place, m, n, penalties, other, cells};
    std::int64_t const all = penalties.of_gaps(m, n), wanted = penalties.most(m, n, min_score);
    if (wanted < 0)
        return plan;
    std::int64_t const first =
        penalties.unit_costs() ? first_gaps_unit_costs : first_gaps * penalties.extend; // penalty
    plan.forced = forced_points > 0;
    plan.lag = penalties.unit_costs() ? lag_letters_unit_costs : lag_letters;
    plan.free_points = static_cast<std::uint64_t>(free_share * longer * std::min(shorter, 2 * strip) / cells);
    bool is_wide = false;
    for (plan.most_penalty = plan.forced ? wanted : std::min(wanted, limit->penalty());;
         plan.most_penalty -= plan.most_penalty / 8 + 1) {
        plan.width = fits(16, n, penalties, plan.most_penalty) ? 16 : 32;
        if (plan.width == 32 && !plan.forced && !is_wide) {
            is_wide = true;
            limit.emplace(m, n, penalties, other, slower_32_bits * cells);
            plan.most_penalty = std::min(plan.most_penalty, limit->penalty());
        }
        plan.most_points = plan.forced ? std::min(2 * points_up_to(plan.most_penalty, penalties), // of all diagonals
                                                  static_cast<std::uint64_t>(forced_points))
                                       : limit->points(plan.most_penalty);
        plan.first_points = std::min(plan.most_points, 2 * points_up_to(first, penalties));
        add_bytes(plan, m, n, penalties, needs_path, other);
        plan.cut = plan.cut || plan.bytes > other.bytes;
        if (plan.bytes <= other.bytes && fits(plan.width, n, penalties, plan.most_penalty))
            break;
        if (plan.most_penalty == 0)
            return plan;
    }
    plan.decides = wanted < all && plan.most_penalty == wanted;
    auto const apart = static_cast<std::int64_t>(std::max(m, n) - std::min(m, n));
    plan.tried = (apart == 0 ? 0 : penalties.open + apart * penalties.extend) <= plan.most_penalty;
    return plan;
}

// Whoever forces a way of strips wants to see that one.
bool may_try_furthest(Scoring const & scoring, Request const & request, Tuning const & tuning)
{
    bool const forces_strips = tuning.score_width != 0 || tuning.max_trace_bytes != 0 || tuning.tile_cols != 0 ||
                               tuning.band != 0 || tuning.scan != 0;
    return request.mode.global() && scoring.is_uniform() && !request.every_cell && request.checkpoint.folder.empty() &&
           (tuning.furthest > 0 || (tuning.furthest == 0 && !forces_strips));
}

FurthestPlan plan_furthest_within(std::uint64_t bytes, std::uint64_t m, std::uint64_t n, Penalties const & penalties,
                                  KernelTable const & kernels, Request const & request, int threads,
                                  Tuning const & tuning)
{
    OtherWay const other{std::uint64_t{16} * static_cast<std::uint64_t>(kernels.lanes), kernels.lanes, threads, bytes};
    return plan_furthest(m, n, penalties, request.min_score, request.top > 1 || request.output >= Output::span, other,
                         tuning.furthest);
}

std::optional<Penalties> penalties_before_strips(Scoring const & scoring, Request const & request,
                                                 Tuning const & tuning)
{
    if (request.top > 1 || !may_try_furthest(scoring, request, tuning))
        return std::nullopt;
    Penalties const penalties = Penalties::of(scoring);
    return penalties.count() ? std::optional{penalties} : std::nullopt;
}

std::optional<FurthestPlan> plan_before_strips(std::uint64_t m, std::uint64_t n, Penalties const & penalties,
                                               KernelTable const & kernels, Request const & request, int threads,
                                               Tuning const & tuning)
{
    auto const plan = plan_furthest_within(little_bytes, m, n, penalties, kernels, request, threads, tuning);
    return plan.tried && !plan.cut ? std::optional{plan} : std::nullopt;
}

} // namespace nwgpu::cpu
