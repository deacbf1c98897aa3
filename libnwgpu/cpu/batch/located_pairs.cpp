// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/located_pairs.hpp"

#include <algorithm>
#include <tuple>

namespace nwgpu::cpu {

LocatedPairs::LocatedPairs(std::size_t groups, std::size_t lanes, std::size_t threads) :
    lanes_{lanes}, groups_left_{groups}
{
    pairs_.reserve(std::min(groups, several + 2 * threads) * lanes);
}

void LocatedPairs::add(LocatedPair const & pair)
{
    std::lock_guard const lock{mutex_};
    pairs_.push_back(pair);
}

// Whoever adds takes later, and whoever comes last finds that no group is left: so nothing stays.
std::size_t LocatedPairs::take(Wanted wanted, LocatedPair * to)
{
    std::lock_guard const lock{mutex_};
    if (wanted == Wanted::one_group && groups_left_.load(std::memory_order_acquire) == 0)
        wanted = Wanted::any;
    std::size_t const least = wanted == Wanted::any ? 1 : wanted == Wanted::one_group ? lanes_ : several * lanes_;
    if (pairs_.size() < least)
        return 0;
    std::ranges::sort(pairs_, {}, [](LocatedPair const & pair) {
        return std::tuple{pair.length_class(), pair.last_diagonal(), pair.which};
    });
    std::size_t best = 0, count = 0;
    for (std::size_t first = 0; first + lanes_ <= pairs_.size(); ++first) {
        auto const apart = [&](std::size_t k) {
            return pairs_[k + lanes_ - 1].last_diagonal() - pairs_[k].last_diagonal();
        };
        bool const is_class = pairs_[first].length_class() == pairs_[first + lanes_ - 1].length_class();
        if (is_class && (count == 0 || apart(first) < apart(best))) {
            best = first;
            count = lanes_;
        }
    }
    if (count == 0 && wanted == Wanted::any)
        while (count < pairs_.size() && pairs_[count].length_class() == pairs_[0].length_class())
            ++count;
    auto const begin = pairs_.begin() + static_cast<std::ptrdiff_t>(best),
               end = begin + static_cast<std::ptrdiff_t>(count);
    std::copy(begin, end, to);
    pairs_.erase(begin, end);
    return count;
}

} // namespace nwgpu::cpu
