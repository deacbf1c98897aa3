// SPDX-License-Identifier: BSD-3-Clause
// The alignments of a batch, as they are judged and written.
#pragma once

#include "alignment.hpp"
#include "pairing.hpp"

#include <nwgpu/nwgpu.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

// The results of one batch, one row for each alignment, of competing pairs the best one's; views into the batch.
class Rows {
public:
    std::uint64_t size() const { return chosen_.empty() ? result_.count() : chosen_.size(); }
    Alignment row(std::uint64_t i) const;
    // Why row i failed.
    std::string message(std::uint64_t i) const;

private:
    friend class Engine;
    static constexpr std::int64_t no_score = INT64_MIN;

    std::uint64_t entry(std::uint64_t i) const { return chosen_.empty() ? i : chosen_[i]; }

    Batch const * batch_ = nullptr;
    nwgpu::Result result_{nullptr};
    std::vector<std::uint64_t> chosen_;   // the result's entry of each row; empty: each entry is a row
    std::vector<std::int64_t> seconds_;   // of each chosen entry: the best score that it beat
    std::vector<std::uint64_t> wrong_;    // rows that --verify refused, ascending
    std::optional<nwgpu::Cigars> cigars_; // nothing: scores only
};

} // namespace cli
