// SPDX-License-Identifier: BSD-3-Clause
// Letters that the device turns into codes.
#include <gtest/gtest.h>

#include "align/aligner.hpp"
#include "cuda/batch/two_bits.hpp"
#include "cuda/kernels/scheme.hpp"
#include "gpu/gpu.hpp"
#include "model/alphabet.hpp"
#include "support/two_bits.hpp"

namespace nwgpu::test {
namespace {

// Letters as the caller has them, in both cases, with invalid ones in some sequences and long pairs between: codes are
// made on the device, and on the host for the pairs that are left.
TEST(GpuLetters, OfTheCaller)
{
    NWGPU_NEEDS_GPU();
    constexpr std::uint64_t margin = 128;
    AlignerOptions options;
    options.backend = BackendKind::cpu;
    Aligner cpu{options};
    options.backend = BackendKind::cuda;
    Aligner gpu{options};
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2}, alphabet_codes("dna"));
    for (int const invalid : {0, 1, 7}) { // sequences with such letters
        Random random{92};
        std::vector<std::uint8_t> letters[2] = {std::vector<std::uint8_t>(margin), std::vector<std::uint8_t>(margin)};
        std::vector<std::uint64_t> offsets[2] = {{0}, {0}};
        std::vector<Pair> pairs;
        for (std::uint64_t k = 0; k < 70000; ++k) {
            std::uint64_t const length = k % 20000 == 13 ? 3000 : random.below(60);
            std::string query = random_sequence(random, length, "ACGTacgtu"),
                        target = mutated(random, query, "ACGTacgtu", 0.1);
            if (k % 10000 < static_cast<std::uint64_t>(invalid) && !query.empty())
                query[query.size() / 2] = '!';
            pairs.push_back({k, k});
            for (int const side : {0, 1}) {
                std::string const & text = side == 0 ? query : target;
                letters[side].insert(letters[side].end(), text.begin(), text.end());
                offsets[side].push_back(offsets[side].back() + text.size());
            }
        }
        auto const raw = [&](int side, std::uint64_t at) {
            letters[side].resize(offsets[side].back() + 2 * margin);
            return RawSequences{std::span{letters[side]}.subspan(margin, offsets[side].back()), offsets[side], at};
        };
        for (std::uint64_t const readable : {std::uint64_t{0}, margin})
            for (Output const output : {Output::cigar, Output::score}) {
                Request const request{{.local = true}, output, CigarStyle::eqx};
                Problem const problem{raw(0, readable), raw(1, readable), pairs};
                BatchResult const expected = cpu.align(problem, scoring, request, {});
                BatchResult const actual = gpu.align(problem, scoring, request, {});
                std::string const words = "GpuLetters.OfTheCaller seed=92 invalid=" + std::to_string(invalid);
                EXPECT_EQ(expected.status, actual.status) << words;
                EXPECT_EQ(expected.score, actual.score) << words;
                EXPECT_EQ(expected.span, actual.span) << words;
                EXPECT_EQ(expected.runs, actual.runs) << words;
                EXPECT_EQ(expected.run_offsets, actual.run_offsets) << words;
                for (std::uint64_t p = 0; p < pairs.size(); ++p)
                    if (expected.status[p] != Status::ok) {
                        EXPECT_EQ(expected.failures.message(p), actual.failures.message(p)) << words;
                    }
            }
    }
}

// Of the sequences of few pairs, each once, in their order; of many pairs, or of most letters, all.
TEST(GpuLetters, OfFewPairsGoAlone)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    std::vector<SequencePair> sequences;
    for (std::uint64_t k = 0; k < 100; ++k)
        sequences.push_back({std::string(k == 60 ? 1000 : 10 + k % 7, "ACGT"[k % 4]), std::string(10, 'A')});
    PairSet const set{std::move(sequences), s.scoring};
    std::vector<Pair> const list{{7, 3}, {5, 2}, {7, 1}, {60, 1}};
    Batch const batch{set.batch().queries, set.batch().targets, list};
    Request const request;
    auto const used = [&](std::vector<std::uint64_t> const & pairs, std::uint64_t limit = 0) {
        return cuda::UsedSequences{{batch, pairs, s.scoring, request, limit}, pairs, &Pair::query};
    };
    cuda::UsedSequences const few = used({0, 1, 2});
    ASSERT_FALSE(few.are_all());
    EXPECT_EQ(few.bytes(), 15u + 10u);
    EXPECT_EQ(few.offset(5), 0u);
    EXPECT_EQ(few.offset(7), 15u);
    std::vector<std::uint8_t> letters(few.bytes());
    few.gather(letters.data());
    EXPECT_EQ(letters.front(), batch.queries.codes(5)[0]);
    EXPECT_EQ(letters.back(), batch.queries.codes(7)[0]);
    EXPECT_EQ((cuda::ScoreTable{few, batch.targets, s.scoring}.query_letters), 1u) << "C and T, which no target has";
    EXPECT_TRUE(used({0, 3}).are_all()) << "most letters";
    EXPECT_TRUE(used(std::vector<std::uint64_t>(13, 0)).are_all()) << "many pairs";
    EXPECT_TRUE(used({0}, 1 << 20).are_all()) << "in little memory";
    cuda::UsedSequences const all{batch.queries};
    EXPECT_EQ(all.bytes(), batch.queries.letter_count());
    EXPECT_EQ(all.offset(5), static_cast<std::uint64_t>(batch.queries.codes(5) - batch.queries.codes(0)));
}

