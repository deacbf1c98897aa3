// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a call, one query after the other: each has a position.  Only a caller's list of them is stored. Queries
// have ranks, which say in which order they come: their numbers, or an order that is given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/batch.hpp"

namespace nwgpu {

// As nwgpu_pairing.
enum class Pairing : std::int32_t { zip = 0, all = 1, list = 2 };

class PairsByQuery {
public:
    // `list`, of existing sequences, belongs to Pairing::list, and lives longer than this.
    // `order`: the queries by rank, not for Pairing::zip; empty: as they are.
    PairsByQuery(Pairing pairing, std::uint64_t queries, std::uint64_t targets, std::span<Pair const> list,
                 std::vector<std::uint64_t> order = {});

    std::uint64_t queries() const { return queries_; }
    std::uint64_t query(std::uint64_t rank) const { return order_.empty() ? rank : order_[rank]; }
    bool are_in_order() const { return order_.empty(); }
    std::uint64_t count() const { return first(queries_); } // of all pairs
    // Position of the first pair of the query with this rank, in the order of their numbers; where they end is where
    // the next query begins.
    std::uint64_t first(std::uint64_t rank) const
    {
        return pairing_ == Pairing::zip ? rank : pairing_ == Pairing::all ? rank * targets_ : first_[rank];
    }
    std::uint64_t count_of(std::uint64_t rank) const { return first(rank + 1) - first(rank); }
    // The pair's number in the call.
    std::uint64_t number(std::uint64_t position) const
    {
        if (pairing_ == Pairing::list)
            return numbers_[position];
        return order_.empty() ? position : query(position / targets_) * targets_ + position % targets_;
    }
    Pair pair(std::uint64_t position) const
    {
        if (pairing_ == Pairing::list)
            return list_[numbers_[position]];
        return pairing_ == Pairing::zip ? Pair{position, position}
                                        : Pair{query(position / targets_), position % targets_};
    }
    // Whether each query has each target.
    bool are_all() const { return pairing_ == Pairing::all; }
    // What the list takes, the caller's copy included.
    std::uint64_t bytes() const
    {
        return list_.size() * sizeof(Pair) + (numbers_.size() + first_.size() + order_.size()) * sizeof(std::uint64_t);
    }

private:
    Pairing const pairing_;
    std::uint64_t const queries_, targets_;
    std::span<Pair const> const list_;
    std::vector<std::uint64_t> const order_;
    std::vector<std::uint64_t> first_, numbers_; // of a list
};

} // namespace nwgpu
