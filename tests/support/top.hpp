// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments of pairs, for tests of several engines.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/cigar.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {

inline Request request_of(std::uint32_t top, Output output = Output::cigar, CigarStyle style = CigarStyle::eqx)
{
    return {Mode{.local = true}, output, style, top};
}

inline std::string text_of(PairResult const & result)
{
    return std::to_string(result.score) + " at " + std::to_string(result.span.query_begin) + "," +
           std::to_string(result.span.target_begin) + " " + cigar_text(result.runs);
}

// The entries of pair p.
inline std::vector<PairResult> entries_of(BatchResult const & result, std::uint64_t p)
{
    std::vector<PairResult> all;
    for (std::uint64_t e = 0; e < result.count(); ++e)
        if (result.pair[e] == p) {
            PairResult & entry = all.emplace_back();
            entry.score = result.score[e];
            if (!result.span.empty())
                entry.span = result.span[e];
            if (!result.run_offsets.empty())
                entry.runs = {result.runs.begin() + static_cast<std::ptrdiff_t>(result.run_offsets[e]),
                              result.runs.begin() + static_cast<std::ptrdiff_t>(result.run_offsets[e + 1])};
        }
    return all;
}

// All of a pair: `expected` at output level cigar.
inline void expect_same_top(std::vector<PairResult> const & expected, std::vector<PairResult> const & actual,
                            Output output, std::string const & words)
{
    ASSERT_EQ(actual.size(), expected.size()) << words;
    for (std::size_t k = 0; k < actual.size(); ++k)
        ASSERT_TRUE(actual[k] == at_level(expected[k], output))
            << words << " alignment=" << k << "\n  expected " << text_of(at_level(expected[k], output)).substr(0, 300)
            << "\n  actual   " << text_of(actual[k]).substr(0, 300);
}

// Unrelated letters with copies of stretches of the query here and there in the target.
inline SequencePair with_repeats(Random & random, std::uint64_t m, std::uint64_t n, std::uint64_t copies,
                                 std::string_view letters)
{
    SequencePair pair{random_sequence(random, m, letters), random_sequence(random, n, letters)};
    for (std::uint64_t k = 0; k < copies; ++k) {
        std::uint64_t const length = random.between(100, std::min(m, n) / 20);
        std::string const copy = mutated(random, std::string_view{pair.query}.substr(random.below(m - length), length),
                                         letters, static_cast<double>(random.below(20)) / 100);
        pair.target.replace(random.below(n - copy.size()), copy.size(), copy);
    }
    return pair;
}

} // namespace nwgpu::test
