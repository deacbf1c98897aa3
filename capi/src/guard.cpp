// SPDX-License-Identifier: BSD-3-Clause
// Errors as C sees them.
#include "guard.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace nwgpu::capi {

void fill_error(nwgpu_error * error, Status status, char const * message, std::uint64_t pair, int cuda_code) noexcept
{
    if (!error || error->struct_size < sizeof error->struct_size)
        return;
    nwgpu_error full{};
    full.struct_size = error->struct_size;
    full.status = static_cast<nwgpu_status>(status);
    full.pair_index = pair;
    full.cuda_code = cuda_code;
    std::size_t const size = std::min<std::size_t>(error->struct_size, sizeof full);
    constexpr std::size_t begin = offsetof(nwgpu_error, message);
    if (size > begin) { // a program with a shorter message gets the beginning of it
        std::size_t const length = strnlen(message, std::min(size - begin, sizeof full.message) - 1);
        std::memcpy(full.message, message, length);
    }
    std::memcpy(static_cast<void *>(error), &full, size);
}

} // namespace nwgpu::capi

// The numbers of nwgpu.h and base/error.hpp are the same.
using nwgpu::Status;
static_assert(NWGPU_OK == static_cast<int>(Status::ok));
static_assert(NWGPU_BELOW_MIN_SCORE == static_cast<int>(Status::below_min_score));
#define NWGPU_SAME(c_name, name) static_assert(NWGPU_ERROR_##c_name == static_cast<int>(Status::name))
NWGPU_SAME(INVALID_ARGUMENT, invalid_argument);
NWGPU_SAME(INVALID_SEQUENCE, invalid_sequence);
NWGPU_SAME(UNSUPPORTED, unsupported);
NWGPU_SAME(TOO_LARGE, too_large);
NWGPU_SAME(INVALID_MATRIX, invalid_matrix);
NWGPU_SAME(NOT_FOUND, not_found);
NWGPU_SAME(BUSY, busy);
NWGPU_SAME(OUT_OF_HOST_MEMORY, out_of_host_memory);
NWGPU_SAME(OUT_OF_DEVICE_MEMORY, out_of_device_memory);
NWGPU_SAME(MEMORY_LIMIT, memory_limit);
NWGPU_SAME(NO_DEVICE, no_device);
NWGPU_SAME(DEVICE, device);
NWGPU_SAME(DEVICE_LOST, device_lost);
NWGPU_SAME(CANCELLED, cancelled);
NWGPU_SAME(NO_TRACE, no_trace);
NWGPU_SAME(CHECKPOINT, checkpoint);
NWGPU_SAME(DEADLINE, deadline);
NWGPU_SAME(CALLBACK, callback);
NWGPU_SAME(COMMUNICATION, communication);
NWGPU_SAME(INTERNAL, internal);
#undef NWGPU_SAME

char const * nwgpu_status_name(nwgpu_status status)
{
    switch (status) {
#define NWGPU_NAME(name)                                                                                               \
    case name:                                                                                                         \
        return #name
        NWGPU_NAME(NWGPU_OK);
        NWGPU_NAME(NWGPU_ERROR_INVALID_ARGUMENT);
        NWGPU_NAME(NWGPU_ERROR_INVALID_SEQUENCE);
        NWGPU_NAME(NWGPU_ERROR_UNSUPPORTED);
        NWGPU_NAME(NWGPU_ERROR_TOO_LARGE);
        NWGPU_NAME(NWGPU_ERROR_INVALID_MATRIX);
        NWGPU_NAME(NWGPU_ERROR_NOT_FOUND);
        NWGPU_NAME(NWGPU_ERROR_BUSY);
        NWGPU_NAME(NWGPU_ERROR_OUT_OF_HOST_MEMORY);
        NWGPU_NAME(NWGPU_ERROR_OUT_OF_DEVICE_MEMORY);
        NWGPU_NAME(NWGPU_ERROR_MEMORY_LIMIT);
        NWGPU_NAME(NWGPU_ERROR_NO_DEVICE);
        NWGPU_NAME(NWGPU_ERROR_DEVICE);
        NWGPU_NAME(NWGPU_ERROR_DEVICE_LOST);
        NWGPU_NAME(NWGPU_ERROR_CANCELLED);
        NWGPU_NAME(NWGPU_ERROR_NO_TRACE);
        NWGPU_NAME(NWGPU_ERROR_CHECKPOINT);
        NWGPU_NAME(NWGPU_ERROR_DEADLINE);
        NWGPU_NAME(NWGPU_ERROR_CALLBACK);
        NWGPU_NAME(NWGPU_ERROR_COMMUNICATION);
        NWGPU_NAME(NWGPU_BELOW_MIN_SCORE);
        NWGPU_NAME(NWGPU_ERROR_INTERNAL);
#undef NWGPU_NAME
    default:
        return "NWGPU_ERROR_UNKNOWN";
    }
}
