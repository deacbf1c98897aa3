// SPDX-License-Identifier: BSD-3-Clause
#include "places/rounds.hpp"

#include <algorithm>
#include <chrono>

#include "places/rows_call.hpp"
#include "places/saved_rows.hpp"

namespace nwgpu::places {

namespace {

constexpr double first_part = 0.25; // of the interval: how fast places are is only predicted then
constexpr double most_growth = 8;   // from round to round

} // namespace

// Of the round that begins below `row`; the parts are rows of the matrix.
RowDeal Rounds::deal(PairView const & pair, std::uint64_t row, double rows) const
{
    std::vector<RowPlace> const places = roster_.row_places(true);
    std::uint64_t const count = rows_of_round(pair.m - row, rows, places, rules_);
    RowDeal deal = deal_rows(count, pair.n, places, rules_);
    if (deal.parts.empty())
        deal.parts = {{0, 0, count}};
    for (RowPart & part : deal.parts)
        part.row += row;
    return deal;
}

std::optional<PairResult> Rounds::run(RowEngine & engine, Piece const & piece)
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
    double pace = 0; // cells per second
    for (RowPlace const & place : roster_.row_places(true))
        pace += place.pace.cells_per_second;
    double rows = first_part * interval * pace / static_cast<double>(pair.n);
    for (;;) {
        Clock::time_point const begin = Clock::now();
        std::uint64_t const row = saved.rows();
        std::size_t const there = roster_.count();
        RowDeal const round = deal(pair, row, rows);
        RowsCall call{world_, ++calls_, roster_, monitor_};
        std::optional<PairResult> result = call.run(engine, plain, round, &saved);
        if (!result && roster_.count() < there)
            continue;
        if (!result)
            return std::nullopt;
        if (saved.rows() == row) { // it was the last one
            saved.clear();
            return result;
        }
        std::chrono::duration<double> const seconds = Clock::now() - begin;
        double const done = static_cast<double>(saved.rows() - row);
        rows = std::min(done * interval / (seconds.count() + 1e-6), most_growth * done);
    }
}

} // namespace nwgpu::places
