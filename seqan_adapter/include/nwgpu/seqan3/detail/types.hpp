// SPDX-License-Identifier: BSD-3-Clause
// What is known of a call when it is compiled: the type of its results, and what they need.
#pragma once

#include <cstdint>
#include <ranges>
#include <tuple>
#include <type_traits>

#include <nwgpu/nwgpu.h>

#include <seqan3/alignment/configuration/all.hpp>
#include <seqan3/alignment/pairwise/align_pairwise.hpp>
#include <seqan3/alignment/scoring/nucleotide_scoring_scheme.hpp>
#include <seqan3/alphabet/concept.hpp>
#include <seqan3/utility/views/type_reduce.hpp>
#include <seqan3/version.hpp>
#if __has_include(<seqan3/alignment/scoring/hamming_scoring_scheme.hpp>)
#include <seqan3/alignment/scoring/hamming_scoring_scheme.hpp>
#endif

#include "../cigar.hpp"

namespace nwgpu::seqan3::detail {

namespace align_cfg = ::seqan3::align_cfg;

// SeqAn3's rule: a configuration without any output element asks for all of them.  With a CIGAR in its place the
// alignment is not asked for.
template <bool with_cigar, typename config_t>
auto complete(config_t const & config)
{
    if constexpr (!::seqan3::detail::alignment_configuration_traits<config_t>::has_output_configuration) {
        auto const most = config | align_cfg::output_score{} | align_cfg::output_begin_position{} |
                          align_cfg::output_end_position{} | align_cfg::output_sequence1_id{} |
                          align_cfg::output_sequence2_id{};
        if constexpr (with_cigar)
            return most;
        else
            return most | align_cfg::output_alignment{};
    } else if constexpr (with_cigar && config_t::template exists<align_cfg::output_alignment>()) {
        return config.template remove<align_cfg::output_alignment>();
    } else {
        return config;
    }
}

// The schemes that SeqAn3 computes with its edit distance algorithm, which has a tie rule of its own.
#if __has_include(<seqan3/alignment/scoring/hamming_scoring_scheme.hpp>)
template <typename scheme_t>
constexpr bool may_be_edit = std::same_as<scheme_t, ::seqan3::hamming_scoring_scheme>;
template <typename scheme_t>
constexpr bool is_uniform = may_be_edit<scheme_t>;
#else
template <typename scheme_t>
constexpr bool may_be_edit =
    ::seqan3::detail::is_type_specialisation_of_v<scheme_t, ::seqan3::nucleotide_scoring_scheme>;
template <typename scheme_t>
constexpr bool is_uniform = false;
#endif

// What the library's matrices hold.
constexpr std::size_t max_letters = 128;

template <typename sequences_t, typename config_t, bool with_cigar_>
struct types {
    static constexpr bool with_cigar = with_cigar_;
    // As the range gives them, so that sequences may be constant.
    using pair = std::remove_reference_t<std::ranges::range_reference_t<sequences_t>>;
    using first_sequence = std::remove_reference_t<std::tuple_element_t<0, pair>>;
    using second_sequence = std::remove_reference_t<std::tuple_element_t<1, pair>>;
    static_assert(std::tuple_size_v<pair> == 2,
                  "Alignment configuration error: Expects exactly two sequences for pairwise alignments.");
    static_assert(std::ranges::random_access_range<first_sequence> && std::ranges::sized_range<first_sequence> &&
                      std::ranges::random_access_range<second_sequence> && std::ranges::sized_range<second_sequence>,
                  "Alignment configuration error: The sequence must model random_access_range and sized_range.");
    using first_letter = std::ranges::range_value_t<first_sequence>;
    using second_letter = std::ranges::range_value_t<second_sequence>;

