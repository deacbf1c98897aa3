// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/probe.hpp"

#include <algorithm>
#include <vector>

#include "base/pieces.hpp"
#include "cuda/batch/couples.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr std::uint64_t sample = 16, least_rows = 256, tries = 64; // pairs
constexpr std::uint64_t strangers = 2;                             // of them, the least similar, that do not count

// How far a probe goes: rows, and diagonals on each side of the main one; how much more than the mean bands have, since
// pairs differ.  Bands of long pairs are dear, and each has the differences of many letters.
struct Reach {
    int rows, diagonals;
    double more;
};
constexpr Reach usual{512, 32, 1.08}, far{2048, 128, 1.03};
constexpr std::uint64_t least_rows_of_far = 24000;
// Fewer chains than this, and more of longer ones, are sooner done one after the other, each by the whole device.
constexpr std::uint64_t least_chains = 8, steps_per_chain = 50000;

// The best score of the first rows against the begin of the target, in a band.
int score_of_begin(PairView const & pair, int rows, int reach, BatchScheme const & scheme, auto const & code)
{
    constexpr int none = -(1 << 28);
    auto const n = static_cast<int>(std::min<std::uint64_t>(pair.n, static_cast<std::uint64_t>(rows + reach)));
    std::vector<int> H(2 * static_cast<std::size_t>(reach) + 2), F(H); // of a row, by diagonal; the last is none
    for (int k = 0; k <= 2 * reach + 1; ++k) {
        int const j = k - reach;
        H[static_cast<std::size_t>(k)] = j < 0 || j > n || j > reach ? none
                                         : j == 0                    ? 0
                                                                     : -scheme.open - scheme.extend * j;
        F[static_cast<std::size_t>(k)] = none;
    }
    for (int i = 1; i <= rows; ++i) {
        int E = none, left = none;
        for (int k = 0; k <= 2 * reach; ++k) {
            int const j = i + k - reach;
            int & h = H[static_cast<std::size_t>(k)];
            int const above = H[static_cast<std::size_t>(k) + 1];
            int & f = F[static_cast<std::size_t>(k)];
            f = std::max(above - scheme.open, F[static_cast<std::size_t>(k) + 1]) - scheme.extend;
            E = std::max(left - scheme.open, E) - scheme.extend;
            if (j < 0 || j > n)
                h = none;
            else if (j == 0)
                h = -scheme.open - scheme.extend * i;
            else
                h = std::max(
                    {h + (code(pair.query[i - 1]) == code(pair.target[j - 1]) ? scheme.best : scheme.worst), E, f});
            left = h;
        }
    }
    return *std::max_element(H.begin(), H.end());
}

bool has_many_chains(Piece const & piece, BatchWork work)
{
    work.has_chains = true;
    std::uint64_t const count = piece.pairs.size(), tried = std::min(count, tries);
    std::uint64_t chains = 0, most_steps = 0;
    for (std::uint64_t k = 0; k < tried; ++k) {
        PairView const pair = piece.batch.view(piece.pairs[k * count / tried]);
        if (!work.suits(pair) || !work.shape_of(pair).is_chain())
            continue;
        ++chains;
        most_steps = std::max<std::uint64_t>(
            most_steps, steps_of(work.shape_of(pair), static_cast<int>(pair.m), static_cast<int>(pair.n)));
    }
    return chains > 0 && chains * count / tried >= least_chains + most_steps / steps_per_chain;
}

bool has_one_query(Piece const & piece)
{
    return std::all_of(piece.pairs.begin(), piece.pairs.end(), [&](std::uint64_t pair) {
        return piece.batch.pairs[pair].query == piece.batch.pairs[piece.pairs.front()].query;
    });
}

// A target many times as long as others would keep all of them waiting, so it is left out; where even a sample has one,
// groups have all pairs.
constexpr std::uint64_t many_times = 8, usual_letters = 4096;

void look_for_couples(Piece const & piece, BatchWork & work, std::uint64_t least_cells)
{
    std::uint64_t const rows = piece.batch.view(piece.pairs.front()).m;
    bool const may_be_lone = work.may_couple && work.one_query && work.forced_warps == 0 &&
                             is_worth_alone(rows, piece.pairs.size(), least_cells, work.room_for_targets);
    if (!may_be_lone && !may_have_couples(piece, work))
        return;
    std::uint64_t const count = piece.pairs.size();
    double cells = 0;                       // of some pairs
    std::uint64_t letters = 0, longest = 0; // of their targets
    for (std::uint64_t k = 0; k < tries; ++k) {
        PairView const pair = piece.batch.view(piece.pairs[k * count / tries]);
        cells += static_cast<double>(pair.cells());
        letters += pair.n;
        longest = std::max<std::uint64_t>(longest, pair.n);
    }
    work.likely_couples = cells / tries * static_cast<double>(count) >= static_cast<double>(least_cells);
    std::uint64_t const most = std::max(usual_letters, many_times * letters / tries);
    if (longest <= most)
        work.longest_coupled = most;
    else if (may_be_lone && rows <= most_rows)
        work.likely_couples = false;
}

} // namespace

double width_per_row(Piece const & piece, BatchScheme const & scheme, Team * team)
{
    std::vector<PairView> pairs;
    std::uint64_t const count = piece.pairs.size(), tried = std::min(count, tries);
    for (std::uint64_t k = 0; k < tried && pairs.size() < sample; ++k)
        if (PairView const pair = piece.batch.view(piece.pairs[k * count / tried]);
            pair.m >= least_rows && pair.n >= least_rows)
            pairs.push_back(pair);
    if (pairs.empty())
        return 0;
    bool const are_letters = piece.batch.are_letters();
    auto const code = [&](std::uint8_t byte) { return are_letters ? piece.scoring.codes()[byte] : byte; };
    auto const is_long = [](PairView const & pair) {
        return pair.m >= least_rows_of_far && pair.n >= least_rows_of_far;
    };
    bool const are_long = count >= least_chains && std::all_of(pairs.begin(), pairs.end(), is_long);
    Reach const reach = are_long ? far : usual;
    std::vector<double> widths(pairs.size());
    for_each(team, pairs.size(), [&](std::uint64_t k) {
        auto const rows =
            static_cast<int>(std::min<std::uint64_t>({pairs[k].m, pairs[k].n, static_cast<std::uint64_t>(reach.rows)}));
        int const score = score_of_begin(pairs[k], rows, reach.diagonals, scheme, code);
        widths[k] = static_cast<double>(scheme.best * rows - score) / (scheme.best + 2 * scheme.extend) / rows;
    });
    std::sort(widths.begin(), widths.end());
    std::size_t const alike = widths.size() > 2 * strangers ? widths.size() - strangers : widths.size();
    double sum = 0;
    for (std::size_t k = 0; k < alike; ++k)
        sum += widths[k];
    return std::min(1.0, reach.more * sum / static_cast<double>(alike));
}

std::optional<BatchWork> work_for(Piece const & piece, int forced_warps, Team * team, std::uint64_t least_cells,
                                  std::uint64_t shared_bytes)
{
    auto work = make_work(piece.scoring, piece.request, has_one_query(piece));
    if (!work || piece.pairs.empty())
        return work;
    if (work->has_rings)
        work->width_per_row = width_per_row(piece, work->scheme, team);
    work->forced_warps = std::max(0, forced_warps);
    work->room_for_targets = shared_bytes >= TargetStrips::usual_shared;
    look_for_couples(piece, *work, least_cells);
    work->has_chains = work->forced_warps > 0 || has_many_chains(piece, *work);
    return work;
}

} // namespace nwgpu::cuda::batch
