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
    // `facts`: of the pair, without a band.
    BandProbe(Sweeper<S> const & sweeper, Scoring const & scoring, DevicePair const & pair, PairFacts const & facts,
              DeviceFacts const & device_facts, Monitor & monitor) :
        sweeper_{sweeper}, scoring_{scoring}, pair_{pair}, facts_{facts}, device_facts_{device_facts}, monitor_{monitor}
    {}

    // A band that holds every optimal path; nothing where none is proven.
    std::optional<path::Band> find() const;

private:
    struct Corner {
        std::uint64_t i = 0, j = 0; // letters before it
    };
    std::vector<Corner> anchors() const; // the ends of words of the query, where they fit best
    // The score of a path through all corners; nothing if that is too much work.
    std::optional<std::int64_t> score_through(std::vector<Corner> const & corners) const;
    SweepJob<S> job(std::uint64_t row, std::uint64_t rows, std::uint64_t col, std::uint64_t cols) const;
    std::vector<LastCells> sweep(std::vector<SweepJob<S>> jobs, PairFacts const & largest, bool free_target) const;

    Sweeper<S> const & sweeper_;
    Scoring const & scoring_;
    DevicePair const & pair_;
    PairFacts const & facts_;
    DeviceFacts const & device_facts_;
    Monitor & monitor_;
};

// Upper bound of the device memory that a probe takes.
std::uint64_t probe_bytes(PairFacts const & facts);
// About how long it takes (measured on one H100).
double probe_seconds(PairFacts const & facts);

// Of corners in the order of i, the longest list in which j grows as well; for tests.
std::vector<std::size_t> longest_rising(std::vector<std::uint64_t> const & numbers);

} // namespace nwgpu::cuda
