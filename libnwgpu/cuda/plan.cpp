// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "cuda/kernels.hpp"
#include "cuda/sweeper.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t trace_tile = 256;        // both ways; one strip of a trace kernel
constexpr std::uint64_t most_traced = 16u << 20; // cells of a pair that is traced at once
constexpr std::uint64_t warp_bytes = 2048;       // of shared memory, beside the profile
constexpr std::uint64_t first_cuts = 44;         // of the whole matrix: 2 / cuts of it are computed again
constexpr std::uint64_t most_cuts = 96;          // of a tile

// Seconds of one step of a warp: at least (latency), and of issue by its scheduler; fitted on an H200.
struct StepCost {
    double alone, busy;
};

StepCost step_cost(int pairs, bool local, bool linear, bool wide)
{
    if (pairs == 0)
        return wide ? StepCost{200e-9, 200e-9} : StepCost{110e-9, 80e-9};
    double const per_pair = local ? linear ? 4.5 : 6.5 : linear ? 3.0 : 5.0;
    double const instructions = per_pair * pairs + 22;
    return {(90 + 2.2 * instructions) / 1.9e9, instructions * 2 / 1.9e9};
}

std::uint64_t kept_bytes(std::uint64_t rows, std::uint64_t cols, std::uint64_t tile_rows, std::uint64_t tile_cols,
                         std::uint64_t entry)
{
    return entry * (((rows - 1) / tile_rows) * cols + ((cols - 1) / tile_cols) * (rows + 1) + cols);
}

} // namespace

SweepShape plan_sweep(std::uint64_t rows, std::uint64_t cols, std::uint64_t count, PairShape const & pair,
                      DeviceShape const & device)
{
    SweepShape best;
    best.seconds = 1e300;
    auto const consider = [&](int pairs, std::uint64_t strip_rows, std::uint64_t letter_bytes) {
        std::uint64_t const shared = pair.letters * letter_bytes + warp_bytes;
        if (shared > device.shared_bytes_per_block)
            return;
        StepCost const cost = step_cost(pairs, pair.mode.local, pair.linear, pair.wide);
        int const most = pairs <= 8 ? 20 : pairs <= 16 ? 16 : pairs <= 26 ? 12 : 8; // by registers
        int const resident = static_cast<int>(std::min<std::uint64_t>(most, device.shared_bytes / shared));
        double const strips_of_job = static_cast<double>(ceil_div(rows, strip_rows));
        double const strips = strips_of_job * static_cast<double>(count);
        for (int warps = 1; warps <= resident; ++warps) {
            if (pair.tuning.warps != 0 && warps != pair.tuning.warps)
                continue;
            double const running = std::min(strips, static_cast<double>(warps) * device.multiprocessors);
            // A multiprocessor has four schedulers; the fullest one sets the pace of the pipeline.
            double const sharers = std::ceil(running / device.multiprocessors / 4);
            double const step = std::max(cost.alone, cost.busy * sharers);
            // A strip follows the one above by the wavefront, two blocks of steps, and the way through the cache.
            double const lag = 64 + 2 * steps_at_once + 0.8e-6 / step;
            double const rounds = std::ceil(strips / running);
            double const seconds =
                step * (rounds * (static_cast<double>(cols) + 64) + lag * std::min(strips_of_job, running)) + 8e-6;
            if (seconds < best.seconds)
                best = {pairs, warps, strip_rows, seconds};
        }
    };
    for (int const pairs : packed_pairs)
        if (pairs <= pair.most_pairs && !pair.wide && (pair.tuning.pairs == 0 || pair.tuning.pairs == pairs))
            consider(pairs, 64 * static_cast<std::uint64_t>(pairs), 256 * ceil_div(pairs, 4));
    if (best.pairs == 0)
        consider(0, trace_strip_rows, 128 * trace_rows_per_lane);
    if (best.seconds > 1e299)
        throw Error{Status::device, "the score table does not fit the device's shared memory"};
    return best;
}

