// SPDX-License-Identifier: BSD-3-Clause
// Fingerprints: their values, which files carry from machine to machine, and that they tell strings apart.
#include "base/fingerprint.hpp"

#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace nwgpu {
namespace {

using Bytes = std::vector<std::byte>;

std::uint64_t of(std::initializer_list<std::string_view> parts)
{
    Fingerprint sum;
    for (std::string_view const part : parts)
        sum.add(std::as_bytes(std::span{part}));
    return sum.value();
}

Bytes counted(std::size_t length) // 0, 1, .., 255, 0, ..
{
    Bytes bytes(length);
    for (std::size_t k = 0; k < length; ++k)
        bytes[k] = static_cast<std::byte>(k);
    return bytes;
}

// Computed from the definition by another program.
TEST(Fingerprint, Values)
{
    EXPECT_EQ(of({}), 0xa1fbbda9a5450b98u);
    EXPECT_EQ(of({""}), 0x6d157d8067252279u);
    EXPECT_EQ(of({"a"}), 0x33a87357886049d8u);
    EXPECT_EQ(of({"GATTACA"}), 0x312da33e001e560fu);
    EXPECT_EQ(of({"GATT", "ACA"}), 0xa13ce13da5e8e021u);
    EXPECT_EQ(fingerprint(counted(32)), 0x17c8e4cf5c1e2a65u);
    EXPECT_EQ(fingerprint(counted(33)), 0x6dd006a7641f92b7u);
    EXPECT_EQ(fingerprint(counted(1000)), 0xc625bbfbee7adecu);
}

TEST(Fingerprint, EveryBitCounts)
{
    for (std::size_t const length : {1, 7, 8, 9, 31, 32, 33, 64, 100}) {
        Bytes bytes = counted(length);
        std::set<std::uint64_t> seen{fingerprint(bytes)};
        for (std::byte & byte : bytes)
            for (int bit = 0; bit < 8; ++bit) {
                byte ^= static_cast<std::byte>(1 << bit);
                EXPECT_TRUE(seen.insert(fingerprint(bytes)).second) << length << " bytes, bit " << bit;
                byte ^= static_cast<std::byte>(1 << bit);
            }
    }
}

// A lane takes both of these bits, the second one block later, and no pair of them leaves it as it was.
TEST(Fingerprint, TwoBitsDoNotMakeUpForEachOther)
{
    Bytes bytes = counted(64);
    std::set<std::uint64_t> seen{fingerprint(bytes)};
    for (std::size_t first = 0; first < 64; ++first)
        for (std::size_t second = 0; second < 64; ++second) {
            bytes[first / 8] ^= static_cast<std::byte>(1 << first % 8);
            bytes[32 + second / 8] ^= static_cast<std::byte>(1 << second % 8);
            EXPECT_TRUE(seen.insert(fingerprint(bytes)).second) << first << " " << second;
            bytes = counted(64);
        }
}

TEST(Fingerprint, LengthsCount)
{
    std::set<std::uint64_t> seen;
    Bytes const equal(200, std::byte{'A'}), zeros(200);
    for (std::size_t length = 0; length <= 200; ++length) {
        EXPECT_TRUE(seen.insert(fingerprint(std::span{zeros}.first(length))).second) << length << " zeros";
        if (length > 0) {
            EXPECT_TRUE(seen.insert(fingerprint(std::span{equal}.first(length))).second) << length << " letters";
        }
    }
}

// Where one part ends and the next begins: also for equal letters, and where parts are whole blocks.
TEST(Fingerprint, PartsCount)
{
    std::set<std::uint64_t> seen;
    Bytes const equal(96, std::byte{'A'});
    for (std::size_t first = 0; first <= 96; ++first) {
        Fingerprint sum;
        sum.add(std::span{equal}.first(first));
        sum.add(std::span{equal}.subspan(first));
        EXPECT_TRUE(seen.insert(sum.value()).second) << first;
    }
    EXPECT_TRUE(seen.insert(fingerprint(equal)).second);
}

TEST(Fingerprint, AnyAddressWillDo)
{
    Bytes const bytes = counted(300);
    for (std::size_t shift = 0; shift < 16; ++shift) {
        Bytes moved(shift);
        moved.insert(moved.end(), bytes.begin(), bytes.end());
        EXPECT_EQ(fingerprint(std::span{moved}.subspan(shift)), fingerprint(bytes)) << shift;
    }
}

TEST(Fingerprint, OfNumbers)
{
    std::uint64_t const number = 0x0807060504030201;
    Fingerprint sum;
    sum.add_value(number);
    EXPECT_EQ(sum.value(), of({"\1\2\3\4\5\6\7\10"}));
}

} // namespace
} // namespace nwgpu
