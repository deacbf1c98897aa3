// SPDX-License-Identifier: BSD-3-Clause
// Lengths at which lanes, strips and tiles begin and end: each edge length against each other, and each length from
// 0 to 70 against each.
#include <gtest/gtest.h>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

struct LengthCase {
    std::string scheme;
    Mode mode;
};

std::string name_of(LengthCase const & c) { return c.scheme + "_" + name(c.mode); }

class LengthsTest : public OnEachEngine<LengthCase> {};

TEST_P(LengthsTest, EdgeLengthsEqualOracle)
{
    auto const & [scheme_name, mode] = value();
    Scheme const & s = scheme(scheme_name);
    Random random{3};
    std::vector<SequencePair> pairs;
    for (std::uint64_t const m : edge_lengths())
        for (std::uint64_t const n : edge_lengths())
            if (m <= 300 || n <= 300 || (m + n) % 3 == 0)
                pairs.push_back(random_pair(random, random.chance(0.5) ? Model::mutated : random.pick(all_models()), m,
                                            n, s.letters));
    PairSet const set{std::move(pairs), s.scoring};
    auto const full = oracle(set, s.scoring, mode);
    auto setups = engine_setups(true, kind());
    if (kind() == BackendKind::cuda)
        for (int const rows : {2, 8, 20})
            setups.push_back(on_gpu({.rows_per_half = rows, .max_traced_cells = 1}));
    for (auto const & options : setups)
        for (Output const output : {Output::score, Output::cigar})
            check(set, s, {mode, output, CigarStyle::eqx}, options, full, "LengthsTest edges seed=3");
}

// One pair per call: no other pair fills the vectors.
TEST_P(LengthsTest, SmallLengthsOneByOne)
{
    auto const & [scheme_name, mode] = value();
    Scheme const & s = scheme(scheme_name);
    Random random{4};
    for (std::uint64_t m = 0; m <= 70; ++m)
        for (std::uint64_t n = m % 3; n <= 70; n += 3) {
            PairSet const set{{random_pair(random, random.pick(all_models()), m, n, s.letters)}, s.scoring};
            auto const full = oracle(set, s.scoring, mode);
            for (auto const & options : engine_setups(false, kind()))
                if (!check(set, s, {mode, Output::cigar, CigarStyle::eqx}, options, full, "LengthsTest small seed=4"))
                    return;
        }
}

INSTANTIATE_TEST_SUITE_P(
    All, LengthsTest,
    on_each_engine(testing::Values(LengthCase{"dna_2_4_4_2", {}}, LengthCase{"dna_2_4_4_2", {.local = true}},
                                   LengthCase{"dna_2_4_4_2", fitting}, LengthCase{"edit", {}},
                                   LengthCase{"edit", fitting}, LengthCase{"BLOSUM62_11_1", {.local = true}},
                                   LengthCase{"BLOSUM62_11_1", {}}, LengthCase{"extend_0", overlap},
                                   LengthCase{"leaves_16_bits", {.local = true}}, LengthCase{"leaves_8_bits", overlap},
                                   LengthCase{"all_2_30", {}}, LengthCase{"match_2_20", {.local = true}})),
    ParameterNames{});

} // namespace
} // namespace nwgpu::test
