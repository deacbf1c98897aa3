// SPDX-License-Identifier: BSD-3-Clause
#include "align/pairs_by_query.hpp"

#include <utility>

namespace nwgpu {

PairsByQuery::PairsByQuery(Pairing pairing, std::uint64_t queries, std::uint64_t targets, std::span<Pair const> list,
                           std::vector<std::uint64_t> order) :
    pairing_{pairing}, queries_{queries}, targets_{targets}, list_{list}, order_{std::move(order)}
{
    if (pairing != Pairing::list)
        return;
    std::vector<std::uint64_t> ranks(order_.size());
    for (std::uint64_t rank = 0; rank < ranks.size(); ++rank)
        ranks[order_[rank]] = rank;
    auto const rank_of = [&](Pair const & pair) { return ranks.empty() ? pair.query : ranks[pair.query]; };
    first_.resize(queries + 1);
    for (Pair const & pair : list)
        ++first_[rank_of(pair)];
    std::uint64_t before = 0;
    for (std::uint64_t & first : first_)
        before += std::exchange(first, before);
    numbers_.resize(list.size());
    for (std::uint64_t p = 0; p < list.size(); ++p)
        numbers_[first_[rank_of(list[p])]++] = p;
    for (std::uint64_t query = queries; query > 0; --query) // each has become the first of the next query
        first_[query] = first_[query - 1];
    first_[0] = 0;
}

} // namespace nwgpu
