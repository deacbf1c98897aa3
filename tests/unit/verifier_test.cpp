// SPDX-License-Identifier: BSD-3-Clause
// The verifier: scores by hand, every refusal, and agreement with the oracle.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/cigar.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using nwgpu::Runs;

constexpr std::uint32_t M(std::uint32_t length) { return cigar_run(CigarOp::match, length); }
constexpr std::uint32_t I(std::uint32_t length) { return cigar_run(CigarOp::insertion, length); }
constexpr std::uint32_t D(std::uint32_t length) { return cigar_run(CigarOp::deletion, length); }
constexpr std::uint32_t E(std::uint32_t length) { return cigar_run(CigarOp::equal, length); }
constexpr std::uint32_t X(std::uint32_t length) { return cigar_run(CigarOp::different, length); }

Scoring const affine = Scoring::uniform(4, 5, {10, 1});

std::int64_t score(std::string const & query, std::string const & target, Runs const & runs)
{
    PairSet const set{{{query, target}}, affine};
    return reference::cigar_score(set.view(0), affine, runs);
}

TEST(Verifier, ScoresByHand)
{
    EXPECT_EQ(score("", "", {}), 0);
    EXPECT_EQ(score("ACGT", "ACGT", {E(4)}), 16);
    EXPECT_EQ(score("ACGT", "AGGT", {E(1), X(1), E(2)}), 7);
    EXPECT_EQ(score("ACGT", "AGGT", {M(4)}), 7);
    EXPECT_EQ(score("ACGT", "AT", {E(1), I(2), E(1)}), -4);
    EXPECT_EQ(score("AT", "ACGT", {E(1), D(2), E(1)}), -4);
    EXPECT_EQ(score("A", "C", {I(1), D(1)}), -22);
}

TEST(Verifier, EqualNeighboursAreOneGap)
{
    EXPECT_EQ(score("", "ACGT", {D(3), D(1)}), -14);
    EXPECT_EQ(score("AC", "ACGT", {D(1), I(2), D(3)}), -36);
}

TEST(Verifier, RefusesWhatDoesNotFit)
{
    EXPECT_THROW(score("ACGT", "ACGT", {E(3)}), Error);
    EXPECT_THROW(score("ACGT", "ACGT", {E(5)}), Error);
    EXPECT_THROW(score("ACGT", "ACG", {E(4)}), Error);
    EXPECT_THROW(score("ACGT", "ACGT", {E(4), I(1)}), Error);
    EXPECT_THROW(score("ACGT", "ACGT", {E(4), D(1)}), Error);
    EXPECT_THROW(score("A", "", {}), Error);
    EXPECT_THROW(score("", "A", {}), Error);
}

TEST(Verifier, RefusesWhatDoesNotHold)
{
    EXPECT_THROW(score("ACGT", "AGGT", {E(4)}), Error);
    EXPECT_THROW(score("ACGT", "AGGT", {X(4)}), Error);
    EXPECT_THROW(score("A", "A", {E(1), I(0)}), Error) << "an empty run";
    for (std::uint32_t const op : {3u, 4u, 5u, 6u, 9u, 15u}) // N S H P and what is none
        EXPECT_THROW(score("A", "A", {1u << 4 | op}), Error) << op;
}

TEST(Verifier, AgreesWithTheOracle)
{
    Random random{1};
    for (Model const model : all_models()) {
        PairSet const set{{random_pair(random, model, 60, 50, "ACGT")}, affine};
        for (CigarStyle const style : {CigarStyle::eqx, CigarStyle::m}) {
            PairResult const result = oracle(set, affine, Mode{}, style).at(0);
            EXPECT_EQ(reference::cigar_score(set.view(0), affine, result.runs), result.score) << name(model);
        }
    }
}

} // namespace
} // namespace nwgpu::test
