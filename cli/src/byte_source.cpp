// SPDX-License-Identifier: BSD-3-Clause
// Plain and bgzf files, and gzip where nothing faster is there, through htslib; which of the other formats a file
// has; decompression beside parsing.
#include "byte_source.hpp"

#include "background.hpp"
#include "decompressors.hpp"
#include "failure.hpp"
#include "gzip/parallel_gzip.hpp"

#include <htslib/bgzf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace cli {

namespace {

class PlainSource : public ByteSource {
public:
    PlainSource(std::string const & path, hFILE * bytes) : path_(path), file_(bytes) {}

    std::size_t read(char * to, std::size_t size) override
    {
        errno = 0;
        ssize_t const got = hread(file_.get(), to, size);
        if (got < 0)
            throw system_failure(path_);
        return static_cast<std::size_t>(got);
    }
    std::size_t position() const override { return static_cast<std::size_t>(htell(file_.get())); }

private:
    struct Close {
        void operator()(hFILE * file) const { hclose_abruptly(file); }
    };
    std::string const path_;
    std::unique_ptr<hFILE, Close> file_;
};

// Decompresses some blocks ahead, in a thread of its own, which has to wait for nothing: all else waits for it.
class SourceAhead : public ByteSource {
public:
    explicit SourceAhead(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

    std::size_t read(char * to, std::size_t size) override
    {
        if (taken_ == block_.size) {
            std::optional<Block> block = ahead_.next();
            taken_ = 0;
            if (block) {
                give_back(std::move(block_.bytes));
                block_ = std::move(*block);
            } else {
                block_.size = 0;
            }
        }
        std::size_t const count = std::min(size, block_.size - taken_);
        std::copy_n(block_.bytes.get() + taken_, count, to);
        taken_ += count;
        return count;
    }
    std::size_t position() const override { return block_.position; }

private:
    static constexpr std::size_t block_size = std::size_t{1} << 18, blocks_ahead = 8;

    struct Block {
        std::unique_ptr<char[]> bytes;
        std::size_t size = 0;
        std::size_t position = 0; // of the file, behind it
    };

    std::optional<Block> read_block()
    {
        Block block{take_unused()};
        block.size = source_->read(block.bytes.get(), block_size);
        block.position = source_->position();
        return block.size > 0 ? std::optional(std::move(block)) : std::nullopt;
    }

    // Memory is used again: new pages take as long as the bytes.
    std::unique_ptr<char[]> take_unused()
    {
        std::lock_guard const lock(mutex_);
        if (unused_.empty())
            return std::make_unique_for_overwrite<char[]>(block_size);
        std::unique_ptr<char[]> bytes = std::move(unused_.back());
        unused_.pop_back();
        return bytes;
    }

    void give_back(std::unique_ptr<char[]> bytes)
    {
        std::lock_guard const lock(mutex_);
        if (bytes)
            unused_.push_back(std::move(bytes));
    }

    std::unique_ptr<ByteSource> const source_;
    Block block_;
    std::size_t taken_ = 0; // of it
    std::mutex mutex_;      // of what follows
    std::vector<std::unique_ptr<char[]>> unused_;
    // Last, because its thread uses the others.
    ReadAhead<Block> ahead_{[this] { return read_block(); }, blocks_ahead};
};

class BgzfSource : public ByteSource {
public:
    BgzfSource(std::string const & path, hFILE * bytes) : path_(path), file_(bgzf_hopen(bytes, "r"))
    {
        if (file_ && is_bgzf() && has_end(path) && bgzf_mt(file_.get(), bgzf_threads, 1) != 0)
            throw std::bad_alloc();
        if (file_)
            return;
        int const error = errno;
        hclose_abruptly(bytes);
        throw system_failure(path_, error);
    }

    std::size_t read(char * to, std::size_t size) override
    {
        errno = 0;
        ssize_t const got = bgzf_read(file_.get(), to, size);
        if (got < 0 && !file_->is_compressed)
            throw system_failure(path_);
        // Threads that are ahead may take damage for the end.
        if (got < 0 || (got == 0 && file_->errcode != 0))
            throw DamagedFile{};
        // A bgzf file ends with an empty block; without it the file lost its end.
        if (got == 0 && is_bgzf() && file_->no_eof_block)
            throw Failure(text(path_, ": truncated file: the bgzf end-of-file block is missing"));
        return static_cast<std::size_t>(got);
    }

