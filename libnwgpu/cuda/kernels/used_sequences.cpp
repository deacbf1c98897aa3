// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/used_sequences.hpp"

#include <algorithm>
#include <cstring>

namespace nwgpu::cuda {

namespace {

// Of a side's sequences, from which on pairs are too many for a look at each, and of its letters.
constexpr std::uint64_t pairs_part = 8, letters_part = 4;

} // namespace

UsedSequences::UsedSequences(Piece const & piece, std::span<std::uint64_t const> pairs, std::uint64_t Pair::*side) :
    sequences_{side == &Pair::query ? &piece.batch.queries : &piece.batch.targets}
{
    if (pairs.size() > sequences_->count() / pairs_part || piece.max_host_bytes != 0)
        return;
    std::vector<Place> some;
    some.reserve(pairs.size());
    for (std::uint64_t const p : pairs)
        some.push_back({piece.batch.pairs[p].*side, 0});
    auto const by_sequence = [](Place const & a, Place const & b) { return a.sequence < b.sequence; };
    std::sort(some.begin(), some.end(), by_sequence);
    auto const equal = [](Place const & a, Place const & b) { return a.sequence == b.sequence; };
    some.erase(std::unique(some.begin(), some.end(), equal), some.end());
    std::uint64_t sum = 0;
    for (Place & place : some) {
        place.offset = sum;
        sum += sequences_->length(place.sequence);
    }
    if (sum <= sequences_->letter_count() / letters_part)
        some_ = std::move(some);
}

std::uint64_t UsedSequences::bytes() const
{
    if (are_all() && sequences_->count() == 0)
        return 0;
    std::uint64_t const last = are_all() ? sequences_->count() - 1 : some_.back().sequence;
    return offset(last) + sequences_->length(last);
}

std::uint64_t UsedSequences::offset(std::uint64_t sequence) const
{
    if (are_all())
        return static_cast<std::uint64_t>(sequences_->codes(sequence) - sequences_->codes(0));
    return std::ranges::lower_bound(some_, sequence, {}, &Place::sequence)->offset;
}

void UsedSequences::gather(std::uint8_t * room) const
{
    for_each([&](std::uint8_t const * codes, std::uint64_t length) {
        std::memcpy(room, codes, length);
        room += length;
    });
}

} // namespace nwgpu::cuda
