// SPDX-License-Identifier: BSD-3-Clause
// Seeded synthetic sequences, the same on every machine and standard library (no std distribution is used).
// Models: random ACGT with substitutions, insertions and deletions in equal parts; protein homologs drawn from the
// conditional probabilities behind BLOSUM62, with insertions and deletions each starting at 1 % of the positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace performance {

class Random {
public:
    // The seed is derived from a name, so that data depend neither on the order nor on the choice of workloads.
    explicit Random(std::string_view name);
    std::uint64_t next();
    double unit();                            // [0, 1)
    std::size_t below(std::size_t exclusive); // exclusive < 2^32

private:
    std::uint64_t state_;
};

std::string random_dna(Random & random, std::size_t length);
std::string mutated_dna(Random & random, std::string_view original, double divergence);
// As machines for short reads read it: 0.3 % other letters, 0.03 % inserted or left out.
std::string sequenced_dna(Random & random, std::string_view original);
// Five events, spread over the sequence, each an insertion, a deletion or a replacement of shortest..longest letters.
std::string restructured_dna(Random & random, std::string_view original, std::size_t shortest, std::size_t longest);

std::string random_protein(Random & random, std::size_t length);
std::string homologous_protein(Random & random, std::string_view original);

} // namespace performance
