// SPDX-License-Identifier: BSD-3-Clause
// The oracle by hand: borders, ends and each clause of the tie rule.  tests/property compares it with an enumeration
// of all alignments; small_pairs_test.cpp with published alignments.
#include "reference/oracle.hpp"

#include <gtest/gtest.h>

#include "model/cigar.hpp"
#include "model/matrices.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

constexpr Mode global{};
constexpr Mode local{.local = true};
constexpr Mode query_in_target{.free_target_begin = true, .free_target_end = true};
constexpr Mode target_in_query{.free_query_begin = true, .free_query_end = true};
constexpr Mode all_free{false, true, true, true, true};

// "score query_begin-query_end target_begin-target_end cigar"
std::string aligned(std::string const & query, std::string const & target, Scoring const & scoring, Mode const & mode,
                    CigarStyle style = CigarStyle::eqx)
{
    PairSet const set{{{query, target}}, scoring};
    PairResult const result = oracle(set, scoring, mode, style).at(0);
    AlignedSpan const & span = result.span;
    return std::to_string(result.score) + " " + std::to_string(span.query_begin) + "-" +
           std::to_string(span.query_end) + " " + std::to_string(span.target_begin) + "-" +
           std::to_string(span.target_end) + " " + cigar_text(result.runs);
}

Scoring const affine = Scoring::uniform(4, 5, {10, 1});
Scoring const edit = Scoring::uniform(0, 1, {0, 1});

TEST(Oracle, EmptySequences)
{
    for (Mode const & mode : all_modes()) {
        bool const free_target = mode.may_be_empty() || mode.free_target_begin || mode.free_target_end;
        bool const free_query = mode.may_be_empty() || mode.free_query_begin || mode.free_query_end;
        EXPECT_EQ(aligned("", "", affine, mode), "0 0-0 0-0 *");
        if (!free_target) {
            EXPECT_EQ(aligned("", "ACG", affine, mode), "-13 0-0 0-3 3D") << name(mode);
        }
        if (!free_query) {
            EXPECT_EQ(aligned("ACG", "", affine, mode), "-13 0-3 0-0 3I") << name(mode);
        }
    }
    EXPECT_EQ(aligned("", "ACG", affine, local), "0 0-0 0-0 *");
    EXPECT_EQ(aligned("", "ACG", affine, {.extend = true}), "0 0-0 0-0 *");
    EXPECT_EQ(aligned("", "ACG", affine, {.extend_left = true}), "0 0-0 3-3 *");
    EXPECT_EQ(aligned("", "ACG", affine, {.free_target_end = true}), "0 0-0 0-0 *");
    EXPECT_EQ(aligned("", "ACG", affine, {.free_target_begin = true}), "0 0-0 3-3 *");
    EXPECT_EQ(aligned("", "ACG", affine, query_in_target), "0 0-0 0-0 *");
    EXPECT_EQ(aligned("ACG", "", affine, {.free_query_begin = true}), "0 3-3 0-0 *");
}

// From the origin to the first best cell; or from anywhere to the last cell, with a prefix of score 0.
TEST(Oracle, Extension)
{
    Mode const extend{.extend = true}, left{.extend_left = true};
    EXPECT_EQ(aligned("ACGTTT", "ACGAAA", affine, extend), "12 0-3 0-3 3=");
    EXPECT_EQ(aligned("TTTACG", "AAAACG", affine, left), "12 3-6 3-6 3=");
    EXPECT_EQ(aligned("TTTACG", "GGGACG", Scoring::uniform(3, 9, {10, 1}), left), "9 3-6 3-6 3=");
    EXPECT_EQ(aligned("CACGTACGTACGT", "ACGTACGTACGT", affine, extend), "37 0-13 0-12 1I12=");
    EXPECT_EQ(aligned("ACGTACGTACGTC", "ACGTACGTACGT", affine, left), "37 0-13 0-12 12=1I");
    EXPECT_EQ(aligned("TACG", "AACG", affine, extend), "7 0-4 0-4 1X3=");
    EXPECT_EQ(aligned("TTTT", "AAAA", affine, extend), "0 0-0 0-0 *");
    EXPECT_EQ(aligned("TTTT", "AAAA", affine, left), "0 4-4 4-4 *");
    // A match that a mismatch takes back begins no alignment without a score, and the first of equal ends is the end.
    EXPECT_EQ(aligned("AC", "AG", Scoring::uniform(1, 1, {2, 1}), left), "0 2-2 2-2 *");
    EXPECT_EQ(aligned("ACA", "AGA", Scoring::uniform(1, 1, {2, 1}), extend), "1 0-1 0-1 1=");
    EXPECT_EQ(aligned("ACA", "AGA", Scoring::uniform(1, 1, {2, 1}), left), "1 0-3 0-3 1=1X1=");
}

TEST(Oracle, GapsCostOpenPlusExtend)
{
    EXPECT_EQ(aligned("ACGT", "AT", affine, global), "-4 0-4 0-2 1=2I1=");
    EXPECT_EQ(aligned("AT", "ACGT", affine, global), "-4 0-2 0-4 1=2D1=");
    EXPECT_EQ(aligned("ACGT", "ACGT", affine, global), "16 0-4 0-4 4=");
    EXPECT_EQ(aligned("ACGT", "AGGT", affine, global), "7 0-4 0-4 1=1X2=");
    EXPECT_EQ(aligned("kitten", "sitting", edit, global), "-3 0-6 0-7 1X3=1X1=1D");
}

