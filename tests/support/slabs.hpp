// SPDX-License-Identifier: BSD-3-Clause
// Files of checkpoints as bytes: for tests that damage them.
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "base/fingerprint.hpp"
#include "checkpoint/slab_file.hpp"

namespace nwgpu::test {

class SlabFile {
public:
    explicit SlabFile(std::string const & name) : name_{name}, bytes_(std::filesystem::file_size(name))
    {
        std::ifstream{name_, std::ios::binary}.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    }
    std::vector<char> & bytes() { return bytes_; }
    // In place: truncated files are flushed to the disk by some file systems, thousands of them for minutes.
    void write() const
    {
        std::fstream{name_, std::ios::binary | std::ios::in | std::ios::out}.write(
            bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
        std::filesystem::resize_file(name_, bytes_.size());
    }

    checkpoint::SlabHeader header() const
    {
        checkpoint::SlabHeader header;
        std::memcpy(static_cast<void *>(&header), bytes_.data(), sizeof header);
        return header;
    }
    std::size_t begin_of_arrays() const { return sizeof(checkpoint::SlabHeader); }
    // Makes the fingerprints right, so that nothing but what the file says can give it away.
    void seal()
    {
        checkpoint::SlabHeader header = this->header();
        std::span<std::byte const> rest = std::as_bytes(std::span{bytes_}).subspan(sizeof header);
        Fingerprint content;
        for (std::uint64_t const size : {header.sizes.bottom, header.sizes.row_cuts, header.sizes.col_cuts}) {
            auto const part = rest.first(std::min<std::uint64_t>(size, rest.size()));
            content.add(part);
            rest = rest.subspan(part.size());
        }
        header.content = content.value();
        header.header =
            fingerprint(std::as_bytes(std::span{&header, 1}).first(offsetof(checkpoint::SlabHeader, header)));
        std::memcpy(bytes_.data(), &header, sizeof header);
    }

private:
    std::string name_;
    std::vector<char> bytes_;
};

} // namespace nwgpu::test
