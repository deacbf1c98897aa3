// SPDX-License-Identifier: BSD-3-Clause
// Nucleotides: global, local, free ends in all 16 combinations, edit distance; 10^5 pairs and more of each, but for
// those that SeqAn3 3.2 cannot trace.
#include "compare.hpp"

#include <seqan3/alphabet/nucleotide/dna4.hpp>

namespace nwgpu::test {
namespace {

using ::seqan3::dna4;

struct Scores {
    int match, mismatch, open, extension;
};
constexpr Scores schemes[] = {{4, -5, -10, -1}, {1, -1, 0, -1}, {2, -3, -2, -1}, {5, -4, -3, 0}};

align_cfg::scoring_scheme<::seqan3::nucleotide_scoring_scheme<std::int8_t>> scheme_of(Scores const & scores)
{
    return align_cfg::scoring_scheme{::seqan3::nucleotide_scoring_scheme<std::int8_t>{
        ::seqan3::match_score{static_cast<std::int8_t>(scores.match)},
        ::seqan3::mismatch_score{static_cast<std::int8_t>(scores.mismatch)}}};
}

std::string words_of(char const * test, std::uint64_t seed, Scores const & scores)
{
    return std::string{test} + " seed=" + std::to_string(seed) + " scores=" + std::to_string(scores.match) + "," +
           std::to_string(scores.mismatch) + "," + std::to_string(scores.open) + "," + std::to_string(scores.extension);
}

// Free ends in all combinations; none of them is global.
TEST(SeqAn3Nucleotide, FreeEnds)
{
    std::uint64_t seed = 1;
    for (Scores const & scores : schemes)
        for (int bits = 0; bits < 16; ++bits, ++seed) {
            auto pairs = random_pairs<dna4>(seed, 1700, bits % 2 ? 14 : 24, bits % 3 ? "ACGT" : "AC");
            auto const config = free_ends(bits) | scheme_of(scores) | gap_cost(scores.open, scores.extension);
            remove_crossing_pairs(pairs, config);
            compare_outputs(pairs, config, words_of("FreeEnds", seed, scores) + " free=" + std::to_string(bits));
        }
}

TEST(SeqAn3Nucleotide, Global)
{
    std::uint64_t seed = 101;
    for (Scores const & scores : schemes)
        for (std::string_view const letters : {"ACGT", "AC"}) {
            auto pairs = random_pairs<dna4>(++seed, 13000, 16, letters);
            auto const config = free_ends(0) | scheme_of(scores) | gap_cost(scores.open, scores.extension);
            remove_crossing_pairs(pairs, config);
            compare_outputs(pairs, config, words_of("Global", seed, scores));
        }
}

TEST(SeqAn3Nucleotide, Local)
{
    std::uint64_t seed = 201;
    for (Scores const & scores : schemes)
        for (std::string_view const letters : {"ACGT", "AC"}) {
            auto pairs = random_pairs<dna4>(++seed, 13000, 16, letters);
            auto const config = align_cfg::method_local{} | scheme_of(scores) | gap_cost(scores.open, scores.extension);
            remove_crossing_pairs(pairs, config);
            compare_outputs(pairs, config, words_of("Local", seed, scores));
        }
}

// Its own algorithm, with a tie rule of its own: global, and with both ends of sequence1 free.
TEST(SeqAn3Nucleotide, EditDistance)
{
    std::uint64_t seed = 301;
    for (int const bits : {0, 5})
        for (std::string_view const letters : {"ACGT", "AC"})
            for (std::uint64_t const longest : {12, 80}) {
                auto pairs = random_pairs<dna4>(++seed, longest > 40 ? 2500 : 25000, longest, letters);
                compare_outputs(pairs, free_ends(bits) | align_cfg::edit_scheme,
                                "EditDistance seed=" + std::to_string(seed) + " free=" + std::to_string(bits));
            }
}

// Without gap costs SeqAn3 takes 0 and -1 for an edit distance, and -10 and -1 for all others; from 3.4 on 0 and -1 too
// where it computes with the older of its two other algorithms (seqan3#3254): with an alignment, local, or with begins
// in a band, but for vectors.
TEST(SeqAn3Nucleotide, DefaultGapCosts)
{
    auto pairs = random_pairs<dna4>(351, 300, 20, "ACGT");
    for (Scores const & scores : {Scores{0, -1, -10, -1}, Scores{4, -5, -10, -1}}) {
        for (int bits = 0; bits < 16; ++bits) {
            auto const config = free_ends(bits) | scheme_of(scores);
            remove_crossing_pairs(pairs, config | gap_cost(scores.open, scores.extension));
            compare_outputs(pairs, config, words_of("DefaultGapCosts", 351, scores) + " free=" + std::to_string(bits));
        }
        auto const local = align_cfg::method_local{} | scheme_of(scores);
        remove_crossing_pairs(pairs, local | gap_cost(scores.open, scores.extension));
        compare(pairs, local, words_of("DefaultGapCosts local", 351, scores));
    }
    Scores const & scores = schemes[0];
    auto const ends = free_ends(0) | scheme_of(scores) | align_cfg::output_score{} | align_cfg::output_end_position{};
    auto const band = align_cfg::band_fixed_size{align_cfg::lower_diagonal{-20}, align_cfg::upper_diagonal{20}};
    compare(pairs, ends | band, words_of("DefaultGapCosts band", 351, scores));
    compare(pairs, ends | band | align_cfg::output_begin_position{},
            words_of("DefaultGapCosts band with begins", 351, scores));
    compare(pairs, ends | align_cfg::vectorised{}, words_of("DefaultGapCosts vectorised", 351, scores));
}

#if SEQAN3_VERSION >= 30400
// The same with the scheme that SeqAn3 has for edit distances since 3.4, where the ends make it none.
TEST(SeqAn3Nucleotide, DefaultGapCostsOfHammingScheme)
{
    auto pairs = random_pairs<dna4>(352, 300, 20, "ACGT");
    for (int bits = 0; bits < 16; ++bits)
        compare_outputs(pairs, free_ends(bits) | align_cfg::scoring_scheme{::seqan3::hamming_scoring_scheme{}},
                        "DefaultGapCostsOfHammingScheme seed=352 free=" + std::to_string(bits));
}
#endif

// Lengths at which vectors and the words of SeqAn3's bit vectors begin and end.
TEST(SeqAn3Nucleotide, EdgeLengths)
{
    Random random{401};
    pair_list<dna4> pairs;
    for (std::uint64_t const n : {0, 1, 31, 63, 64, 65, 128, 129, 200})
        for (std::uint64_t const m : {0, 1, 32, 63, 64, 65, 127, 128, 150}) {
            auto const pair = random_pair(random, random.pick(all_models()), m, n, "ACGT", 0.1);
            pairs.emplace_back(letters_of<dna4>(pair.target), letters_of<dna4>(pair.query));
        }
    for (int bits = 0; bits < 16; ++bits)
        compare_outputs(pairs, free_ends(bits) | scheme_of(schemes[1]) | gap_cost(0, -1), "EdgeLengths seed=401");
    compare_outputs(pairs, free_ends(0) | align_cfg::edit_scheme, "EdgeLengths edit seed=401");
    compare_outputs(pairs, free_ends(5) | align_cfg::edit_scheme, "EdgeLengths edit seed=401 free=5");
}

// An error bound: worse pairs have the score INT_MAX, the sequences' ends as positions, and no alignment.
TEST(SeqAn3Nucleotide, MinScore)
{
    std::uint64_t seed = 501;
    for (int const bits : {0, 5})
        for (int const bound : {0, -1, -3, -8}) {
            auto pairs = random_pairs<dna4>(++seed, 2000, 20, "ACGT");
            // SeqAn3 3.2 reads beyond its bit vectors where the second sequence is empty.
            std::erase_if(pairs, [](auto const & pair) { return pair.second.empty(); });
            auto const config = free_ends(bits) | align_cfg::edit_scheme | align_cfg::min_score{bound};
            compare(pairs, config, "MinScore seed=" + std::to_string(seed) + " free=" + std::to_string(bits));
            compare(pairs, config | align_cfg::output_score{} | align_cfg::output_end_position{},
                    "MinScore ends seed=" + std::to_string(seed) + " free=" + std::to_string(bits));
        }
}

} // namespace
} // namespace nwgpu::test