TEST(Oracle, StyleM)
{
    EXPECT_EQ(aligned("ACGT", "AGGT", affine, global, CigarStyle::m), "7 0-4 0-4 4M");
    EXPECT_EQ(aligned("ACGGGT", "AGT", affine, global, CigarStyle::m), "-1 0-6 0-3 1M3I2M");
}

TEST(Oracle, MatrixRowIsTheQuery)
{
    ScoreMatrix const matrix = parse_matrix("A C\nA 1 7\nC -9 2\n");
    Scoring const scoring = Scoring::matrix(matrix.scores, 2, matrix.codes, {20, 20});
    EXPECT_EQ(aligned("A", "C", scoring, global), "7 0-1 0-1 1X");
    EXPECT_EQ(aligned("C", "A", scoring, global), "-9 0-1 0-1 1X");
}

// Walking back, the diagonal comes before a gap, so gaps lie as far left as they can.
TEST(OracleTies, GapsLieLeft)
{
    EXPECT_EQ(aligned("GAAC", "GAAAAC", affine, global), "4 0-4 0-6 1=2D3=");
    EXPECT_EQ(aligned("GAAAAC", "GAAC", affine, global), "4 0-6 0-4 1=2I3=");
}

// GA-C over G-TC with the target above: going back, the insertion is taken before the deletion.
TEST(OracleTies, UpBeforeLeft)
{
    EXPECT_EQ(aligned("GTC", "GAC", Scoring::uniform(4, 50, {1, 1}), global), "4 0-3 0-3 1=1D1I1=");
}

// Without opening costs the gap could as well close after one letter and take the diagonal: it goes on.
TEST(OracleTies, ExtensionBeforeOpening)
{
    EXPECT_EQ(aligned("AAC", "A", edit, global), "-2 0-3 0-1 1=2I");
    EXPECT_EQ(aligned("A", "AAC", edit, global), "-2 0-1 0-3 1=2D");
}

TEST(OracleLocal, NothingPositiveIsEmpty) { EXPECT_EQ(aligned("AAAA", "CCCC", affine, local), "0 0-0 0-0 *"); }

TEST(OracleLocal, PrefixesOfScoreZeroAreKept)
{
    EXPECT_EQ(aligned("ACGGG", "ATGGG", Scoring::uniform(4, 4, {10, 1}), local), "12 0-5 0-5 1=1X3=");
    EXPECT_EQ(aligned("ACGGG", "ATGGG", Scoring::uniform(4, 5, {10, 1}), local), "12 2-5 2-5 3=");
}

TEST(OracleLocal, FirstEndInColumnMajorOrder)
{
    EXPECT_EQ(aligned("ACG", "ACGTACG", affine, local), "12 0-3 0-3 3=") << "smallest target end";
    EXPECT_EQ(aligned("ACGTACG", "ACG", affine, local), "12 0-3 0-3 3=") << "then smallest query end";
    EXPECT_EQ(aligned("CCAA", "AATCC", affine, local), "8 2-4 0-2 2=") << "the target decides first";
}

TEST(OracleFreeEnds, QueryInsideTarget)
{
    EXPECT_EQ(aligned("ACG", "TTACGTT", affine, query_in_target), "12 0-3 2-5 3=");
    EXPECT_EQ(aligned("TTACGTT", "ACG", affine, target_in_query), "12 2-5 0-3 3=");
    EXPECT_EQ(aligned("ACG", "ACGACG", affine, query_in_target), "12 0-3 0-3 3=") << "the first of two";
    EXPECT_EQ(aligned("ACGACG", "ACG", affine, target_in_query), "12 0-3 0-3 3=");
}

TEST(OracleFreeEnds, Overlap)
{
    Mode const query_first{.free_query_begin = true, .free_target_end = true};
    EXPECT_EQ(aligned("TTACG", "ACGCC", affine, query_first), "12 2-5 0-3 3=");
    Mode const target_first{.free_query_end = true, .free_target_begin = true};
    EXPECT_EQ(aligned("ACGCC", "TTACG", affine, target_first), "12 0-3 2-5 3=");
}

// (m, j) for a small j comes before (i, n), whatever i.
TEST(OracleFreeEnds, LastRowAgainstLastColumn) { EXPECT_EQ(aligned("AC", "CA", affine, all_free), "4 1-2 0-1 1="); }

TEST(OracleFreeEnds, NothingAlignsAtTheCorner) { EXPECT_EQ(aligned("A", "C", affine, all_free), "0 1-1 0-0 *"); }

TEST(Oracle, CostsOfTwoToThe30DoNotOverflow)
{
    Scoring const extreme = Scoring::uniform(max_cost, max_cost, {max_cost, max_cost});
    EXPECT_EQ(aligned("AC", "A", extreme, global), std::to_string(-max_cost) + " 0-2 0-1 1=1I");
    EXPECT_EQ(aligned("", "AAAA", extreme, global), std::to_string(-5 * max_cost) + " 0-0 0-4 4D");
}

} // namespace
} // namespace nwgpu::test
