// SPDX-License-Identifier: BSD-3-Clause
// One pair dealt out by rows, with a checkpoint: in rounds, each of as many rows as its interval takes all places.
// Their shares are saved as slabs before the next round begins below them, so a failure costs one round.  The last
// round is not saved: what is left after it is the path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "backend/monitor.hpp"
#include "model/result.hpp"
#include "places/roster.hpp"
#include "places/row_deal.hpp"
#include "places/world.hpp"

namespace nwgpu::places {

// Whether the request may be met by rows, in rounds where it asks for a checkpoint.
bool takes_rows(RowEngine const & engine, Request const & request);

class Rounds {
public:
    // `calls`: how many there were, counted on.
    Rounds(World & world, std::uint64_t & calls, Roster & roster, RowRules const & rules, Monitor & monitor) :
        world_{world}, calls_{calls}, roster_{roster}, rules_{rules}, monitor_{monitor}
    {}

    // The answer, and the checkpoint is gone; nothing where one place has to go on with it, alone: a rank lacks memory
    // for the least round, or it was begun in a band.  A rank that is gone costs the round at hand.  Throws as
    // RowsCall::run(), and Error checkpoint. `lack`: what memory it was.
    std::optional<PairResult> run(RowEngine & engine, Piece const & piece, std::string & lack);

private:
    RowDeal deal(PairView const & pair, std::uint64_t row, double rows) const;
    double most_rows(Piece const & piece) const;

    World & world_;
    std::uint64_t & calls_;
    Roster & roster_;
    RowRules const rules_;
    Monitor & monitor_;
};

} // namespace nwgpu::places
