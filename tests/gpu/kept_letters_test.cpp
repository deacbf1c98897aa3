// SPDX-License-Identifier: BSD-3-Clause
// Which letters stay on a device, and which go: decided on the host, with no device.
#include "cuda/batch/kept_letters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "support/random.hpp"

namespace nwgpu::test {
namespace {

using cuda::batch::KeptLetters;
using cuda::batch::KeptSides;
using cuda::batch::LettersOnDevice;
using cuda::batch::sides_to_keep;

TEST(LettersOnDevice, KnowWhichPartsAreThere)
{
    LettersOnDevice letters{nullptr, 100};
    EXPECT_FALSE(letters.has(0, 1));
    letters.add(10, 20);
    letters.add(40, 50);
    EXPECT_TRUE(letters.has(10, 20));
    EXPECT_TRUE(letters.has(12, 13));
    EXPECT_FALSE(letters.has(9, 12));
    EXPECT_FALSE(letters.has(15, 45));
    letters.add(20, 30); // behind
    EXPECT_TRUE(letters.has(10, 30));
    EXPECT_FALSE(letters.has(29, 41));
    letters.add(25, 45); // across
    EXPECT_TRUE(letters.has(10, 50));
    EXPECT_DOUBLE_EQ(letters.part(), 0.4);
    letters.add(0, 100); // around
    EXPECT_TRUE(letters.has_all());
    EXPECT_EQ(letters.part(), 1);
}

// Every prefix of parts in any order, beside a bit per letter.
TEST(LettersOnDevice, EqualBitsPerLetter)
{
    Random random{5};
    for (int round = 0; round < 50; ++round) {
        LettersOnDevice letters{nullptr, 40};
        std::vector<bool> bits(40);
        for (int k = 0; k < 12; ++k) {
            std::uint64_t const begin = random.below(40), end = begin + 1 + random.below(40 - begin);
            letters.add(begin, end);
            std::fill(bits.begin() + static_cast<std::ptrdiff_t>(begin),
                      bits.begin() + static_cast<std::ptrdiff_t>(end), true);
            for (std::uint64_t b = 0; b < 40; ++b)
                for (std::uint64_t e = b + 1; e <= 40; ++e)
                    ASSERT_EQ(letters.has(b, e), std::find(bits.begin() + static_cast<std::ptrdiff_t>(b),
                                                           bits.begin() + static_cast<std::ptrdiff_t>(e),
                                                           false) == bits.begin() + static_cast<std::ptrdiff_t>(e));
        }
    }
}

// Sequences of one letter each, of which a call asks for room on the device.
class KeptLettersPlan : public testing::Test {
protected:
    struct Handle {
        std::vector<std::uint8_t> bytes;
        std::vector<std::uint64_t> offsets;
        std::shared_ptr<void const> origin = std::make_shared<char>();
        std::unique_ptr<CodedSequences> sequences;

        explicit Handle(std::uint64_t count, bool has_origin = true) : bytes(count, 'A'), offsets{0, count}
        {
            sequences = std::make_unique<CodedSequences>(RawSequences{bytes, offsets, 0, has_origin ? origin : nullptr},
                                                         CodedSequences::Make{});
        }
        // Who made the sequences ends; those of the call, too.
        void end()
        {
            sequences.reset();
            origin.reset();
        }
    };
    KeptLetters make()
    {
        return KeptLetters{{[this](std::uint64_t bytes) -> void * {
                                if (bytes > room_)
                                    return nullptr;
                                room_ -= bytes;
                                return blocks_.insert(std::make_unique<std::uint8_t[]>(bytes)).first->get();
                            },
                            [this](void * memory, std::uint64_t bytes) {
                                room_ += bytes;
                                EXPECT_EQ(std::erase_if(blocks_, [&](auto const & one) { return one.get() == memory; }),
                                          1u);
                            }}};
    }
    static KeptSides sides(Handle const & queries, Handle const & targets, std::uint64_t most)
    {
        return sides_to_keep({*queries.sequences, *targets.sequences, {}}, most);
    }

