// SPDX-License-Identifier: BSD-3-Clause
// Which sequence of a pair has no free end, the *inner* one, and which ends of the other one, the *outer* one, are
// free. What follows looks at the inner sequence as the query: pairs are turned round where it is the target.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

struct InnerSequence {
    bool is_query = true, local = false, free_begin = false, free_end = false; // both ends are free if it is local

    // Nothing: both sequences have free ends, or the mode is of another kind.  Of a global pair the query is the inner
    // one, of a local one the shorter sequence.
    static std::optional<InnerSequence> of(PairView const & pair, Mode const & mode)
    {
        if (!mode.has_usual_rules() || mode.is_extension())
            return std::nullopt;
        if (mode.local)
            return InnerSequence{pair.m <= pair.n, true, true, true};
        bool const of_query = mode.free_query_begin || mode.free_query_end,
                   of_target = mode.free_target_begin || mode.free_target_end;
        if (of_query && of_target)
            return std::nullopt;
        return of_query ? InnerSequence{false, false, mode.free_query_begin, mode.free_query_end}
                        : InnerSequence{true, false, mode.free_target_begin, mode.free_target_end};
    }

    bool has_free_ends() const { return free_begin || free_end; }
    // The inner sequence as the query; or, if that is turned, the pair again.
    PairView turned(PairView const & pair) const
    {
        return is_query ? pair : PairView{pair.target, pair.n, pair.query, pair.m};
    }
    AlignedSpan turned(AlignedSpan span) const
    {
        if (!is_query) {
            std::swap(span.query_begin, span.target_begin);
            std::swap(span.query_end, span.target_end);
        }
        return span;
    }
    CigarOp inner_gap() const { return is_query ? CigarOp::insertion : CigarOp::deletion; }
    CigarOp outer_gap() const { return is_query ? CigarOp::deletion : CigarOp::insertion; }
    // Of what lies before a cell that paths go through, or behind it.
    Mode begin_mode() const
    {
        return {.free_query_begin = !is_query && free_begin && !local,
                .free_target_begin = is_query && free_begin && !local,
                .extend_left = local};
    }
    Mode end_mode() const
    {
        return {.free_query_end = !is_query && free_end && !local,
                .free_target_end = is_query && free_end && !local,
                .extend = local};
    }
};

} // namespace nwgpu::cpu
