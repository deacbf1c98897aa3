// SPDX-License-Identifier: BSD-3-Clause
// Genome pairs with published or independently recomputed optimal scores (shared data, expected/genome_pairs.tsv.gz).
// Up to 60 kbp in CI; the herpesvirus pair of the CUDAlign paper in CI too; its Chlamydia pair is "golden", for
// thorough runs; the rest is "long".
#include <gtest/gtest.h>

#include <algorithm>

#include "support/cases.hpp"
#include "support/data.hpp"

namespace nwgpu::test {
namespace {

using Row = std::map<std::string, std::string>;
constexpr char const * table = "expected/genome_pairs.tsv.gz";

std::string sequence_of(Row const & row, std::string const & side)
{
    std::string sequence = read_fasta(row.at("file" + side)).at(std::stoul(row.at("record" + side)) - 1).sequence;
    if (row.at("strand" + side) == "-")
        sequence = reverse_complement(sequence);
    for (char & letter : sequence) // compared whatever their case
        letter = static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
    return sequence;
}

std::uint64_t cells(Row const & row) { return std::stoull(row.at("length1")) * std::stoull(row.at("length2")); }

bool is_pair(Row const & row, std::string const & accession, std::string const & kind)
{
    return row.at("file1").find(accession) != std::string::npos && row.at("kind") == kind;
}

void check_row(Row const & row, Output output, std::vector<EngineSetup> const & setups)
{
    std::int64_t const first = std::stoll(row.at("gap_first")), next = std::stoll(row.at("gap_next"));
    Scoring const scoring =
        Scoring::uniform(std::stoll(row.at("match")), -std::stoll(row.at("mismatch")), {first - next, next});
    Mode const mode{.local = row.at("kind") == "local"};
    std::int64_t const score = std::stoll(row.at("score")) * (row.at("kind") == "edit" ? -1 : 1);
    PairSet const set{{{sequence_of(row, "1"), sequence_of(row, "2")}}, scoring};
    ASSERT_EQ(set[0].query.size(), std::stoull(row.at("length1")));
    ASSERT_EQ(set[0].target.size(), std::stoull(row.at("length2")));
    for (auto const & options : setups) {
        std::string const words = row.at("file1") + " x " + row.at("file2") + " " + row.at("strand2") + " " +
                                  row.at("kind") + " " + describe(options);
        PairResult const result = run(set, scoring, {mode, output, CigarStyle::eqx}, options).at(0);
        EXPECT_EQ(result.score, score) << words;
        if (output >= Output::end) {
            EXPECT_EQ(result.span.query_end, std::stoull(row.at("end1"))) << words; // 1-based inclusive is our end
            EXPECT_EQ(result.span.target_end, std::stoull(row.at("end2"))) << words;
        }
        if (output == Output::cigar)
            expect_consistent(set, 0, scoring, mode, result, words);
    }
}

TEST(GenomePairsWitness, UpTo60k)
{
    NWGPU_NEEDS_DATA(table);
    int seen = 0;
    for (Row const & row : read_table(table))
        if (cells(row) <= 60000ull * 60000) {
            ++seen;
            check_row(row, Output::cigar, {{.threads = 2}});
        }
    EXPECT_EQ(seen, 24);
}

// Also on the oldest instruction set: the 16- and 32-bit paths of every one see real data.
TEST(GenomePairsWitness, UpTo12kOnEveryInstructionSet)
{
    NWGPU_NEEDS_DATA(table);
    for (Row const & row : read_table(table))
        if (cells(row) <= 12000ull * 14000)
            check_row(row, Output::cigar, fast_setups());
}

// CUDAlign paper: score 18, end (41058, 44353); 2.8e10 cells.
TEST(GenomePairsWitness, HerpesvirusLocal)
{
    NWGPU_NEEDS_DATA(table);
    for (Row const & row : read_table(table))
        if (is_pair(row, "NC_000898", "local"))
            check_row(row, Output::cigar, {{.threads = 2}});
}

TEST(GenomePairsWitness, HerpesvirusEdit)
{
    NWGPU_NEEDS_DATA(table);
    for (Row const & row : read_table(table))
        if (is_pair(row, "NC_000898", "edit"))
            check_row(row, Output::score, {{.threads = 2}});
}

// CUDAlign paper: score 88,353, end (722725, 1072950); 1.1e12 cells.
TEST(GenomePairsGolden, ChlamydiaLocal)
{
    if (!is_thorough())
        GTEST_SKIP() << "a minute and a half of a core: NWGPU_THOROUGH=1 runs it";
    NWGPU_NEEDS_DATA(table);
    for (Row const & row : read_table(table))
        if (is_pair(row, "CP000051", "local"))
            check_row(row, Output::end, {{.threads = 2}});
}

TEST(GenomePairsLong, EveryOtherPair)
{
    NWGPU_NEEDS_DATA(table);
    auto rows = read_table(table);
    std::sort(rows.begin(), rows.end(), [](Row const & a, Row const & b) { return cells(a) < cells(b); });
    for (Row const & row : rows)
        if (cells(row) > 60000ull * 60000)
            check_row(row, cells(row) < 100'000'000'000 ? Output::cigar : Output::end, {{}});
}

} // namespace
} // namespace nwgpu::test
