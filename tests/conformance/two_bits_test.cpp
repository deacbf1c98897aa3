// SPDX-License-Identifier: BSD-3-Clause
// Letters that go to a GPU in two bits each: answers as on the CPU, whichever letters are of a fifth kind, and however
// many.
#include <gtest/gtest.h>

#include "model/alphabet.hpp"
#include "support/engines.hpp"
#include "support/two_bits.hpp"

namespace nwgpu::test {
namespace {

class TwoBitsTest : public OnEachEngine<> {
protected:
    // As few as go in two bits, and some more, so that the last block is not a whole one.
    static constexpr std::uint64_t pairs = 530, query_length = 125, target_length = 131;

    static void expect_right(std::vector<SequencePair> sequences, std::string const & what)
    {
        Scoring const dna = Scoring::uniform(2, 4, {4, 2}, alphabet_codes("dna"));
        std::uint64_t letters = 0;
        for (SequencePair const & pair : sequences)
            letters += pair.query.size();
        ASSERT_GT(letters, 65536u);
        PairSet const set{std::move(sequences), dna};
        for (Output const output : {Output::score, Output::cigar}) {
            SCOPED_TRACE(what);
            Request const request{{.local = output == Output::score}, output, CigarStyle::eqx};
            BatchResult const actual = align(on_gpu(), set.batch(), dna, request),
                              expected = align({.threads = 2}, set.batch(), dna, request);
            EXPECT_EQ(actual.status, expected.status);
            EXPECT_EQ(actual.score, expected.score);
            EXPECT_EQ(actual.runs, expected.runs);
            EXPECT_EQ(actual.run_offsets, expected.run_offsets);
        }
    }
    static std::vector<SequencePair> reads(Random & random, std::string_view letters)
    {
        std::vector<SequencePair> all;
        for (std::uint64_t k = 0; k < pairs; ++k) {
            std::string const target = random_sequence(random, target_length, letters);
            all.push_back({mutated(random, target.substr(0, query_length), letters, 0.05), target});
        }
        return all;
    }
};
INSTANTIATE_TEST_SUITE_P(All, TwoBitsTest, on_cuda(), ParameterNames{});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TwoBitsTest); // without CUDA

TEST_P(TwoBitsTest, FewStrays)
{
    Random random{31};
    std::vector<SequencePair> sequences = reads(random, "ACGT");
    for (SequencePair & pair : sequences) // also first and last letters
        for (std::string * const side : {&pair.query, &pair.target})
            if (random.chance(0.2))
                (*side)[random.chance(0.3)   ? 0
                        : random.chance(0.3) ? side->size() - 1
                                             : random.below(side->size())] = 'N';
    expect_right(std::move(sequences), "TwoBitsTest.FewStrays seed=31");
}

TEST_P(TwoBitsTest, FourOfAnyKind)
{
    Random random{32};
    expect_right(reads(random, "acgu"), "TwoBitsTest.FourOfAnyKind seed=32");
    expect_right(reads(random, "AG"), "TwoBitsTest.FourOfAnyKind seed=32, two of them");
}

TEST_P(TwoBitsTest, TooManyStrays)
{
    Random random{33};
    std::string const queries = with_unseen_strays(random, pairs * query_length),
                      targets = with_unseen_strays(random, pairs * target_length);
    std::vector<SequencePair> sequences;
    for (std::uint64_t k = 0; k < pairs; ++k)
        sequences.push_back(
            {queries.substr(k * query_length, query_length), targets.substr(k * target_length, target_length)});
    expect_right(std::move(sequences), "TwoBitsTest.TooManyStrays seed=33");
}

} // namespace
} // namespace nwgpu::test
