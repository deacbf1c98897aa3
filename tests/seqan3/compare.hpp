// SPDX-License-Identifier: BSD-3-Clause
// Random pairs through SeqAn3 and through the adapter: scores, positions and alignments have to be the same.  Where
// SeqAn3 3.2 is known to be wrong the adapter has to be right: its alignment scores what it says, SeqAn3's does not.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nwgpu/seqan3/align_pairwise.hpp>

#include <seqan3/alignment/pairwise/align_pairwise.hpp>
#include <seqan3/alphabet/views/char_to.hpp>

#include "crossing.hpp"
#include "support/random.hpp"

namespace nwgpu::test {

namespace align_cfg = ::seqan3::align_cfg;

template <typename letter_t>
std::vector<letter_t> letters_of(std::string_view text)
{
    std::vector<letter_t> letters;
    for (char const c : text)
        letters.push_back(::seqan3::assign_char_to(c, letter_t{}));
    return letters;
}

template <typename letter_t>
using pair_list = std::vector<std::pair<std::vector<letter_t>, std::vector<letter_t>>>;

// Short pairs, some of them empty, many with ties.
template <typename letter_t>
pair_list<letter_t> random_pairs(std::uint64_t seed, std::size_t count, std::uint64_t longest, std::string_view letters)
{
    Random random{seed};
    pair_list<letter_t> pairs;
    for (std::size_t p = 0; p < count; ++p) {
        auto const pair = random_pair(random, random.pick(all_models()), random.below(longest + 1),
                                      random.below(longest + 1), letters, 0.2);
        pairs.emplace_back(letters_of<letter_t>(pair.target), letters_of<letter_t>(pair.query));
    }
    return pairs;
}

template <typename range_t>
std::string text_of(range_t const & letters)
{
    std::string text;
    for (auto const letter : letters)
        text += ::seqan3::to_char(letter);
    return text;
}

// One result as text: what was asked for, and nothing else.
template <typename result_t>
std::string text_of_result(result_t const & result)
{
    using value = typename ::seqan3::detail::alignment_result_value_type_accessor<result_t>::type;
    constexpr auto has = []<typename t>(std::type_identity<t>) { return !std::is_same_v<t, std::nullopt_t *>; };
    std::string text;
    if constexpr (has(std::type_identity<decltype(value::score)>{}))
        text += "score " + std::to_string(result.score());
    if constexpr (has(std::type_identity<decltype(value::begin_positions)>{}))
        text += " begin " + std::to_string(result.sequence1_begin_position()) + "," +
                std::to_string(result.sequence2_begin_position());
    if constexpr (has(std::type_identity<decltype(value::end_positions)>{}))
        text += " end " + std::to_string(result.sequence1_end_position()) + "," +
                std::to_string(result.sequence2_end_position());
    if constexpr (has(std::type_identity<decltype(value::alignment)>{}))
        text += " " + text_of(std::get<0>(result.alignment())) + " " + text_of(std::get<1>(result.alignment()));
    return text;
}

// Score of two rows with gaps, by the definition.
template <typename letter_t, typename config_t>
std::int64_t score_of_rows(std::string const & row1, std::string const & row2, config_t const & config)
{
    auto const & scheme = get<align_cfg::scoring_scheme>(config).scheme;
    auto const & gaps = get<align_cfg::gap_cost_affine>(config);
    auto const letter = [](char c) { return ::seqan3::assign_char_to(c, letter_t{}); };
    std::int64_t score = 0;
    for (std::size_t k = 0; k < row1.size(); ++k) {
        if (row1[k] != '-' && row2[k] != '-') {
            score += scheme.score(letter(row1[k]), letter(row2[k]));
            continue;
        }
        std::string const & gapped = row1[k] == '-' ? row1 : row2;
        score += gaps.extension_score + (k > 0 && gapped[k - 1] == '-' ? 0 : gaps.open_score);
    }
    return score;
}

// Takes out the pairs that SeqAn3 3.2 cannot trace; few of them.
template <typename letter_t, typename config_t>
void remove_crossing_pairs(pair_list<letter_t> & pairs, config_t const & config)
{
    auto const & scheme = get<align_cfg::scoring_scheme>(config).scheme;
    auto const & gaps = get<align_cfg::gap_cost_affine>(config);
    CrossingMode mode;
    if constexpr (config_t::template exists<align_cfg::method_local>()) {
        mode.local = true;
    } else {
        mode.free_row = get<align_cfg::method_global>(config).free_end_gaps_sequence1_leading;
        mode.free_column = get<align_cfg::method_global>(config).free_end_gaps_sequence2_leading;
    }
    std::vector<bool> crossing(pairs.size());
    auto const look = [&](auto const & outputs) {
        for (auto && result :
             nwgpu::seqan3::align_pairwise(pairs, config | outputs | align_cfg::output_sequence1_id{})) {
            auto const & [first, second] = pairs[result.sequence1_id()];
            if (gaps_cross(
                    first, second, [&](letter_t a, letter_t b) { return static_cast<int>(scheme.score(a, b)); },
                    gaps.open_score, gaps.extension_score, mode, result.sequence1_end_position(),
                    result.sequence2_end_position()))
                crossing[result.sequence1_id()] = true;
        }
    };
    look(align_cfg::output_end_position{});
    look(align_cfg::output_end_position{} | align_cfg::output_begin_position{} | align_cfg::output_alignment{});
    std::size_t p = 0;
    std::size_t const removed = std::erase_if(pairs, [&](auto const &) { return crossing[p++]; });
    EXPECT_LE(removed, p / 10);
}

// Compares all results of two calls.
template <typename letter_t, typename config_t>
void compare(pair_list<letter_t> & pairs, config_t const & config, std::string const & words)
{
    auto theirs = ::seqan3::align_pairwise(pairs, config);
    auto ours = nwgpu::seqan3::align_pairwise(pairs, config);
    static_assert(
        std::same_as<std::ranges::range_value_t<decltype(ours)>, std::ranges::range_value_t<decltype(theirs)>>,
        "the element types are the same");
    std::size_t p = 0, differences = 0;
    auto our = ours.begin();
    for (auto && expected : theirs) {
        ASSERT_FALSE(our == ours.end()) << words;
        std::string const expected_text = text_of_result(expected), text = text_of_result(*our);
        if (expected_text != text && ++differences <= 3)
            ADD_FAILURE() << words << " pair=" << p << " " << text_of(pairs[p].first) << " / "
                          << text_of(pairs[p].second) << "\n  SeqAn3: " << expected_text << "\n  ours:   " << text;
        ++our;
        ++p;
    }
    EXPECT_TRUE(our == ours.end()) << words;
    EXPECT_EQ(p, pairs.size()) << words;
}

// The outputs that lead SeqAn3 to different algorithms.
template <typename letter_t, typename config_t>
void compare_outputs(pair_list<letter_t> & pairs, config_t const & config, std::string const & words)
{
    auto const ends = config | align_cfg::output_score{} | align_cfg::output_end_position{};
    compare(pairs, config, words + " outputs=all");
    compare(pairs, ends | align_cfg::output_begin_position{}, words + " outputs=score,begin,end");
    compare(pairs, ends, words + " outputs=score,end");
}

// Free ends as the bits of a number: leading of sequence1 and 2, trailing of sequence1 and 2.
inline align_cfg::method_global free_ends(int bits)
{
    return align_cfg::method_global{align_cfg::free_end_gaps_sequence1_leading{(bits & 1) != 0},
                                    align_cfg::free_end_gaps_sequence2_leading{(bits & 2) != 0},
                                    align_cfg::free_end_gaps_sequence1_trailing{(bits & 4) != 0},
                                    align_cfg::free_end_gaps_sequence2_trailing{(bits & 8) != 0}};
}

inline align_cfg::gap_cost_affine gap_cost(int open, int extension)
{
    return {align_cfg::open_score{open}, align_cfg::extension_score{extension}};
}

} // namespace nwgpu::test
