// SPDX-License-Identifier: BSD-3-Clause
// What a call for the best pairs will take: from a section of pairs that stand for all of them, and from pairs with the
// longest targets in place of the best, which nobody knows yet.
#include <algorithm>

#include "align/best_call.hpp"
#include "base/rest_of_limit.hpp"

namespace nwgpu {

namespace {

// Of a section that stands for others, the part that is kept for the largest of all pairs.
constexpr std::uint64_t part_for_largest = 16;

double ratio(double a, double b) { return b > 0 ? a / b : 1; }

} // namespace

// Of each query, so many pairs with the longest targets.
Array<Pair> BestCall::longest(std::uint64_t per_query) const
{
    Array<Pair> all;
    std::vector<std::uint64_t> targets; // of the query
    for (std::uint64_t rank = 0; rank < pairs_.queries(); ++rank) {
        std::uint64_t const count = pairs_.count_of(rank), wanted = std::min(count, per_query);
        if (rank == 0 || !pairs_.are_all()) {
            targets.clear();
            for (std::uint64_t k = 0; k < count; ++k)
                targets.push_back(pairs_.pair(pairs_.first(rank) + k).target);
            std::ranges::nth_element(targets, targets.begin() + static_cast<std::ptrdiff_t>(wanted),
                                     std::ranges::greater{}, [this](std::uint64_t i) { return targets_.length(i); });
        }
        for (std::uint64_t k = 0; k < wanted; ++k)
            all.push_back({pairs_.query(rank), targets[k]});
    }
    return all;
}

// All pairs if there are no more than those of a section; else some from everywhere, and the largest.
Array<Pair> BestCall::typical_section() const
{
    std::uint64_t const all = pairs_.count(), size = std::min(all, section_pairs());
    Array<Pair> pairs;
    std::uint64_t largest = 0;
    if (size < all) {
        largest = std::max<std::uint64_t>(1, size / part_for_largest);
        pairs = longest(std::max<std::uint64_t>(1, largest / pairs_.queries()));
        largest = std::min<std::uint64_t>(largest, pairs.size());
        std::ranges::nth_element(pairs, pairs.begin() + static_cast<std::ptrdiff_t>(largest), std::ranges::greater{},
                                 [this](Pair const & pair) { return cells(pair); });
        pairs.resize(largest);
    }
    pairs.reserve(size);
    for (std::uint64_t k = 0, others = size - largest; k < others; ++k)
        pairs.push_back(pairs_.pair(all / others * k + all % others * k / others));
    return pairs;
}

double BestCall::cells(std::span<Pair const> pairs) const
{
    double sum = 0;
    for (Pair const & pair : pairs)
        sum += static_cast<double>(cells(pair));
    return sum;
}

Estimate BestCall::estimate()
{
    Entries const entries = most_entries();
    check_limit(entries);
    double const all = cells();
    Array<Pair> const section = typical_section();
    Estimate estimate = frame(section, scores_only(request_.min_score), bytes()).estimate();
    estimate.seconds *= ratio(all, cells(section));
    estimate.cells = static_cast<std::uint64_t>(all);
    if (request_.output != Output::score) {
        Array<Pair> const chosen = longest(best_.targets);
        Estimate const last = frame(chosen, request_, bytes()).estimate();
        double const again = all * ratio(static_cast<double>(chosen.size()), static_cast<double>(pairs_.count()));
        estimate.seconds += last.seconds * ratio(again, cells(chosen));
        estimate.host_bytes = std::max(estimate.host_bytes, last.host_bytes);
        estimate.device_bytes = std::max(estimate.device_bytes, last.device_bytes);
        estimate.plan += "\nthen the best: " + last.plan;
    }
    estimate.host_bytes += bytes_of(entries);
    if (limit_ != 0)
        estimate.host_bytes = std::min(estimate.host_bytes, limit_);
    return estimate;
}

} // namespace nwgpu
