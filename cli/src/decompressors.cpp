// SPDX-License-Identifier: BSD-3-Clause
// Streams that follow each other in one file are one text, as the tools of these formats have it.
#include "decompressors.hpp"

#include "failure.hpp"

#include <algorithm>
#include <climits>
#include <new>
#include <string_view>
#include <vector>

#ifdef NWGPU_BZIP2
#include <bzlib.h>
#endif
#ifdef NWGPU_IGZIP
#include <dlfcn.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#endif
#ifdef NWGPU_XZ
#include <lzma.h>
#endif
#ifdef NWGPU_ZSTD
#include <zstd.h>
#endif

namespace cli {

namespace {

// The file as it lies on disk, a piece at a time.
class Packed {
public:
    Packed(std::string const & path, hFILE * bytes) : path_(path), bytes_(bytes), buffer_(std::size_t{1} << 17) {}

    // The next piece, empty at the end.
    std::string_view next()
    {
        errno = 0;
        ssize_t const got = hread(bytes_.get(), buffer_.data(), buffer_.size());
        if (got < 0)
            throw system_failure(path_);
        position_ += static_cast<std::size_t>(got);
        return {buffer_.data(), static_cast<std::size_t>(got)};
    }
    std::size_t position() const { return position_; }

private:
    struct Close {
        void operator()(hFILE * bytes) const { hclose_abruptly(bytes); }
    };
    std::string const path_;
    std::unique_ptr<hFILE, Close> bytes_;
    std::vector<char> buffer_;
    std::size_t position_ = 0;
};

// Decoder: decode(piece, to, size) takes bytes off the front of the piece and returns how many it made; complete()
// says whether what came before is a whole stream.
template <typename Decoder>
class DecodedSource : public ByteSource {
public:
    DecodedSource(std::string const & path, hFILE * bytes) : packed_(path, bytes) {}

    std::size_t read(char * to, std::size_t size) override
    {
        for (;;) {
            if (piece_.empty() && !ended_) {
                piece_ = packed_.next();
                ended_ = piece_.empty();
            }
            if (std::size_t const made = decoder_.decode(piece_, to, size); made > 0)
                return made;
            if (!ended_ || !piece_.empty())
                continue;
            if (!decoder_.complete())
                throw DamagedFile{};
            return 0;
        }
    }

    std::size_t position() const override { return packed_.position() - piece_.size(); }

private:
    Packed packed_;
    Decoder decoder_;
    std::string_view piece_;
    bool ended_ = false;
};

[[maybe_unused]] [[noreturn]] void fail(bool memory)
{
    if (memory)
        throw std::bad_alloc();
    throw DamagedFile{};
}

#ifdef NWGPU_BZIP2
class Bzip2 {
public:
    Bzip2() { begin(); }
    ~Bzip2() { BZ2_bzDecompressEnd(&stream_); }
    Bzip2(Bzip2 const &) = delete;
    Bzip2 & operator=(Bzip2 const &) = delete;

    std::size_t decode(std::string_view & piece, char * to, std::size_t size)
    {
        if (complete_ && piece.empty())
            return 0;
        if (complete_) { // another stream
            BZ2_bzDecompressEnd(&stream_);
            begin();
        }
        stream_.next_in = const_cast<char *>(piece.data()); // it is not written to
        stream_.avail_in = static_cast<unsigned>(piece.size());
        stream_.next_out = to;
        unsigned const room = static_cast<unsigned>(std::min<std::size_t>(size, UINT_MAX));
        stream_.avail_out = room;
        int const status = BZ2_bzDecompress(&stream_);
        if (status != BZ_OK && status != BZ_STREAM_END)
            fail(status == BZ_MEM_ERROR);
        complete_ = status == BZ_STREAM_END;
        piece.remove_prefix(piece.size() - stream_.avail_in);
        return room - stream_.avail_out;
    }
    bool complete() const { return complete_; }

private:
    void begin()
    {
        stream_ = {};
        complete_ = false;
        if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK)
            throw std::bad_alloc();
    }

    bz_stream stream_{};
    bool complete_ = false;
};
#endif

#ifdef NWGPU_IGZIP
// The functions of isa-l, which is loaded when gzip is read for the first time; htslib reads gzip as well.
class Isal {
public:
    // Null where this system does not have it.
    static Isal const * loaded()
    {
        static Isal const isal;
        return isal.inflate != nullptr ? &isal : nullptr;
    }

    decltype(&isal_inflate_init) inflate_init = nullptr;
    decltype(&isal_gzip_header_init) gzip_header_init = nullptr;
    decltype(&isal_read_gzip_header) read_gzip_header = nullptr;
    decltype(&crc32_gzip_refl) crc32 = nullptr;
    decltype(&isal_inflate) inflate = nullptr; // found last

private:
    Isal()
    {
        void * const library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL); // stays loaded
        if (library == nullptr)
            return;
        if (find(library, "isal_inflate_init", inflate_init) &&
            find(library, "isal_gzip_header_init", gzip_header_init) &&
            find(library, "isal_read_gzip_header", read_gzip_header) && find(library, "crc32_gzip_refl", crc32))
            find(library, "isal_inflate", inflate);
    }

    template <typename Function>
    static bool find(void * library, char const * name, Function & function)
    {
        function = reinterpret_cast<Function>(dlsym(library, name));
        return function != nullptr;
    }
};

class Gzip {
public:
    Gzip() { begin(); }

