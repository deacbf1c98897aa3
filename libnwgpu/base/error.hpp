// SPDX-License-Identifier: BSD-3-Clause
// The one exception of the library.  capi/ turns it into the status of a call; engines catch it where a failure is one
// pair's alone, or where another way is left to try.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace nwgpu {

// Values are those of nwgpu_status in nwgpu.h (a static_assert in capi/ keeps them equal).
enum class Status : std::int32_t {
    ok = 0,
    invalid_argument = 1,
    invalid_sequence = 2,
    unsupported = 3,
    too_large = 4,
    invalid_matrix = 5,
    not_found = 6,
    busy = 7,
    out_of_host_memory = 10,
    out_of_device_memory = 11,
    memory_limit = 12,
    no_device = 20,
    device = 21,
    device_lost = 22,
    cancelled = 30,
    no_trace = 31,
    checkpoint = 32,
    deadline = 33,
    callback = 34,
    communication = 35,
    below_min_score = 40, // of a pair: the answer to Request::min_score
    internal = 99
};

constexpr std::uint64_t no_pair = UINT64_MAX;

class Error : public std::runtime_error {
public:
    Error(Status status, std::string const & message, std::uint64_t pair = no_pair, int cuda_code = 0) :
        std::runtime_error{message}, status{status}, pair{pair}, cuda_code{cuda_code}
    {}

    Status status;
    std::uint64_t pair; // offending pair, or no_pair
    int cuda_code;
};

} // namespace nwgpu
