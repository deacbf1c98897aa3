// SPDX-License-Identifier: BSD-3-Clause
// What lies before the first landmark that a path crosses, and behind the last one, where the ends of the outer
// sequence are free (docs/proofs.md, lemma 43 (c)).
#pragma once

#include <cstdint>
#include <optional>

#include "cpu/furthest/one_diagonal.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/landmarks/boxes.hpp"
#include "cpu/landmarks/inner_sequence.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

class FreeEnds {
public:
    // The pair is turned: its query is the inner sequence.  What is given lives longer than this.
    FreeEnds(PairView const & turned, InnerSequence const & inner, Losses const & losses, Request const & request,
             KernelTable const & kernels) :
        pair_{turned}, inner_{inner}, losses_{losses}, request_{request}, kernels_{kernels}
    {}

    enum class Side { begin, end };
    struct Part {
        Boxes::Answer answer; // among those of the boxes
        std::int64_t loss = 0;
    };
    // `box` reaches from the begin of both sequences to a word, or from one to their end: a word that all best paths
    // cross, or one beyond which a path is known to lose so much.  Nothing if that takes too long.  Notes where the
    // path begins or ends.
    std::optional<Part> align(Side side, Box const & box, std::int64_t known_loss, Boxes & boxes);

    // Of all inner letters at a free end: in a gap, or clipped.
    std::int64_t most_loss(std::uint64_t letters) const;
    // Of score 0 an extension is empty, while a local path has a prefix of that score: whether there may be one before
    // a begin of such a score.
    bool may_begin_earlier(std::int64_t score) const
    {
        return inner_.local && request_.output >= Output::span && score == 0 && begin_.i > 0 && begin_.j > 0;
    }
    // From the begin that was aligned last to the end, as far as they are asked for.
    AlignedSpan span() const;

private:
    struct Place { // letters before it
        std::uint64_t i = 0, j = 0;
    };

    // Of the outer sequence, that paths use at most which lose no more.
    std::uint64_t outer_letters(std::uint64_t inner, std::int64_t loss) const
    {
        return inner + static_cast<std::uint64_t>(loss / losses_.extend) + 1;
    }
    bool is_equal(Box const & square) const;

    PairView const & pair_;
    InnerSequence const inner_;
    Losses const & losses_;
    Request const & request_;
    KernelTable const & kernels_;
    Place begin_, end_;
};

} // namespace nwgpu::cpu
