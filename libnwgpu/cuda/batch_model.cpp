// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch_model.hpp"

#include "cuda/batch/chunk.hpp"
#include "cuda/batch/probe.hpp"

namespace nwgpu::cuda {

namespace {

// Measured on an H200 with 16 processors, among others by calls of 10^6 pairs of 150 x 200, 10^5 of proteins and 200
// 000 of 1 kb, letters page-locked or not.  Of the host for a score, an end, a CIGAR; of the device by what is stored
// of each cell.  A local end takes what a score does.
constexpr double call_seconds = 1.5e-3, score_seconds = 3.2e-9, end_seconds = 4e-9, cigar_seconds = 5.3e-9,
                 letter_seconds = 0.032e-9, two_bit_seconds = 0.0165e-9, locked_letter_seconds = 0.0175e-9,
                 score_cell = 1 / 5.0e12, matrix_score_cell = 1 / 4.1e12, nibble_cell = 1 / 3.9e12,
                 byte_cell = 1 / 1.8e12;
// 90 % of what the instructions allow; calls of 32 queries on an H100 took a tenth less than predicted.
constexpr double couple_cell = 1 / 5.2e12, lone_couple_cell = 1 / 5e12;
// How much longer a cell takes in a ring, and in a chain.
constexpr double slower_rings = 1.25, slower_ring_chains = 1.2, slower_group_chains = 1.2;
// Of a chain a step; of any pair the path's part, which a single thread walks, of a letter.
constexpr double chain_step_seconds = 0.3e-6, walk_seconds = 0.15e-6;

double slower(batch::GroupShape const & shape)
{
    if (shape.is_chain())
        return shape.ring ? slower_ring_chains : slower_group_chains;
    return shape.ring ? slower_rings : 1;
}

BatchModel model_of(batch::BatchWork const & work)
{
    BatchModel model;
    model.call_seconds = call_seconds;
    model.pair_seconds = work.cigar ? cigar_seconds : work.stores ? end_seconds : score_seconds;
    model.letter_seconds = work.scheme.uniform ? two_bit_seconds : letter_seconds; // DNA, mostly
    model.locked_letter_seconds = locked_letter_seconds;
    model.cell_seconds = work.bits() == 0   ? (work.scheme.uniform ? score_cell : matrix_score_cell)
                         : work.bits() == 4 ? nibble_cell
                                            : byte_cell;
    model.one_query = work.one_query;
    model.couples = work.likely_couples;
    if (model.couples)
        model.cell_seconds = work.one_query ? lone_couple_cell : couple_cell;
    auto const counted = std::make_shared<batch::BatchWork>(work);
    counted->long_couples = work.likely_couples;
    model.work = counted;
    model.cells = [kept = model.work](PairView const & pair) {
        double const cells = kept->cells(pair);
        return cells == 0 ? 0 : cells * slower(kept->shape_of(pair));
    };
    model.alone_seconds = [kept = model.work](PairView const & pair) {
        batch::GroupShape const shape = kept->shape_of(pair);
        double const walk = kept->path ? walk_seconds * static_cast<double>(pair.m + pair.n) : 0;
        if (!shape.is_chain())
            return walk;
        return walk + chain_step_seconds * steps_of(shape, static_cast<int>(pair.m), static_cast<int>(pair.n));
    };
    return model;
}

} // namespace

std::optional<BatchModel> batch_model(Scoring const & scoring, Request const & request)
{
    auto const work = batch::make_work(scoring, request);
    return work ? std::optional{model_of(*work)} : std::nullopt;
}

std::optional<BatchModel> batch_model(Piece const & piece, Team * team)
{
    auto const work = batch::work_for(piece, 0, team);
    return work ? std::optional{model_of(*work)} : std::nullopt;
}

} // namespace nwgpu::cuda
