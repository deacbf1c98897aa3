// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint/folder.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"

namespace nwgpu::checkpoint {

namespace {

// A file: this, then bottom, row_cuts, col_cuts.  Numbers as a little-endian machine has them.
struct Header {
    char magic[8] = {'n', 'w', 'g', 'p', 'u', 's', 'l', 'b'};
    std::uint64_t version = 1;
    std::uint64_t identity = 0, number = 0;
    SlabShape shape;
    std::uint64_t bottom = 0, row_cuts = 0, col_cuts = 0; // bytes
    std::uint64_t checksum = 0;                           // of all these bytes
    std::uint64_t header_checksum = 0;                    // of everything before it
};
static_assert(std::has_unique_object_representations_v<Header>, "no padding, whose bytes would be anything");

// For accidents, not for attacks.
class Checksum {
public:
    void add(std::span<std::byte const> bytes)
    {
        for (; bytes.size() >= 32; bytes = bytes.subspan(32))
            for (int k = 0; k < 4; ++k) {
                std::uint64_t word;
                std::memcpy(&word, bytes.data() + 8 * k, 8);
                mix(lane_[k], word);
            }
        for (std::byte const byte : bytes)
            mix(lane_[0], static_cast<std::uint64_t>(byte) + 1);
        mix(lane_[1], bytes.size());
    }
    template <class T>
    void add_value(T const & value)
    {
        add(std::as_bytes(std::span{&value, 1}));
    }
    std::uint64_t value() const
    {
        std::uint64_t all = 0;
        for (std::uint64_t const lane : lane_)
            mix(all, lane);
        return all;
    }

private:
    static void mix(std::uint64_t & sum, std::uint64_t word)
    {
        sum = std::rotl((sum ^ word) * 0x9e3779b97f4a7c15, 29) + 0x165667b19e3779f9;
    }
    std::uint64_t lane_[4] = {1, 2, 3, 4};
};

std::uint64_t checksum_of(Slab const & slab)
{
    Checksum sum;
    for (auto const * part : {&slab.bottom, &slab.row_cuts, &slab.col_cuts})
        sum.add(*part);
    return sum.value();
}

std::uint64_t checksum_of(Header const & header)
{
    Checksum sum;
    sum.add(std::as_bytes(std::span{&header, 1}).first(offsetof(Header, header_checksum)));
    return sum.value();
}

[[noreturn]] void fail(std::string const & file, std::string const & why)
{
    throw Error{Status::checkpoint, file + ": " + why};
}

class File {
public:
    File(std::string path, int flags) : path_{std::move(path)}, number_{open(path_.c_str(), flags | O_CLOEXEC, 0644)}
    {
        if (number_ < 0)
            fail(path_, std::strerror(errno));
    }
    ~File() { close(number_); }
    File(File const &) = delete;

    // `between` is called after each piece.
    template <class Between>
    void write(std::span<std::byte const> bytes, Between const & between) const
    {
        transfer(
            bytes, [&](auto part) { return ::write(number_, part.data(), part.size()); }, between);
    }
    template <class Between>
    void read(std::span<std::byte> bytes, Between const & between) const
    {
        transfer(
            bytes, [&](auto part) { return ::read(number_, part.data(), part.size()); }, between);
    }
    void flush() const
    {
        if (fsync(number_) != 0)
            fail(path_, std::strerror(errno));
    }

private:
    template <class Bytes, class Step, class Between>
    void transfer(Bytes bytes, Step const & step, Between const & between) const
    {
        while (!bytes.empty()) {
            between();
            ssize_t const done = step(bytes.first(std::min<std::size_t>(bytes.size(), 16 << 20)));
            if (done < 0 && errno == EINTR)
                continue;
            if (done <= 0)
                fail(path_, done == 0 ? "the file is cut short" : std::strerror(errno));
            bytes = bytes.subspan(static_cast<std::size_t>(done));
        }
    }

