// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of a call for the best ones are computed at a time, and what score they need.
#include <algorithm>

#include "align/best_call.hpp"
#include "base/rest_of_limit.hpp"

namespace nwgpu {

namespace {

// Under a limit, a pair of a section takes about so much beside the engine's work, which is to have the larger part.
constexpr std::uint64_t bytes_per_section_pair = 128, part_for_section = 4;

// With several threads, each is to have so many times the pairs that a section has with one: threads wait for each
// other where a section ends.
constexpr std::uint64_t longer_for_threads = 2;

// How many times as many pairs a section may have, so that it has whole queries.
constexpr std::uint64_t most_of_whole_queries = 8;

} // namespace

std::uint64_t BestCall::section_pairs() const
{
    if (limit_ == 0)
        return sections_.most;
    std::uint64_t const there = rest_of_limit(limit_, queries_.bytes() + targets_.bytes() + bytes());
    return std::clamp<std::uint64_t>(there / part_for_section / bytes_per_section_pair, 1, sections_.most);
}

// Only on CPUs of this process: other engines lose more by small sections.  Not under a limit, where a pair that is
// known to be too low would not fail for lack of memory, and others be those by which the limit is found too low.
bool BestCall::may_raise_min_score() const { return limit_ == 0 && backend_.gives_up_early(); }

// Of a section of one query alone: no fewer than are held, which are looked at again before each section.
std::uint64_t BestCall::own_section_pairs() const
{
    auto const threads = static_cast<std::uint64_t>(backend_.threads());
    return std::max(best_.targets, sections_.own * (threads > 1 ? longer_for_threads * threads : 1));
}

// Who gives queries in another order wants that neighbours are in one section.  Not under a limit.
bool BestCall::wants_whole_queries() const { return limit_ == 0 && !pairs_.are_in_order(); }

// Two at least, which may have many targets in common, unless these are very many.
std::uint64_t BestCall::end_of_whole_queries(std::uint64_t begin) const
{
    std::uint64_t const queries = pairs_.queries();
    std::uint64_t rank = std::min(queries, query_ + 2);
    while (rank < queries && pairs_.first(std::min(queries, rank + 2)) - begin <= sections_.most)
        rank = std::min(queries, rank + 2);
    return std::min(pairs_.first(rank), begin + most_of_whole_queries * sections_.most);
}

// Of the section that begins with this position.
std::uint64_t BestCall::section_end(std::uint64_t begin) const
{
    if (wants_whole_queries())
        return end_of_whole_queries(begin);
    std::uint64_t const end = std::min(pairs_.count(), begin + section_pairs());
    if (!may_raise_min_score())
        return end;
    std::uint64_t const own = own_section_pairs();
    auto const has_many = [&](std::uint64_t query) { return pairs_.count_of(query) / 2 >= own; };
    std::uint64_t query = query_, last = pairs_.first(query + 1);
    if (has_many(query))
        return std::min(end, (last - begin) / 2 < own ? last : begin + own);
    while (last < end && !has_many(++query))
        last = pairs_.first(query + 1);
    return std::min(end, last);
}

// Of the section that ends with this position and begins with a pair of the query: lower scores have no entry.
std::int64_t BestCall::min_score(std::uint64_t end)
{
    bool const is_of_one_query = query_ < pairs_.queries() && end <= pairs_.first(query_ + 1);
    return is_of_one_query && may_raise_min_score() ? std::max(request_.min_score, of_query_.least_score())
                                                    : request_.min_score;
}

} // namespace nwgpu
