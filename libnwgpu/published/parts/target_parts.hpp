// SPDX-License-Identifier: BSD-3-Clause
// How rowscan cuts the target of a local alignment: parts=P overlapping parts (path/overlap.hpp), dealt to gpus=G GPUs.
//
//     |===========|===========|===========|     the target
//     |== GPU 0 ==|                             a share each
//             |...|== GPU 1 ==|                 . columns of the share before, for alignments that begin there
//                         |...|== GPU 2 ==|
//             |========|                        a GPU cuts its share in its turn, into parts that it computes one after
//                 |...|=======|                 another, with the memory of one
#pragma once

#include <algorithm>

#include "base/ceil_div.hpp"
#include "base/error.hpp"
#include "path/overlap.hpp"
#include "published/registry.hpp"

namespace nwgpu::published {

struct Cut {
    std::uint64_t gpus = 1, parts = 1; // parts of each GPU

    // Global alignments are not cut.
    Cut(Choice const & choice, Mode const & mode)
    {
        if (!mode.local)
            return;
        gpus = static_cast<std::uint64_t>(choice.value_or("gpus", 1));
        parts = ceil_div(static_cast<std::uint64_t>(choice.value_or("parts", 1)), gpus);
    }
    bool cuts() const { return gpus > 1 || parts > 1; }
};

// The most target letters that two neighbours have in common; nothing where no number is proven.
inline std::optional<std::uint64_t> overlap_of(PairView const & pair, Scoring const & scoring, Cut const & cut)
{
    return cut.cuts() ? path::longest_span(pair, scoring) : 0;
}

// Throws Error unsupported where no number is proven.
inline std::uint64_t proven_overlap(PairView const & pair, Scoring const & scoring, Cut const & cut)
{
    if (std::optional<std::uint64_t> const overlap = overlap_of(pair, scoring, cut))
        return *overlap;
    throw Error{Status::unsupported, "algorithm rowscan: where gap letters cost nothing, an alignment may have any "
                                     "length, and the target cannot be cut into parts"};
}

// Target letters that one GPU holds, and that it computes at a time, at most.
struct LargestPart {
    std::uint64_t share, part;
};
inline LargestPart largest_part(PairView const & pair, Scoring const & scoring, Cut const & cut)
{
    std::optional<std::uint64_t> const overlap = overlap_of(pair, scoring, cut);
    if (!overlap)
        return {pair.n, pair.n};
    std::uint64_t const share = std::min(pair.n, ceil_div(pair.n, cut.gpus) + *overlap);
    return {share, std::min(share, ceil_div(share, cut.parts) + *overlap)};
}

} // namespace nwgpu::published
