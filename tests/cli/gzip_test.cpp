// SPDX-License-Identifier: BSD-3-Clause
// gzip by several threads: the bytes of zlib, whatever the blocks are like, and no others where a file is damaged.
#include "gzip/parallel_gzip.hpp"
#include "support/gzip_bytes.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using nwgpu::test::Inflated;
using nwgpu::test::MemoryFile;

constexpr std::size_t small_stretch = 4000; // bytes; its thread reads half of it more
constexpr std::size_t threads = 3;

using Bytes = std::string;

Inflated inflate_all(Bytes const & packed, std::size_t stretch)
{
    constexpr std::size_t at_once = 3000;
    return nwgpu::test::inflate_all(packed, threads, stretch, at_once);
}

// A member; flush: how zlib ends its blocks after each 3000 bytes, Z_NO_FLUSH where it may do as it likes.
Bytes packed(Bytes const & bytes, int level, int strategy = Z_DEFAULT_STRATEGY, int flush = Z_NO_FLUSH, int memory = 8)
{
    constexpr int gzip = 16, largest_window = 15;
    constexpr std::size_t until_flush = 3000;
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, gzip + largest_window, memory, strategy), Z_OK);
    Bytes result(bytes.size() + bytes.size() / 8 + 10000, '\0');
    stream.next_out = reinterpret_cast<Bytef *>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    for (std::size_t at = 0; at <= bytes.size(); at += until_flush) {
        stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data() + at));
        stream.avail_in = static_cast<uInt>(std::min(until_flush, bytes.size() - at));
        deflate(&stream, at + until_flush > bytes.size() ? Z_FINISH : flush);
    }
    result.resize(stream.total_out);
    deflateEnd(&stream);
    return result;
}

Bytes fastq(std::mt19937 & random, std::size_t reads)
{
    Bytes text;
    for (std::size_t read = 0; read < reads; ++read) {
        text += "@A00123:45:HXX:1:" + std::to_string(1000 + read / 50) + ":" + std::to_string(random() % 30000) + "\n";
        for (int i = 0; i < 100; ++i)
            text += "ACGT"[random() % 4];
        text += "\n+\n";
        for (int i = 0; i < 100; ++i)
            text += random() % 20 > 0 ? 'F' : ',';
        text += "\n";
    }
    return text;
}

