// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of one query are its best ones, chosen while their scores come in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/error.hpp"
#include "model/mode.hpp"

namespace nwgpu {

// So many pairs per query, the best first, and of equal scores the one that comes first in the call.
struct Best {
    std::uint64_t targets = 1; // at least 1
    bool all_equal = false;    // and all others with the score of the last one
};

// A pair that gets an entry: one of its query's best, or one that failed.
struct Chosen {
    std::uint64_t position = 0; // of the pair (pairs_by_query.hpp)
    std::int64_t score = 0;
    Status status = Status::ok;
};

// Holds about twice as many pairs as are asked for, and all that are equal to the last of them if these are.
class BestOfQuery {
public:
    explicit BestOfQuery(Best const & best) : best_{best} {}

    // Positions ascend.
    void add(std::uint64_t position, std::int64_t score)
    {
        if (is_full_ && (score < least_ || (score == least_ && !best_.all_equal)))
            return;
        held_.push_back({position, score, Status::ok});
        if (held_.size() >= most_)
            drop();
    }
    // For pairs of later positions, on another thread, that may be among the best beside those here; their best are
    // then added here.
    BestOfQuery beside() const;
    void add(BestOfQuery & later);
    void add_failed(std::uint64_t position, Status why) { failed_.push_back({position, 0, why}); }
    // Pairs of higher positions with lower scores are not among the best.
    std::int64_t least_score();

    // Pairs that take memory, and how many good ones do at most, if none is equal to the last.
    std::uint64_t count() const { return held_.capacity() + failed_.capacity(); }
    static std::uint64_t most_held(std::uint64_t targets) { return 4 * std::max(least_room, targets); }
    // Appends the best, in their order, and then those that failed, in the call's; begins with the next query.
    void take(std::deque<Chosen> & all);

private:
    static constexpr std::uint64_t least_room = 64; // so that few are not sorted again and again

    void drop();
    std::uint64_t room() const { return 2 * std::max<std::uint64_t>(least_room, held_.size()); }

    Best const best_;
    std::vector<Chosen> held_, failed_;
    std::uint64_t most_ = room();
    bool is_full_ = false;   // as many are held as are asked for, and
    std::int64_t least_ = 0; // this is the score of the last of them
};

} // namespace nwgpu
