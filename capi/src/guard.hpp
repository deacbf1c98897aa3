// SPDX-License-Identifier: BSD-3-Clause
// The border that no exception crosses: every function of nwgpu.h which can fail runs inside guard().
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "base/error.hpp"
#include "nwgpu/nwgpu.h"

namespace nwgpu::capi {

// Fills in as much of *error, if there is one, as the caller's struct holds.
void fill_error(nwgpu_error * error, Status status, char const * message, std::uint64_t pair = no_pair,
                int cuda_code = 0) noexcept;

template <typename Body>
nwgpu_status guard(nwgpu_error * error, Body && body) noexcept
{
    auto const end = [error](Status status, char const * message) {
        fill_error(error, status, message);
        return static_cast<nwgpu_status>(status);
    };
    try {
        body();
        return end(Status::ok, "");
    } catch (Error const & failure) {
        fill_error(error, failure.status, failure.what(), failure.pair, failure.cuda_code);
        return static_cast<nwgpu_status>(failure.status);
    } catch (std::bad_alloc const &) {
        return end(Status::out_of_host_memory, "out of memory");
    } catch (std::length_error const &) {
        return end(Status::too_large, "more elements than this machine can address");
    } catch (std::exception const & failure) {
        return end(Status::internal, failure.what());
    } catch (...) {
        return end(Status::internal, "unknown exception");
    }
}

// Throws Error invalid_argument for a NULL argument.
template <typename T>
T & require(T * argument, char const * name)
{
    if (!argument)
        throw Error{Status::invalid_argument, std::string{name} + " is NULL"};
    return *argument;
}

inline void require_that(bool condition, char const * message)
{
    if (!condition)
        throw Error{Status::invalid_argument, message};
}

// More elements, letters or bytes than this are a mistake of the caller: sums and products of two such numbers'
// bytes still fit 64 bits, and no machine has so much memory.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 48;

// Throws Error too_large, before anything is computed from the number.
inline void require_size(std::uint64_t number, char const * name)
{
    if (number > most_elements)
        throw Error{Status::too_large, std::string{name} + " is " + std::to_string(number) + ", more than 2^48"};
}

} // namespace nwgpu::capi
