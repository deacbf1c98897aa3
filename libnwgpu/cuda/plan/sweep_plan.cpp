// SPDX-License-Identifier: BSD-3-Clause
// What a sweep takes, and the strips and warps with which it takes least.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "cuda/kernels/kernels.hpp"
#include "cuda/plan/plan.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t warp_bytes = 1280;    // of shared memory, beside the profile
constexpr std::uint32_t most_plain_warps = 8; // a multiprocessor

} // namespace

double Chip::step_seconds(int rows_per_half, PairFacts const & pair, double sharers) const
{
    if (rows_per_half == 0) {
        PlainStep const & plain = pair.wide ? wide : narrow;
        return std::max(plain.alone, plain.each * sharers);
    }
    double const row = pair.mode.may_be_empty() ? pair.linear ? local_linear : local_affine
                       : pair.linear            ? global_linear
                                                : global_affine;
    double const fetch = rows_per_half > cached_rows && !pair.linear ? uncached : 1.0;
    return step + row * fetch * rows_per_half * sharers;
}

SweepPlan plan_sweep(std::uint64_t rows, std::uint64_t cols, std::uint64_t count, PairFacts const & pair,
                     DeviceFacts const & device, std::uint64_t most_strip_rows)
{
    // In a band tiles are computed with strips that divide those of the matrix, trace_strip_rows or more: then every
    // boundary that a tile reads was computed.
    bool const banded = !pair.band.everything();
    int const least_rows = banded ? static_cast<int>(trace_strip_rows) / 64 : device.rows_per_half.front();
    Chip const & chip = device.chip;
    SweepPlan best;
    best.seconds = 1e300;
    auto const consider = [&](int rows_per_half, SweepKernel const & kernel) {
        auto const block = static_cast<int>(kernel.warps_per_block);
        std::uint64_t const shared =
            kernel.warps_per_block * ((pair.letters + std::uint64_t{1}) * kernel.letter_bytes + warp_bytes);
        if (shared > device.shared_bytes_per_block)
            return;
        std::uint64_t const strip_rows = kernel.strip_rows;
        // More packed warps than these gain nothing: one fills its scheduler.
        std::uint32_t const most = rows_per_half == 0 ? most_plain_warps : kernel.warps_per_multiprocessor;
        int const resident =
            static_cast<int>(std::min<std::uint64_t>(most, kernel.warps_per_block * (device.shared_bytes / shared)));
        double const strips_of_job = static_cast<double>(ceil_div(rows, strip_rows));
        double const strips = strips_of_job * static_cast<double>(count);
        for (int warps = block; warps <= resident; warps += block) {
            if (pair.tuning.warps != 0 && warps != pair.tuning.warps)
                continue;
            double const resident_warps = static_cast<double>(warps) * device.multiprocessors;
            // A strip in a band begins when the one above is ahead by its height.
            double const width = std::min(static_cast<double>(cols), pair.strip_columns(strip_rows));
            double const advance = width < static_cast<double>(cols) ? static_cast<double>(strip_rows) : 0;
            double const at_a_time =
                std::max(1.0, std::min(strips_of_job, width / (advance + chip.lag_steps))) * static_cast<double>(count);
            double const running = std::min(advance > 0 ? at_a_time : strips, resident_warps);
            // A multiprocessor has four schedulers; the fullest one sets the pace of the pipeline.
            double const sharers = std::ceil(running / device.multiprocessors / 4);
            double const step = chip.step_seconds(rows_per_half, pair, sharers), rounds = std::ceil(strips / running);
            double const steps = rounds * (width + 64);
            // Slack costs its share of the steps, once; of a pair's shares, once per place.
            double const most_slack = pair.parts > 0 ? 2 : 16;
            double const slack =
                advance > 0 ? 1 : std::clamp(chip.slack_share * steps / running / steps_at_once, 1.0, most_slack);
            double const lag = chip.lag_steps + slack * steps_at_once;
            // Each strip waits for the one above; or they wait for warps.
            double const begin = pair.columns_in_reach > 0 ? chip.begin : 0;
            double const in_turn = strips_of_job * (step * (advance + chip.lag_steps) + begin) + step * width;
            double const at_once =
                step * steps + lag * chip.step_seconds(rows_per_half, pair, 1) * std::min(strips_of_job, running);
            bool const waits = advance > 0 && (at_a_time < resident_warps || (begin > 0 && in_turn > at_once));
            double const seconds = (waits ? in_turn : at_once) + 8e-6;
            // Rows of which one device computes as many as it has warps for end before another one's below them begin.
            bool const in_turns = begin > 0 && width < 2 * resident_warps * static_cast<double>(strip_rows);
            if (seconds < best.seconds)
                best = {rows_per_half, warps,   static_cast<std::uint32_t>(slack) * steps_at_once,
                        strip_rows,    seconds, waits || in_turns};
        }
    };
    for (int const half : device.rows_per_half) {
        if (pair.wide || half > pair.most_rows_per_half || (half > most_affine_rows && !pair.linear) ||
            (banded && (half < least_rows || !std::has_single_bit(static_cast<unsigned>(half)))))
            continue;
        SweepKernel const kernel = packed_shape(half);
        if ((half == least_rows || half == pair.tuning.rows_per_half || kernel.strip_rows <= most_strip_rows) &&
            (pair.tuning.rows_per_half == 0 || pair.tuning.rows_per_half == half))
            consider(half, kernel);
    }
    if (best.rows_per_half == 0) {
        auto const plain = pair.wide ? plain_kernel<std::int64_t> : plain_kernel<std::int32_t>;
        consider(0, plain(false, pair.letters, device.shared_bytes_per_block));
    }
    if (best.seconds > 1e299)
        throw Error{Status::device, "no kernel fits the device's shared memory"};
    return best;
}

} // namespace nwgpu::cuda
