// SPDX-License-Identifier: BSD-3-Clause
// The struct_size rule of nwgpu.h, and the option structs turned into the library's own types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

#include "align/aligner.hpp"
#include "guard.hpp"
#include "nwgpu/nwgpu_experimental.h"

namespace nwgpu::capi {

// The size that each struct has in ABI 1: numbers, which stay when fields are appended.
template <typename Struct>
constexpr std::uint32_t least_size = 0;
template <>
inline constexpr std::uint32_t least_size<nwgpu_context_options> = 64;
template <>
inline constexpr std::uint32_t least_size<nwgpu_communicator> = 56;
template <>
inline constexpr std::uint32_t least_size<nwgpu_scoring> = 40;
template <>
inline constexpr std::uint32_t least_size<nwgpu_band> = 24;
template <>
inline constexpr std::uint32_t least_size<nwgpu_checkpoint> = 24;
template <>
inline constexpr std::uint32_t least_size<nwgpu_top> = 16;
template <>
inline constexpr std::uint32_t least_size<nwgpu_best> = 16;
template <>
inline constexpr std::uint32_t least_size<nwgpu_control> = 32;
template <>
inline constexpr std::uint32_t least_size<nwgpu_align_options> = 64;
template <>
inline constexpr std::uint32_t least_size<nwgpu_estimate> = 560;
template <>
inline constexpr std::uint32_t least_size<nwgpu_device_info> = 256;
template <>
inline constexpr std::uint32_t least_size<nwgpu_matrix_info> = 16;
template <>
inline constexpr std::uint32_t least_size<nwgpu_algorithm_info> = 72;

// Larger than any struct that will be published.
constexpr std::uint32_t most_size = 4096;

// All of them hold pointers or wider numbers, so no sizeof ends within a pointer.
template <typename Struct>
void check_struct_size(Struct const & given, char const * name)
{
    static_assert(least_size<Struct> > 0 && least_size<Struct> <= sizeof(Struct));
    if (given.struct_size < least_size<Struct> || given.struct_size > most_size ||
        given.struct_size % alignof(void *) != 0)
        throw Error{Status::invalid_argument, std::string{name} + ".struct_size is " +
                                                  std::to_string(given.struct_size) + ", not the size of the struct"};
}

// Reads a struct of a caller that was compiled against an older or newer header.
template <typename Struct>
Struct read_struct(Struct const & given, char const * name)
{
    check_struct_size(given, name);
    auto const * const bytes = reinterpret_cast<unsigned char const *>(&given);
    if (std::any_of(bytes + std::min<std::size_t>(sizeof(Struct), given.struct_size), bytes + given.struct_size,
                    [](unsigned char byte) { return byte != 0; }))
        throw Error{Status::unsupported, std::string{name} + " sets an option that this version does not know"};
    Struct result{};
    std::memcpy(&result, bytes, std::min<std::size_t>(sizeof(Struct), given.struct_size));
    return result;
}

// Writes as much of `result` as the caller's struct holds, and zero into fields that only the caller knows.  Its
// struct_size was checked before.
template <typename Struct>
void write_struct(Struct & given, Struct result)
{
    std::uint32_t const size = given.struct_size;
    result.struct_size = size;
    auto * const bytes = reinterpret_cast<unsigned char *>(&given);
    std::memset(bytes, 0, size);
    std::memcpy(bytes, &result, std::min<std::size_t>(sizeof(Struct), size));
}

AlignerOptions to_aligner_options(nwgpu_context_options const * options);
Scoring to_scoring(nwgpu_scoring const & scoring);
// Whether to_scoring() would give this again, with a matrix; false where that is quickly seen by making it.
bool is_same(Scoring const & known, nwgpu_scoring const & scoring);

struct AlignOptions {
    Request request;
    std::optional<Best> best;
    Pairing pairing = Pairing::zip;
    nwgpu_control const * control = nullptr; // the caller's
};
AlignOptions to_align_options(nwgpu_align_options const * options);

// Throws Error invalid_argument for a number that is no NWGPU_BACKEND_*.
BackendKind to_backend(std::int32_t backend);

// Copies `text` by the snprintf rule of nwgpu.h.
std::uint64_t copy_text(std::string const & text, char * buffer, std::uint64_t size);

} // namespace nwgpu::capi
