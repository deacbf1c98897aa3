// SPDX-License-Identifier: BSD-3-Clause
// Whether pairs are aligned by the CPU's threads, each a batch, or by a GPU beside it: by some of the first pairs.
#pragma once

#include "pairing.hpp"

#include <functional>

namespace cli {

struct Sample {
    PairSum sum;
    double seconds = 0; // of one thread
};

// align(some) is called with more and more pairs of the batch, until enough time has passed.
Sample sample(Batch const & first, std::function<void(Batch const &)> const & align);

// Seconds that all pairs of an input take, with their reading and writing and a GPU's start.
struct Outlook {
    double cpu, gpu;

    // Of a gain that is worth the memory that large batches take, and may be less than it seems.
    bool gpu_is_worth_it() const;
};
Outlook outlook_of(Sample const & sample, int threads, double letters);

// Of all pairs, these included, if all queries have so many letters (0: unknown); some large number where nothing
// tells.
double expected_letters(Batch const & first, std::uint64_t of_queries);

} // namespace cli
