// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/tasks.hpp"

#include <algorithm>
#include <functional>

namespace nwgpu::cpu {

namespace {

// A pair for the lanes as one number, in whose order pairs are grouped: rows / 32, columns, rows % 32, and its index.
struct Short {
    static_assert(LaneRules::max_letters < 1 << 12);

    static std::uint64_t number(PairView const & pair, std::uint64_t index)
    {
        return (pair.m / 32) << 57 | pair.n << 45 | (pair.m % 32) << 40 | index;
    }

    std::uint64_t m, n;
    std::uint32_t index;

    explicit Short(std::uint64_t number) :
        m{(number >> 57) * 32 + (number >> 40 & 31)}, n{number >> 45 & 0xfff}, index{static_cast<std::uint32_t>(number)}
    {}
};

} // namespace

Tasks::Tasks(Piece const & piece, LaneRules const & rules, bool lanes, std::size_t least, std::uint64_t lane_bytes,
             int threads)
{
    std::size_t const count = piece.pairs.size();
    order_.reserve(count);
    std::vector<std::uint64_t> shorts;
    if (lanes)
        shorts.reserve(count);
    tasks_.reserve(count);
    for (std::size_t k = 0; k < count; ++k)
        if (PairView const pair = piece.batch.view(piece.pairs[k]); lanes && rules.takes(pair)) {
            shorts.push_back(Short::number(pair, k));
        } else {
            order_.push_back(static_cast<std::uint32_t>(k));
            add(pair.m, pair.n, 1);
        }
    group(shorts, rules, least, lane_bytes);
    std::sort(tasks_.begin(), tasks_.end(), [](Task const & a, Task const & b) {
        return a.cells != b.cells ? a.cells > b.cells : a.begin < b.begin;
    });
    share(threads);
}

// By the cells that are left when a pair's turn comes: of pairs of one length, as many as there are threads.
void Tasks::share(double threads)
{
    double rest = 0;
    for (auto task = tasks_.rbegin(); task != tasks_.rend(); ++task) {
        rest += task->cells * task->count;
        task->shared = task->count == 1 && task->cells * threads > rest;
    }
}

// The pairs that were put into the order last.
void Tasks::add(std::uint64_t m, std::uint64_t n, std::size_t count)
{
    tasks_.push_back({static_cast<double>(m) * static_cast<double>(n),
                      static_cast<std::uint32_t>(order_.size() - count), static_cast<std::uint16_t>(count)});
}

// Groups of pairs of similar lengths: at least 70 % of the longest in both directions.
void Tasks::group(std::vector<std::uint64_t> & shorts, LaneRules const & rules, std::size_t least, std::uint64_t limit)
{
    std::sort(shorts.begin(), shorts.end(), std::greater{});
    for (std::size_t begin = 0, end = 0; begin < shorts.size(); begin = end) {
        std::uint64_t m = 0, n = 0;
        for (; end < shorts.size(); ++end) {
            Short const pair{shorts[end]};
            std::uint64_t const rows = std::max(m, pair.m), cols = std::max(n, pair.n);
            if (end - begin >= static_cast<std::size_t>(rules.lanes(rows, cols)) || 10 * pair.m < 7 * rows ||
                10 * pair.n < 7 * cols || !rules.fits(rows, cols))
                break;
            m = rows;
            n = cols;
        }
        end = std::max(end, begin + 1);
        std::uint64_t const bytes = rules.workspace(std::max(m, n));
        bool const grouped = end - begin >= (least > 0 ? least : static_cast<std::size_t>(rules.lanes(m, n)) / 3) &&
                             (limit == 0 || bytes <= limit);
        for (std::size_t k = begin; k < end; ++k) {
            Short const pair{shorts[k]};
            order_.push_back(pair.index);
            if (!grouped)
                add(pair.m, pair.n, 1);
        }
        if (grouped) {
            add(m, n, end - begin);
            lane_bytes_ = std::max(lane_bytes_, bytes);
        }
    }
}

} // namespace nwgpu::cpu
