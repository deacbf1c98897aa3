// SPDX-License-Identifier: BSD-3-Clause
// CodedSequences: codes, padding, and the first invalid letter.
#include "model/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/team.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/kernel_table.hpp"
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
    Team team{2};
    CodedSequences const coded{raw_, dna_, &team};
    auto const padding = static_cast<std::ptrdiff_t>(CodedSequences::padding);
    for (std::uint64_t i = 0; i < coded.count(); ++i) {
        std::uint8_t const * const begin = coded.codes(i);
        std::uint8_t const * const end = begin + coded.length(i);
        EXPECT_EQ(std::count(begin - padding, end + padding, invalid_code), 0);
    }
    EXPECT_EQ(std::count(coded.codes(0) - padding, coded.codes(0), 0), padding);
    EXPECT_EQ(std::count(coded.codes(3) + 3, coded.codes(3) + 3 + padding, 0), padding);
    EXPECT_GE(coded.bytes(), 11 + 2 * CodedSequences::padding);
    EXPECT_LE(coded.bytes(), 11 + 2 * CodedSequences::padding + 480);
}

// For engines that make codes: letters, all of them valid, until somebody asks for codes.
TEST_F(CodedBatch, LettersUntilCodesAreAskedFor)
{
    int made = 0;
    CodedSequences const lazy{raw_, [&] {
                                  ++made;
                                  return std::make_shared<CodedSequences const>(raw_, dna_);
                              }};
    EXPECT_TRUE(lazy.are_letters());
    EXPECT_EQ(lazy.codes(2), raw_.data(2));
    EXPECT_EQ(lazy.length(3), 3u);
    EXPECT_TRUE(lazy.is_valid(3));
    EXPECT_EQ(made, 0);
    for (int k = 0; k < 2; ++k)
        lazy.code();
    EXPECT_EQ(made, 1);
    CodedSequences const coded{raw_, dna_};
    EXPECT_FALSE(lazy.are_letters());
    EXPECT_TRUE(std::equal(coded.codes(0), coded.codes(0) + letters_.size(), lazy.codes(0)));
    EXPECT_FALSE(lazy.is_valid(3));
    EXPECT_EQ(lazy.first_invalid(3), 0u);
    EXPECT_EQ(lazy.letter(3, 0), '*');
    EXPECT_FALSE(coded.are_letters());
    coded.code();
    EXPECT_FALSE(coded.is_valid(3));
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

// Every instruction set, every byte, and lengths around its vectors; a table in which each letter has a code of its own
// and one with letters left out, as alphabets have.
TEST(Batch, TranslationsAgree)
{
    std::mt19937 random{11};
    LetterCodes own{}, few{};
    for (int byte = 0; byte < 256; ++byte) {
        own[byte] = static_cast<std::uint8_t>(byte % 128);
        few[byte] =
            byte >= 'A' && byte < 'z' && random() % 8 != 0 ? static_cast<std::uint8_t>(random() % 128) : invalid_code;
    }
    for (std::string const & isa : cpu::available_isas())
        for (std::uint64_t n = 0; n < 200; ++n)
            for (LetterCodes const & codes : {own, few}) {
                std::vector<std::uint8_t> letters(n), expected(n + 1, 77), found(n + 1, 77);
                bool const all_bytes = random() % 2 == 0;
                for (std::uint8_t & letter : letters)
                    letter = static_cast<std::uint8_t>(all_bytes ? random() % 256 : 64 + random() % 64);
                std::uint8_t const seen = translate(letters.data(), n, codes.data(), expected.data());
                EXPECT_EQ(cpu::kernel_table(isa).translate(letters.data(), n, codes.data(), found.data()), seen)
                    << isa << ", " << n << " letters";
                EXPECT_EQ(found, expected) << isa << ", " << n << " letters";
            }
}

// In pieces, by two threads; invalid letters at the ends of pieces.
TEST(Batch, InvalidLettersOfLongSequences)
{
    std::vector<std::uint8_t> letters(300'000, 'A');
    std::vector<std::uint64_t> const offsets{0, 65'536, 65'537, 200'000, 300'000};
    for (std::uint64_t const at : {65'535, 199'999, 299'999})
        letters[at] = '!';
    Scoring const dna = Scoring::uniform(1, 1, {}, alphabet_codes("dna"));
    for (std::string const & isa : cpu::available_isas()) {
        Team team{2};
        CodedSequences const coded{{letters, offsets}, dna, &team, cpu::kernel_table(isa).translate};
        EXPECT_EQ(coded.first_invalid(0), 65'535u);
        EXPECT_EQ(coded.first_invalid(1), UINT64_MAX);
        EXPECT_EQ(coded.first_invalid(2), 199'999u - 65'537);
        EXPECT_EQ(coded.first_invalid(3), 99'999u);
        EXPECT_EQ(std::count(coded.codes(0), coded.codes(0) + letters.size(), dna.codes()['A']),
                  static_cast<std::ptrdiff_t>(letters.size()) - (dna.codes()['A'] == 0 ? 0 : 3));
    }
}

TEST_F(CodedBatch, CodesAreKeptForTheSameLetterCodes)
{
    CodeCache cache;
    auto const get = [&](Scoring const & scoring) { return cache.get(raw_, scoring, nullptr, translate); };
    auto const dna = get(dna_);
    EXPECT_EQ(dna->first_invalid(3), 0u);
    EXPECT_EQ(get(Scoring::uniform(5, 4, {}, alphabet_codes("dna"))), dna) << "costs do not matter";
    auto const any = get(Scoring::uniform(1, 1, {}));
    EXPECT_EQ(any->codes(3)[0], '*');
    auto const protein = get(Scoring::uniform(1, 1, {}, alphabet_codes("protein")));
    EXPECT_EQ(protein->first_invalid(3), UINT64_MAX);
    EXPECT_NE(protein->codes(3)[0], '*');
    EXPECT_EQ(dna->first_invalid(3), 0u) << "still whole for who uses it";
}

TEST(Batch, NoSequences)
{
    std::uint64_t const offsets[] = {0};
    CodedSequences const coded{{{}, offsets}, Scoring::uniform(1, 1, {})};
    EXPECT_EQ(coded.count(), 0u);
}

} // namespace
} // namespace nwgpu
