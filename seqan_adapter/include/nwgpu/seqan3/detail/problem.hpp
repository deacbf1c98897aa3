// SPDX-License-Identifier: BSD-3-Clause
// A configuration turned into the library's options; throws what SeqAn3 throws for one that makes no sense.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include <seqan3/alignment/exception.hpp>

#include "../options.hpp"
#include "scheme.hpp"

namespace nwgpu::seqan3::detail {

struct problem {
    scheme_table scheme;
    std::int32_t mode = NWGPU_MODE_GLOBAL, output = NWGPU_OUTPUT_SCORE, ties = NWGPU_TIES_FIRST;
    std::int32_t cigar_style = NWGPU_CIGAR_M;
    std::int32_t free_ends = 0;
    bool banded = false;
    std::int64_t band_lower = 0, band_upper = 0;
    // Of several ends the corner comes before the others of the last column, as in SeqAn3's first algorithm.
    bool corner_first = false;
    // Worse alignments are reported as none: edit distance only.
    std::int64_t min_score = std::numeric_limits<std::int64_t>::min();
    std::int32_t threads = 1;

    // Whether a long pair can be computed by several threads, or a GPU.
    bool is_plain() const { return !banded && ties != NWGPU_TIES_GAPS_FIRST; }

    nwgpu_band band() const
    {
        nwgpu_band result = NWGPU_BAND_INIT;
        result.lower = band_lower;
        result.upper = band_upper;
        return result;
    }
    // Without the band, which the caller keeps.
    nwgpu_align_options align_options() const
    {
        nwgpu_align_options result = NWGPU_ALIGN_OPTIONS_INIT;
        result.mode = mode;
        result.free_ends = free_ends;
        result.output = output;
        result.cigar_style = cigar_style;
        result.ties = ties;
        return result;
    }
};

template <typename config_t>
void set_free_ends(problem & problem, config_t const & config)
{
    if constexpr (config_t::template exists<align_cfg::method_local>()) {
        problem.mode = NWGPU_MODE_LOCAL;
    } else {
        // sequence1 runs along the columns: it is the target.
        auto const & method = get<align_cfg::method_global>(config);
        auto const free = [&](bool is_free, std::int32_t end) { problem.free_ends |= is_free ? end : 0; };
        free(method.free_end_gaps_sequence1_leading, NWGPU_FREE_TARGET_BEGIN);
        free(method.free_end_gaps_sequence1_trailing, NWGPU_FREE_TARGET_END);
        free(method.free_end_gaps_sequence2_leading, NWGPU_FREE_QUERY_BEGIN);
        free(method.free_end_gaps_sequence2_trailing, NWGPU_FREE_QUERY_END);
        if (problem.free_ends != 0)
            problem.mode = NWGPU_MODE_FREE_ENDS;
    }
}

// The beginning of what SeqAn3 says of a band that cannot be used.
inline std::string refused_band(problem const & problem)
{
    return "The selected band [" + std::to_string(problem.band_lower) + ":" + std::to_string(problem.band_upper) +
           "] cannot be used with the current alignment configuration:";
}

template <typename config_t>
void set_band(problem & problem, config_t const & config)
{
    auto const & band = get<align_cfg::band_fixed_size>(config);
    problem.banded = true;
    problem.band_lower = band.lower_diagonal;
    problem.band_upper = band.upper_diagonal;
    std::string const text = refused_band(problem);
    if (problem.band_upper < problem.band_lower)
        throw ::seqan3::invalid_alignment_configuration{text +
                                                        " The upper diagonal is smaller than the lower diagonal."};
    if (problem.mode != NWGPU_MODE_LOCAL &&
        ((problem.band_upper < 0 && !(problem.free_ends & NWGPU_FREE_QUERY_BEGIN)) ||
         (problem.band_lower > 0 && !(problem.free_ends & NWGPU_FREE_TARGET_BEGIN))))
        throw ::seqan3::invalid_alignment_configuration{text + " The band starts in a region without free gaps."};
}

// SeqAn3's edit distance algorithm is taken for these.
template <typename types>
bool is_edit_distance(problem const & problem)
{
    if constexpr (types::traits::is_local || !may_be_edit<typename types::scheme>) {
        return false;
    } else {
        std::int32_t const ends = problem.free_ends;
        return problem.scheme.is_edit() && (ends & (NWGPU_FREE_QUERY_BEGIN | NWGPU_FREE_QUERY_END)) == 0 &&
               !(ends & NWGPU_FREE_TARGET_BEGIN) == !(ends & NWGPU_FREE_TARGET_END);
    }
}

// Without gap costs an edit distance has 0 and -1.  To be called when scheme and free ends are known.
template <typename types, typename config_t>
void set_gap_costs(problem & problem, config_t const & config)
{
    constexpr bool given = config_t::template exists<align_cfg::gap_cost_affine>();
    align_cfg::gap_cost_affine gaps{align_cfg::open_score{0}, align_cfg::extension_score{-1}};
    if constexpr (given)
        gaps = get<align_cfg::gap_cost_affine>(config);
    if (gaps.open_score > 0 || gaps.extension_score > 0)
        throw ::seqan3::invalid_alignment_configuration{"Gap scores must not be positive."};
    check_score(gaps.open_score);
    check_score(gaps.extension_score);
    problem.scheme.gap_open = -gaps.open_score;
    problem.scheme.gap_extend = -gaps.extension_score;
    if (!given && !types::gaps_open_free && !is_edit_distance<types>(problem))
        problem.scheme.gap_open = 10;
}

template <typename types, typename config_t>
problem make_problem(config_t const & config)
{
    problem problem;
    problem.scheme = tabulate<types>(config);
    problem.output = types::output;
    set_free_ends(problem, config);
    set_gap_costs<types>(problem, config);

    bool const edit = is_edit_distance<types>(problem);
    if constexpr (types::traits::is_banded) {
        if (edit)
            throw ::seqan3::invalid_alignment_configuration{"Banded alignments are yet not supported."};
        set_band(problem, config);
    }
    if constexpr (config_t::template exists<align_cfg::min_score>()) {
        if (!edit)
            throw ::seqan3::invalid_alignment_configuration{
                "The align_cfg::min_score configuration is only allowed for the specific edit distance computation."};
        problem.min_score = get<align_cfg::min_score>(config).score;
    }
    if constexpr (config_t::template exists<align_cfg::parallel>()) {
        auto const threads = get<align_cfg::parallel>(config).thread_count;
        if (!threads)
            throw std::runtime_error{"You must configure the number of threads in seqan3::align_cfg::parallel."};
        if (*threads > std::uint32_t{std::numeric_limits<std::int32_t>::max()})
            throw std::invalid_argument{"too many threads in seqan3::align_cfg::parallel"};
        problem.threads = std::max<std::int32_t>(1, static_cast<std::int32_t>(*threads));
    }

    constexpr std::int32_t both = NWGPU_FREE_QUERY_END | NWGPU_FREE_TARGET_END;
    if (problem.output >= NWGPU_OUTPUT_SPAN && edit)
        problem.ties = NWGPU_TIES_GAPS_FIRST;
    else if (problem.output >= NWGPU_OUTPUT_END && problem.free_ends & both && (edit || !types::first_end))
        problem.ties = NWGPU_TIES_LAST_END;
    else
        problem.corner_first = problem.output >= NWGPU_OUTPUT_END && (problem.free_ends & both) == both;
    return problem;
}

} // namespace nwgpu::seqan3::detail
