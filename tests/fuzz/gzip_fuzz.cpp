// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a stream of deflate: what zlib makes of them, in stretches so short that most blocks reach over several.
#include <zlib.h>

#include <string>

#include "fuzz/bytes.hpp"
#include "support/gzip_bytes.hpp"

using nwgpu::fuzz::demand;

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

struct Stream {
    std::string bytes;
    std::size_t size = 0; // of the stream, where it is whole
    bool whole = false;
};

Stream by_zlib(std::uint8_t const * data, std::size_t size)
{
    Stream stream{std::string(most_bytes, '\0')};
    z_stream state{};
    constexpr int raw = -15;
    demand(inflateInit2(&state, raw) == Z_OK, "zlib");
    state.next_in = const_cast<Bytef *>(data);
    state.avail_in = static_cast<uInt>(size);
    state.next_out = reinterpret_cast<Bytef *>(stream.bytes.data());
    state.avail_out = static_cast<uInt>(most_bytes);
    stream.whole = inflate(&state, Z_SYNC_FLUSH) == Z_STREAM_END;
    stream.size = state.total_in;
    stream.bytes.resize(state.total_out);
    inflateEnd(&state);
    return stream;
}

void append(std::string & bytes, std::uint32_t number)
{
    for (int i = 0; i < 4; ++i)
        bytes += static_cast<char>(number >> (8 * i));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const * data, std::size_t size)
{
    Stream const stream = by_zlib(data, size);
    if (stream.bytes.size() == most_bytes)
        return 0;
    std::string file{"\x1f\x8b\x08\0\0\0\0\0\0\xff", 10};
    file.append(reinterpret_cast<char const *>(data), stream.whole ? stream.size : size);
    if (stream.whole) {
        append(file, nwgpu::test::crc_by_zlib(0, reinterpret_cast<unsigned char const *>(stream.bytes.data()),
                                              stream.bytes.size()));
        append(file, static_cast<std::uint32_t>(stream.bytes.size()));
    }
    constexpr std::size_t stretch = 700, at_once = 500;
    auto const [bytes, damaged] = nwgpu::test::inflate_all(file, 1, stretch, at_once);
    demand(damaged != stream.whole, "a stream is damaged where zlib says so");
    demand(damaged ? stream.bytes.compare(0, bytes.size(), bytes) == 0 : stream.bytes == bytes, "the bytes of zlib");
    return 0;
}
