// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/saved_walk.hpp"

#include "checkpoint/folder.hpp"
#include "cuda/kernels/letters.hpp"
#include "cuda/plan/facts.hpp"
#include "cuda/sweep/long_pair.hpp"

namespace nwgpu::cuda {

WalkedRows walk_saved(Device & device, Tuning tuning, Piece const & piece, checkpoint::Folder & folder,
                      path::Cursor const & from, Monitor & monitor)
{
    Batch const & batch = piece.batch;
    Pair const & pair = batch.pairs[piece.pairs[0]];
    PairView const view = batch.view(piece.pairs[0]);
    ScoreTable const table{batch, piece.scoring};
    DeviceLetters const queries{device, batch.queries, table.query_map},
        targets{device, batch.targets, table.target_map};
    DeviceArray<std::int32_t> const scores{device, table.scores};
    tuning.max_traced_cells = 1; // however small: by tiles, as it is saved
    PairFacts facts = facts_of(view, table, piece.scoring, piece.request, tuning);
    resume(folder, piece.request, facts);
    PairPlan const plan = plan_pair(facts, device_facts(device, piece));
    DevicePair const on_device{view, queries.of(pair.query), targets.of(pair.target), nullptr};
    auto const walk = [&]<class S>(S) {
        Sweeper<S> const sweeper{device,
                                 sweep_args<S>(piece.scoring, piece.request.mode, scores.data(), table.target_letters)};
        return LongPair<S>{sweeper, piece.scoring, piece.request, monitor, on_device, plan, {&folder}}.walk_saved(from);
    };
    return facts.wide ? walk(std::int64_t{}) : walk(std::int32_t{});
}

} // namespace nwgpu::cuda
