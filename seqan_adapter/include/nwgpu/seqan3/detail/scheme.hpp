// SPDX-License-Identifier: BSD-3-Clause
// SeqAn3's scoring scheme and gap costs as the library wants them: tabulated over the two alphabets, once for a call.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <nwgpu/nwgpu.h>

#include "types.hpp"

namespace nwgpu::seqan3::detail {

struct scheme_table {
    std::array<std::uint8_t, 256> query_codes{}; // by the rank of a letter of sequence2; target codes are ranks
    std::vector<std::int32_t> matrix;            // [letters][letters], row: sequence2; empty if uniform
    std::array<std::uint8_t, 256> letter_codes{};
    std::int32_t letters = 0, match = 0, mismatch = 0, gap_open = 0, gap_extend = 0;

    bool is_edit() const { return matrix.empty() && match == 0 && mismatch == 1 && gap_open == 0 && gap_extend == 1; }
    // Points into this table.
    nwgpu_scoring scoring() const
    {
        nwgpu_scoring result = NWGPU_SCORING_INIT;
        result.match = match;
        result.mismatch = mismatch;
        result.gap_open = gap_open;
        result.gap_extend = gap_extend;
        if (!matrix.empty()) {
            result.alphabet_size = static_cast<std::uint32_t>(letters);
            result.matrix = matrix.data();
            result.letter_codes = letter_codes.data();
        }
        return result;
    }
};

constexpr std::int64_t largest_score = std::int64_t{1} << 30;

template <typename letter_t>
letter_t letter_of(std::size_t rank)
{
    return ::seqan3::assign_rank_to(static_cast<::seqan3::alphabet_rank_t<letter_t>>(rank), letter_t{});
}

// Codes of the letters of sequence2: that of the same letter in sequence1, if there is one, else a new one.
template <typename types>
void choose_query_codes(scheme_table & table)
{
    for (std::size_t rank = 0; rank < types::second_size; ++rank)
        table.query_codes[rank] = static_cast<std::uint8_t>(types::same_letters ? rank : types::first_size + rank);
    using first_letter = typename types::first_letter;
    using second_letter = typename types::second_letter;
    if constexpr (!types::same_letters && ::seqan3::alphabet<first_letter> && ::seqan3::alphabet<second_letter>) {
        std::array<bool, 256> used{};
        for (std::size_t rank = 0; rank < types::second_size; ++rank)
            for (std::size_t other = 0; other < types::first_size; ++other)
                if (!used[other] && ::seqan3::to_char(letter_of<second_letter>(rank)) ==
                                        ::seqan3::to_char(letter_of<first_letter>(other))) {
                    used[other] = true;
                    table.query_codes[rank] = static_cast<std::uint8_t>(other);
                    break;
                }
    }
}

inline void check_score(std::int64_t score)
{
    if (score < -largest_score || score > largest_score)
        throw std::invalid_argument{"a score of the scoring scheme is larger than 2^30"};
}

// The entry of a letter in the row or column of a sequence whose alphabet does not have it.
constexpr std::int32_t no_score = std::numeric_limits<std::int32_t>::min();

// The table holds all scores and may turn out to be uniform: match and mismatch are faster.
inline void find_uniform(scheme_table & table)
{
    std::size_t const letters = static_cast<std::size_t>(table.letters);
    std::array<std::int32_t, 2> scores{no_score, no_score}; // of different letters, of the same
    bool uniform = true;
    for (std::size_t row = 0; row < letters; ++row)
        for (std::size_t column = 0; column < letters; ++column) {
            std::int32_t & entry = table.matrix[row * letters + column];
            std::int32_t & score = scores[row == column];
            if (entry == no_score) {
                entry = 0;
                continue;
            }
            uniform = uniform && (score == no_score || score == entry);
            score = entry;
        }
    auto const [other, match] = scores;
    if (!uniform || (match != no_score && match < 0) || other > 0)
        return;
    table.match = match == no_score ? 0 : match;
    table.mismatch = other == no_score ? 0 : -other;
    table.matrix.clear();
}

template <typename types, typename config_t>
scheme_table tabulate(config_t const & config)
{
    scheme_table table;
    table.letters = static_cast<std::int32_t>(types::letters);
    for (std::size_t byte = 0; byte < 256; ++byte)
        table.letter_codes[byte] = static_cast<std::uint8_t>(byte < types::letters ? byte : 255);
    choose_query_codes<types>(table);

    auto const & scheme = get<align_cfg::scoring_scheme>(config).scheme;
    if constexpr (is_uniform<typename types::scheme> && types::same_letters) {
        table.mismatch = 1;
    } else {
        table.matrix.assign(types::letters * types::letters, no_score);
        for (std::size_t rank1 = 0; rank1 < types::first_size; ++rank1)
            for (std::size_t rank2 = 0; rank2 < types::second_size; ++rank2) {
                auto const score = static_cast<std::int64_t>(scheme.score(
                    letter_of<typename types::first_letter>(rank1), letter_of<typename types::second_letter>(rank2)));
                check_score(score);
                if constexpr (types::traits::is_vectorised && std::integral<typename types::score_type>)
                    if (!std::in_range<typename types::score_type>(score))
                        throw std::invalid_argument{"a score of the scoring scheme does not fit the score type"};
                table.matrix[table.query_codes[rank2] * types::letters + rank1] = static_cast<std::int32_t>(score);
            }
        find_uniform(table);
    }
    return table;
}

} // namespace nwgpu::seqan3::detail
