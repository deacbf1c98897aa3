// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/band_probe.hpp"

#include <algorithm>

#include "cuda/sweep/boundary_memory.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t piece = 32768;         // letters between two anchors
constexpr std::uint64_t anchor = 512;          // letters of one
constexpr std::uint64_t reach = 32768;         // of the search for it, both ways
constexpr std::uint64_t piece_band_share = 16; // of a piece's length is the half-width of its band
constexpr double least_part = 0.5;             // of its highest score, or a word is not found again
constexpr double most_work = 0.1;              // of the whole matrix

} // namespace

std::vector<std::size_t> longest_rising(std::vector<std::uint64_t> const & numbers)
{
    constexpr std::size_t none = SIZE_MAX;
    std::vector<std::size_t> length(numbers.size(), 1), before(numbers.size(), none);
    std::size_t last = none;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        for (std::size_t p = 0; p < k; ++p)
            if (numbers[p] < numbers[k] && length[p] + 1 > length[k]) {
                length[k] = length[p] + 1;
                before[k] = p;
            }
        if (last == none || length[k] > length[last])
            last = k;
    }
    std::vector<std::size_t> chosen;
    for (; last != none; last = before[last])
        chosen.push_back(last);
    std::reverse(chosen.begin(), chosen.end());
    return chosen;
}

std::uint64_t probe_bytes(PairFacts const & facts)
{
    std::uint64_t const pieces = std::min(facts.m, facts.n) / piece + 1, entry = kept_entry(facts);
    std::uint64_t const anchors = pieces * (entry * (4 * reach + 2 * (anchor + 1)) + (facts.wide ? 8 : 4) * 2 * reach);
    std::uint64_t const whole = entry * 2 * (facts.m + facts.n + pieces);
    return std::max(anchors, whole) + pieces * 1024;
}

double probe_seconds(PairFacts const & facts) { return 0.03 + 47e-9 * static_cast<double>(std::min(facts.m, facts.n)); }

template <class S>
SweepJob<S> BandProbe<S>::job(std::uint64_t row, std::uint64_t rows, std::uint64_t col, std::uint64_t cols) const
{
    SweepJob<S> job;
    job.query = pair_.query + row;
    job.target = pair_.target + col;
    job.rows = static_cast<std::uint32_t>(rows);
    job.cols = static_cast<std::uint32_t>(cols);
    return job;
}

template <class S>
std::vector<LastCells> BandProbe<S>::sweep(std::vector<SweepJob<S>> jobs, PairFacts const & largest,
                                           bool free_target) const
{
    SweepPlan const plan = plan_sweep(largest.m, largest.n, jobs.size(), largest, device_facts_, largest.m);
    for (SweepJob<S> & job : jobs) // only the last row is asked for
        job.right_from = static_cast<std::uint32_t>((job.rows - 1) / plan.strip_rows);
    Device & device = sweeper_.device();
    Borders<S> const borders{device, jobs, true, free_target};
    fill_borders(device, jobs, free_target, false, sweeper_.args().code);
    sweeper_.run(sweeper_.kernel(plan.rows_per_half), jobs, plan, monitor_, 0);
    return find_last_cells(device, jobs, sweeper_.args().code);
}

template <class S>
auto BandProbe<S>::anchors() const -> std::vector<Corner>
{
    std::uint64_t const m = pair_.pair.m, n = pair_.pair.n, pieces = std::min(m, n) / piece;
    std::vector<SweepJob<S>> jobs;
    std::vector<Corner> windows; // letters before the anchor, and before its window
    PairFacts largest = facts_;
    largest.m = anchor;
    largest.n = std::min(n, 2 * reach);
    for (std::uint64_t k = 1; k < pieces; ++k) {
        auto const at = [&](std::uint64_t length) { // without overflow
            return length / pieces * k + length % pieces * k / pieces;
        };
        std::uint64_t const row = at(m) - anchor / 2, middle = at(n), begin = middle - std::min(middle, reach);
        windows.push_back({row, begin});
        jobs.push_back(job(row, anchor, begin, std::min(n, middle + reach) - begin));
    }
    if (jobs.empty())
        return {};
    std::vector<LastCells> const found = sweep(std::move(jobs), largest, true);

    std::vector<Corner> ends;
    std::vector<std::uint64_t> columns;
    for (std::size_t k = 0; k < found.size(); ++k) {
        std::int64_t best = 0; // that the anchor could score
        for (std::uint64_t i = 0; i < anchor; ++i)
            best += std::max<std::int64_t>(0, scoring_.best_of_query(pair_.pair.query[windows[k].i + i]));
        if (static_cast<double>(found[k].bottom.score) <= least_part * static_cast<double>(best))
            continue;
        ends.push_back({windows[k].i + anchor, windows[k].j + found[k].bottom.index + 1});
        columns.push_back(ends.back().j);
    }
    std::vector<Corner> chosen;
    for (std::size_t const k : longest_rising(columns))
        chosen.push_back(ends[k]);
    return chosen;
}

template <class S>
std::optional<std::int64_t> BandProbe<S>::score_through(std::vector<Corner> const & corners) const
{
    std::vector<SweepJob<S>> jobs;
    PairFacts largest = facts_;
    largest.m = largest.n = 0;
    double work = 0;
    std::int64_t gaps = 0; // of pieces without letters in one of the sequences
    for (std::size_t k = 1; k < corners.size(); ++k) {
        Corner const from = corners[k - 1], to = corners[k];
        std::uint64_t const rows = to.i - from.i, cols = to.j - from.j, longer = std::max(rows, cols);
        if (rows == 0 || cols == 0) {
            gaps -= longer == 0 ? 0 : scoring_.gap().open + static_cast<std::int64_t>(longer) * scoring_.gap().extend;
            continue;
        }
        PairView view;
        view.m = rows;
        view.n = cols;
        path::Band const band = path::band_around(view, longer / piece_band_share + 64);
        jobs.push_back(job(from.i, rows, from.j, cols));
        jobs.back().band_low = band.low;
        jobs.back().band_high = band.high;
        work += static_cast<double>(rows) *
                static_cast<double>(std::min(cols, static_cast<std::uint64_t>(band.high - band.low) + 1));
        if (longer > std::max(largest.m, largest.n)) {
            largest.m = rows;
            largest.n = cols;
            largest.band = band;
        }
    }
    if (work > most_work * static_cast<double>(pair_.pair.cells()))
        return std::nullopt;
    std::int64_t score = gaps;
    for (LastCells const & last : sweep(std::move(jobs), largest, false))
        score += last.corner;
    return score;
}

template <class S>
std::optional<path::Band> BandProbe<S>::find() const
{
    std::vector<Corner> corners = anchors();
    corners.insert(corners.begin(), Corner{});
    corners.push_back({pair_.pair.m, pair_.pair.n});
    auto const score = score_through(corners);
    if (!score)
        return std::nullopt;
    auto const half_width = path::BandProof{pair_.pair, scoring_}.half_width(*score);
    if (!half_width || *half_width > std::max(pair_.pair.m, pair_.pair.n))
        return std::nullopt;
    return path::band_around(pair_.pair, *half_width);
}

template class BandProbe<std::int32_t>;
template class BandProbe<std::int64_t>;

} // namespace nwgpu::cuda
