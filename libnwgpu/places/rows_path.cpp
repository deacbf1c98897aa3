// SPDX-License-Identifier: BSD-3-Clause
// Where the best path of a pair that was dealt out by rows ends, and the way back through its parts.
#include <algorithm>

#include "backend/known_score.hpp"
#include "path/end.hpp"
#include "places/rows_call.hpp"

namespace nwgpu::places {

// When all shares are swept: score and end, by the tie rule, as path::BestEnd wants it: the last row, then the last
// column.
void RowsCall::find_end()
{
    Mode const & mode = request_->mode;
    RowEnd const above = saved_ ? saved_->best() : RowEnd{};
    bool is_above = false;
    std::size_t best_part = 0;
    if (mode.ends_anywhere()) {
        for (std::size_t k = 1; k < parts_.size(); ++k)
            if (goes_before(parts_[k].swept.anywhere, parts_[best_part].swept.anywhere))
                best_part = k;
        result_.score = parts_[best_part].swept.anywhere.score;
        is_above = above.score > result_.score ||
                   (above.score == result_.score && above.j <= parts_[best_part].swept.anywhere.j);
        if (is_above)
            result_.score = above.score;
        check_known_score(result_.score, known_score_);
    } else {
        path::BestEnd best{result_};
        auto const consider = [&](RowEnd const & end, std::uint64_t row) {
            if (end.score != INT64_MIN)
                best.consider(end.score, row + end.i, end.j);
        };
        SweptRows const & last = parts_.back().swept;
        consider(last.in_last_row, parts_.back().rows.row);
        if (mode.free_query_end)
            best.consider(mode.free_target_begin ? 0 : path::gap_score(gap_, pair_.n), 0, pair_.n);
        if (mode.free_query_end)
            consider(above, 0);
        for (Part const & part : parts_)
            consider(part.swept.in_last_column, part.rows.row);
        best.consider(last.corner, pair_.m, pair_.n);
    }
    if (mode.may_be_empty() && result_.score <= 0) {
        result_.score = 0;
        result_.span = empty_span(pair_.m, pair_.n, mode);
        is_done_ = true;
    } else if (result_.score < request_->min_score || request_->output == Output::score ||
               (request_->output == Output::end && !mode.ends_anywhere())) {
        is_done_ = true;
    } else if (is_above) {
        result_.span.query_end = above.i;
        result_.span.target_end = above.j;
        if (request_->output == Output::end)
            is_done_ = true;
        else
            finish({above.i, above.j});
    } else if (mode.ends_anywhere()) {
        ask(best_part, {0, true, request_->output >= Output::span, {}});
    } else {
        path::Cursor const end{result_.span.query_end, result_.span.target_end};
        auto const part =
            std::find_if(parts_.rbegin(), parts_.rend(), [&](Part const & one) { return one.rows.row < end.i; });
        if (part == parts_.rend()) // in row 0, or in rows that are saved
            return finish(end);
        auto const k = static_cast<std::size_t>(parts_.rend() - part) - 1;
        ask(k, {0, false, true, {end.i - part->rows.row, end.j}});
    }
}

void RowsCall::ask(std::size_t k, RowQuestion question)
{
    asked_ = k;
    question.part = parts_[k].number;
    if (parts_[k].rows.rank == shares_[0].rank) {
        for_own_ = question;
        return;
    }
    ByteWriter body;
    body.reserve(sizeof question);
    body.put(question);
    world_.send(parts_[k].rows.rank, Kind::walk, number_, body);
}

void RowsCall::take_walk(WalkedRows && walked)
{
    std::uint64_t const row = parts_[asked_].rows.row;
    if (result_.span.query_end == no_position) {
        result_.span.query_end = row + walked.end.i;
        result_.span.target_end = walked.end.j;
    }
    if (request_->output == Output::end) {
        is_done_ = true;
        return;
    }
    cigar_.add(walked.runs);
    path::Cursor begin = walked.begin;
    if (begin.i == 0 && begin.j > 0 && !begin.stopped && asked_ > 0) {
        begin.i = parts_[asked_ - 1].rows.rows;
        return ask(asked_ - 1, {0, false, true, begin});
    }
    begin.i += row;
    finish(begin);
}

// At the top of these rows, or above them, where the path may go on.
void RowsCall::finish(path::Cursor const & begin)
{
    is_done_ = true;
    if (begin.i > 0 && begin.i <= parts_[0].rows.row && begin.j > 0 && !begin.stopped)
        in_saved_ = begin;
    else
        path::finish(request_->mode, begin, cigar_, result_);
}

} // namespace nwgpu::places
