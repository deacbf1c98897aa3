// SPDX-License-Identifier: BSD-3-Clause
// One source of bytes for each compression whose library the build has; the others are null.
#pragma once

#include "byte_source.hpp"

#include <cstdint>

namespace cli {

using MakeByteSource = std::unique_ptr<ByteSource>(std::string const & path, hFILE * bytes);

#ifdef NWGPU_BZIP2
MakeByteSource make_bzip2_source;
#else
inline constexpr MakeByteSource * make_bzip2_source = nullptr;
#endif
#ifdef NWGPU_XZ
MakeByteSource make_xz_source;
#else
inline constexpr MakeByteSource * make_xz_source = nullptr;
#endif
#ifdef NWGPU_ZSTD
MakeByteSource make_zstd_source;
#else
inline constexpr MakeByteSource * make_zstd_source = nullptr;
#endif

// Plain gzip, faster than htslib reads it; makes nothing, and does not take over the file, where the build or the
// system lacks what does.
MakeByteSource make_gzip_source;
// Continues the check of a gzip file over more bytes; null where the build or the system lacks isa-l.
using Crc32 = std::uint32_t(std::uint32_t before, unsigned char const * bytes, std::uint64_t size);
Crc32 * find_crc32();

} // namespace cli
