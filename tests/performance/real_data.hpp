// SPDX-License-Identifier: BSD-3-Clause
// Pairs of real sequences, from plain FASTA files in the folder that the environment variable NWGPU_PERF_DATA names.
// run.py unpacks the files into such a folder; without it these workloads do not exist.
#pragma once

#include "peers/peer.hpp"

#include <string>
#include <vector>

namespace performance {

struct RealRecord {
    std::string file; // relative to the folder
    std::size_t index;
};
struct RealPair {
    std::string name;
    Scheme scheme;
    RealRecord query, target;
    std::size_t length; // of the longer, roughly: for peers' limits and the kind of timing
};

// The pairs whose files are there.
std::vector<RealPair> real_pairs();
// All files that pairs may come from.
std::vector<std::string> real_files();
// One record in upper case.  Throws if it is missing or holds letters outside the peers' alphabets.
std::string read_record(RealRecord const & record);

} // namespace performance