PairPlan plan_pair(PairShape const & pair, DeviceShape const & device)
{
    std::uint64_t const entry = pair.wide ? 16 : 8;
    PairPlan plan;
    std::uint64_t const m = pair.m, n = pair.n;
    std::uint64_t const lines = entry * (2 * n + 2 * m + 64) + m + n;
    double const cells = static_cast<double>(m) * static_cast<double>(n);

    std::uint64_t const traced = pair.tuning.max_traced_cells ? pair.tuning.max_traced_cells : most_traced;
    if (pair.path && cells <= static_cast<double>(traced)) {
        plan.traced = true;
        plan.bytes = lines + ceil_div(m, trace_strip_rows) * (4 * trace_words(n) + 64);
        PairShape plain = pair;
        plain.most_pairs = 0;
        plan.sweep = plan_sweep(m, n, 1, plain, device);
        plan.seconds = plan.sweep.seconds;
        plan.text = std::string{pair.wide ? "64" : "32"} + "-bit scores, full trace";
    }
    // With less memory: fewer cuts, and fewer tiles at once.
    std::uint64_t const whole = std::max(m, n), most = std::clamp<std::uint64_t>(whole / trace_tile, 1, first_cuts);
    for (int attempt = 0; !plan.traced; ++attempt) {
        std::uint64_t const cuts = pair.path ? std::max(std::min<std::uint64_t>(2, most), most >> attempt) : 0;
        auto const fewer = [&](double tiles) {
            return static_cast<std::uint64_t>(std::max(2.0, std::ldexp(tiles, -2 * attempt)));
        };
        plan = {};
        plan.sweep = plan_sweep(m, n, 1, pair, device);
        plan.seconds = plan.sweep.seconds;
        plan.bytes = lines + (pair.mode.free_target_end ? (pair.wide ? 8 : 4) * n : 0) +
                     ceil_div(m, plan.sweep.strip_rows) * 40;
        std::uint64_t rows = m, cols = n, strip_rows = plan.sweep.strip_rows, tiles = 1;
        auto const descend = [&](double ratio) { // a level of tiles `ratio` times smaller than rows x cols
            Level level;
            level.tile_rows = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(static_cast<double>(rows) / ratio / static_cast<double>(strip_rows)))) * strip_rows;
            level.tile_cols = std::max<std::uint64_t>(trace_tile, static_cast<std::uint64_t>(std::ceil(static_cast<double>(cols) / ratio)));
            plan.bytes += tiles * kept_bytes(rows, cols, level.tile_rows, level.tile_cols, entry);
            rows = std::min(rows, level.tile_rows);
            cols = std::min(cols, level.tile_cols);
            // Enough tiles to fill the device, or as many as lie on the way through the tiles above.
            double const fill = 3e9 / (static_cast<double>(rows) * static_cast<double>(cols));
            level.tiles_at_once = fewer(std::clamp(fill, 12.0, 512.0));
            level.sweep = plan_sweep(rows, cols, level.tiles_at_once, pair, device);
            tiles = level.tiles_at_once;
            strip_rows = level.sweep.strip_rows;
            plan.levels.push_back(level);
        };
        if (pair.path) {
            descend(static_cast<double>(cuts));
            auto const small = [&] { return rows <= 4 * trace_tile && cols <= 4 * trace_tile; };
            double const rest = static_cast<double>(std::max(rows, cols)) / static_cast<double>(trace_tile);
            double const steps = std::ceil(std::log(std::max(rest, 1.01)) / std::log(static_cast<double>(std::max<std::uint64_t>(8, most_cuts >> attempt))));
            double const ratio = std::max(2.0, std::pow(rest, 1 / std::max(1.0, steps)));
            for (int k = 0; k < 16 && !small(); ++k)
                descend(ratio);
            Level & last = plan.levels.back();
            last.tiles_at_once =
                fewer(std::clamp((48 << 20) / static_cast<double>(last.tile_rows * last.tile_cols), 16.0, 512.0));
            plan.bytes += last.tiles_at_once * ceil_div(rows, trace_strip_rows) * 4 * trace_words(cols);
            plan.seconds += plan.seconds * 2.2 / static_cast<double>(cuts);
        }
        plan.text = (plan.sweep.pairs ? std::string{"16"} : std::string{pair.wide ? "64" : "32"}) + "-bit scores, " +
                    std::to_string(plan.sweep.strip_rows) + " rows a warp, " +
                    std::to_string(plan.sweep.warps_per_multiprocessor) + " warps a multiprocessor" +
                    (pair.path ? ", boundaries kept on a grid of " + std::to_string(cuts) : ", no path");
        if (plan.bytes <= device.budget)
            break;
        if (cuts <= 2 && attempt > 5)
            throw Error{Status::memory_limit, "a pair of " + std::to_string(m) + " x " + std::to_string(n) +
                                                  " letters needs " + std::to_string(plan.bytes) +
                                                  " bytes of device memory, " + std::to_string(device.budget) +
                                                  " may be used"};
    }
    return plan;
}

} // namespace nwgpu::cuda
