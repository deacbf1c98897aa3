// SPDX-License-Identifier: BSD-3-Clause
// Section 7 of nwgpu.h: sequences and buffers.
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "align/host_memory.hpp"
#include "base/ceil_div.hpp"
#include "base/fingerprint.hpp"
#include "base/large_pages.hpp"
#include "base/pieces.hpp"
#include "guard.hpp"
#include "handles.hpp"

using namespace nwgpu;
using namespace nwgpu::capi;

namespace {

constexpr uint64_t piece_letters = 1 << 20; // that a thread takes at a time

// A handle for `count` sequences, without their letters; checks all that can be checked.
std::unique_ptr<nwgpu_sequences> make_handle(nwgpu_context * context, uint8_t const * bytes, uint64_t const * offsets,
                                             uint64_t count)
{
    require(context, "context");
    require_size(count, "count");
    require_that(offsets || count == 0, "offsets is NULL");
    constexpr uint64_t none[] = {0};
    std::span<uint64_t const> const given{count > 0 ? offsets : none, count + 1};
    require_that(std::ranges::is_sorted(given), "offsets go down");
    // The offsets may be a part of a longer array, so the first need not be 0.
    uint64_t const first = given.front(), letters = given.back() - first;
    require_size(letters, "the number of letters");
    require_that(bytes || letters == 0, "bytes is NULL");

    auto handle = std::make_unique<nwgpu_sequences>();
    handle->offsets.resize(count + 1);
    std::ranges::transform(given, handle->offsets.begin(), [first](uint64_t offset) { return offset - first; });
    handle->bytes = letters > 0 ? bytes + first : nullptr;
    return handle;
}

// Memory for the handle's own letters, between margins.
uint8_t * make_room(nwgpu_sequences & sequences)
{
    constexpr uint64_t margin = nwgpu_sequences::margin;
    uint64_t const letters = sequences.offsets.back(), all = letters + 2 * margin;
    sequences.copy = std::make_unique_for_overwrite<uint8_t[]>(all);
    if (all >= piece_letters)
        prefer_large_pages(sequences.copy.get(), all);
    uint8_t * const first = sequences.copy.get() + margin;
    std::fill_n(first - margin, margin, uint8_t{0});
    std::fill_n(first + letters, margin, uint8_t{0});
    return first;
}

// The fingerprint, and a copy in `to` if that is not null: each piece is read once, by one of the context's threads, or
// by this one while a call has them.
void take_letters(Team & team, nwgpu_sequences & sequences, uint8_t * to)
{
    uint64_t const letters = sequences.offsets.back();
    std::vector<uint64_t> of_pieces(ceil_div(letters, piece_letters));
    auto const take = [&](uint64_t begin, uint64_t end) {
        uint8_t const * piece = sequences.bytes + begin;
        if (to)
            piece = static_cast<uint8_t *>(std::memcpy(to + begin, piece, end - begin));
        of_pieces[begin / piece_letters] = fingerprint(std::as_bytes(std::span{piece, end - begin}));
    };
    for_pieces(&team, letters, take, piece_letters);
    Fingerprint all;
    all.add(std::as_bytes(std::span{of_pieces}));
    all.add(std::as_bytes(std::span{sequences.offsets}));
    sequences.fingerprint = all.value();
    if (to)
        sequences.bytes = to;
}

} // namespace

nwgpu_status nwgpu_sequences_create(nwgpu_context * context, uint8_t const * bytes, uint64_t const * offsets,
                                    uint64_t count, nwgpu_sequences ** sequences, nwgpu_error * error)
{
    return guard(error, [&] {
        require(sequences, "sequences");
        auto handle = make_handle(context, bytes, offsets, count);
        take_letters(context->aligner.team(), *handle, make_room(*handle));
        *sequences = handle.release();
    });
}

nwgpu_status nwgpu_sequences_create_view(nwgpu_context * context, uint8_t const * bytes, uint64_t const * offsets,
                                         uint64_t count, nwgpu_sequences ** sequences, nwgpu_error * error)
{
    return guard(error, [&] {
        require(sequences, "sequences");
        auto handle = make_handle(context, bytes, offsets, count);
        take_letters(context->aligner.team(), *handle, nullptr);
        *sequences = handle.release();
    });
}

uint64_t nwgpu_sequences_count(nwgpu_sequences const * sequences) { return sequences ? sequences->raw().count() : 0; }

void nwgpu_sequences_destroy(nwgpu_sequences * sequences) { delete sequences; }

nwgpu_status nwgpu_host_alloc(nwgpu_context * context, uint64_t bytes, void ** memory, nwgpu_error * error)
{
    return guard(error, [&] {
        require(context, "context");
        require(memory, "memory");
        require_size(bytes, "bytes");
        *memory = context->aligner.allocate_host(bytes);
    });
}

void nwgpu_host_free(void * memory) { free_host(memory); }
