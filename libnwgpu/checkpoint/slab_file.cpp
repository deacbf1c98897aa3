// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint/slab_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <type_traits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fingerprint.hpp"

namespace nwgpu::checkpoint {

static_assert(std::has_unique_object_representations_v<SlabHeader>, "no padding, whose bytes would be anything");
static_assert(std::is_trivially_copyable_v<SlabHeader> && std::is_standard_layout_v<SlabHeader>);

char const * const remedy_for_damage = "remove this file and those with higher numbers, and resume from what is left";

namespace {

constexpr std::size_t piece_bytes = 16 << 20;

class File {
public:
    File(std::string const & path, int flags) : path_{path}, number_{open(path.c_str(), flags | O_CLOEXEC, 0644)}
    {
        if (number_ < 0)
            throw system_call_error(path_);
    }
    ~File() { close(number_); }
    File(File const &) = delete;

    std::uint64_t size() const
    {
        struct stat status {};
        if (fstat(number_, &status) != 0)
            throw system_call_error(path_);
        return static_cast<std::uint64_t>(status.st_size);
    }
    void write(std::span<std::byte const> bytes, Between const & between) const
    {
        transfer(
            bytes, [&](auto piece) { return ::write(number_, piece.data(), piece.size()); }, between);
    }
    void read(std::span<std::byte> bytes, Between const & between) const
    {
        transfer(
            bytes, [&](auto piece) { return ::read(number_, piece.data(), piece.size()); }, between);
    }
    void flush() const
    {
        if (fsync(number_) != 0)
            throw system_call_error(path_);
    }

private:
    template <class Bytes, class Step>
    void transfer(Bytes bytes, Step const & step, Between const & between) const
    {
        while (!bytes.empty()) {
            between();
            ssize_t const done = step(bytes.first(std::min(bytes.size(), piece_bytes)));
            if (done < 0 && errno == EINTR)
                continue;
            if (done < 0)
                throw system_call_error(path_);
            if (done == 0)
                throw file_error(path_, std::string{"the file is cut short: "} + remedy_for_damage);
            bytes = bytes.subspan(static_cast<std::size_t>(done));
        }
    }

    std::string const path_;
    int number_;
};

std::uint64_t fingerprint_of(Slab const & slab)
{
    Fingerprint sum;
    for (auto const * part : {&slab.bottom, &slab.row_cuts, &slab.col_cuts})
        sum.add(*part);
    return sum.value();
}

std::uint64_t fingerprint_of(SlabHeader const & header)
{
    return fingerprint(std::as_bytes(std::span{&header, 1}).first(offsetof(SlabHeader, header)));
}

Error damaged(std::string const & file, char const * what)
{
    return file_error(file, std::string{"the checkpoint is damaged: "} + what + ": " + remedy_for_damage);
}

SlabHeader read_header(File const & in, std::string const & file)
{
    // What comes first says what the rest is.
    SlabHeader header;
    std::span const bytes = std::as_writable_bytes(std::span{&header, 1});
    std::size_t const first = offsetof(SlabHeader, identity);
    in.read(bytes.first(first), [] {});
    if (std::memcmp(header.magic, SlabHeader{}.magic, sizeof header.magic) != 0)
        throw file_error(file, "not a file of a checkpoint: remove it, or choose another folder");
    if (header.version != SlabHeader{}.version)
        throw file_error(file, "a checkpoint of format " + std::to_string(header.version) + ", not " +
                                   std::to_string(SlabHeader{}.version) +
                                   ": resume it with the version of nwgpu that began it, or choose another folder");
    in.read(bytes.subspan(first), [] {});
    if (header.header != fingerprint_of(header))
        throw damaged(file, "its header has changed");
    return header;
}

} // namespace

Error file_error(std::string const & file, std::string const & why)
{
    return Error{Status::checkpoint, file + ": " + why};
}

Error system_call_error(std::string const & file) { return file_error(file, std::strerror(errno)); }

SlabHeader read_slab_header(std::string const & file)
{
    File const in{file, O_RDONLY};
    SlabHeader const header = read_header(in, file);
    std::uint64_t rest = in.size() - sizeof header;
    for (std::uint64_t const part : {header.sizes.bottom, header.sizes.row_cuts, header.sizes.col_cuts}) {
        if (part > rest)
            throw damaged(file, "the file is cut short");
        rest -= part;
    }
    if (rest > 0)
        throw damaged(file, "something was written behind its end");
    return header;
}

Slab read_slab(std::string const & file, SlabHeader const & header, Between const & between)
{
    File const in{file, O_RDONLY};
    SlabHeader const now = read_header(in, file);
    if (std::memcmp(&now, &header, sizeof now) != 0)
        throw file_error(file, "another program has replaced the file: let one run at a time use this checkpoint");
    Slab slab;
    slab.shape = header.shape;
    slab.bottom.resize(header.sizes.bottom);
    slab.row_cuts.resize(header.sizes.row_cuts);
    slab.col_cuts.resize(header.sizes.col_cuts);
    for (auto * part : {&slab.bottom, &slab.row_cuts, &slab.col_cuts})
        in.read(*part, between);
    if (header.content != fingerprint_of(slab))
        throw damaged(file, "its content has changed");
    return slab;
}

SlabHeader write_slab(std::string const & file, SlabHeader header, Slab const & slab, bool durable,
                      Between const & between)
{
    header.shape = slab.shape;
    header.sizes = slab.sizes();
    header.content = fingerprint_of(slab);
    header.header = fingerprint_of(header);
    std::string const unfinished = file + ".part";
    try {
        File const out{unfinished, O_WRONLY | O_CREAT | O_TRUNC};
        out.write(std::as_bytes(std::span{&header, 1}), between);
        for (auto const * part : {&slab.bottom, &slab.row_cuts, &slab.col_cuts})
            out.write(*part, between);
        if (durable)
            out.flush();
        if (std::rename(unfinished.c_str(), file.c_str()) != 0)
            throw system_call_error(file);
    } catch (...) {
        std::remove(unfinished.c_str());
        throw;
    }
    return header;
}

} // namespace nwgpu::checkpoint
