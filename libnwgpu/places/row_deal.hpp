// SPDX-License-Identifier: BSD-3-Clause
// Which pairs are dealt out by rows, and which rows a place gets: pure decisions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/row_share.hpp"

namespace nwgpu::places {

struct RowRules {
    // Of a pair on one place, predicted: a shorter one is not worth the messages.
    double least_seconds = 0.1;
    // Shares are multiples of this, but for the last one: of what strips have on every instruction set.
    std::uint64_t unit_rows = 1024;
    double least_part = 1;        // of the rows that places ask for at least
    std::uint64_t panel_cols = 0; // 0: decide
    std::uint64_t round_rows = 0; // of a round, about; 0: what the places sweep in one go
};

struct RowPlace {
    int rank = 0;
    RowPace pace; // takes rows
};

struct RowPart { // of the matrix
    int rank = 0;
    std::uint64_t row = 0, rows = 0;
};

struct RowDeal {
    // From the top to the bottom; fewer than two: the pair is for one place.  In rounds: each place has a part of each.
    std::vector<RowPart> parts;
    std::uint64_t panel_cols = UINT64_MAX;
};

// Whether a pair that takes one place so many seconds should be, beside work of `all_seconds` (its own included).
bool is_worth_rows(double seconds, double all_seconds, std::size_t places, RowRules const & rules);

// Shares of any of these places then end where strips of all of them do.
void give_one_unit(std::span<RowPlace> places);

// Of devices that have a share together.
RowPace united(std::span<RowPace const> devices);

// How many of the rows that are left the next of several rounds takes: about so many, but enough for all places, which
// have the same unit, and what they sweep in one go, or some times that; all that are left, rather than few in the last
// round.
std::uint64_t rows_of_round(std::uint64_t left, double rows, std::span<RowPlace const> places, RowRules const & rules);

// Rows in proportion to the speed of each place, for as many places as there are rows for, the first ones.
RowDeal deal_rows(std::uint64_t m, std::uint64_t n, std::span<RowPlace const> places, RowRules const & rules);
// The same in rounds of what the places sweep in one go, and no more: a strip of a part that had to wait for another
// one to end would make the places below wait, too.  A place begins its part of the next round as strips of this one
// end.
RowDeal deal_rounds(std::uint64_t m, std::uint64_t n, std::span<RowPlace const> places, RowRules const & rules);

} // namespace nwgpu::places
