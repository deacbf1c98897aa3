// SPDX-License-Identifier: BSD-3-Clause
// All steps are done in pieces of the pairs, which the threads of the team take.
#include "cpu/tasks.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "base/pieces.hpp"

namespace nwgpu::cpu {

namespace {

// A pair for the lanes as one number, by whose upper bits pairs are grouped: rows / 32, columns, rows % 32, and its
// index.
struct Short {
    static_assert(LaneRules::max_letters < 1 << 12);
    static constexpr int index_bits = 40, lengths_bits = 24;

    static std::uint64_t number(PairView const & pair, std::uint64_t index)
    {
        return (pair.m / 32) << 57 | pair.n << 45 | (pair.m % 32) << index_bits | index;
    }
    // Longer pairs have lower keys.
    static std::uint64_t key(std::uint64_t number) { return ~number >> index_bits; }

    std::uint64_t m, n;
    std::uint32_t index;

    explicit Short(std::uint64_t number) :
        m{(number >> 57) * 32 + (number >> 40 & 31)}, n{number >> 45 & 0xfff}, index{static_cast<std::uint32_t>(number)}
    {}
};

// A group of pairs with so many cells each, or more, takes as long as many of its pairs take alone: such groups are no
// larger than a thread's share of all these pairs, and where that is little they go alone.
constexpr std::uint64_t long_cells = 250'000;

// Fewer tasks, and pairs, are sorted by one thread.
constexpr std::uint64_t few = 4096;

double cells_of(PairView const & pair) { return static_cast<double>(pair.m) * static_cast<double>(pair.n); }

// About what a task takes, in cells of a pair alone.  All others come behind pairs that threads may share.
double time_of(Task const & task)
{
    constexpr double most = 0.95 * least_long_cells;
    if (task.cells >= least_long_cells)
        return task.cells;
    return std::min(most, task.count > 1 ? task.cells * task.count / 2 : task.cells);
}

} // namespace

struct Tasks::Grouping {
    LaneRules const & rules;
    std::size_t least;
    std::uint64_t lane_bytes;
    std::uint64_t const * shorts; // sorted
    std::uint64_t alone;          // pairs before them in the order
    std::uint64_t share;          // of a thread: cells of long pairs

    bool is_half_empty(std::uint64_t begin, std::uint64_t end, std::uint64_t rows, std::uint64_t cols) const;
};

// Where scores come first and paths later, a group takes as long as a third to a half of its pairs take alone.
bool Tasks::Grouping::is_half_empty(std::uint64_t begin, std::uint64_t end, std::uint64_t rows,
                                    std::uint64_t cols) const
{
    if (least > 0 || !rules.has_paths_later() || rules.fits(rows, cols))
        return false;
    std::uint64_t cells = 0;
    for (std::uint64_t k = begin; k < end; ++k) {
        Short const pair{shorts[k]};
        cells += pair.m * pair.n;
    }
    return 2 * cells < static_cast<std::uint64_t>(rules.lanes(rows, cols)) * rows * cols;
}

Tasks::Tasks(Piece const & piece, LaneRules const & rules, bool lanes, std::size_t least, std::uint64_t lane_bytes,
             Team & team) :
    team_{team}
{
    std::uint64_t const count = piece.pairs.size();
    order_.resize(count);
    tasks_.resize(count);
    if (!lanes) {
        for_pieces(&team, count, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t k = begin; k < end; ++k)
                add_alone(piece, k, k);
        });
    } else {
        // Numbers of the pairs for the lanes, 0 for others; then those first that are alone.
        auto shorts = std::make_unique_for_overwrite<std::uint64_t[]>(count),
             other = std::make_unique_for_overwrite<std::uint64_t[]>(count);
        std::vector<std::uint64_t> alone(ceil_div(count, piece_entries));
        std::atomic<std::uint64_t> cells_of_long{0};
        for_pieces(&team, count, [&](std::uint64_t begin, std::uint64_t end) {
            std::uint64_t sum = 0, cells = 0;
            for (std::uint64_t k = begin; k < end; ++k) {
                PairView const pair = piece.batch.view(piece.pairs[k]);
                bool const taken = rules.takes(pair);
                other[k] = taken ? Short::number(pair, k) : 0;
                sum += !taken;
                if (taken && pair.cells() >= long_cells / 2) // may be beside one that has so many
                    cells += pair.cells();
            }
            cells_of_long += cells;
            alone[begin / piece_entries] = sum;
        });
        std::uint64_t all_alone = 0;
        for (std::uint64_t & of_piece : alone)
            all_alone += std::exchange(of_piece, all_alone);
        for_pieces(&team, count, [&](std::uint64_t begin, std::uint64_t end) {
            std::uint64_t at_alone = alone[begin / piece_entries], at_short = begin - at_alone;
            for (std::uint64_t k = begin; k < end; ++k)
                if (other[k] != 0)
                    shorts[at_short++] = other[k];
                else
                    add_alone(piece, k, at_alone++);
        });
        std::uint64_t const all_short = count - all_alone;
        std::uint64_t const * sorted = shorts.get();
        if (all_short < few)
            std::stable_sort(shorts.get(), shorts.get() + all_short,
                             [](std::uint64_t a, std::uint64_t b) { return Short::key(a) < Short::key(b); });
        else
            sorted = sort_by_key(&team, shorts.get(), other.get(), all_short, Short::lengths_bits,
                                 [](std::uint64_t number) { return Short::key(number); });
        group(piece,
              {rules, least, lane_bytes, sorted, all_alone, cells_of_long / static_cast<std::uint64_t>(team.size())},
              all_short);
    }
    sort();
    share();
}

