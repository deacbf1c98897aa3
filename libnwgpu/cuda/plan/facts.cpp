// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/plan/facts.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/machine_bytes.hpp"
#include "path/band.hpp"
#include "path/overlap.hpp"

namespace nwgpu::cuda {

namespace {

constexpr double least_seconds_for_band = 0.05; // of the whole matrix, below which looking for a band costs more

} // namespace

DeviceFacts device_facts(Device const & device, Piece const & piece)
{
    std::uint64_t const letters = piece.batch.queries.bytes() + piece.batch.targets.bytes(), half = machine_bytes() / 2;
    return device_facts(device, piece.max_host_bytes != 0 ? piece.max_host_bytes : half - std::min(half, letters));
}

DeviceFacts device_facts(Device const & device, std::uint64_t host_budget)
{
    return {device.multiprocessors(), device.shared_bytes(), device.shared_bytes_per_block(),
            device.budget() - device.used(), host_budget};
}

PairFacts facts_of(PairView const & pair, ScoreTable const & table, Scoring const & scoring, Request const & request,
                   Tuning const & tuning)
{
    PairFacts facts;
    facts.m = pair.m;
    facts.n = pair.n;
    facts.letters = table.target_letters;
    facts.most_rows_per_half = most_packed_rows(scoring, request.mode.may_be_empty());
    facts.wide = tuning.width == 64 || !path::keeps_in_32_bits(scoring, pair.m, pair.n);
    facts.linear = scoring.gap().open == 0;
    // An end that may be anywhere is found again from kept boundaries.
    facts.path = request.output >= (request.mode.ends_anywhere() ? Output::end : Output::span);
    facts.mode = request.mode;
    facts.tuning = tuning;
    if (request.every_cell)
        facts.tuning.band = facts.tuning.skip = -1;
    return facts;
}

void know_score(PairFacts & facts, std::int64_t score, std::uint64_t m, std::uint64_t n, Scoring const & scoring)
{
    bool const skips = facts.mode.local && facts.tuning.skip >= 0 && facts.tuning.rows_per_half >= 0 && !facts.wide &&
                       facts.most_rows_per_half > 0;
    if (score <= 0 || !skips)
        return;
    // Beside the path to that score, as far as a gap may go where the path begins, and less and less from there on.
    auto const beside = static_cast<double>(path::too_long_gap(std::min(m, n), scoring, score));
    // As long as so many letters are left, a path may still begin, in any column.
    double const letters =
        static_cast<double>(score) / static_cast<double>(std::max<std::int64_t>(1, scoring.max_score()));
    auto const columns = static_cast<double>(n);
    double const rows = std::max(0.0, 1 - letters / static_cast<double>(m)); // in which it may, of all
    facts.known_score = score;
    facts.columns_in_reach = std::clamp(
        rows * std::min(columns, std::max(0.0, columns - letters) + beside) + (1 - rows) * beside, 1.0, columns);
}

PairPlan plan_known(PairFacts const & facts, DeviceFacts const & device, PairPlan const & full)
{
    if (facts.known_score == 0)
        return full;
    try {
        return plan_pair(facts, device);
    } catch (Error const & error) {
        if (error.status != Status::memory_limit)
            throw;
        PairPlan plan = full;
        plan.known_score = facts.known_score;
        return plan;
    }
}

void resume(checkpoint::Folder const & folder, Request const & request, PairFacts & facts)
{
    if (facts.path)
        folder.require_tiles();
    for (std::uint64_t k = 0; k < folder.count(); ++k) {
        checkpoint::SlabShape const & slab = folder.shape(k);
        if (slab.entry_bytes != kept_entry(facts))
            throw checkpoint::file_error(request.checkpoint.folder,
                                         "the checkpoint has scores of another width: resume it on the CPU");
        facts.band = slab.band;
        if (!slab.band.everything()) // tiles of a band need strips that divide those of its sweep
            facts.tuning.rows_per_half = static_cast<int>(slab.strip_rows / 64);
    }
}

std::optional<ColumnParts> parts_of(PairView const & pair, PairPlan const & plan, PairFacts const & facts,
                                    Scoring const & scoring, DeviceFacts const & device)
{
    if (!facts.mode.local || (pair.n < 8 * pair.m && facts.tuning.parts <= 0))
        return std::nullopt;
    auto const overlap = path::longest_span(pair, scoring);
    return overlap ? plan_column_parts(plan, facts, *overlap, device) : std::nullopt;
}

bool may_have_band(PairPlan const & full, PairFacts const & facts)
{
    return facts.mode.global() && facts.tuning.band >= 0 &&
           (facts.tuning.band > 0 || full.seconds >= least_seconds_for_band);
}

} // namespace nwgpu::cuda
