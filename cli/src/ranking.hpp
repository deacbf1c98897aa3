// SPDX-License-Identifier: BSD-3-Clause
// What follows from the scores of a query's alignments together: which one is primary, the mapping quality, and which
// alignments the user's limits reject.
#pragma once

#include "alignment.hpp"
#include "options.hpp"
#include "scoring.hpp"

#include <span>
#include <string>

namespace cli {

class Ranking {
public:
    Ranking(LimitOptions const & limits, Scoring const & scoring);

    // Of alignments that were judged.
    struct Counts {
        std::uint64_t alignments = 0, rejected = 0, negative = 0;
    };

    // Sets the verdict of one alignment, and counts it.
    void judge(Alignment & alignment, Counts & counts) const;
    void add(Counts const & counts); // what note() tells of
    // Sets mapq, secondary and redundant of all alignments of one query.
    void rank(std::span<Alignment> alignments) const;
    // A sentence for the user: how many were rejected, or look as if they should be; "" for none.
    std::string note() const;

private:
    int mapq(std::int64_t best, std::int64_t second) const;

    LimitOptions const limits_;
    LetterEquality const equal_;
    std::int32_t const unit_; // the best score of two letters
    Counts counts_;
};

} // namespace cli
