// SPDX-License-Identifier: BSD-3-Clause
// CodedSequences: codes, padding, and the first invalid letter.
#include "model/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "model/alphabet.hpp"

namespace nwgpu {
namespace {

class CodedBatch : public testing::Test {
protected:
    static constexpr std::string_view letters_ = "ACGTacgu*GN";
    static constexpr std::uint64_t offsets_[] = {0, 4, 4, 8, 11};
    RawSequences const raw_{{reinterpret_cast<std::uint8_t const *>(letters_.data()), letters_.size()}, offsets_};
    Scoring const dna_ = Scoring::uniform(1, 1, {}, alphabet_codes("dna"));
};

TEST_F(CodedBatch, CodesFollowTheAlphabet)
{
    CodedSequences const coded{raw_, dna_};
    ASSERT_EQ(coded.count(), 4u);
    EXPECT_EQ(coded.length(1), 0u);
    EXPECT_TRUE(std::equal(coded.codes(0), coded.codes(0) + 4, coded.codes(2))) << "case folded, U = T";
    EXPECT_EQ(coded.first_invalid(0), UINT64_MAX);
    EXPECT_EQ(coded.first_invalid(1), UINT64_MAX);
    EXPECT_EQ(coded.first_invalid(3), 0u);
    EXPECT_EQ(coded.why_invalid(3), "letter '*' at position 0 is not in the alphabet");
}

TEST_F(CodedBatch, CodesLieAroundEverySequence)
{
    CodedSequences const coded{raw_, dna_, 2};
    auto const padding = static_cast<std::ptrdiff_t>(CodedSequences::padding);
    for (std::uint64_t i = 0; i < coded.count(); ++i) {
        std::uint8_t const * const begin = coded.codes(i);
        std::uint8_t const * const end = begin + coded.length(i);
        EXPECT_EQ(std::count(begin - padding, end + padding, invalid_code), 0);
    }
    EXPECT_EQ(std::count(coded.codes(0) - padding, coded.codes(0), 0), padding);
    EXPECT_EQ(std::count(coded.codes(3) + 3, coded.codes(3) + 3 + padding, 0), padding);
    EXPECT_EQ(coded.bytes(), 11 + 2 * CodedSequences::padding);
}

TEST_F(CodedBatch, WithoutAnAlphabetEveryByteIsValid)
{
    CodedSequences const coded{raw_, Scoring::uniform(1, 1, {})};
    EXPECT_EQ(coded.first_invalid(3), UINT64_MAX);
    EXPECT_EQ(coded.codes(3)[0], '*');
}

TEST_F(CodedBatch, WithoutAnAlphabetLettersWithAMarginAreNotCopied)
{
    RawSequences raw = raw_;
    Scoring const any = Scoring::uniform(1, 1, {});
    for (std::uint64_t const margin : {std::uint64_t{0}, CodedSequences::padding - 1, CodedSequences::padding}) {
        raw.margin = margin;
        CodedSequences const coded{raw, any};
        EXPECT_EQ(coded.codes(2) == raw.data(2), margin == CodedSequences::padding);
        EXPECT_TRUE(std::equal(raw.data(2), raw.data(2) + 4, coded.codes(2)));
        EXPECT_NE(CodedSequences(raw, dna_).codes(2), raw.data(2));
    }
}

TEST(Batch, UnprintableLettersAreNamedByNumber)
{
    std::uint8_t const byte = 9;
    std::uint64_t const offsets[] = {0, 1};
    CodedSequences const coded{{{&byte, 1}, offsets}, Scoring::uniform(1, 1, {}, alphabet_codes("protein"))};
    EXPECT_EQ(coded.why_invalid(0), "letter 9 at position 0 is not in the alphabet");
}

TEST(Batch, NoSequences)
{
    std::uint64_t const offsets[] = {0};
    CodedSequences const coded{{{}, offsets}, Scoring::uniform(1, 1, {})};
    EXPECT_EQ(coded.count(), 0u);
}

} // namespace
} // namespace nwgpu