Bytes noise(std::mt19937 & random, std::size_t size)
{
    Bytes bytes(size, '\0');
    for (char & byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

void expect_same(Bytes const & packed, Bytes const & bytes)
{
    for (std::size_t const stretch : {small_stretch, 3 * small_stretch, cli::ParallelGzip::usual_stretch}) {
        SCOPED_TRACE("stretches of " + std::to_string(stretch));
        Inflated const all = inflate_all(packed, stretch);
        EXPECT_FALSE(all.damaged);
        EXPECT_TRUE(all.bytes == bytes) << all.bytes.size() << " bytes, not " << bytes.size();
    }
}

TEST(ParallelGzip, EveryKindOfBlock)
{
    std::mt19937 random(1);
    Bytes const text = fastq(random, 2000);
    for (int const level : {0, 1, 6, 9})
        for (int const strategy : {Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED})
            for (int const flush : {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH})
                for (int const memory : {1, 8}) { // small blocks, and usual ones
                    SCOPED_TRACE(testing::Message() << "level " << level << ", strategy " << strategy << ", flush "
                                                    << flush << ", memory " << memory);
                    expect_same(packed(text, level, strategy, flush, memory), text);
                }
}

TEST(ParallelGzip, EveryKindOfText)
{
    std::mt19937 random(2);
    Bytes repeats;
    for (int i = 0; i < 3000; ++i) // copies of all lengths from all distances
        repeats += i > 0 && random() % 3 > 0 ? repeats.substr(random() % repeats.size(), 1 + random() % 400)
                                             : noise(random, random() % 20);
    for (Bytes const & text : {Bytes(), Bytes("A"), Bytes(3000000, 'A'), noise(random, 100000), repeats,
                               repeats + noise(random, 70000) + repeats})
        expect_same(packed(text, 6), text);
}

TEST(ParallelGzip, Members)
{
    std::mt19937 random(3);
    Bytes file, text;
    for (int member = 0; member < 200; ++member) {
        Bytes const some = fastq(random, random() % 60);
        file += packed(some, 6);
        text += some;
        if (member % 40 == 0)
            file += Bytes(random() % 1000, '\0');
    }
    expect_same(file, text);
    expect_same(file + Bytes(20000, '\0'), text);
    EXPECT_TRUE(inflate_all(file + "no gzip", small_stretch).damaged);
}

// Inside a stored block lie blocks that can be found, and that are none of this file.
TEST(ParallelGzip, GzipWithinGzip)
{
    std::mt19937 random(4);
    Bytes const inner = packed(fastq(random, 3000), 6, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, 1);
    expect_same(packed(inner, 0), inner);
    Bytes const text = fastq(random, 300) + inner + fastq(random, 300);
    expect_same(packed(text, 6), text);
}

TEST(ParallelGzip, DamagedFiles)
{
    std::mt19937 random(5);
    Bytes const text = fastq(random, 1500), whole = packed(text, 6, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, 4);
    for (int round = 0; round < 300; ++round) {
        std::size_t const at =
            round < 20 ? whole.size() - 1 - static_cast<std::size_t>(round) : random() % whole.size();
        SCOPED_TRACE(testing::Message() << "cut at " << at);
        Inflated const cut = inflate_all(whole.substr(0, at), small_stretch);
        EXPECT_TRUE(cut.damaged);
        EXPECT_TRUE(text.starts_with(cut.bytes));
    }
    for (int round = 0; round < 300; ++round) {
        Bytes changed = whole;
        std::size_t const bit = random() % (8 * whole.size());
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
        SCOPED_TRACE(testing::Message() << "bit " << bit);
        Inflated const other = inflate_all(changed, small_stretch);
        EXPECT_TRUE(other.damaged || other.bytes == text); // some bits of the first header are for nothing
        EXPECT_TRUE(other.damaged || bit < 80);
    }
}

// A block that can be found copies bytes from before its member, of which a thread that begins there knows nothing.
TEST(ParallelGzip, CopiesFromBeforeAMember)
{
    for (auto const & [name, size] : {std::pair{"copy_before_file.gz", 1050u}, {"copy_before_member.gz", 4050u}}) {
        std::ifstream file(std::string(NWGPU_TEST_DATA "/") + name, std::ios::binary);
        Bytes const bytes{std::istreambuf_iterator<char>(file), {}};
        ASSERT_GT(bytes.size(), size);
        for (std::size_t stretch = 1000; stretch < 5000; stretch += 200) {
            SCOPED_TRACE(testing::Message() << name << ", stretches of " << stretch);
            Inflated const all = inflate_all(bytes, stretch);
            EXPECT_TRUE(all.damaged);
            EXPECT_EQ(all.bytes.size(), size);
        }
    }
}

TEST(ParallelGzip, HeadersWithNamesAndExtraFields)
{
    constexpr std::size_t fixed_bytes = 10;
    constexpr char has_extra = 4, has_name = 8, has_comment = 16, unknown = 32;
    std::mt19937 random(7);
    Bytes const text = fastq(random, 200), bare = packed(text, 6), begin = bare.substr(0, fixed_bytes),
                rest = bare.substr(fixed_bytes);
    auto const with = [&](char flags, Bytes const & more) {
        Bytes header = begin;
        header[3] = flags;
        return header + more + rest;
    };
    Bytes const extra = Bytes("\x30\x75", 2) + noise(random, 30000), name = Bytes(20000, 'n') + '\0',
                comment = Bytes(9, 'c') + '\0';
    expect_same(with(has_extra, extra), text);
    expect_same(with(has_name, name) + with(has_comment, comment), text + text);
    expect_same(with(has_extra | has_name | has_comment, extra + name + comment) + bare, text + text);
    EXPECT_TRUE(inflate_all(with(unknown, ""), small_stretch).damaged);
    EXPECT_TRUE(
        inflate_all(begin.substr(0, 3) + has_name + begin.substr(4) + Bytes(50000, 'n'), small_stretch).damaged);
}

// Stored bytes that look like very many blocks.
TEST(ParallelGzip, ManyPlacesThatLookLikeBlocks)
{
    std::mt19937 random(8);
    Bytes blocks;
    for (int i = 0; i < 3000; ++i)
        blocks += packed(fastq(random, 1).substr(0, 40), 9, Z_HUFFMAN_ONLY).substr(10, 40);
    Bytes const inner = packed(fastq(random, 4000), 6, Z_DEFAULT_STRATEGY, Z_SYNC_FLUSH, 1),
                bytes = blocks + inner.substr(0, inner.size() / 2) + inner;
    expect_same(packed(bytes, 0), bytes);
}

// A reader that stops early leaves threads at work.
TEST(ParallelGzip, LeftInTheMiddle)
{
    std::mt19937 random(6);
    MemoryFile const file(packed(fastq(random, 20000), 1));
    for (int round = 0; round < 30; ++round) {
        cli::ParallelGzip source(file.path(), threads, nwgpu::test::crc_by_zlib, small_stretch);
        char some[100];
        for (int i = 0; i < round; ++i)
            EXPECT_GT(source.read(some, sizeof some), 0u);
    }
}

} // namespace
