// SPDX-License-Identifier: BSD-3-Clause
// Pairs of which only the lengths matter.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "model/batch.hpp"
#include "model/scoring.hpp"
#include "places/deal.hpp"

namespace nwgpu::places {

// Pairs of the given lengths, each with itself.
class Pairs {
public:
    explicit Pairs(std::vector<std::uint64_t> const & lengths)
    {
        for (std::uint64_t const length : lengths) {
            pairs.push_back({pairs.size(), pairs.size()});
            offsets_.push_back(offsets_.back() + length);
        }
        bytes_.assign(offsets_.back(), 'A');
        sequences_.emplace(RawSequences{bytes_, offsets_}, scoring);
        all.resize(pairs.size());
        std::iota(all.begin(), all.end(), std::uint64_t{0});
    }
    Batch batch() const { return {*sequences_, *sequences_, pairs}; }

    Scoring const scoring = Scoring::uniform(1, 1, {1, 1});
    std::vector<Pair> pairs;
    std::vector<std::uint64_t> all;

private:
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint64_t> offsets_{0};
    std::optional<CodedSequences> sequences_;
};

constexpr Speed by_cells{0, 0, 1, 1000};

} // namespace nwgpu::places
