// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/query_batch.hpp"

#include <algorithm>
#include <new>

#include "base/pieces.hpp"
#include "cpu/batch/lane_letters.hpp"
#include "cpu/kernels/lane_groups.hpp"

namespace nwgpu::cpu {

namespace {

// Longer sequences, which are few, keep all lanes busy alone; larger groups would keep a call from being cancelled.
constexpr std::uint64_t most_rows = 8192, most_columns = (1 << 16) - 1, most_cells = 400'000'000;
// Groups that are left out after one most of whose scores leave 8 bits.
constexpr std::size_t groups_left_out = 3;

// Entries of a QueryBatch.
constexpr int length_bits = 16, stretch_bits = 16, index_bits = 32;
std::uint64_t entry_of(std::uint64_t stretch, std::uint64_t length, std::uint64_t index)
{
    return stretch << (index_bits + length_bits) | (most_columns - length) << index_bits | index;
}
std::uint64_t stretch_of(std::uint64_t entry) { return entry >> (index_bits + length_bits); }
std::uint64_t length_of(std::uint64_t entry) { return most_columns - (entry >> index_bits & most_columns); }
std::uint32_t index_of(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

// How many times as long as in a lane a cell takes in a pair alone, with so many rows.
double slower_alone(std::uint64_t rows) { return 1.55 * (1 + 350 / static_cast<double>(rows)); }

} // namespace

bool QueryBatch::takes(Scoring const & scoring, Request const & request)
{
    bool const is_asked_for = request.output == Output::score && request.top == 1 && request.mode.local &&
                              request.mode.has_usual_rules() && request.checkpoint.folder.empty() &&
                              !scoring.is_uniform() && scoring.size() <= QueryLanes::most_letters;
    if (!is_asked_for)
        return false;
    GapCost const gap = scoring.gap();
    return scoring.min_score() >= -128 && scoring.max_score() <= 127 && gap.open + gap.extend <= 127;
}

QueryBatch::QueryBatch(Piece const & piece, KernelTable const & kernels, bool forced, Team & team) :
    piece_{piece}, kernels_{kernels}, lanes_{static_cast<std::size_t>(kernels.lanes)}, answered_(piece.pairs.size())
{
    std::ranges::fill(table_, std::int8_t{-128});
    int const letters = piece.scoring.size();
    for (int q = 0; q < letters; ++q)
        for (int t = 0; t < letters; ++t)
            table_[q * QueryLanes::table_stride + t] =
                static_cast<std::int8_t>(piece.scoring.scores()[static_cast<std::size_t>(q * letters + t)]);

    // Stretches of neighbours with the same query, and of those the long ones.
    std::uint64_t const least = least_pairs(kernels, forced);
    std::uint64_t const count = piece.pairs.size();
    entries_.resize(count);
    std::uint64_t entries = 0, stretch = 0;
    for (std::uint64_t begin = 0, end = 0; begin < count && stretch < 1u << stretch_bits; begin = end) {
        std::uint64_t const query = piece.batch.pairs[piece.pairs[begin]].query;
        for (; end < count && piece.batch.pairs[piece.pairs[end]].query == query; ++end) {
        }
        std::uint64_t const m = piece.batch.queries.length(query);
        if (end - begin < least || m == 0 || m > most_rows)
            continue;
        for (std::uint64_t k = begin; k < end; ++k)
            if (std::uint64_t const n = piece.batch.view(piece.pairs[k]).n; n > 0 && n <= most_columns)
                entries_[entries++] = entry_of(stretch, n, k);
        ++stretch;
    }
    entries_.resize(entries);
    Array<std::uint64_t> other(entries);
    if (sort_by_key(&team, entries_.data(), other.data(), entries, length_bits + stretch_bits,
                    [](std::uint64_t entry) { return entry >> index_bits; }) == other.data())
        entries_.swap(other);
    find_groups(forced);
    if (!forced && !are_quicker(static_cast<std::size_t>(team.size())))
        groups_.clear();
}

// Groups of neighbours that fill as much of the lanes as is quicker than each pair alone.
void QueryBatch::find_groups(bool forced)
{
    for (std::uint64_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
        std::uint64_t const most = length_of(entries_[begin]), rows = piece_.batch.view(pair_of(entries_[begin])).m;
        std::uint64_t letters = 0;
        while (end < entries_.size() && end - begin < lanes_ &&
               stretch_of(entries_[end]) == stretch_of(entries_[begin]) && 2 * length_of(entries_[end]) >= most)
            letters += length_of(entries_[end++]);
        bool const is_full = static_cast<double>(letters) * slower_alone(rows) > static_cast<double>(lanes_ * most);
        if (rows * most * lanes_ <= most_cells && (forced || is_full))
            groups_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), letters});
    }
}

// Pairs alone keep all threads busy, however few they are.
bool QueryBatch::are_quicker(std::size_t threads) const
{
    double alone = 0;
    for (Group const & group : groups_) {
        std::uint64_t const rows = longest(group).m;
        alone += static_cast<double>(group.letters * rows) * slower_alone(rows);
    }
    return cells_of_thread(threads) < alone / static_cast<double>(threads);
}

