// SPDX-License-Identifier: BSD-3-Clause
// The results of nwgpu bench: a table on standard output, and the same in files.
#pragma once

#include "bench_suites.hpp"
#include "text_output.hpp"
#include "writer.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace cli {

struct BenchRow {
    std::string suite; // empty: none
    Measurement measurement;
    std::string output, status; // "score", "end" or "cigar"; "ok", or why not
    std::int64_t score = 0;
    int repeats = 0;
    double seconds = 0, mean_seconds = 0, deviation = 0; // the best; the mean; the standard deviation, 0 of one
    double speedup = 0;                                  // of GCUPS
    std::uint64_t host_bytes = 0, device_bytes = 0;      // the peak of the process; what the library predicts, of a GPU
    std::optional<double> joules;                        // of one call, idle GPU included

    double gcups() const;
    std::optional<double> ratio() const;      // ours over the published value
    std::optional<double> efficiency() const; // where `scaling` says so: the speed-up over the number of GPUs
};

class BenchTable {
public:
    // Paths may be empty: then there is no such file.  `machine` goes into the JSON file.
    BenchTable(std::string const & tsv, std::string const & json, std::string const & machine);
    void add(BenchRow const & row);
    void close();

private:
    TextOutput out_{"-", OutputFormat(), 1};
    std::unique_ptr<TextOutput> tsv_, json_;
    bool first_ = true;
};

} // namespace cli
