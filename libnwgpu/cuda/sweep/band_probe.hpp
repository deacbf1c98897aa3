// SPDX-License-Identifier: BSD-3-Clause
// The proven band of a long global pair (path/band.hpp) from a score that is quick to find on a GPU.
//
// A narrow band along the whole pair would give such a score, but its strips wait for each other: it takes as many
// steps as the sequences are long.  So the pair is cut into pieces that are aligned all at once, each in a narrow band;
// the sum of their scores is that of one path.  Where to cut is guessed from short anchors of the query that are
// searched in the target around the straight line between the corners.  A wrong guess costs time, never exactness.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/plan/plan.hpp"
#include "cuda/sweep/launch_batch.hpp"
#include "cuda/sweep/sweeper.hpp"
#include "path/band.hpp"

namespace nwgpu::cuda {

template <class S>
class BandProbe {
public:
    // `shape`: of the pair, without a band.
    BandProbe(Sweeper<S> const & sweeper, Scoring const & scoring, GroupPair const & pair, PairShape const & shape,
              DeviceShape const & device_shape, Monitor & monitor) :
        sweeper_{sweeper}, scoring_{scoring}, pair_{pair}, shape_{shape}, device_shape_{device_shape}, monitor_{monitor}
    {}

    // A band that holds every optimal path; nothing where none is proven.
    std::optional<path::Band> find() const;

    // Of the highest scores that some words of the query could have, the part that they reach near the diagonal from
    // corner to corner; words that reach less than half count nothing.
    double similarity() const;

private:
    struct Corner {
        std::uint64_t i = 0, j = 0; // letters before it
    };
    struct Anchor { // a word of the query, where it fits best
        Corner end;
        double part = 0; // of its highest score
    };
    std::vector<Anchor> words() const;
    std::vector<Corner> anchors() const;
    // The score of a path through all corners; nothing if that is too much work.
    std::optional<std::int64_t> score_through(std::vector<Corner> const & corners) const;
    SweepJob<S> job(std::uint64_t row, std::uint64_t rows, std::uint64_t col, std::uint64_t cols) const;
    std::vector<LastCells> sweep(std::vector<SweepJob<S>> jobs, PairShape const & largest, bool free_target) const;

    Sweeper<S> const & sweeper_;
    Scoring const & scoring_;
    GroupPair const & pair_;
    PairShape const & shape_;
    DeviceShape const & device_shape_;
    Monitor & monitor_;
};

// Upper bound of the device memory that a probe takes.
std::uint64_t probe_bytes(PairShape const & shape);

// Of corners in the order of i, the longest list in which j grows as well; for tests.
std::vector<std::size_t> longest_rising(std::vector<std::uint64_t> const & numbers);

} // namespace nwgpu::cuda
