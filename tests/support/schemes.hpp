// SPDX-License-Identifier: BSD-3-Clause
// The scoring schemes and modes that every test walks through: everyday ones, ones that make everything tie, and
// ones whose scores leave 8, 16 and 32 bits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/mode.hpp"
#include "model/scoring.hpp"

namespace nwgpu::test {

struct Scheme {
    std::string name;
    Scoring scoring;
    std::string letters; // sequences are drawn from these
    bool symmetric;      // score(a, b) == score(b, a)
};

std::vector<Scheme> const & everyday_schemes(); // what users ask for
std::vector<Scheme> const & tie_schemes();      // zero costs, linear gaps: many equally good paths
std::vector<Scheme> const & extreme_schemes();  // costs up to 2^30
std::vector<Scheme> const & matrix_schemes();   // substitution matrices
std::vector<Scheme> const & all_schemes();
// Uniform ones: gaps that are cheap and dear beside mismatches, and beside equal letters.
std::vector<Scoring> const & schemes_of_gaps();
// Aborts the test program when there is none of that name.
Scheme const & scheme(std::string_view name);

// A matrix of random scores in [low, high], over the first `size` letters of `letters`.
Scheme random_matrix(std::string const & name, std::uint64_t seed, std::string letters, int low, int high, GapCost gap);
// One of the library's own matrices (BLOSUM62, PAM30, EDNAFULL, ...).
Scheme named_matrix(std::string const & matrix, GapCost gap, std::string letters);

inline Mode const global{}, local{.local = true}, fitting{.free_target_begin = true, .free_target_end = true},
    overlap{.free_query_begin = true, .free_target_end = true}, extend{.extend = true},
    extend_left{.extend_left = true};
std::vector<Mode> const & common_modes(); // global, local and the 15 other combinations of free ends
std::vector<Mode> const & all_modes();    // and extension both ways
std::string name(Mode const & mode);      // "global", "local", "free:QbTe"
std::string name(Output output);

} // namespace nwgpu::test
