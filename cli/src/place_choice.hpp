// SPDX-License-Identifier: BSD-3-Clause
// Whether pairs are aligned by the CPU's threads, each a batch, or by a GPU beside it: by some of the first pairs.
#pragma once

#include "options.hpp"
#include "pairing.hpp"

#include <functional>
#include <optional>

namespace cli {

struct Sample {
    PairSum sum;
    double seconds = 0; // of one thread
};

// align(some) is called with more and more pairs of the batch, none of which compete, until enough time has passed.
// Nothing where one of the pairs is very long.
std::optional<Sample> sample(Batch const & first, std::function<void(Batch const &)> const & align);

// Seconds that all pairs of an input take, with their reading and writing and a GPU's start.
struct Outlook {
    double cpu, gpu;

    // Of a gain that is worth the memory that large batches take, and may be less than it seems.
    bool gpu_is_worth_it() const;
};
Outlook outlook_of(Sample const & sample, int threads, double letters);

// Of an input: letters of all queries and of all targets, about, 0 where that is unknown; and of their first ones.
struct InputLetters {
    std::uint64_t queries = 0, targets = 0, first_query = 0, first_target = 0;
};
// Of all pairs, about; some large number where nothing tells.
double expected_letters(AlignOptions const & options, InputLetters const & of);

} // namespace cli
