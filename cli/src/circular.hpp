// SPDX-License-Identifier: BSD-3-Clause
// Circular sequences (--circular): the query, or the target, of each pair is rotated so that the pair's score is the
// best of all rotations.
#pragma once

#include "engine.hpp"
#include "pairing.hpp"
#include "scoring.hpp"

#include <array>
#include <memory>
#include <span>

namespace cli {

class Circular {
public:
    // query: it is the queries that are circular, else the targets.  mode: nwgpu_mode.
    Circular(bool query, std::int32_t mode, Scoring const & scoring, Engine & engine, Progress & progress) :
        query_(query), mode_(mode), scoring_(scoring), engine_(engine), progress_(progress)
    {}

    // A batch of the same pairs, each with a sequence of its own that begins at its best place, of several the first
    // one.  A pair that cannot be aligned stays as it is.  Throws what Engine::scores() does.
    std::unique_ptr<Batch> rotate(std::shared_ptr<Batch const> const & given) const;

private:
    class Search;
    struct Rotated {
        SequenceSet set;
        std::vector<nwgpu_pair> pairs;
    };

    std::array<std::int64_t, 256> gains(std::span<std::uint8_t const> other, bool of_query) const;
    Search search(Batch const & batch, nwgpu_pair const & pair) const;
    void add(Rotated & rotated, Batch const & given, nwgpu_pair pair, std::uint64_t rotation) const;
    void finish(Batch & batch, Batch const & given, Rotated rotated) const;

    bool const query_;
    std::int32_t const mode_;
    Scoring const & scoring_;
    Engine & engine_;
    Progress & progress_;
};

} // namespace cli