    // Of bgzf, the block's that is read: threads are ahead.
    std::size_t position() const override
    {
        return static_cast<std::size_t>(is_bgzf() ? bgzf_tell(file_.get()) >> 16 : htell(file_->fp));
    }

private:
    static constexpr int bgzf_threads = 4; // inflate about as fast as records can be cut apart

    bool is_bgzf() const { return file_->is_compressed && !file_->is_gzip; }

    struct Close {
        void operator()(BGZF * file) const { bgzf_close(file); }
    };
    std::string const path_;
    std::unique_ptr<BGZF, Close> file_;
};

struct Format {
    std::string_view begin; // of a file
    char const *name, *library;
    MakeByteSource * make; // null where the build lacks the library
};
constexpr std::size_t longest_begin = 14; // up to the name of the first extra field of gzip
constexpr std::array<Format, 3> formats{{{"BZh", "bzip2", "libbz2", make_bzip2_source},
                                         {{"\xfd\x37zXZ\0", 6}, "xz", "liblzma", make_xz_source},
                                         {"\x28\xb5\x2f\xfd", "zstd", "libzstd", make_zstd_source}}};

// And not bgzf, which says so in an extra field.
bool is_plain_gzip(std::string_view begin)
{
    constexpr char extra_field = 4;
    bool const bgzf = begin.size() == longest_begin && (begin[3] & extra_field) != 0 && begin.ends_with("BC");
    return begin.starts_with("\x1f\x8b\x08") && begin.size() > 3 && !bgzf;
}

// Beside those that parse and align.  It takes three to be clearly faster than isa-l's one.
std::size_t inflating_threads()
{
    unsigned const processors = std::thread::hardware_concurrency();
    return processors < 6 ? 0 : std::clamp(processors / 4, 3u, 6u);
}

// Null where one thread inflates a file as well, or nothing of ours can.
std::unique_ptr<ByteSource> make_parallel_gzip_source(std::string const & path)
{
    constexpr std::size_t least_bytes = 4 * ParallelGzip::usual_stretch;
    std::size_t const threads = std::endian::native == std::endian::little ? inflating_threads() : 0;
    Crc32 * const crc = threads > 0 ? find_crc32() : nullptr;
    std::error_code unknown;
    std::uintmax_t const size = std::filesystem::file_size(path, unknown);
    if (crc == nullptr || unknown || size < least_bytes)
        return nullptr;
    return std::make_unique<ParallelGzip>(path, threads, crc);
}

} // namespace

hFILE * open_bytes(std::string const & path)
{
    errno = 0;
    hFILE * const bytes = hopen(path.c_str(), "r");
    if (bytes == nullptr)
        throw system_failure(path);
    return bytes;
}

bool has_end(std::string const & path)
{
    std::error_code unknown;
    return path != "-" && std::filesystem::is_regular_file(path, unknown);
}

std::string readable_kinds()
{
    std::string kinds = "plain, gzip, bgzf";
    for (Format const & format : formats)
        if (format.make != nullptr)
            kinds += text(", ", format.name);
    return kinds;
}

std::unique_ptr<ByteSource> make_byte_source(std::string const & path, hFILE * bytes)
{
    std::array<char, longest_begin> first{};
    ssize_t const got = hpeek(bytes, first.data(), first.size());
    std::string_view const begin(first.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
    for (Format const & format : formats)
        if (begin.starts_with(format.begin)) {
            if (format.make != nullptr)
                return format.make(path, bytes);
            hclose_abruptly(bytes);
            throw Failure(text(path, ": compressed with ", format.name,
                               ", which this build cannot read (it was made without ", format.library,
                               "); decompress the file first"));
        }
    if (!begin.starts_with("\x1f\x8b"))
        return std::make_unique<PlainSource>(path, bytes);
    if (is_plain_gzip(begin)) {
        bool const ends = has_end(path);
        std::unique_ptr<ByteSource> source;
        try {
            source = ends ? make_parallel_gzip_source(path) : nullptr;
        } catch (...) {
            hclose_abruptly(bytes);
            throw;
        }
        if (source)
            hclose_abruptly(bytes);
        else
            source = make_gzip_source(path, bytes);
        if (source)
            return ends ? std::make_unique<SourceAhead>(std::move(source)) : std::move(source);
    }
    return std::make_unique<BgzfSource>(path, bytes);
}

} // namespace cli
