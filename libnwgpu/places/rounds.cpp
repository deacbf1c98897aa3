// SPDX-License-Identifier: BSD-3-Clause
#include "places/rounds.hpp"

#include <algorithm>
#include <chrono>

#include "base/machine_bytes.hpp"
#include "places/rows_call.hpp"
#include "places/saved_rows.hpp"

namespace nwgpu::places {

namespace {

constexpr double first_part = 0.25; // of the interval: how fast places are is only predicted then
constexpr double most_growth = 8;   // from round to round
// Of what a call may take, or the machine has: the slabs of a round.
constexpr double part_for_slabs = 1.0 / 16;
constexpr double kept_lines = 80; // of a whole matrix, both ways, about

std::uint64_t rows_of(RowDeal const & deal)
{
    std::uint64_t rows = 0;
    for (RowPart const & part : deal.parts)
        rows += part.rows;
    return rows;
}

} // namespace

bool takes_rows(RowEngine const & engine, Request const & request)
{
    Request shares = request;
    shares.checkpoint = {};
    return engine.suits(shares) && (request.checkpoint.folder.empty() || engine.pace().slab_rows != 0);
}

// Of the round that begins below `row`; the parts are rows of the matrix.
RowDeal Rounds::deal(PairView const & pair, std::uint64_t row, double rows) const
{
    std::vector<RowPlace> const places = roster_.row_places(true);
    std::uint64_t const count = rows_of_round(pair.m - row, rows, places, rules_);
    RowDeal deal = deal_rounds(count, pair.n, places, rules_);
    if (deal.parts.empty())
        deal.parts = {{0, 0, count}};
    for (RowPart & part : deal.parts)
        part.row += row;
    return deal;
}

// Of a round, so that what is saved of it fits this host.
double Rounds::most_rows(Piece const & piece) const
{
    std::uint64_t slab_rows = UINT64_MAX;
    for (RowPlace const & place : roster_.row_places(true))
        slab_rows = std::min(slab_rows, place.pace.slab_rows);
    if (slab_rows == UINT64_MAX) // they make them as large as they may be
        return 1e300;
    PairView const pair = piece.batch.view(piece.pairs[0]);
    auto const m = static_cast<double>(pair.m), n = static_cast<double>(pair.n);
    double const entries = n / static_cast<double>(slab_rows) + kept_lines * n / m + kept_lines; // per row
    return part_for_slabs * static_cast<double>(piece.max_host_bytes ? piece.max_host_bytes : machine_bytes()) /
           (entries * sizeof(path::Kept<std::int64_t>));
}

std::optional<PairResult> Rounds::run(RowEngine & engine, Piece const & piece, std::string & lack)
{
    using Clock = std::chrono::steady_clock;
    SavedRows saved{piece, monitor_};
    if (saved.is_banded())
        return std::nullopt;
    PairView const pair = piece.batch.view(piece.pairs[0]);
    double const interval = piece.request.checkpoint.seconds;
    Request request = piece.request; // what a share is asked
    request.checkpoint = {};
    Piece const plain{piece.batch, piece.pairs, piece.scoring, request, piece.max_host_bytes};
    std::int64_t const known_score = engine.known_score(plain, monitor_);
    double pace = 0; // cells per second
    for (RowPlace const & place : roster_.row_places(true))
        pace += place.pace.cells_per_second;
    double rows = first_part * interval * pace / static_cast<double>(pair.n), most = most_rows(piece);
    for (;;) {
        rows = std::min(rows, most);
        Clock::time_point const begin = Clock::now();
        std::uint64_t const row = saved.rows();
        std::size_t const there = roster_.count();
        RowDeal const round = deal(pair, row, rows);
        RowsCall call{world_, ++calls_, roster_, monitor_, known_score};
        std::optional<PairResult> result = call.run(engine, plain, round, &saved);
        lack = call.lack();
        if (!result && roster_.count() < there)
            continue;
        if (!result && !lack.empty() && rows_of(round) > rows_of(deal(pair, row, 0))) {
            most = static_cast<double>(rows_of(round)) / 2; // of the device, mostly
            continue;
        }
        if (!result)
            return std::nullopt;
        if (saved.rows() == row) { // it was the last one
            saved.clear();
            return result;
        }
        monitor_.report(0);
        monitor_.throw_if_stopped();
        std::chrono::duration<double> const seconds = Clock::now() - begin;
        double const done = static_cast<double>(saved.rows() - row);
        rows = std::min(done * interval / (seconds.count() + 1e-6), most_growth * done);
    }
}

} // namespace nwgpu::places
