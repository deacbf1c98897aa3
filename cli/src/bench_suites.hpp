// SPDX-License-Identifier: BSD-3-Clause
// What nwgpu bench measures: the papers' experiments, or what the user asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

// Letters, scoring, mode and output of an experiment.
enum class Experiment { thesis, rowscan, swat, cudalign };

struct Measurement {
    std::string algorithm; // as --algorithm has it; "engine" for the library's own
    std::uint64_t query_length = 0, target_length = 0;
    // What the paper has for it, in the column `unit`; 0 for nothing.
    double published = 0;
    std::string unit;  // "s", "GCUPS" or "x": speed-up over the first of these lengths
    std::string where; // in the paper, and its machine
    // "strong": the same lengths on more GPUs; "weak": as many more target letters; else empty.
    std::string scaling{};

    int gpus() const; // that `algorithm` names, 0 where it names none
};

struct Suite {
    std::string name;
    Experiment experiment;
    std::vector<Measurement> measurements;
};

std::vector<std::string> suite_names();
// `name` is one of suite_names().
Suite suite(std::string const & name);
// The experiment of the paper that `algorithm` is from; for "engine" the thesis's.
Experiment experiment_of(std::string const & algorithm);

} // namespace cli
