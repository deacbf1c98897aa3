// SPDX-License-Identifier: BSD-3-Clause
// Which pairs the CUDA engine aligns many at a time, and how long that takes, from a few numbers: for who has to choose
// an engine.  Needs no device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "backend/backend.hpp"
#include "base/team.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cuda {

namespace batch {
struct BatchWork;
}

struct BatchModel {
    // That are computed of a pair, where a band counts as the cells of full rows that take as long; 0: it is none of
    // these.
    std::function<double(PairView const &)> cells;
    // Of the device, of a pair that has a part of it for so long, however few there are.
    std::function<double(PairView const &)> alone_seconds;
    std::shared_ptr<batch::BatchWork const> work;
    bool one_query = false; // of all pairs, which is copied once
    bool couples = false;   // most pairs are: two queries are copied once, and so is a target for both
    double queries_kept = 0,
           targets_kept = 0; // the part of each side's letters that is on the device: it is not copied
    // A call; the host's part, for each pair; copies, for each letter; the device's part, for each cell.
    double call_seconds = 0, pair_seconds = 0, letter_seconds = 0, cell_seconds = 0;
    double locked_letter_seconds = 0; // in place of letter_seconds, where letters lie in page-locked memory

    double letters(PairView const & pair) const // that are copied
    {
        double const m = one_query || couples ? 0 : (1 - queries_kept) * static_cast<double>(pair.m),
                     n = (1 - targets_kept) * static_cast<double>(pair.n);
        return couples && !one_query ? n / 2 : m + n;
    }

    // The three parts go on at the same time, but at the begin and the end of a call.
    double seconds(double pairs, double letters, double cells, double longest_alone) const
    {
        constexpr double not_beside = 0.2;
        double const host = pairs * pair_seconds, copies = letters * letter_seconds,
                     device = cells * cell_seconds + longest_alone, longest = std::max({host, copies, device});
        return call_seconds + longest + not_beside * (host + copies + device - longest);
    }
};
// None where no pair suits.
std::optional<BatchModel> batch_model(Scoring const & scoring, Request const & request);
// The same after a look at how similar some of the pairs are, which takes a thread up to a millisecond, of long ones
// up to 25 ms.  `team`: null for one thread.
std::optional<BatchModel> batch_model(Piece const & piece, Team * team);

// What the first use of a device in a process takes.
constexpr double device_start_seconds = 0.25;

} // namespace nwgpu::cuda
