// SPDX-License-Identifier: BSD-3-Clause
// The scoring schemes as numbers, and sequences as small codes: what peers that take a raw matrix need, and what the
// generator and the re-scoring check use.  Independent of the library under test.  No peer's header.
#pragma once

#include "peer.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace performance {

struct Costs {
    int match, mismatch; // scores; the protein scheme uses matrix() instead
    int open, extend;    // costs: a gap of k letters is open + k * extend
};
Costs costs(Scheme scheme);

// "ACGT", or the twenty residues in the order of BLOSUM62.
std::string_view letters(Scheme scheme);

// letters x letters scores, row = query letter.
std::vector<std::int8_t> matrix(Scheme scheme);

// Letter -> index into letters(); only those letters occur in this suite's data.
std::vector<std::uint8_t> encode(Scheme scheme, std::string_view sequence);

// Appends one more letter of operation `op` (BAM code) to run-length encoded operations.
void append_run(std::vector<std::uint32_t> & runs, std::uint32_t op, std::uint32_t length = 1);

namespace bam {
inline constexpr std::uint32_t match = 0, insertion = 1, deletion = 2, equal = 7, different = 8;
}

} // namespace performance
