// SPDX-License-Identifier: BSD-3-Clause
// Which pairs the CUDA engine aligns many at a time, and how long that takes, from a few numbers: for who has to choose
// an engine.  Needs no device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cuda {

struct BatchModel {
    std::function<bool(PairView const &)> suits;
    double call_seconds = 0, pair_seconds = 0, letter_seconds = 0, cell_seconds = 0;

    double seconds(double pairs, double letters, double cells) const
    {
        return call_seconds + pairs * pair_seconds + letters * letter_seconds + cells * cell_seconds;
    }
};
// None where no pair suits.
std::optional<BatchModel> batch_model(Scoring const & scoring, Request const & request);

// Of a pair in a batch, at most.
constexpr std::uint64_t most_batch_rows = 2432, most_batch_columns = 32767;
// What the first use of a device in a process takes.
constexpr double device_start_seconds = 0.5;

} // namespace nwgpu::cuda
