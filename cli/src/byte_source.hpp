// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file, decompressed: gzip and bgzf always, bzip2, xz and zstd where the build has their libraries.
#pragma once

#include <htslib/hfile.h>

#include <cstddef>
#include <memory>
#include <string>

namespace cli {

// Throws Failure when the file cannot be opened.
hFILE * open_bytes(std::string const & path);
// Whether a file is one that ends, and no pipe: a thread that reads one may wait for ever.
bool has_end(std::string const & path);

// Thrown by read(): a compressed file that ends too early, or whose bytes are not what was compressed.
struct DamagedFile {};

// The kinds of files that this build reads, for people: "plain, gzip, bgzf, xz".
std::string readable_kinds();

class ByteSource {
public:
    virtual ~ByteSource() = default;

    // Up to `size` bytes, at least one; 0 at the end.  Throws DamagedFile, or Failure where the file cannot be read.
    virtual std::size_t read(char * to, std::size_t size) = 0;
    // Bytes of the file, as they lie in it, that are behind.
    virtual std::size_t position() const = 0;
};

// Takes over the open file, whose first bytes say how it is compressed.  Throws Failure when this build cannot read it.
std::unique_ptr<ByteSource> make_byte_source(std::string const & path, hFILE * bytes);

} // namespace cli
