// SPDX-License-Identifier: BSD-3-Clause
// Answers of the library as SeqAn3's results.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include <seqan3/alignment/aligned_sequence/aligned_sequence_concept.hpp>
#include <seqan3/utility/views/slice.hpp>

#include "aligner.hpp"

namespace nwgpu::seqan3::detail {

template <typename score_t>
score_t to_score(std::int64_t score)
{
    if constexpr (std::integral<score_t>)
        if (!std::in_range<score_t>(score))
            throw std::overflow_error{"the score " + std::to_string(score) + " does not fit the score type"};
    return static_cast<score_t>(score);
}

// The two rows of an alignment: the aligned parts of the sequences, with gaps from left to right.
template <typename alignment_t, typename first_t, typename second_t>
void fill_alignment(alignment_t & alignment, answer const & answer, first_t const & first, second_t const & second)
{
    using ::seqan3::assign_unaligned;
    using ::seqan3::insert_gap;
    using std::get;
    auto & row1 = get<0>(alignment);
    auto & row2 = get<1>(alignment);
    assign_unaligned(row1, std::views::all(first) | ::seqan3::views::slice(answer.target_begin, answer.target_end));
    assign_unaligned(row2, std::views::all(second) | ::seqan3::views::slice(answer.query_begin, answer.query_end));
    auto position1 = std::ranges::begin(row1);
    auto position2 = std::ranges::begin(row2);
    for (std::uint32_t const run : answer.runs) {
        std::uint32_t const length = run >> 4, op = run & 15;
        if (op == 1)
            position1 = insert_gap(row1, position1, length);
        else if (op == 2)
            position2 = insert_gap(row2, position2, length);
        position1 += length;
        position2 += length;
    }
}

template <typename types>
typename types::result make_result(batch<types> const & batch, std::size_t p, answer answer)
{
    using traits = typename types::traits;
    typename types::result_value value{};
    std::uint64_t const id = batch.first_id + p;
    if constexpr (traits::output_sequence1_id || traits::output_sequence2_id)
        if (id > std::numeric_limits<std::uint32_t>::max())
            throw std::length_error{"sequence ids have 32 bits: no more than 2^32 pairs"};
    if constexpr (traits::output_sequence1_id)
        value.sequence1_id = static_cast<std::uint32_t>(id);
    if constexpr (traits::output_sequence2_id)
        value.sequence2_id = static_cast<std::uint32_t>(id);

    bool const found = answer.found;
    if (!found) { // SeqAn3's way to say so
        answer.target_begin = answer.target_end = batch.targets.length(p);
        answer.query_begin = answer.query_end = batch.queries.length(p);
        answer.runs = {};
    }
    if constexpr (traits::compute_score)
        value.score = found ? to_score<typename types::score_type>(answer.score)
                            : std::numeric_limits<typename types::score_type>::max();
    if constexpr (types::wants_end) {
        value.end_positions.first = answer.target_end;
        value.end_positions.second = answer.query_end;
    }
    if constexpr (types::wants_begin) {
        value.begin_positions.first = answer.target_begin;
        value.begin_positions.second = answer.query_begin;
    }
    if constexpr (types::wants_alignment)
        if (found)
            fill_alignment(value.alignment, answer, std::get<0>(batch.views[p]), std::get<1>(batch.views[p]));
    if constexpr (types::with_cigar)
        return {std::move(value), answer.runs};
    else
        return {std::move(value)};
}

} // namespace nwgpu::seqan3::detail
