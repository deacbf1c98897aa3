// SPDX-License-Identifier: BSD-3-Clause
// How a chunk gets its letters: as they lie in the batch or sequence by sequence, from the host or from those that are
// kept on the device.
#include <algorithm>
#include <cstring>

#include "base/pieces.hpp"
#include "cuda/batch/slot.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr std::uint64_t block_pairs = Chunk::block_pairs;
static_assert(block_pairs == place_pairs);

} // namespace

Slot::Side Slot::lay_out(CodedSequences const & sequences, std::uint64_t first, std::uint64_t last,
                         std::uint64_t letters, std::uint64_t at, LettersOnDevice * kept) const
{
    std::uint8_t const * const from = sequences.letters(first);
    auto const bytes = static_cast<std::uint64_t>(sequences.letters(last) - from) + sequences.length(last);
    Side side;
    side.at = at;
    side.in_place = bytes <= letters;
    side.bytes = side.in_place ? bytes : letters;
    side.kept = kept;
    side.first = static_cast<std::uint64_t>(from - sequences.letters(0));
    side.last = side.first + bytes;
    side.is_there = kept && kept->has(side.first, side.last) && (side.in_place || bytes <= UINT32_MAX);
    return side;
}

// Letters that are to be kept are copied from here to their place, and count as kept when the device has done it.
void Slot::copy_letters(Side const & side, LettersUp & up, std::uint8_t * two_bits)
{
    auto * const stream = stream_.get();
    if (side.lies_apart())
        return copy(stream, in_ + side.at, up.room_for(0), side.bytes, cudaMemcpyHostToDevice);
    if (!side.in_place)
        return; // see gather_kept()
    if (side.is_there)
        return copy(stream, in_ + side.at, side.kept->at(side.first), side.bytes, cudaMemcpyDeviceToDevice);
    up.send(stream, in_ + side.at, two_bits);
    if (side.kept)
        copy(stream, side.kept->at(side.first), in_ + side.at, side.bytes, cudaMemcpyDeviceToDevice);
}

// Into page-locked memory; says where.
void Slot::stage_by_sequence(Piece const & piece, Team & team)
{
    auto const room_for = [](Side const & side, LettersUp & up) {
        return side.lies_apart() ? up.room_for(side.bytes) : nullptr;
    };
    std::uint8_t * const queries = room_for(queries_, queries_up_);
    std::uint8_t * const targets = room_for(targets_, targets_up_);
    auto * const pairs = static_cast<ChunkPair *>(pairs_.grow(0));
    for_each(&team, ceil_div(std::uint64_t{count_}, block_pairs), [&](std::uint64_t b) {
        LettersBefore at = chunk_.before[b];
        auto const place = [&](Side const & side, std::uint8_t * to, CodedSequences const & sequences,
                               std::uint64_t which, unsigned long long & offset, std::uint32_t & where) {
            if (!to)
                return;
            std::memcpy(to + offset, sequences.letters(which), sequences.length(which));
            where = static_cast<std::uint32_t>(side.at + offset);
            offset += sequences.length(which);
        };
        for (std::uint64_t k = b * block_pairs; k < std::min<std::uint64_t>((b + 1) * block_pairs, count_); ++k) {
            if (pairs[k].m == 0)
                continue;
            Pair const pair = piece.batch.pairs[piece.pairs[chunk_.first + k]];
            place(queries_, queries, piece.batch.queries, pair.query, at.queries, pairs[k].query);
            place(targets_, targets, piece.batch.targets, pair.target, at.targets, pairs[k].target);
        }
    });
}

// Sequence by sequence, of those sides that the device has.
void Slot::gather_kept()
{
    PlaceArgs args{reinterpret_cast<ChunkPair *>(in_), count_, letters_before_, in_, {}, {}};
    auto const take = [](PlaceArgs::Side & to, Side const & side) {
        if (side.is_there && !side.in_place)
            to = {side.kept->at(side.first), static_cast<std::uint32_t>(side.first),
                  static_cast<std::uint32_t>(side.at)};
    };
    take(args.queries, queries_);
    take(args.targets, targets_);
    if (!args.queries.kept && !args.targets.kept)
        return;
    std::uint64_t const bytes = chunk_.before.size() * sizeof(LettersBefore);
    void * const staged = static_cast<ChunkPair *>(pairs_.grow(0)) + count_;
    std::memcpy(staged, chunk_.before.data(), bytes);
    copy(stream_.get(), letters_before_, staged, bytes, cudaMemcpyHostToDevice);
    place_letters(stream_.get(), args);
}

} // namespace nwgpu::cuda::batch
