// SPDX-License-Identifier: BSD-3-Clause
// The published algorithms that can be run by name: a fixed table of facts, without their code.  docs/reproduction.md
// tells about the papers.  Nothing chooses one of these by itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/mode.hpp"
#include "model/scoring.hpp"

namespace nwgpu::published {

enum class Processor { cpu, cuda };
// How the path is found: not at all, over the stored matrix, or tile by tile from stored headers.  Every one of them
// follows the tie rule, so CIGARs are those of the engines.
enum class Trace { none, plain, sparse };

struct Parameter {
    char const * name;
    int usual, lowest, highest; // usual 0: decided by the machine
    char const * meaning;
};
using Values = std::vector<int>; // one for each parameter of an algorithm

// Bytes that one pair takes, sequences and result apart.
struct Memory {
    std::uint64_t host = 0, device = 0;
};

struct Algorithm {
    char const * name;
    char const * paper; // and the section in it
    Processor processor;
    bool affine;        // else linear gaps alone: gap_open 0
    bool global, local; // spans; free ends are for none of them
    Output output;      // the most that it finds
    Trace trace;
    std::span<Parameter const> parameters;
    Memory (*memory)(std::uint64_t m, std::uint64_t n, Values const & values);
    double cells_per_second; // order of magnitude, of one thread or one GPU
    char const * limits;
    char const * summary;
    bool saves = false; // checkpoints
};

std::span<Algorithm const> algorithms();

// An algorithm with the values of its parameters.
struct Choice {
    Algorithm const * algorithm;
    Values values;
    int value(std::string_view parameter) const;
    int value_or(std::string_view parameter, int otherwise) const; // where the algorithm has no such parameter
    Choice with(std::string_view parameter, int value) const;
};

// "NAME" or "NAME:parameter=value,...".  Throws Error not_found for an unknown name and invalid_argument for the rest.
Choice parse_choice(std::string_view text);

// Throws Error unsupported, naming the limit that `request` or `scoring` is outside of.
void check_fits(Algorithm const & algorithm, Scoring const & scoring, Request const & request);

// Whether every score of m and n letters fits the 32 bits that all papers have, with room for one step.
bool scores_fit(Scoring const & scoring, std::uint64_t m, std::uint64_t n);

// "blocks=30 threads=128"
std::string describe_values(Choice const & choice);

} // namespace nwgpu::published