    std::uint64_t room_ = 1 << 20;
    std::set<std::unique_ptr<std::uint8_t[]>> blocks_;
};

TEST_F(KeptLettersPlan, SidesThatFit)
{
    Handle const small{5000}, large{9000}, few{KeptLetters::least_bytes - 1}, unknown{9000, false};
    KeptSides const both = sides(small, large, 14000);
    EXPECT_TRUE(both.queries && both.targets);
    EXPECT_EQ(both.bytes, 14000u);
    for (bool const swapped : {false, true}) {
        KeptSides const one = swapped ? sides(large, small, 13999) : sides(small, large, 13999);
        EXPECT_NE(one.queries, one.targets);
        EXPECT_EQ(one.queries, swapped) << "the larger one";
        EXPECT_EQ(one.bytes, 9000u);
    }
    EXPECT_EQ(sides(small, large, 8999).bytes, 5000u);
    EXPECT_EQ(sides(small, large, 100).bytes, 0u);
    EXPECT_EQ(sides(few, unknown, 1 << 20).bytes, 0u);
    KeptSides const same = sides(large, large, 9000);
    EXPECT_TRUE(same.queries && same.targets);
    EXPECT_EQ(same.bytes, 9000u) << "the same letters on both sides";
}

TEST_F(KeptLettersPlan, ThoseUsedLeastRecentlyGo)
{
    Handle const a{5000}, b{5000}, c{5000};
    KeptLetters kept = make();
    LettersOnDevice * const first = kept.use(*a.sequences, 10000);
    first->add(0, 5000);
    kept.use(*b.sequences, 10000);
    kept.end_uses();
    EXPECT_EQ(kept.use(*a.sequences, 10000), first);
    EXPECT_TRUE(first->has_all());
    kept.end_uses();
    EXPECT_NE(kept.use(*c.sequences, 10000), nullptr);
    EXPECT_EQ(kept.find(*b.sequences), nullptr);
    EXPECT_NE(kept.find(*a.sequences), nullptr);
    EXPECT_EQ(kept.bytes(), 10000u);
    EXPECT_EQ(kept.bytes_in_use(), 5000u);
}

TEST_F(KeptLettersPlan, WhatIsInUseStays)
{
    Handle const a{5000}, b{5000};
    KeptLetters kept = make();
    EXPECT_NE(kept.use(*a.sequences, 9999), nullptr);
    EXPECT_EQ(kept.use(*b.sequences, 9999), nullptr);
    EXPECT_FALSE(kept.give_up());
    kept.end_uses();
    EXPECT_TRUE(kept.give_up());
    EXPECT_TRUE(blocks_.empty());
    kept.use(*a.sequences, 9999);
    kept.clear();
    EXPECT_TRUE(blocks_.empty());
}

TEST_F(KeptLettersPlan, ThoseGoneGoFirst)
{
    Handle a{5000}, b{5000};
    KeptLetters kept = make();
    kept.use(*a.sequences, 1 << 20);
    kept.use(*b.sequences, 1 << 20);
    kept.end_uses();
    b.end();
    EXPECT_TRUE(kept.give_up());
    EXPECT_NE(kept.find(*a.sequences), nullptr);
    kept.free_those_gone();
    EXPECT_EQ(kept.bytes(), 5000u);
    a.end();
    kept.free_those_gone();
    EXPECT_EQ(kept.bytes(), 0u);
    EXPECT_TRUE(blocks_.empty());
}

// The same place and length, but others'.
TEST_F(KeptLettersPlan, AnotherOriginIsAnother)
{
    Handle a{5000};
    KeptLetters kept = make();
    kept.use(*a.sequences, 1 << 20)->add(0, 5000);
    kept.end_uses();
    a.end();
    a.origin = std::make_shared<char>();
    a.sequences =
        std::make_unique<CodedSequences>(RawSequences{a.bytes, a.offsets, 0, a.origin}, CodedSequences::Make{});
    EXPECT_EQ(kept.find(*a.sequences), nullptr);
    EXPECT_FALSE(kept.use(*a.sequences, 1 << 20)->has(0, 1));
}

TEST_F(KeptLettersPlan, MakeRoomWhereTheDeviceHasNone)
{
    Handle const a{5000}, b{5000}, c{9000};
    room_ = 10000;
    KeptLetters kept = make();
    kept.use(*a.sequences, 1 << 20);
    kept.use(*b.sequences, 1 << 20);
    kept.end_uses();
    EXPECT_NE(kept.use(*c.sequences, 1 << 20), nullptr);
    EXPECT_EQ(kept.bytes(), 9000u);
    room_ = 0;
    kept.clear();
    room_ = 0;
    EXPECT_EQ(kept.use(*a.sequences, 1 << 20), nullptr);
}

TEST_F(KeptLettersPlan, SoManyHandlesAtMost)
{
    KeptLetters kept = make();
    std::vector<std::unique_ptr<Handle>> handles;
    for (std::size_t k = 0; k < KeptLetters::most_sides + 3; ++k) {
        handles.push_back(std::make_unique<Handle>(5000));
        EXPECT_NE(kept.use(*handles.back()->sequences, 1 << 20), nullptr);
        kept.end_uses();
    }
    EXPECT_EQ(blocks_.size(), KeptLetters::most_sides);
    EXPECT_EQ(kept.find(*handles[2]->sequences), nullptr);
    EXPECT_NE(kept.find(*handles[3]->sequences), nullptr);
}

} // namespace
} // namespace nwgpu::test
