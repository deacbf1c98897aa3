// SPDX-License-Identifier: BSD-3-Clause
// Results of the library as rows of the output.
#include "rows.hpp"

#include <algorithm>
#include <cstdint>

namespace cli {

Alignment Rows::row(std::uint64_t i) const
{
    std::uint64_t const entry = this->entry(i);
    std::uint64_t const number = result_.pairs()[entry];
    nwgpu_pair const aligned = batch_->pairs[number];
    Alignment row;
    row.quality = batch_->queries->quality(aligned.query);
    row.query = batch_->queries->letters(aligned.query);
    row.target = batch_->targets->letters(aligned.target);
    row.ambiguous = batch_->queries->ambiguous() || batch_->targets->ambiguous();
    Batch const & given = batch_->given ? *batch_->given : *batch_;
    nwgpu_pair const pair = given.pairs[number];
    row.query_name = given.queries->name(pair.query);
    row.target_name = given.targets->name(pair.target);
    row.target_number = given.first_target + pair.target;
    row.reverse = pair.query >= given.forward_count;
    row.query_number = given.first_query + pair.query % given.forward_count;
    row.tags = given.queries->tags(pair.query % given.forward_count);
    if (batch_->given)
        row.rotation = batch_->rotations[number];
    if (i < seconds_.size() && seconds_[i] != no_score)
        row.second_score = seconds_[i];
    row.status = std::ranges::binary_search(wrong_, i) ? NWGPU_ERROR_INTERNAL : result_.statuses()[entry];
    row.score = result_.scores()[entry];
    if (cigars_ && row.ok()) {
        nwgpu::Span const span = result_.span(entry);
        row.has_path = true;
        row.query_begin = span.query_begin;
        row.query_end = span.query_end;
        row.target_begin = span.target_begin;
        row.target_end = span.target_end;
        row.cigar = (*cigars_)[entry];
    }
    return row;
}

std::string Rows::message(std::uint64_t i) const
{
    if (std::ranges::binary_search(wrong_, i))
        return "--verify: the CIGAR does not give the score; please report this";
    std::uint64_t const entry = this->entry(i);
    if (result_.statuses()[entry] == NWGPU_ERROR_INVALID_SEQUENCE) {
        Batch const & given = batch_->given ? *batch_->given : *batch_;
        nwgpu_pair const pair = given.pairs[result_.pairs()[entry]];
        for (std::string const & fault :
             {given.queries->fault(pair.query % given.forward_count), given.targets->fault(pair.target)})
            if (!fault.empty())
                return fault;
    }
    return result_.error(entry).message;
}

} // namespace cli
