// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch_model.hpp"

#include <memory>

#include "cuda/batch/chunk.hpp"

namespace nwgpu::cuda {

namespace {

// Measured on an H200 with 16 processors, calls of 10^6 pairs of 150 x 200, 10^5 of proteins and 200 000 of 1 kb,
// letters page-locked or not.  Of the host for a score, an end, a CIGAR; of the device by what is stored of each cell.
constexpr double call_seconds = 1.5e-3, score_seconds = 6.5e-9, end_seconds = 10e-9, cigar_seconds = 12e-9,
                 letter_seconds = 0.022e-9, score_cell = 1 / 5.0e12, nibble_cell = 1 / 4.3e12, byte_cell = 1 / 1.4e12;

} // namespace

std::optional<BatchModel> batch_model(Scoring const & scoring, Request const & request)
{
    auto work = batch::make_work(scoring, request);
    if (!work)
        return std::nullopt;
    BatchModel model;
    model.call_seconds = call_seconds;
    model.pair_seconds = work->cigar ? cigar_seconds : work->stores ? end_seconds : score_seconds;
    model.letter_seconds = letter_seconds;
    model.cell_seconds = work->bits() == 0 ? score_cell : work->bits() == 4 ? nibble_cell : byte_cell;
    model.cells = [kept = std::make_shared<batch::Work const>(*work)](PairView const & pair) {
        return kept->cells(pair);
    };
    return model;
}

} // namespace nwgpu::cuda
