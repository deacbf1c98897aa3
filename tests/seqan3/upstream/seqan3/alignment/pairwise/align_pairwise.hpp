// SPDX-License-Identifier: BSD-3-Clause
// Found before SeqAn3's header of this name (tests/seqan3/upstream.sh): seqan3::align_pairwise is the adapter here,
// whether it is called by its full name or found by its arguments.  SeqAn3's own function has another name, by which
// the adapter calls it for what it forwards.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#define align_pairwise align_pairwise_of_its_library

#include_next <seqan3/alignment/pairwise/align_pairwise.hpp>

#include <nwgpu/seqan3/align_pairwise.hpp>

#undef align_pairwise

namespace nwgpu::test {

inline std::size_t adapter_calls = 0;

// SeqAn3's test of alignments compares the matrices too, which the adapter leaves to SeqAn3: results are the
// adapter's, in the configuration without matrices, with SeqAn3's matrices.
template <typename sequences_t, typename config_t>
auto align_with_matrices(sequences_t & sequences, config_t const & config)
{
    namespace detail = ::seqan3::detail;
    auto theirs = ::seqan3::align_pairwise_of_its_library(sequences, config);
    auto ours = nwgpu::seqan3::align_pairwise_of_its_library(sequences, config.template remove<detail::debug_mode>());
    using result_t = std::ranges::range_value_t<decltype(theirs)>;
    using value_t = typename detail::alignment_result_value_type_accessor<result_t>::type;
    std::vector<result_t> results;
    auto our = ours.begin();
    for (auto && their : theirs) {
        value_t value{};
        value.score = our->score();
        value.begin_positions.first = our->sequence1_begin_position();
        value.begin_positions.second = our->sequence2_begin_position();
        value.end_positions.first = our->sequence1_end_position();
        value.end_positions.second = our->sequence2_end_position();
        value.alignment = our->alignment();
        value.score_debug_matrix = their.score_matrix();
        value.trace_debug_matrix = their.trace_matrix();
        results.emplace_back(std::move(value));
        ++our;
    }
    return results;
}

} // namespace nwgpu::test

namespace seqan3 {

template <typename sequences_t, typename config_t>
auto align_pairwise(sequences_t && sequences, config_t const & config)
{
    ++nwgpu::test::adapter_calls;
    if constexpr (config_t::template exists<detail::debug_mode>())
        return nwgpu::test::align_with_matrices(sequences, config);
    else
        return nwgpu::seqan3::align_pairwise_of_its_library(std::forward<sequences_t>(sequences), config);
}

} // namespace seqan3
