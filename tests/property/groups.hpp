// SPDX-License-Identifier: BSD-3-Clause
// Random groups of pairs.  A group is one engine call and follows from one number, its seed: scheme, mode, output
// level, engine setup and all sequences.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "support/cases.hpp"

namespace nwgpu::test {

// NWGPU_TEST_ENGINE=cuda: groups are for the engine of a GPU, and have more pairs.
bool on_a_gpu();

struct Group {
    std::uint64_t seed;
    Scheme const * scheme;
    Mode mode;
    EngineSetup options;
    std::vector<SequencePair> pairs;

    // "NWGPU_TEST_SEED=17 NWGPU_TEST_PAIRS=1", and the engine if it is a GPU's: the environment that repeats this group
    // alone.
    std::string words() const;
};

Group random_group(std::uint64_t seed, std::uint64_t longest);
// Calls `test` with groups until `share` of the chosen number of pairs (NWGPU_TEST_PAIRS) has been seen.
void for_groups(double share, std::uint64_t longest, std::function<void(Group const &)> const & test);

} // namespace nwgpu::test