    std::string path_;
    int number_;
};

Header read_header(File const & file, std::string const & name)
{
    Header header;
    file.read(std::as_writable_bytes(std::span{&header, 1}), [] {});
    if (std::memcmp(header.magic, Header{}.magic, sizeof header.magic) != 0 || header.version != Header{}.version)
        fail(name, "not a checkpoint of this version");
    if (header.header_checksum != checksum_of(header))
        fail(name, "the checkpoint is damaged");
    return header;
}

bool is_there(std::string const & path)
{
    struct stat status {};
    return stat(path.c_str(), &status) == 0;
}

} // namespace

std::uint64_t identity(PairView const & pair, Scoring const & scoring, Mode const & mode)
{
    Checksum sum;
    sum.add(std::as_bytes(std::span{pair.query, pair.m}));
    sum.add(std::as_bytes(std::span{pair.target, pair.n}));
    sum.add(std::as_bytes(std::span{scoring.scores()}));
    for (std::int64_t const number :
         {scoring.is_uniform() ? scoring.match() : -1, scoring.is_uniform() ? scoring.mismatch() : -1,
          scoring.gap().open, scoring.gap().extend, std::int64_t{mode.local}, std::int64_t{mode.free_query_begin},
          std::int64_t{mode.free_query_end}, std::int64_t{mode.free_target_begin}, std::int64_t{mode.free_target_end}})
        sum.add_value(number);
    return sum.value();
}

Folder::Folder(std::string path, std::uint64_t identity, bool resume, bool durable) :
    path_{std::move(path)}, identity_{identity}, durable_{durable}
{
    if (mkdir(path_.c_str(), 0755) != 0 && errno != EEXIST)
        fail(path_, std::strerror(errno));
    lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0)
        fail(path_, std::strerror(errno));
    try {
        if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
            fail(path_, "another run uses this checkpoint");
        if (resume)
            read_headers();
        else if (is_there(file(0)))
            fail(path_, "holds a checkpoint already: resume it, or choose another folder");
    } catch (...) {
        close(lock_);
        throw;
    }
}

Folder::~Folder()
{
    if (writing_.valid())
        writing_.wait();
    close(lock_);
}

std::string Folder::file(std::uint64_t k) const
{
    char name[32];
    std::snprintf(name, sizeof name, "/slab-%06llu.nwgpu", static_cast<unsigned long long>(k));
    return path_ + name;
}

void Folder::read_headers()
{
    for (std::uint64_t k = 0; is_there(file(k)); ++k) {
        Header const header = read_header(File{file(k), O_RDONLY}, file(k));
        if (header.identity != identity_)
            fail(file(k), "the checkpoint is of other sequences, or of another scoring or mode");
        if (header.number != k || header.shape.row != rows())
            fail(file(k), "the checkpoint is damaged: this file does not follow the one before");
        shapes_.push_back(header.shape);
    }
}

void Folder::require_tiles() const
{
    if (std::any_of(shapes_.begin(), shapes_.end(), [](SlabShape const & shape) { return shape.tile_rows == 0; }))
        throw Error{Status::checkpoint, "the checkpoint was made for a score alone"};
}

void Folder::save(Slab && slab)
{
    wait();
    std::uint64_t const k = shapes_.size();
    shapes_.push_back(slab.shape);
    writing_ = std::async(std::launch::async, [this, k, slab = std::move(slab)] { write(slab, k); });
}

void Folder::write(Slab const & slab, std::uint64_t k) const
{
    Header header;
    header.identity = identity_;
    header.number = k;
    header.shape = slab.shape;
    header.bottom = slab.bottom.size();
    header.row_cuts = slab.row_cuts.size();
    header.col_cuts = slab.col_cuts.size();
    header.checksum = checksum_of(slab);
    header.header_checksum = checksum_of(header);
    std::string const name = file(k), unfinished = name + ".part";
    {
        File const out{unfinished, O_WRONLY | O_CREAT | O_TRUNC};
        auto const check_stop = [&] {
            if (stop_)
                fail(name, "given up");
        };
        try {
            out.write(std::as_bytes(std::span{&header, 1}), check_stop);
            for (auto const * part : {&slab.bottom, &slab.row_cuts, &slab.col_cuts})
                out.write(*part, check_stop);
            if (durable_)
                out.flush();
        } catch (...) {
            std::remove(unfinished.c_str());
            throw;
        }
    }
    if (std::rename(unfinished.c_str(), name.c_str()) != 0 || (durable_ && fsync(lock_) != 0))
        fail(name, std::strerror(errno));
}

void Folder::wait()
{
    if (!writing_.valid())
        return;
    while (writing_.wait_for(std::chrono::milliseconds{20}) != std::future_status::ready)
        call_while_waiting();
    writing_.get();
}

void Folder::stop_writing()
{
    stop_ = true;
    if (writing_.valid())
        writing_.wait();
}

std::shared_ptr<Slab const> Folder::load(std::uint64_t k)
{
    wait();
    File const in{file(k), O_RDONLY};
    Header const header = read_header(in, file(k));
    Slab slab;
    slab.shape = header.shape;
    slab.bottom.resize(header.bottom);
    slab.row_cuts.resize(header.row_cuts);
    slab.col_cuts.resize(header.col_cuts);
    for (auto * part : {&slab.bottom, &slab.row_cuts, &slab.col_cuts})
        in.read(*part, [this] { call_while_waiting(); });
    if (header.checksum != checksum_of(slab))
        fail(file(k), "the checkpoint is damaged");
    return std::make_shared<Slab const>(std::move(slab));
}

void Folder::clear()
{
    wait();
    remove_files();
}

void Folder::remove_files()
{
    // The last one first: what is left is a checkpoint at any time.
    for (; !shapes_.empty(); shapes_.pop_back())
        std::remove(file(shapes_.size() - 1).c_str());
}

} // namespace nwgpu::checkpoint