// Strays are noted wherever they are, up to as many as have room.
TEST(TwoBitWriting, Strays)
{
    using namespace cuda::batch;
    Random random{94};
    FourLetters const four{'A', 'C', 'G', 'T'};
    for (std::uint64_t const count : {1, 64, 65, 255, 256, 257, 65'535, 65'536, 200'000}) {
        TwoBitLayout const layout{count};
        for (std::uint64_t const strays : {std::uint64_t{0}, layout.most_strays() / 2, layout.most_strays()}) {
            std::string letters = random_sequence(random, count, "ACGT");
            std::vector<bool> is_stray(count);
            for (std::uint64_t k = 0; k < strays;) {
                std::uint64_t const at = k == 0 ? count - 1 : random.below(count); // the last letter is one of them
                k += !is_stray[at];
                is_stray[at] = true;
            }
            for (std::uint64_t k = 0; k < count; ++k)
                if (is_stray[k])
                    letters[k] = "NRY-"[random.below(4)];
            auto const write = [&](std::string const & these) {
                std::vector<std::uint64_t> to(layout.most_bytes() / 8 + 1);
                auto * const bytes = reinterpret_cast<std::uint8_t *>(to.data());
                TwoBitWriter writer{slow_two_bits, reinterpret_cast<std::uint8_t const *>(these.data()), count, four,
                                    bytes};
                for (std::uint64_t piece = writer.pieces(); piece-- > 0;)
                    writer.write(piece);
                std::string found(count, '?');
                for (std::uint64_t k = 0; k < count && writer.strays(); ++k)
                    found[k] = static_cast<char>(letter_at(bytes, k, four));
                auto const * const noted = reinterpret_cast<StrayLetter const *>(bytes + layout.strays_at());
                for (std::uint64_t k = 0; k < writer.strays().value_or(0); ++k)
                    found[noted[k].position] = static_cast<char>(noted[k].letter);
                return std::pair{writer.strays(), found};
            };
            std::string const words =
                "TwoBitWriting.Strays seed=94 count=" + std::to_string(count) + " strays=" + std::to_string(strays);
            EXPECT_EQ(write(letters), (std::pair{std::optional{strays}, letters})) << words;
            if (strays == layout.most_strays() && strays < count) { // one more
                letters[static_cast<std::size_t>(std::ranges::find(is_stray, false) - is_stray.begin())] = 'N';
                EXPECT_EQ(write(letters).first, std::nullopt) << words;
            }
        }
    }
}

// A few letters tell, from the begin to the end: two of the 64 places that are looked at, and most of one.
TEST(TwoBitWriting, WhichFour)
{
    using cuda::batch::four_letters;
    auto const of = [](std::string const & letters) {
        auto const four = four_letters(reinterpret_cast<std::uint8_t const *>(letters.data()), letters.size());
        std::string found(four ? four->begin() : nullptr, four ? four->end() : nullptr);
        std::ranges::sort(found);
        return found;
    };
    Random random{95};
    std::string letters = random_sequence(random, 100'000, "GATC");
    EXPECT_EQ(of(letters), "ACGT");
    letters[0] = letters.back() = 'N';
    EXPECT_EQ(of(letters), "ACGT");
    letters.replace(50'000, 5, random_sequence(random, 5, "gatc"));
    EXPECT_EQ(of(letters), "");
    EXPECT_EQ(of(random_sequence(random, 100'000, "ARNDCQEGHILKMFPSTWYV")), "");
    EXPECT_EQ(of("GATTAGA").substr(1), "AGT") << "and one that does not occur";
}

} // namespace
} // namespace nwgpu::test