    std::size_t decode(std::string_view & piece, char * to, std::size_t size)
    {
        if (complete_) { // another stream, or zeros that fill a block
            piece.remove_prefix(std::min(piece.find_first_not_of('\0'), piece.size()));
            if (piece.empty())
                return 0;
            begin();
        }
        // The decoder is not const-correct: it does not write to its input.
        state_.next_in = reinterpret_cast<std::uint8_t *>(const_cast<char *>(piece.data()));
        state_.avail_in = static_cast<std::uint32_t>(piece.size());
        state_.next_out = reinterpret_cast<std::uint8_t *>(to);
        auto const room = static_cast<std::uint32_t>(std::min<std::size_t>(size, UINT_MAX));
        state_.avail_out = room;
        // Apart, because isal_inflate() forgets a header that the piece cuts.
        int status = in_header_ ? isal_.read_gzip_header(&state_, &header_) : ISAL_DECOMP_OK;
        in_header_ = in_header_ && status != ISAL_DECOMP_OK;
        if (!in_header_)
            status = isal_.inflate(&state_);
        if (status < 0)
            fail(false);
        complete_ = !in_header_ && state_.block_state == ISAL_BLOCK_FINISH;
        piece.remove_prefix(piece.size() - state_.avail_in);
        return room - state_.avail_out;
    }
    bool complete() const { return complete_; }

private:
    void begin()
    {
        isal_.inflate_init(&state_);
        isal_.gzip_header_init(&header_);
        state_.crc_flag = ISAL_GZIP_NO_HDR_VER;
        in_header_ = true;
        complete_ = false;
    }

    Isal const & isal_ = *Isal::loaded();
    inflate_state state_;
    isal_gzip_header header_;
    bool in_header_ = true, complete_ = false;
};
#endif

#ifdef NWGPU_XZ
class Xz {
public:
    Xz()
    {
        if (lzma_stream_decoder(&stream_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
            throw std::bad_alloc();
    }
    ~Xz() { lzma_end(&stream_); }
    Xz(Xz const &) = delete;
    Xz & operator=(Xz const &) = delete;

    // Without more input the decoder is told that this was all.
    std::size_t decode(std::string_view & piece, char * to, std::size_t size)
    {
        if (complete_)
            return 0;
        stream_.next_in = reinterpret_cast<std::uint8_t const *>(piece.data());
        stream_.avail_in = piece.size();
        stream_.next_out = reinterpret_cast<std::uint8_t *>(to);
        stream_.avail_out = size;
        lzma_ret const status = lzma_code(&stream_, piece.empty() ? LZMA_FINISH : LZMA_RUN);
        if (status != LZMA_OK && status != LZMA_STREAM_END)
            fail(status == LZMA_MEM_ERROR);
        complete_ = status == LZMA_STREAM_END;
        piece.remove_prefix(piece.size() - stream_.avail_in);
        return size - stream_.avail_out;
    }
    bool complete() const { return complete_; }

private:
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool complete_ = false;
};
#endif

#ifdef NWGPU_ZSTD
class Zstd {
public:
    Zstd() : stream_(ZSTD_createDStream())
    {
        if (stream_ == nullptr)
            throw std::bad_alloc();
        // As much memory as the file asks for (--long), as with the other formats.
        ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    }
    ~Zstd() { ZSTD_freeDStream(stream_); }
    Zstd(Zstd const &) = delete;
    Zstd & operator=(Zstd const &) = delete;

    std::size_t decode(std::string_view & piece, char * to, std::size_t size)
    {
        ZSTD_inBuffer in{piece.data(), piece.size(), 0};
        ZSTD_outBuffer out{to, size, 0};
        if (piece.empty() && complete_)
            return 0;
        std::size_t const status = ZSTD_decompressStream(stream_, &out, &in);
        if (ZSTD_isError(status) != 0)
            fail(false);
        complete_ = status == 0; // a frame is at its end
        piece.remove_prefix(in.pos);
        return out.pos;
    }
    bool complete() const { return complete_; }

private:
    ZSTD_DStream * const stream_;
    bool complete_ = false;
};
#endif

} // namespace

#ifdef NWGPU_BZIP2
std::unique_ptr<ByteSource> make_bzip2_source(std::string const & path, hFILE * bytes)
{
    return std::make_unique<DecodedSource<Bzip2>>(path, bytes);
}
#endif

#ifdef NWGPU_XZ
std::unique_ptr<ByteSource> make_xz_source(std::string const & path, hFILE * bytes)
{
    return std::make_unique<DecodedSource<Xz>>(path, bytes);
}
#endif

#ifdef NWGPU_ZSTD
std::unique_ptr<ByteSource> make_zstd_source(std::string const & path, hFILE * bytes)
{
    return std::make_unique<DecodedSource<Zstd>>(path, bytes);
}
#endif

std::unique_ptr<ByteSource> make_gzip_source([[maybe_unused]] std::string const & path, [[maybe_unused]] hFILE * bytes)
{
#ifdef NWGPU_IGZIP
    if (Isal::loaded() != nullptr)
        return std::make_unique<DecodedSource<Gzip>>(path, bytes);
#endif
    return nullptr;
}

Crc32 * find_crc32()
{
#ifdef NWGPU_IGZIP
    if (Isal const * const isal = Isal::loaded())
        return isal->crc32;
#endif
    return nullptr;
}

} // namespace cli
