// SPDX-License-Identifier: BSD-3-Clause
// Random sequences for tests: a small generator with the same numbers on every platform, and models of pairs
// that real and adversarial inputs look like.  Used by every folder of tests/; includes nothing of the library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nwgpu::test {

// splitmix64; seeds that follow each other give unrelated streams.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_{seed} {}
    std::uint64_t next();
    std::uint64_t below(std::uint64_t limit) { return next() % limit; } // limit >= 1
    std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }
    bool chance(double probability) { return static_cast<double>(next() >> 11) * 0x1p-53 < probability; }
    template <typename T>
    T const & pick(std::vector<T> const & values)
    {
        return values[below(values.size())];
    }

private:
    std::uint64_t state_;
};

enum class Model {
    uniform,     // two unrelated sequences
    mutated,     // copy with substitutions and single-letter indels
    noisy,       // copy whose errors are mostly insertions and deletions, as of long reads
    structured,  // copy with large indels, replaced stretches and repeat copies
    tandem,      // repeats of a short unit with a few changes: many equally good paths
    symmetric,   // palindromes and their halves: ties between both ends
    homopolymer, // runs of one letter
    two_letters, // the first two letters of the alphabet only
    one_letter,  // the last letter only (N in DNA)
};
std::vector<Model> const & all_models();
std::string_view name(Model model);

struct SequencePair {
    std::string query, target;
};

// Both sequences get exactly the lengths asked for.
SequencePair random_pair(Random & random, Model model, std::uint64_t query_length, std::uint64_t target_length,
                         std::string_view letters, double divergence = 0.1);
std::string random_sequence(Random & random, std::uint64_t length, std::string_view letters);
// Copy with substitutions, insertions and deletions; indel_share of the changes are indels.
std::string mutated(Random & random, std::string_view sequence, std::string_view letters, double divergence,
                    double indel_share = 0.4);
// Copy with `events` large changes of up to `longest` letters: deletion, insertion, replacement, duplication.
std::string restructured(Random & random, std::string_view sequence, std::string_view letters, int events,
                         std::uint64_t longest);

// Whether random cases are all tried, as each night (NWGPU_THOROUGH in the environment), or a part of them, as in CI.
bool is_thorough();

// Lengths at which vector widths, strips and tiles begin and end.
std::vector<std::uint64_t> const & edge_lengths();

} // namespace nwgpu::test
