// SPDX-License-Identifier: BSD-3-Clause
// How a chunk gets its letters: as they lie in the batch or sequence by sequence, from the host or from those that are
// kept on the device.
#include <algorithm>
#include <cstring>

#include "base/pieces.hpp"
#include "cuda/batch/slot.hpp"
#include "cuda/device/pinned_copy.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr std::uint64_t block_pairs = Chunk::block_pairs;
static_assert(block_pairs == place_pairs);
constexpr std::uint64_t copy_bytes = 256 << 10; // of letters, that a thread of the host takes at a time

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
    side.page_locked = !side.is_there && side.in_place && is_page_locked(from) && is_page_locked(from + bytes - 1);
    return side;
}

// Letters that are to be kept are copied from here to their place, and count as kept when the device has done it.
void Slot::copy_letters(CodedSequences const & sequences, Side const & side, Team & team)
{
    auto * const stream = stream_.get();
    if (side.is_there) {
        if (side.in_place)
            copy(stream, in_ + side.at, side.kept->at(side.first), side.bytes, cudaMemcpyDeviceToDevice);
        return;
    }
    std::uint8_t const * from = sequences.letters(0) + side.first;
    if (side.is_staged()) {
        auto * const staged = static_cast<std::uint8_t *>(up_.grow(0)) + (side.at - letters_at_);
        if (side.in_place)
            for_each(&team, ceil_div(side.bytes, copy_bytes), [&](std::uint64_t k) {
                std::uint64_t const begin = k * copy_bytes;
                std::memcpy(staged + begin, from + begin, std::min(copy_bytes, side.bytes - begin));
            });
        from = staged;
    }
    copy(stream, in_ + side.at, from, side.bytes, cudaMemcpyHostToDevice);
    if (side.kept && side.in_place)
        copy(stream, side.kept->at(side.first), in_ + side.at, side.bytes, cudaMemcpyDeviceToDevice);
}

// Into page-locked memory; says where.
void Slot::stage_by_sequence(Piece const & piece, Team & team)
{
    auto * const letters = static_cast<std::uint8_t *>(up_.grow(0));
    auto * const pairs = static_cast<ChunkPair *>(pairs_.grow(0));
    for_each(&team, ceil_div(std::uint64_t{count_}, block_pairs), [&](std::uint64_t b) {
        LettersBefore at = chunk_.before[b];
        auto const place = [&](Side const & side, CodedSequences const & sequences, std::uint64_t which,
                               unsigned long long & offset, std::uint32_t & where) {
            if (side.in_place || side.is_there)
                return;
            std::memcpy(letters + (side.at - letters_at_) + offset, sequences.letters(which), sequences.length(which));
            where = static_cast<std::uint32_t>(side.at + offset);
            offset += sequences.length(which);
        };
        for (std::uint64_t k = b * block_pairs; k < std::min<std::uint64_t>((b + 1) * block_pairs, count_); ++k) {
            if (pairs[k].m == 0)
                continue;
            Pair const pair = piece.batch.pairs[piece.pairs[chunk_.first + k]];
            place(queries_, piece.batch.queries, pair.query, at.queries, pairs[k].query);
            place(targets_, piece.batch.targets, pair.target, at.targets, pairs[k].target);
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
