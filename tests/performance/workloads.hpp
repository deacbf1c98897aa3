// SPDX-License-Identifier: BSD-3-Clause
// What is measured: a list of named workloads.  A name is group/data/span/output, with /t1, /t2 and so on added where
// threads are compared; run.py and docs/benchmarks.md use these names.  Data are made when a workload is first run.
#pragma once

#include "peers/peer.hpp"

#include <functional>
#include <string>
#include <vector>

namespace performance {

struct Workload {
    std::string name;
    Task task;
    Shape shape;
    bool quick; // part of run.py --quick
    bool heavy; // seconds to minutes per alignment: one iteration per repetition, checked on the timed run itself
    std::function<Pairs()> make;
    std::string peers = {}; // the first words of the peers' names, separated by spaces; empty for all
};

// Why the peer does not run the workload; empty if it does.
std::string refusal(Workload const & workload, Peer const & peer);

// Synthetic workloads, and real ones for those files found in the folder that NWGPU_PERF_DATA names (plain FASTA).
std::vector<Workload> const & workloads();

} // namespace performance
