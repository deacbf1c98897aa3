// SPDX-License-Identifier: BSD-3-Clause
// Matrices: amino acids, and sequences of two different alphabets.
#include "compare.hpp"

#include <seqan3/alignment/scoring/aminoacid_scoring_scheme.hpp>
#include <seqan3/alphabet/aminoacid/aa27.hpp>
#include <seqan3/alphabet/nucleotide/dna15.hpp>
#include <seqan3/alphabet/nucleotide/dna4.hpp>

namespace nwgpu::test {
namespace {

using ::seqan3::aa27;

constexpr std::string_view amino_acids = "ACDEFGHIKLMNPQRSTVWYX*";

auto blosum62()
{
    return align_cfg::scoring_scheme{
        ::seqan3::aminoacid_scoring_scheme{::seqan3::aminoacid_similarity_matrix::blosum62}};
}

TEST(SeqAn3AminoAcid, Global)
{
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        auto pairs = random_pairs<aa27>(seed, 13500, 14, seed % 2 ? amino_acids : "AR");
        auto const config = free_ends(0) | blosum62() | gap_cost(seed % 4 < 2 ? -10 : -3, -1);
        remove_crossing_pairs(pairs, config);
        compare(pairs, config, "AminoAcid Global seed=" + std::to_string(seed));
    }
}

TEST(SeqAn3AminoAcid, FreeEnds)
{
    std::uint64_t seed = 100;
    for (int bits = 0; bits < 16; ++bits) {
        auto pairs = random_pairs<aa27>(++seed, 6800, 14, bits % 3 ? amino_acids : "AR");
        auto const config = free_ends(bits) | blosum62() | gap_cost(-4, -1);
        remove_crossing_pairs(pairs, config);
        compare(pairs, config, "AminoAcid FreeEnds seed=" + std::to_string(seed) + " free=" + std::to_string(bits));
    }
}

TEST(SeqAn3AminoAcid, Local)
{
    for (std::uint64_t seed = 201; seed <= 208; ++seed) {
        auto pairs = random_pairs<aa27>(seed, 13500, 14, seed % 2 ? amino_acids : "ARND");
        auto const config = align_cfg::method_local{} | blosum62() | gap_cost(-10, -1);
        remove_crossing_pairs(pairs, config);
        compare(pairs, config, "AminoAcid Local seed=" + std::to_string(seed));
    }
}

// dna4 beside dna15: letters are the same by their characters, and the scheme sees both.
TEST(SeqAn3AminoAcid, TwoAlphabets)
{
    using ::seqan3::dna15;
    using ::seqan3::dna4;
    Random random{301};
    std::vector<std::pair<std::vector<dna4>, std::vector<dna15>>> pairs;
    for (int p = 0; p < 3000; ++p) {
        auto const pair =
            random_pair(random, random.pick(all_models()), random.below(15), random.below(15), "ACGT", 0.2);
        pairs.emplace_back(letters_of<dna4>(pair.target), letters_of<dna15>(pair.query));
        for (dna15 & letter : pairs.back().second)
            if (random.chance(0.1))
                letter.assign_char('N');
    }
    auto const scheme = [](int match, int mismatch) {
        return align_cfg::scoring_scheme{::seqan3::nucleotide_scoring_scheme<std::int8_t>{
            ::seqan3::match_score{static_cast<std::int8_t>(match)},
            ::seqan3::mismatch_score{static_cast<std::int8_t>(mismatch)}}};
    };
    auto const check = [&](auto const & config, char const * words) {
        std::vector<std::string> expected;
        for (auto && result : ::seqan3::align_pairwise(pairs, config))
            expected.push_back(text_of_result(result));
        std::size_t p = 0;
        for (auto && result : nwgpu::seqan3::align_pairwise(pairs, config))
            EXPECT_EQ(text_of_result(result), expected[p++]) << words << " TwoAlphabets seed=301";
        EXPECT_EQ(p, pairs.size());
    };
    check(free_ends(5) | scheme(3, -2) | gap_cost(0, -2), "free ends");
    // Until 3.4 an edit distance, with its rule for ties.
    check(free_ends(0) | scheme(0, -1) | gap_cost(0, -1), "edit distance");
}

} // namespace
} // namespace nwgpu::test
