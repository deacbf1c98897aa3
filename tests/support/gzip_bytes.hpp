// SPDX-License-Identifier: BSD-3-Clause
// What the command's reader of gzip files makes of bytes.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gzip/parallel_gzip.hpp"
#include "support/memory_file.hpp"

namespace nwgpu::test {

struct Inflated {
    std::string bytes;
    bool damaged = false;
};

inline std::uint32_t crc_by_zlib(std::uint32_t before, unsigned char const * bytes, std::uint64_t size)
{
    return static_cast<std::uint32_t>(crc32(before, bytes, static_cast<uInt>(size)));
}

inline Inflated inflate_all(std::string const & packed, std::size_t threads, std::size_t stretch, std::size_t at_once)
{
    MemoryFile const file(packed);
    cli::ParallelGzip source(file.path(), threads, crc_by_zlib, stretch);
    Inflated all;
    std::vector<char> some(at_once);
    try {
        while (std::size_t const count = source.read(some.data(), some.size()))
            all.bytes.append(some.data(), count);
    } catch (cli::DamagedFile) {
        all.damaged = true;
    }
    return all;
}

} // namespace nwgpu::test
