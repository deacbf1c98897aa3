// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/free_ends.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/cigar_style.hpp"

namespace nwgpu::cpu {

std::optional<FreeEnds::Part> FreeEnds::align(Side side, Box const & box, std::int64_t known_loss, Boxes & boxes)
{
    Place & place = side == Side::begin ? begin_ : end_;
    auto const near_word = [&](std::uint64_t cols) { // with so many outer letters
        return side == Side::begin ? Box{box.i, box.j_end - cols, box.i_end, box.j_end}
                                   : Box{box.i, box.j, box.i_end, box.j + cols};
    };
    std::uint64_t const rows = box.rows(), cols = std::min(box.cols(), outer_letters(rows, known_loss));
    if (rows <= box.cols() && is_equal(near_word(rows))) { // no other path is as good
        place = side == Side::begin ? Place{box.i, box.j_end - rows} : Place{box.i_end, box.j + rows};
        return Part{boxes.keep(losses_.match * static_cast<std::int64_t>(rows), op_of_equal(request_.style), rows)};
    }
    if (cols == 0) { // the word lies at the border
        place = {(side == Side::begin) == inner_.local ? box.i_end : box.i, box.j};
        return Part{boxes.keep(0, inner_.inner_gap(), inner_.local ? 0 : rows), most_loss(rows)};
    }
    Box const near = near_word(cols);
    auto const result = boxes.align(near, side == Side::begin ? inner_.begin_mode() : inner_.end_mode());
    if (!result)
        return std::nullopt;
    Part const part{boxes.keep(result->score, result->runs), losses_.of_score(rows, result->score)};
    if (part.loss > known_loss)
        throw Error{Status::internal, "the best alignment of an end scores less than another one"};
    AlignedSpan const span = inner_.turned(result->span);
    place = side == Side::begin ? Place{near.i + span.query_begin, near.j + span.target_begin}
                                : Place{near.i + span.query_end, near.j + span.target_end};
    return part;
}

std::int64_t FreeEnds::most_loss(std::uint64_t letters) const
{
    auto const count = static_cast<std::int64_t>(letters);
    return inner_.local ? count * losses_.match : losses_.open + count * (losses_.extend + losses_.match);
}

AlignedSpan FreeEnds::span() const
{
    Place const end = inner_.free_end ? end_ : Place{pair_.m, pair_.n};
    AlignedSpan span = inner_.turned(AlignedSpan{begin_.i, end.i, begin_.j, end.j});
    if (request_.output < Output::span)
        span.query_begin = span.target_begin = no_position;
    return span;
}

bool FreeEnds::is_equal(Box const & square) const
{
    std::uint64_t const letters = square.rows();
    return kernels_.equal_letters(pair_.query + square.i, pair_.target + square.j, letters) == letters;
}

} // namespace nwgpu::cpu
