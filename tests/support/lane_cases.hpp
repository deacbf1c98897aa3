// SPDX-License-Identifier: BSD-3-Clause
// What engines that compute pairs in the lanes of a vector are given by tests.
#pragma once

#include <string>
#include <vector>

#include "cpu/kernels/kernel_table.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {

// Up to 70 pairs, from equal to unrelated sequences side by side; few letters, so that many paths are equally good.
inline std::vector<SequencePair> tie_rich_lanes(Random & random, bool has_long_ones)
{
    std::string const letters = std::string{"ACGTN"}.substr(0, 1 + random.below(5));
    std::uint64_t const longest = has_long_ones ? 300 : random.chance(0.5) ? 90 : 20;
    bool const alike = random.chance(0.5);
    std::vector<SequencePair> pairs;
    for (std::uint64_t count = 1 + random.below(70); count > 0; --count)
        pairs.push_back(random_pair(
            random, alike ? Model::mutated : random.pick(all_models()), alike ? longest : 1 + random.below(longest),
            alike ? longest : 1 + random.below(longest), letters, 0.01 * static_cast<double>(random.below(30))));
    return pairs;
}

inline Request any_global_request(Random & random)
{
    return {Mode{},
            random.chance(0.7)   ? Output::cigar
            : random.chance(0.5) ? Output::span
                                 : Output::score,
            random.chance(0.7) ? CigarStyle::eqx : CigarStyle::m};
}

// All answers are the oracle's, for every instruction set: setup(isa).
template <class Setup>
void expect_oracle_of_all_isas(PairSet const & set, Scoring const & scoring, Request const & request,
                               Setup const & setup, std::string const & words)
{
    std::vector<PairResult> expected;
    for (PairResult const & full : oracle(set, scoring, {}, request.style))
        expected.push_back(expected_of(full, request));
    for (std::string const & isa : cpu::available_isas())
        expect_equal(expected, run(set, scoring, request, setup(isa)), set, words + " isa=" + isa);
}

} // namespace nwgpu::test
