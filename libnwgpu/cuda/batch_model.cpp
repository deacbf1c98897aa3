// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch_model.hpp"

#include <memory>

#include "cuda/batch/chunk.hpp"
#include "cuda/batch/probe.hpp"

namespace nwgpu::cuda {

namespace {

// Measured on an H200 with 16 processors, among others by calls of 10^6 pairs of 150 x 200, 10^5 of proteins and 200
// 000 of 1 kb, letters page-locked or not.  Of the host for a score, an end, a CIGAR; of the device by what is stored
// of each cell.
constexpr double call_seconds = 1.5e-3, score_seconds = 4e-9, end_seconds = 6.5e-9, cigar_seconds = 8e-9,
                 letter_seconds = 0.037e-9, locked_letter_seconds = 0.0175e-9, score_cell = 1 / 5.0e12,
                 matrix_score_cell = 1 / 4.1e12, nibble_cell = 1 / 3.9e12, byte_cell = 1 / 1.4e12;
// How much longer a cell takes in a ring.
constexpr double slower_rings = 1.37;

BatchModel model_of(batch::Work const & work)
{
    BatchModel model;
    model.call_seconds = call_seconds;
    model.pair_seconds = work.cigar ? cigar_seconds : work.stores ? end_seconds : score_seconds;
    model.letter_seconds = letter_seconds;
    model.locked_letter_seconds = locked_letter_seconds;
    model.cell_seconds = work.bits() == 0   ? (work.scheme.uniform ? score_cell : matrix_score_cell)
                         : work.bits() == 4 ? nibble_cell
                                            : byte_cell;
    model.width_per_row = work.width_per_row;
    model.cells = [kept = std::make_shared<batch::Work const>(work)](PairView const & pair) {
        return kept->cells(pair) * (kept->is_ring(pair) ? slower_rings : 1);
    };
    return model;
}

} // namespace

std::optional<BatchModel> batch_model(Scoring const & scoring, Request const & request)
{
    auto const work = batch::make_work(scoring, request);
    return work ? std::optional{model_of(*work)} : std::nullopt;
}

std::optional<BatchModel> batch_model(Piece const & piece)
{
    bool const one_query = piece.batch.queries.count() == 1;
    auto work = batch::make_work(piece.scoring, piece.request, one_query);
    if (!work)
        return std::nullopt;
    if (work->has_rings && !piece.pairs.empty())
        work->width_per_row = batch::width_per_row(piece, work->scheme, nullptr);
    BatchModel model = model_of(*work);
    model.one_query = one_query;
    return model;
}

} // namespace nwgpu::cuda
