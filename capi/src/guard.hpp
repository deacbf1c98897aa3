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

// Fills in *error, if there is one of a size that we know.
void fill_error(nwgpu_error * error, Status status, char const * message, std::uint64_t pair = no_pair,
                int cuda_code = 0) noexcept;

template <typename Body>
nwgpu_status guard(nwgpu_error * error, Body && body) noexcept
{
    auto const fail = [error](Status status, char const * message) {
        fill_error(error, status, message);
        return static_cast<nwgpu_status>(status);
    };
    try {
        body();
        return NWGPU_OK;
    } catch (Error const & failure) {
        fill_error(error, failure.status, failure.what(), failure.pair, failure.cuda_code);
        return static_cast<nwgpu_status>(failure.status);
    } catch (std::bad_alloc const &) {
        return fail(Status::out_of_host_memory, "out of memory");
    } catch (std::length_error const &) {
        return fail(Status::too_large, "more elements than this machine can address");
    } catch (std::exception const & failure) {
        return fail(Status::internal, failure.what());
    } catch (...) {
        return fail(Status::internal, "unknown exception");
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

} // namespace nwgpu::capi
