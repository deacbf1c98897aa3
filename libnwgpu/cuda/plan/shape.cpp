// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/plan/shape.hpp"

#include <algorithm>

#include "base/machine_bytes.hpp"
#include "path/overlap.hpp"

namespace nwgpu::cuda {

namespace {

constexpr double least_seconds_for_band = 0.05; // of the whole matrix, below which looking for a band costs more

} // namespace

DeviceShape device_shape(Device const & device, Piece const & piece)
{
    std::uint64_t const letters = piece.batch.queries.bytes() + piece.batch.targets.bytes(), half = machine_bytes() / 2;
    return device_shape(device, piece.max_host_bytes != 0 ? piece.max_host_bytes : half - std::min(half, letters));
}

DeviceShape device_shape(Device const & device, std::uint64_t host_budget)
{
    return {device.multiprocessors(), device.shared_bytes(), device.shared_bytes_per_block(),
            device.budget() - device.used(), host_budget};
}

PairShape shape_of(PairView const & pair, ScoreTable const & table, Scoring const & scoring, Request const & request,
                   Tuning const & tuning)
{
    PairShape shape;
    shape.m = pair.m;
    shape.n = pair.n;
    shape.letters = table.target_letters;
    shape.most_rows_per_half = most_packed_rows(scoring, request.mode.may_be_empty());
    shape.wide = tuning.width == 64 || !path::keeps_in_32_bits(scoring, pair.m, pair.n);
    shape.linear = scoring.gap().open == 0;
    // An end that may be anywhere is found again from kept boundaries.
    shape.path = request.output >= (request.mode.ends_anywhere() ? Output::end : Output::span);
    shape.mode = request.mode;
    shape.tuning = tuning;
    if (request.every_cell)
        shape.tuning.band = shape.tuning.skip = -1;
    return shape;
}

void resume(checkpoint::Folder const & folder, Request const & request, PairShape & shape)
{
    if (shape.path)
        folder.require_tiles();
    for (std::uint64_t k = 0; k < folder.count(); ++k) {
        checkpoint::SlabShape const & slab = folder.shape(k);
        if (slab.entry_bytes != kept_entry(shape))
            throw checkpoint::file_error(request.checkpoint.folder,
                                         "the checkpoint has scores of another width: resume it on the CPU");
        shape.band = slab.band;
        if (!slab.band.everything()) // tiles of a band need strips that divide those of its sweep
            shape.tuning.rows_per_half = static_cast<int>(slab.strip_rows / 64);
    }
}

std::optional<ColumnParts> parts_of(PairView const & pair, PairPlan const & plan, PairShape const & shape,
                                    Scoring const & scoring, DeviceShape const & device)
{
    if (!shape.mode.local || (pair.n < 8 * pair.m && shape.tuning.parts <= 0))
        return std::nullopt;
    auto const overlap = path::longest_span(pair, scoring);
    return overlap ? plan_column_parts(plan, shape, *overlap, device) : std::nullopt;
}

bool may_have_band(PairPlan const & full, PairShape const & shape)
{
    return shape.mode.global() && shape.tuning.band >= 0 &&
           (shape.tuning.band > 0 || full.seconds >= least_seconds_for_band);
}

} // namespace nwgpu::cuda
