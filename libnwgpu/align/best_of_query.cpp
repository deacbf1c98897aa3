// SPDX-License-Identifier: BSD-3-Clause
#include "align/best_of_query.hpp"

#include <algorithm>

namespace nwgpu {

namespace {

bool is_before(Chosen const & a, Chosen const & b)
{
    return a.score != b.score ? a.score > b.score : a.position < b.position;
}

} // namespace

// All but the best.
void BestOfQuery::drop()
{
    if (held_.size() >= best_.targets) {
        auto const last = held_.begin() + static_cast<std::ptrdiff_t>(best_.targets - 1);
        std::ranges::nth_element(held_, last, is_before);
        is_full_ = true;
        least_ = last->score;
        auto const end = best_.all_equal ? std::partition(last + 1, held_.end(),
                                                          [this](Chosen const & one) { return one.score == least_; })
                                         : last + 1;
        held_.erase(end, held_.end());
    }
    most_ = room();
}

// Of equal scores, those that come later lose, unless these count as well.
std::int64_t BestOfQuery::least_score()
{
    drop();
    return !is_full_ ? no_min_score : best_.all_equal ? least_ : least_ + 1;
}

BestOfQuery BestOfQuery::beside() const
{
    BestOfQuery other{best_};
    other.is_full_ = is_full_;
    other.least_ = least_;
    return other;
}

void BestOfQuery::add(BestOfQuery & later)
{
    later.drop();
    std::ranges::sort(later.held_, {}, &Chosen::position);
    for (Chosen const & one : later.held_)
        add(one.position, one.score);
}

void BestOfQuery::take(std::deque<Chosen> & all)
{
    drop();
    std::ranges::sort(held_, is_before);
    all.insert(all.end(), held_.begin(), held_.end());
    all.insert(all.end(), failed_.begin(), failed_.end());
    held_.clear();
    failed_.clear();
    most_ = room();
    is_full_ = false;
}

} // namespace nwgpu
