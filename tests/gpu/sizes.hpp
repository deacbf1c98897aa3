// SPDX-License-Identifier: BSD-3-Clause
// What a list of sizes of packed kernels costs, predicted by plans, beside having every size.  Needs no GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "cuda/plan/column_parts.hpp"
#include "cuda/plan/plan.hpp"

namespace nwgpu::test {

constexpr cuda::DeviceFacts h200{132, 233472, 232448, std::uint64_t{120} << 30};

struct SizeWork {
    std::uint64_t m, n;
    bool local, linear, path;
    std::uint64_t band = 0,
                  parts = 0; // diagonals on either side; columns that a path spans at most: parts of the target
    double weight = 1;       // more: of the table
};

inline std::string describe(SizeWork const & work)
{
    return std::to_string(work.m) + " x " + std::to_string(work.n) + (work.local ? " local" : " global") +
           (work.linear ? " linear" : " affine") + (work.path ? " path" : " score") + (work.band ? " in a band" : "") +
           (work.parts ? " in parts" : "");
}

// Lengths of all magnitudes, few rows beside many columns, and the long pair's table (benchmark.cpp), which counts
// most.
inline std::vector<SizeWork> size_works()
{
    constexpr std::uint64_t M = 1000000;
    std::vector<SizeWork> works;
    for (bool const local : {false, true})
        for (bool const linear : {false, true}) {
            for (double length = 10000; length < 60e6; length *= 1.19)
                for (bool const path : {false, true})
                    works.push_back(
                        {static_cast<std::uint64_t>(length), static_cast<std::uint64_t>(length), local, linear, path});
            if (local)
                for (std::uint64_t const rows : {100, 250, 400, 700, 1000, 1500, 2500, 4000, 6000})
                    works.push_back({rows, 16 * M, true, linear, true, 0, 2 * rows});
            else
                for (std::uint64_t const length : {300000, 1000000, 5000000, 20000000})
                    works.push_back({length, length, false, linear, true, length / 200});
        }
    constexpr double weight = 10;
    for (std::uint64_t const length : {M, 5 * M}) {
        for (bool const path : {false, true})
            works.push_back({length, length, true, false, path, 0, 0, weight});
        for (bool const linear : {false, true})
            works.push_back({length, length, false, linear, false, 0, 0, weight});
        works.push_back({length, length, false, false, true, length / 200, 0, weight});
    }
    for (bool const linear : {false, true})
        works.push_back({23000, 23000, false, linear, true, 0, 0, weight});
    for (std::uint64_t const length : {10000, 100000})
        works.push_back({length, length, true, false, false, 0, 0, weight});
    works.push_back({100000, 100000, false, false, false, 0, 0, weight});
    works.push_back({100000, 100000, true, false, true, 0, 0, weight});
    works.push_back({1024, M, true, false, false, 0, 2048, weight});
    works.push_back({1024, 16 * M, true, false, true, 0, 2048, weight});
    works.push_back({128, 16 * M, true, false, false, 0, 256, weight});
    return works;
}

inline double seconds_of(SizeWork const & work, std::span<int const> rows_per_half)
{
    cuda::DeviceFacts device = h200;
    device.rows_per_half = rows_per_half;
    cuda::PairFacts pair;
    pair.m = work.m;
    pair.n = work.n;
    pair.letters = 4;
    pair.most_rows_per_half = rows_per_half.back();
    pair.linear = work.linear;
    pair.path = work.path;
    pair.mode.local = work.local;
    if (work.band > 0)
        pair.band = {-static_cast<std::int64_t>(work.band), static_cast<std::int64_t>(work.band)};
    cuda::PairPlan const plan = cuda::plan_pair(pair, device);
    if (work.parts > 0)
        if (auto const parts = cuda::plan_column_parts(plan, pair, work.parts, device))
            return parts->seconds;
    return plan.seconds;
}

// Beside every size.
struct Loss {
    double mean = 0, most = 0, table = 0; // shares; the latter: the most of the long pair's table
    std::string worst;                    // work
};
class SizeLoss {
public:
    explicit SizeLoss(std::vector<SizeWork> works) : works_{std::move(works)}
    {
        // A word of column scores has four rows: few rows that are no multiple of it take longer than is predicted.
        for (int rows = 2; rows <= 76; rows += rows < 4 ? 2 : rows < 16 ? 4 : 1)
            every_.push_back(rows);
        for (SizeWork const & work : works_)
            least_.push_back(seconds_of(work, every_));
    }
    std::vector<int> const & every() const { return every_; }
    Loss of(std::span<int const> rows_per_half) const
    {
        Loss loss;
        double weights = 0;
        for (std::size_t k = 0; k < works_.size(); ++k) {
            double const share = seconds_of(works_[k], rows_per_half) / least_[k] - 1;
            loss.mean += works_[k].weight * share;
            weights += works_[k].weight;
            if (works_[k].weight > 1)
                loss.table = std::max(loss.table, share);
            if (share > loss.most) {
                loss.most = share;
                loss.worst = describe(works_[k]);
            }
        }
        loss.mean /= weights;
        return loss;
    }

private:
    std::vector<SizeWork> works_;
    std::vector<int> every_;
    std::vector<double> least_;
};

} // namespace nwgpu::test
