// SPDX-License-Identifier: BSD-3-Clause
// One pair dealt out by rows, with a checkpoint: in rounds, each of as many rows as its interval takes all places.
// Their shares are saved as slabs before the next round begins below them, so a failure costs one round.  The last
// round is not saved: what is left after it is the path.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backend/monitor.hpp"
#include "model/result.hpp"
#include "places/row_deal.hpp"
#include "places/world.hpp"

namespace nwgpu::places {

class Rounds {
public:
    // `calls`: how many there were, counted on; `lost`: ranks that are left out.
    Rounds(World & world, std::uint64_t & calls, std::vector<bool> & lost, RowRules const & rules, Monitor & monitor) :
        world_{world}, calls_{calls}, lost_{lost}, rules_{rules}, monitor_{monitor}
    {}

    // The answer, and the checkpoint is gone; nothing where one place has to go on with it, alone: a rank lacks memory,
    // or it was begun in a band.  Throws as RowsCall::run(), and Error checkpoint.
    std::optional<PairResult> run(RowEngine & engine, Piece const & piece);

private:
    RowDeal deal(PairView const & pair, std::uint64_t row, double rows) const;

    World & world_;
    std::uint64_t & calls_;
    std::vector<bool> & lost_;
    RowRules const rules_;
    Monitor & monitor_;
};

} // namespace nwgpu::places
