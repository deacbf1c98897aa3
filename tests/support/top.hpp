// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments of pairs, for tests of several engines.
#pragma once

#include <string>
#include <vector>

#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/result.hpp"

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

} // namespace nwgpu::test
