// SPDX-License-Identifier: BSD-3-Clause
// nwgpu::seqan3::align_pairwise in place of seqan3::align_pairwise: the same arguments, the same results, in linear
// memory, on the CPU or a GPU.  docs/seqan3.md has the contract and what differs.  Header only; link nwgpu::seqan3.
#pragma once

#include <concepts>
#include <memory>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include <nwgpu/seqan3/cigar.hpp>
#include <nwgpu/seqan3/detail/result_range.hpp>
#include <nwgpu/seqan3/options.hpp>

namespace nwgpu::seqan3 {

namespace detail {

template <typename options_t>
constexpr bool asks_for_cigar = std::derived_from<options_t, cigar_options>;

template <typename sequences_t, typename config_t, typename options_t>
auto align_range(sequences_t && sequences, config_t const & config, options_t const & options)
{
    if constexpr (is_forwarded<sequences_t, config_t>()) {
        static_assert(!asks_for_cigar<options_t>, "cigar_options cannot be used with floating point scores, with the "
                                                  "debug configuration or with alphabets of more than 128 letters.");
        return ::seqan3::align_pairwise(std::forward<sequences_t>(sequences), config);
    } else {
        using types = detail::types<sequences_t, config_t, asks_for_cigar<options_t>>;
        auto source = std::views::all(std::forward<sequences_t>(sequences));
        problem what = make_problem<types>(complete<types::with_cigar>(config));
        if constexpr (asks_for_cigar<options_t>)
            what.cigar_style = options.extended ? NWGPU_CIGAR_EQX : NWGPU_CIGAR_M;

        using stream = result_stream<decltype(source), types>;
        auto results = std::make_unique<stream>(std::move(source), std::move(what), options);
        if constexpr (config_t::template exists<align_cfg::on_result>()) {
            auto callback = get<align_cfg::on_result>(config).callback;
            while (auto result = results->next())
                callback(std::move(*result));
        } else {
            return result_range<stream, typename types::result>{std::move(results)};
        }
    }
}

} // namespace detail

// Aligns two sequences (a tuple or pair, e.g. std::tie(a, b)), or a forward range of such pairs.  Returns a move-only
// input range of seqan3::alignment_result; with align_cfg::on_result nothing.
//
// Exceptions: seqan3::invalid_alignment_configuration, std::invalid_argument or std::runtime_error for a configuration
// that makes no sense or a device that is not there, at once.  At begin() and ++: std::bad_alloc,
// invalid_alignment_configuration (a band that holds no alignment of this pair), std::overflow_error (the score type is
// too narrow).
// Complexity: O(mn) time, O(m + n) memory, with an alignment as well.
// Thread safety: re-entrant.  The range that is returned is for one thread at a time.
template <typename sequences_t, typename config_t, std::derived_from<options> options_t = options>
requires ::seqan3::detail::align_pairwise_range_input<sequences_t> &&
    ::seqan3::detail::is_type_specialisation_of_v<config_t, ::seqan3::configuration>
auto align_pairwise(sequences_t && sequences, config_t const & config, options_t const & options = {})
{
    return detail::align_range(std::forward<sequences_t>(sequences), config, options);
}

template <typename pair_t, typename config_t, std::derived_from<options> options_t = options>
requires(!::seqan3::detail::align_pairwise_range_input<pair_t>) &&
    ::seqan3::detail::align_pairwise_single_input<pair_t> && std::
        copy_constructible<std::remove_reference_t<pair_t>> && ::seqan3::detail::is_type_specialisation_of_v<
            config_t, ::seqan3::configuration> auto align_pairwise(pair_t && pair, config_t const & config,
                                                                   options_t const & options = {})
{
    using std::get;
    static_assert(std::tuple_size_v<std::remove_reference_t<pair_t>> == 2,
                  "Alignment configuration error: Expects exactly two sequences for pairwise alignments.");
    if constexpr (std::is_lvalue_reference_v<pair_t>)
        return detail::align_range(std::views::single(std::tie(get<0>(pair), get<1>(pair))), config, options);
    else
        return detail::align_range(std::views::single(std::forward<pair_t>(pair)), config, options);
}

} // namespace nwgpu::seqan3
