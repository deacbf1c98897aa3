// SPDX-License-Identifier: BSD-3-Clause
// parasail as witness of optimal scores, on real proteins and genomes.  Its scan kernels only: the diag kernels of
// common builds return wrong local and semi-global scores, and its local CIGARs are wrong when they begin at query 0.
#include <gtest/gtest.h>

#include <parasail.h>
#include <parasail/matrices/blosum62.h>
#include <parasail/matrices/pam30.h>

#include <algorithm>
#include <memory>

#include "support/cases.hpp"
#include "support/data.hpp"

namespace nwgpu::test {
namespace {

// Gap costs as parasail takes them: the first letter, each further letter.
std::int64_t parasail_score(SequencePair const & pair, parasail_matrix_t const * matrix, GapCost gap, Mode const & mode)
{
    int const first = static_cast<int>(gap.open + gap.extend), next = static_cast<int>(gap.extend);
    char const * const q = pair.query.data();
    char const * const t = pair.target.data();
    int const m = static_cast<int>(pair.query.size()), n = static_cast<int>(pair.target.size());
    parasail_result_t * const result =
        mode.local      ? parasail_sw_scan_64(q, m, t, n, first, next, matrix)
        : mode.global() ? parasail_nw_scan_64(q, m, t, n, first, next, matrix)
                        : parasail_sg_flags_scan(q, m, t, n, first, next, matrix, mode.free_query_begin,
                                                    mode.free_query_end, mode.free_target_begin, mode.free_target_end);
    std::int64_t const score = parasail_result_get_score(result);
    EXPECT_FALSE(parasail_result_is_saturated(result));
    parasail_result_free(result);
    // parasail's free ends leave out the ends in row 0 and column 0: an alignment without any column.
    std::int64_t const only_target = mode.free_target_begin ? 0 : -gap.open - gap.extend * n;
    std::int64_t const only_query = mode.free_query_begin ? 0 : -gap.open - gap.extend * m;
    return std::max({score, mode.free_query_end ? only_target : score, mode.free_target_end ? only_query : score});
}

void check_pairs(std::vector<SequencePair> pairs, Scheme const & s, parasail_matrix_t const * matrix,
                 std::vector<Mode> const & modes)
{
    PairSet const set{std::move(pairs), s.scoring};
    for (Mode const & mode : modes) {
        std::vector<std::int64_t> expected;
        for (std::uint64_t p = 0; p < set.count(); ++p)
            expected.push_back(parasail_score(set[p], matrix, s.scoring.gap(), mode));
        for (auto const & options : fast_setups()) {
            auto const results = run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, options);
            for (std::uint64_t p = 0; p < set.count(); ++p) {
                std::string const words = s.name + " " + name(mode) + " " + describe(options);
                EXPECT_EQ(results.at(p).score, expected[p]) << words << " pair " << p;
                expect_consistent(set, p, s.scoring, mode, results.at(p), words);
            }
            if (testing::Test::HasFailure())
                return;
        }
    }
}

std::vector<std::string> proteins(std::string const & file)
{
    std::vector<std::string> sequences;
    for (FastaRecord & record : read_fasta(file)) {
        for (char & letter : record.sequence)
            if (letter == 'U' || letter == 'O' || letter == 'J') // letters that the matrices lack
                letter = 'X';
        sequences.push_back(std::move(record.sequence));
    }
    return sequences;
}

TEST(ParasailWitness, Proteins)
{
    NWGPU_NEEDS_DATA("proteins/swissprot_small_1539.faa.gz");
    auto const sequences = proteins("proteins/swissprot_small_1539.faa.gz");
    Random random{1};
    std::vector<SequencePair> pairs;
    for (int p = 0; p < 200; ++p)
        pairs.push_back({random.pick(sequences), random.pick(sequences)});
    check_pairs(pairs, scheme("BLOSUM62_11_1"), &parasail_blosum62, common_modes());
    check_pairs(std::move(pairs), scheme("PAM30_9_1"), &parasail_pam30, {Mode{}, Mode{.local = true}});
}

TEST(ParasailWitness, Orthologs)
{
    NWGPU_NEEDS_DATA("proteins/ortholog_pairs_cow.faa.gz");
    auto const cow = proteins("proteins/ortholog_pairs_cow.faa.gz"), pig = proteins("proteins/ortholog_pairs_pig.faa.gz");
    std::vector<SequencePair> pairs;
    for (std::size_t p = 0; p < std::min(cow.size(), pig.size()); ++p)
        pairs.push_back({cow[p], pig[p]});
    check_pairs(std::move(pairs), scheme("BLOSUM62_11_1"), &parasail_blosum62, common_modes());
}

// 34,350 letters against the longest of other proteins: scores past 16 bits.
TEST(ParasailWitness, Titin)
{
    NWGPU_NEEDS_DATA("proteins/titin_human_Q8WZ42.faa.gz");
    std::string const titin = proteins("proteins/titin_human_Q8WZ42.faa.gz").at(0);
    Random random{2};
    Scheme const & s = scheme("BLOSUM62_11_1");
    std::vector<SequencePair> pairs{{titin.substr(0, 23000), mutated(random, titin.substr(0, 23000), s.letters, 0.4)},
                                    {titin.substr(20000, 9000), titin.substr(2000, 8000)}};
    check_pairs(std::move(pairs), s, &parasail_blosum62, {Mode{}, Mode{.local = true}});
}

TEST(ParasailWitness, Genomes)
{
    NWGPU_NEEDS_DATA("genomes/hiv1_five_strains.fa.gz");
    auto const hiv = read_fasta("genomes/hiv1_five_strains.fa.gz");
    std::vector<SequencePair> pairs;
    for (std::size_t a = 0; a < hiv.size(); ++a)
        pairs.push_back({hiv[a].sequence, hiv[(a + 1) % hiv.size()].sequence});
    std::unique_ptr<parasail_matrix_t, void (*)(parasail_matrix_t *)> const matrix{
        parasail_matrix_create("ACGT", 2, -4), parasail_matrix_free};
    check_pairs(std::move(pairs), scheme("dna_codes"), matrix.get(), {Mode{}, Mode{.local = true}, fitting});
}

} // namespace
} // namespace nwgpu::test