void Tasks::add_alone(Piece const & piece, std::uint64_t k, std::uint64_t place)
{
    order_[place] = static_cast<std::uint32_t>(k);
    tasks_[place] = {cells_of(piece.batch.view(piece.pairs[k])), static_cast<std::uint32_t>(place), 1};
}

// Groups of pairs of similar lengths.
void Tasks::group(Piece const & piece, Grouping const & of, std::uint64_t count)
{
    struct Made {
        std::uint64_t tasks = 0, lane_bytes = 0;
    };
    std::vector<Made> made(ceil_div(count, piece_entries));
    for_pieces(&team_, count, [&](std::uint64_t first, std::uint64_t last) {
        Made & here = made[first / piece_entries];
        Task * task = tasks_.data() + of.alone + first;
        for (std::uint64_t begin = first, end = first; begin < last; begin = end) {
            std::uint64_t m = 0, n = 0, before = 0;
            std::size_t lanes = 1, least = 1;
            for (; end < last && end - begin < lanes; ++end) {
                if (std::uint64_t const key = Short::key(of.shorts[end]); m > 0 && key == before)
                    continue;
                else
                    before = key;
                Short const pair{of.shorts[end]};
                std::uint64_t const rows = std::max(m, pair.m), cols = std::max(n, pair.n);
                if (end > begin && !of.rules.may_join(pair.m, pair.n, end - begin, rows, cols))
                    break;
                m = rows;
                n = cols;
                lanes = static_cast<std::size_t>(of.rules.lanes(m, n));
                least = of.least > 0 ? of.least : lanes / 3;
                if (of.least == 0 && m * n >= long_cells) {
                    std::uint64_t const of_share = ceil_div(of.share, m * n); // pairs
                    least = 3 * of_share < 2 * lanes ? lanes + 1 : least;     // more than there can be
                    lanes = std::min<std::size_t>(lanes, of_share);
                }
            }
            std::uint64_t const bytes = of.rules.workspace(std::max(m, n));
            bool const grouped = end - begin >= least && (of.lane_bytes == 0 || bytes <= of.lane_bytes) &&
                                 !of.is_half_empty(begin, end, m, n);
            for (std::uint64_t k = begin; k < end; ++k) {
                std::uint32_t const index = Short{of.shorts[k]}.index;
                order_[of.alone + k] = index;
                if (!grouped)
                    *task++ = {cells_of(piece.batch.view(piece.pairs[index])), static_cast<std::uint32_t>(of.alone + k),
                               1};
            }
            if (grouped) {
                *task++ = {static_cast<double>(m * n), static_cast<std::uint32_t>(of.alone + begin),
                           static_cast<std::uint16_t>(end - begin)};
                here.lane_bytes = std::max(here.lane_bytes, bytes);
            }
        }
        here.tasks = static_cast<std::uint64_t>(task - (tasks_.data() + of.alone + first));
    });
    std::uint64_t tasks = of.alone;
    for (std::size_t k = 0; k < made.size(); ++k) {
        Task const * const from = tasks_.data() + of.alone + k * piece_entries;
        std::copy(from, from + made[k].tasks, tasks_.data() + tasks);
        tasks += made[k].tasks;
        lane_bytes_ = std::max(lane_bytes_, made[k].lane_bytes);
    }
    tasks_.resize(tasks);
}

// Those first that take longest; many of them by their first six bits or so.
void Tasks::sort()
{
    if (tasks_.size() < few) {
        std::sort(tasks_.begin(), tasks_.end(), [](Task const & a, Task const & b) {
            return time_of(a) != time_of(b) ? time_of(a) > time_of(b) : a.begin < b.begin;
        });
        return;
    }
    constexpr int bits = 16; // of the exponent and the first digits
    auto const key = [](Task const & task) {
        return ~(std::bit_cast<std::uint64_t>(time_of(task)) >> (63 - bits)) & ((1u << bits) - 1);
    };
    Array<Task> other(tasks_.size());
    if (sort_by_key(&team_, tasks_.data(), other.data(), tasks_.size(), bits, key) == other.data())
        tasks_.swap(other);
}

// By the cells that are left when a pair's turn comes: of pairs of one length, as many as there are threads.
void Tasks::share()
{
    double const threads = team_.size();
    double rest = 0;
    for (auto task = tasks_.rbegin(); task != tasks_.rend(); ++task) {
        rest += task->cells * task->count;
        task->shared = task->count == 1 && task->cells * threads > rest;
    }
}

} // namespace nwgpu::cpu