    static_assert(config_t::template exists<align_cfg::method_global>() ||
                      config_t::template exists<align_cfg::method_local>(),
                  "Alignment configuration error: Neither method_global nor method_local was configured.");
    static_assert(config_t::template exists<align_cfg::scoring_scheme>(),
                  "Alignment configuration error: The scoring scheme was not configured.");
    using scheme =
        std::remove_cvref_t<decltype(get<align_cfg::scoring_scheme>(std::declval<config_t const &>()).scheme)>;
    static_assert(::seqan3::scoring_scheme_for<scheme, first_letter, second_letter>,
                  "Alignment configuration error: The scoring scheme cannot score the letters of these sequences.");

    using config = decltype(complete<with_cigar>(std::declval<config_t const &>()));
    using traits = ::seqan3::detail::alignment_configuration_traits<config>;
    using score_type = typename traits::original_score_type;
    using result_value = typename ::seqan3::detail::align_result_selector<
        std::remove_reference_t<decltype(::seqan3::views::type_reduce(std::declval<first_sequence &>()))>,
        std::remove_reference_t<decltype(::seqan3::views::type_reduce(std::declval<second_sequence &>()))>,
        config>::type;
    using result = std::conditional_t<with_cigar, cigar_result<result_value>, ::seqan3::alignment_result<result_value>>;

    static constexpr bool wants_end = traits::compute_end_positions;
    static constexpr bool wants_begin = traits::compute_begin_positions;
    static constexpr bool wants_alignment = traits::compute_sequence_alignment;
    static constexpr bool wants_path = wants_alignment || with_cigar;
    static constexpr int output = wants_path    ? NWGPU_OUTPUT_CIGAR
                                  : wants_begin ? NWGPU_OUTPUT_SPAN
                                  : wants_end   ? NWGPU_OUTPUT_END
                                                : NWGPU_OUTPUT_SCORE;
    // SeqAn3 has two algorithms.  One takes the first of several ends, but the corner before all others of the last
    // column; the other, for what is left, takes the last one.
    static constexpr bool first_end = traits::is_local || wants_path || (traits::is_banded && wants_begin);
    // The gap costs of that algorithm, where none are given, are 0 and -1 since SeqAn3 3.4 (seqan3#3254); before, and
    // with vectors, -10 and -1 like those of the other one.
    static constexpr bool gaps_open_free = SEQAN3_VERSION >= 30400 && first_end && !traits::is_vectorised;

    static constexpr std::size_t first_size = ::seqan3::alphabet_size<first_letter>;
    static constexpr std::size_t second_size = ::seqan3::alphabet_size<second_letter>;
    static constexpr bool same_letters = std::same_as<first_letter, second_letter>;
    static constexpr std::size_t letters = same_letters ? first_size : first_size + second_size;
};

// What the library does not compute, and SeqAn3 itself does: floating point scores, its debug matrices, and scores of
// more letters than a matrix of the library has.
template <typename sequences_t, typename config_t>
constexpr bool is_forwarded()
{
    if constexpr (config_t::template exists<align_cfg::scoring_scheme>()) {
        using pair = std::ranges::range_value_t<sequences_t>;
        using first_letter = std::ranges::range_value_t<std::tuple_element_t<0, pair>>;
        using second_letter = std::ranges::range_value_t<std::tuple_element_t<1, pair>>;
        using scheme =
            std::remove_cvref_t<decltype(get<align_cfg::scoring_scheme>(std::declval<config_t const &>()).scheme)>;
        if constexpr (!::seqan3::scoring_scheme_for<scheme, first_letter, second_letter>) {
            return false;
        } else {
            using score = decltype(std::declval<scheme const &>().score(std::declval<first_letter>(),
                                                                        std::declval<second_letter>()));
            constexpr bool same = std::same_as<first_letter, second_letter>;
            constexpr std::size_t first_size = ::seqan3::alphabet_size<first_letter>;
            constexpr std::size_t letters = same ? first_size : first_size + ::seqan3::alphabet_size<second_letter>;
            return config_t::template exists<::seqan3::detail::debug_mode>() ||
                   std::floating_point<std::remove_cvref_t<score>> ||
                   letters > (same && is_uniform<scheme> ? 256 : max_letters);
        }
    } else {
        return false;
    }
}

} // namespace nwgpu::seqan3::detail
