// SPDX-License-Identifier: BSD-3-Clause
// Section 6 of nwgpu.h: sequences and buffers.
#include <algorithm>
#include <memory>
#include <new>

#include "guard.hpp"
#include "handles.hpp"

using namespace nwgpu::capi;

namespace {

// A cache line, and any vector register.
constexpr std::align_val_t alignment{64};

} // namespace

nwgpu_status nwgpu_sequences_create(nwgpu_context * context, uint8_t const * bytes, uint64_t const * offsets,
                                    uint64_t count, nwgpu_sequences ** sequences, nwgpu_error * error)
{
    return guard(error, [&] {
        require(context, "context");
        require(offsets, "offsets");
        require(sequences, "sequences");
        uint64_t const * const end = offsets + count + 1;
        require_that(std::is_sorted(offsets, end), "offsets go down");
        // The offsets may be a part of a longer array, so the first need not be 0.
        uint64_t const first = offsets[0];
        uint64_t const length = offsets[count] - first;
        require_that(bytes || length == 0, "bytes is NULL");

        auto result = std::make_unique<nwgpu_sequences>();
        constexpr uint64_t margin = nwgpu_sequences::margin;
        result->bytes = std::make_unique_for_overwrite<uint8_t[]>(length + 2 * margin);
        uint8_t * const copy = result->bytes.get() + margin;
        std::fill_n(copy - margin, margin, uint8_t{0});
        if (length > 0)
            std::copy_n(bytes + first, length, copy);
        std::fill_n(copy + length, margin, uint8_t{0});
        result->offsets.resize(count + 1);
        std::transform(offsets, end, result->offsets.begin(), [first](uint64_t offset) { return offset - first; });
        *sequences = result.release();
    });
}

uint64_t nwgpu_sequences_count(nwgpu_sequences const * sequences) { return sequences->raw().count(); }

void nwgpu_sequences_destroy(nwgpu_sequences * sequences) { delete sequences; }

nwgpu_status nwgpu_host_alloc(nwgpu_context * context, size_t bytes, void ** memory, nwgpu_error * error)
{
    return guard(error, [&] {
        require(context, "context");
        require(memory, "memory");
        void * const block = ::operator new(bytes, alignment, std::nothrow);
        if (!block)
            throw std::bad_alloc{};
        *memory = block;
    });
}

void nwgpu_host_free(nwgpu_context *, void * memory) { ::operator delete(memory, alignment); }