void QueryBatch::work(QueryMemory & memory, AnswerWriter & writer, Monitor & monitor)
{
    for (std::size_t k = next_++; k < groups_.size() && !monitor.stopped(); k = next_++) {
        if (k < left_out_)
            continue;
        try {
            Group const & group = groups_[k];
            double const count = group.count, answered = static_cast<double>(align(group, memory, writer, monitor));
            if (answered * slower_alone(longest(group).m) < count) // as quick alone
                leave_out_behind(k);
        } catch (std::bad_alloc const &) { // alone they take less
        }
    }
}

// Of the same query, whose longer targets come first.
void QueryBatch::leave_out_behind(std::size_t group)
{
    auto const stretch = [&](std::size_t k) { return stretch_of(entries_[groups_[k].begin]); };
    std::size_t end = group + 1;
    while (end < groups_.size() && end <= group + groups_left_out && stretch(end) == stretch(group))
        ++end;
    left_out_ = end;
}

std::size_t QueryBatch::align(Group const & group, QueryMemory & memory, AnswerWriter & writer, Monitor & monitor)
{
    std::span<std::uint64_t const> const entries{entries_.data() + group.begin, group.count};
    std::uint8_t const * targets[LaneLetters::most_lanes] = {};
    std::int32_t lengths[LaneLetters::most_lanes] = {};
    PairView const first = piece_.batch.view(pair_of(entries.front())); // none is longer
    for (std::size_t k = 0; k < entries.size(); ++k) {
        PairView const pair = piece_.batch.view(pair_of(entries[k]));
        targets[k] = pair.target;
        lengths[k] = static_cast<std::int32_t>(pair.n);
    }
    std::uint8_t * const target = memory.target.grow((first.n + 16) * lanes_);
    kernels_.batch_letters({targets, lengths, first.n, QueryLanes::padding, target}, kernels_.lanes);
    alignas(64) std::int32_t best[LaneLetters::most_lanes];
    int const letters = piece_.scoring.size();
    GapCost const gap = piece_.scoring.gap();
    kernels_.query_lanes(
        {first.query, first.m, target, first.n, letters, table_, static_cast<std::int8_t>(gap.open + gap.extend),
         static_cast<std::int8_t>(gap.extend), memory.state.grow(2 * first.m * lanes_),
         memory.profile.grow(static_cast<std::uint64_t>(letters) * QueryLanes::columns * lanes_), best});
    std::size_t answered = 0;
    std::uint64_t cells = 0;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        if (best[k] >= QueryLanes::overflow)
            continue;
        writer.put(pair_of(entries[k]), best[k], {}, {});
        answered_[index_of(entries[k])] = 1;
        cells += first.m * static_cast<std::uint64_t>(lengths[k]);
        ++answered;
    }
    monitor.poll(cells);
    return answered;
}

std::size_t QueryBatch::others(std::span<std::uint64_t> to) const
{
    std::size_t count = 0;
    for (std::uint64_t k = 0; k < piece_.pairs.size(); ++k)
        if (answered_[k] == 0)
            to[count++] = piece_.pairs[k];
    return count;
}

double QueryBatch::try_group(std::size_t k, QueryMemory & memory, Monitor & monitor)
{
    AnswerWriter nowhere{nullptr};
    Group const & group = from_middle(k);
    return static_cast<double>(align(group, memory, nowhere, monitor)) / group.count;
}

double QueryBatch::cells_of_thread(std::size_t threads) const
{
    double all = 0, most = 0;
    for (Group const & group : groups_) {
        all += cells_of(group);
        most = std::max(most, cells_of(group));
    }
    return std::max(most, all / static_cast<double>(threads));
}

double QueryBatch::part_in_groups() const
{
    double all = 0, grouped = 0;
    for (std::uint64_t const p : piece_.pairs)
        all += static_cast<double>(piece_.batch.view(p).cells());
    for (Group const & group : groups_)
        grouped += static_cast<double>(group.letters * longest(group).m);
    return all > 0 ? grouped / all : 0;
}

namespace {

// Of a thread, for a query of m letters and targets of n, where a matrix has so many letters.
std::uint64_t workspace_of(std::uint64_t m, std::uint64_t n, int letters, std::size_t lanes)
{
    return (n + 16 + 2 * m + static_cast<std::uint64_t>(letters) * QueryLanes::columns) * lanes;
}

} // namespace

std::uint64_t QueryBatch::workspace() const
{
    std::uint64_t most = 0;
    for (Group const & group : groups_)
        most = std::max(most, workspace_of(longest(group).m, longest(group).n, piece_.scoring.size(), lanes_));
    return most;
}

std::uint64_t QueryBatch::bytes(Piece const & piece, KernelTable const & kernels, std::uint64_t threads)
{
    // What sorts them, groups of a vector that grows, whether they have an answer, and the list of those that have
    // none.
    constexpr std::uint64_t of_a_pair = 3 * sizeof(std::uint64_t) + 3 * sizeof(Group) + 2;
    std::uint64_t most = 0;
    for (std::uint64_t const p : piece.pairs)
        if (PairView const pair = piece.batch.view(p); pair.m <= most_rows && pair.n <= most_columns)
            most = std::max(
                most, workspace_of(pair.m, pair.n, piece.scoring.size(), static_cast<std::size_t>(kernels.lanes)));
    return piece.pairs.size() * of_a_pair + threads * most + sizeof(QueryBatch) + (1 << 12);
}

} // namespace nwgpu::cpu
