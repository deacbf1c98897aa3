// SPDX-License-Identifier: BSD-3-Clause
// Bands.  SeqAn3 3.2 may read outside its matrix where it traces affine gaps in a band (seqan3#3043), and widens bands
// that do not hold the main diagonal: alignments are compared with linear gaps, affine gaps without a begin, in bands
// that hold it.  The rest is tested against the oracle (tests/conformance/diagonals_test.cpp).
#include "compare.hpp"

#include <seqan3/alphabet/nucleotide/dna4.hpp>

namespace nwgpu::test {
namespace {

using ::seqan3::dna4;

constexpr std::pair<int, int> bands[] = {{-3, 3}, {0, 2}, {-20, 20}, {0, 0}, {-2, 8}, {-9, 1}, {-1, 0}, {-7, 7}};

auto scheme()
{
    return align_cfg::scoring_scheme{
        ::seqan3::nucleotide_scoring_scheme<std::int8_t>{::seqan3::match_score{4}, ::seqan3::mismatch_score{-5}}};
}

// Pairs whose band begins and ends where the method allows it; SeqAn3 throws for some others.
pair_list<dna4> fitting_pairs(std::uint64_t seed, std::size_t count, int lower, int upper, int bits)
{
    pair_list<dna4> pairs = random_pairs<dna4>(seed, count, 16, seed % 2 ? "ACGT" : "AC");
    std::erase_if(pairs, [&](auto const & pair) {
        auto const n = static_cast<int>(pair.first.size()), m = static_cast<int>(pair.second.size());
        bool const above = upper + m < n, below = n - lower < m;
        return (above && !(bits & 4)) || (below && !(bits & 8)) || lower > n || upper < -m;
    });
    return pairs;
}

template <typename config_t>
void compare_bands(config_t const & gaps, bool with_path, std::string const & test)
{
    std::uint64_t seed = 1;
    for (auto const & [lower, upper] : bands)
        for (int bits = 0; bits < 16; ++bits) {
            auto pairs = fitting_pairs(++seed, 1300, lower, upper, bits);
            auto const config =
                free_ends(bits) | scheme() | gaps |
                align_cfg::band_fixed_size{align_cfg::lower_diagonal{lower}, align_cfg::upper_diagonal{upper}};
            std::string const words = test + " seed=" + std::to_string(seed) + " band=" + std::to_string(lower) + "," +
                                      std::to_string(upper) + " free=" + std::to_string(bits);
            if (with_path) {
                compare(pairs, config, words);
                compare(pairs,
                        config | align_cfg::output_score{} | align_cfg::output_end_position{} |
                            align_cfg::output_begin_position{},
                        words + " begins");
            }
            compare(pairs, config | align_cfg::output_score{} | align_cfg::output_end_position{}, words + " ends");
        }
}

TEST(SeqAn3Banded, LinearGapsWithAlignment) { compare_bands(gap_cost(0, -2), true, "LinearGaps"); }
TEST(SeqAn3Banded, AffineGaps) { compare_bands(gap_cost(-10, -1), false, "AffineGaps"); }

TEST(SeqAn3Banded, Local)
{
    std::uint64_t seed = 501;
    for (auto const & [lower, upper] : bands) {
        auto pairs = fitting_pairs(++seed, 14000, lower, upper, 15);
        compare(pairs,
                align_cfg::method_local{} | scheme() | gap_cost(0, -2) |
                    align_cfg::band_fixed_size{align_cfg::lower_diagonal{lower}, align_cfg::upper_diagonal{upper}},
                "Local seed=" + std::to_string(seed) + " band=" + std::to_string(lower) + "," + std::to_string(upper));
    }
}

} // namespace
} // namespace nwgpu::test
