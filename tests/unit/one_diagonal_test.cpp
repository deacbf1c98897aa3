// SPDX-License-Identifier: BSD-3-Clause
// Pairs of which one sequence lies within the other on one diagonal (docs/proofs.md, lemma 37): the oracle's answers
// wherever it is said to be proven, and that reads with few mismatches are.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cpu/furthest/align_one_diagonal.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

using test::PairSet;
using test::Random;
using test::random_sequence;
using test::SequencePair;

Mode const local{.local = true}, query_inside{.free_target_begin = true, .free_target_end = true},
    target_inside{.free_query_begin = true, .free_query_end = true},
    overlap{.free_query_begin = true, .free_query_end = true, .free_target_begin = true, .free_target_end = true},
    query_end_too{.free_query_end = true, .free_target_begin = true, .free_target_end = true};
std::vector<Mode> const modes{local, query_inside, target_inside, overlap, query_end_too};

// Whether it is proven; if so, the answer is the oracle's, in both styles.
bool is_proven(PairSet const & set, std::uint64_t p, Scoring const & scoring, Mode const & mode,
               std::string const & isa, std::string const & words)
{
    auto const call = OneDiagonalCall::of(scoring, {mode});
    if (!call)
        return false;
    bool proven = false;
    for (CigarStyle const style : {CigarStyle::eqx, CigarStyle::m}) {
        TriesSoFar tries{1};
        PairResult result;
        result.runs = {1, 2, 3}; // of another pair
        Request const request{mode, Output::cigar, style};
        if (!align_on_one_diagonal(set.view(p), *call, kernel_table(isa), request, tries, result))
            continue;
        proven = true;
        PairResult const expected = reference::align(set.view(p), scoring, mode, style);
        EXPECT_EQ(result.score, expected.score) << words << " isa=" << isa;
        EXPECT_EQ(result.span, expected.span) << words << " isa=" << isa;
        EXPECT_EQ(result.runs, expected.runs) << words << " isa=" << isa;
    }
    return proven;
}

void change(Random & random, std::string & text, std::uint64_t at, std::string const & letters)
{
    std::string others = letters;
    std::erase(others, text[at]);
    text[at] = others[random.below(others.size())];
}

// Other alignments that are as good, or better, because of what is done to the sequences.
enum class Trick {
    none,
    repeats,         // of a short unit
    ends_nearby,     // the first or the last letters once more, on a diagonal nearby
    copy,            // all letters once more, with other mismatches
    gap,             // letters are left out or put in
    gap_in_a_repeat, // the same, where it hides: near an end, in a run of a short unit
};

// A piece of the outer sequence with mismatches, near each other, near an end, or anywhere.
SequencePair tricky_pair(Random & random, Trick trick, std::uint64_t inner, std::uint64_t outer)
{
    std::string const letters = std::string{"ACGT"}.substr(0, random.chance(0.6) ? 4 : 2 + random.below(2));
    std::string text = random_sequence(random, outer, letters);
    std::uint64_t const begin = random.below(outer - inner + 1), near = random.below(inner);
    auto const repeat = [&](std::uint64_t from, std::uint64_t to, std::uint64_t unit) {
        for (std::uint64_t k = from + unit; k < std::min(to, outer); ++k)
            text[k] = text[k - unit];
    };
    if (trick == Trick::repeats) {
        std::uint64_t const from = random.below(outer);
        repeat(from, from + 2 + random.below(outer), 1 + random.below(20));
    }
    std::uint64_t const tail = 4 + random.below(24); // letters from the gap to the end
    bool const at_end = random.chance(0.5);
    std::uint64_t const gap_at = std::min(inner - 4, at_end ? inner - std::min(inner, tail) : tail);
    if (trick == Trick::gap_in_a_repeat)
        repeat(begin + (at_end ? gap_at : 0), begin + (at_end ? inner + 4 : gap_at), 1 + random.below(3));
    std::string part = text.substr(begin, inner);
    if (trick == Trick::copy && begin >= inner) {
        std::string copy = part;
        for (std::uint64_t k = random.below(4); k > 0; --k)
            change(random, copy, random.below(inner), letters);
        if (random.chance(0.3))
            copy.erase(random.below(inner - 3), 1 + random.below(3));
        if (random.chance(0.3)) // local alignments leave them out
            copy.replace(random.chance(0.5) ? 0 : copy.size() - 4, 4, random_sequence(random, 4, letters));
        text.replace(0, copy.size(), copy);
    }
    bool const anywhere = random.chance(0.5);
    for (std::uint64_t k = random.below(5); k > 0; --k) {
        double const where = anywhere ? 1 : static_cast<double>(random.below(1000)) / 1000;
        std::uint64_t const at = where < 0.25  ? random.below(std::min<std::uint64_t>(inner, 9))
                                 : where < 0.5 ? inner - 1 - random.below(std::min<std::uint64_t>(inner, 9))
                                 : where < 0.8 ? std::min(inner - 1, near + random.below(12))
                                               : random.below(inner);
        change(random, part, at, letters);
    }
    if (trick == Trick::ends_nearby) {
        std::uint64_t const length = 1 + random.below(12), apart = 1 + random.below(4);
        if (begin + inner + apart <= outer)
            text.replace(begin + inner + apart - length, length, part, inner - length, length);
        if (begin >= apart)
            text.replace(begin - apart, length, part, 0, length);
    }
    if (trick == Trick::gap || trick == Trick::gap_in_a_repeat) {
        std::uint64_t const at = trick == Trick::gap ? random.below(inner - 3) : gap_at, length = 1 + random.below(3);
        if (random.chance(0.5))
            part.erase(at, length);
        else
            part.insert(at, random_sequence(random, length, letters));
    }
    return {part, text};
}

TEST(OneDiagonal, IsTheOraclesWhereItIsProven)
{
    std::uint64_t const count = test::is_thorough() ? 4000000 : 20000;
    std::vector<std::uint64_t> proven(modes.size());
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        Random random{seed};
        auto const trick = static_cast<Trick>(random.below(6));
        std::uint64_t const inner = random.chance(0.7) ? 16 + random.below(48) : 60 + random.below(100),
                            outer = (trick == Trick::copy ? 2 * inner : inner) + random.below(30);
        SequencePair pair = tricky_pair(random, trick, inner, outer);
        std::size_t const which = random.below(modes.size());
        if (modes[which] == target_inside || (which != 1 && random.chance(0.3)))
            std::swap(pair.query, pair.target);
        Scoring const & scoring = test::schemes_of_gaps()[random.below(test::schemes_of_gaps().size())];
        PairSet const set{{pair}, scoring};
        auto const isas = available_isas();
        proven[which] += is_proven(set, 0, scoring, modes[which], isas[random.below(isas.size())],
                                   "OneDiagonal seed=" + std::to_string(seed));
    }
    for (std::size_t which = 0; which < modes.size(); ++which)
        EXPECT_GT(proven[which], count / 100) << test::name(modes[which]);
}

// Mismatches at these letters of 200, and equal letters in a row on other diagonals at both ends.
bool detours_lose(Losses const & losses, bool may_clip, std::vector<std::int64_t> const & at, std::int64_t runs = 0)
{
    OneDiagonal found{};
    found.inner_letters = 200;
    found.losses = losses;
    found.may_clip = may_clip;
    found.mismatches = static_cast<int>(at.size());
    std::copy(at.begin(), at.end(), found.at.begin());
    found.first_run = found.last_run = runs;
    return all_detours_lose_more(found);
}

// What loses as much is not said to lose more.
TEST(OneDiagonal, Detours)
{
    Losses const usual{2, 6, 4, 2}; // one gap of a letter loses what a mismatch loses
    for (std::int64_t const letter : {0, 3, 100, 196, 199}) {
        std::int64_t const to_end = std::min(letter + 1, 200 - letter);
        for (std::int64_t runs = 0; runs < 8; ++runs)
            EXPECT_EQ(detours_lose(usual, false, {letter}, runs), to_end > runs) << letter << " " << runs;
        EXPECT_EQ(detours_lose(usual, true, {letter}), to_end > 3) << letter << ": or it is clipped";
    }
    EXPECT_TRUE(detours_lose({1, 4, 1, 1}, false, {100}));
    EXPECT_FALSE(detours_lose({1, 5, 1, 1}, false, {100})) << "a gap of each kind in place of the mismatch";
    // Two gaps lose as much as the mismatch, with up to 7 letters on each of two other diagonals.
    EXPECT_TRUE(detours_lose({1, 10, 4, 1}, false, {185}));
    EXPECT_FALSE(detours_lose({1, 10, 4, 1}, false, {186}));
    EXPECT_TRUE(detours_lose({1, 10, 4, 1}, false, {14}));
    EXPECT_FALSE(detours_lose({1, 10, 4, 1}, false, {13}));
    // Three mismatches lose 18, and so does a loop that has 7 letters on another diagonal and three in its gaps.
    EXPECT_TRUE(detours_lose(usual, false, {100, 104, 110}));
    EXPECT_FALSE(detours_lose(usual, false, {100, 104, 109}));
    EXPECT_TRUE(detours_lose(usual, false, {100, 104}));
}

// A part of the inner sequence lies elsewhere, too, with one mismatch in place of two: what a local alignment leaves
// out of it loses less than the second one.
TEST(OneDiagonal, PartsThatLieElsewhere)
{
    Scoring const scoring = Scoring::uniform(1, 14, {40, 1});
    Random random{5};
    std::uint64_t worse = 0;
    for (int k = 0; k < 40; ++k) {
        std::string const inner = random_sequence(random, 60, "ACGT");
        std::string here = inner, part = inner.substr(7, 46);
        change(random, here, 20, "ACGT");
        change(random, here, 40, "ACGT");
        change(random, part, 23, "ACGT");
        std::string const before = random_sequence(random, 20, "ACGT"), between = random_sequence(random, 20, "ACGT");
        PairSet const set{{{inner, before + here + between + part + before}}, scoring};
        worse += reference::align(set.view(0), scoring, local, CigarStyle::eqx).score > 30;
        for (std::string const & isa : available_isas())
            is_proven(set, 0, scoring, local, isa, "part " + std::to_string(k));
    }
    EXPECT_GT(worse, 20u);
}

// Reads of 150 letters with one or two mismatches somewhere, in 200 letters: hardly one is left out.
TEST(OneDiagonal, ReadsAreProven)
{
    Scoring const usual = Scoring::uniform(2, 4, {4, 2}), dear = Scoring::uniform(1, 4, {6, 1});
    Random random{3};
    for (Scoring const & scoring : {usual, dear})
        for (Mode const & mode : {query_inside, overlap, local})
            for (int mismatches = 0; mismatches <= 3; ++mismatches) {
                int proven = 0;
                constexpr int count = 40;
                for (int k = 0; k < count; ++k) {
                    std::string const text = random_sequence(random, 200, "ACGT");
                    std::string read = text.substr(random.below(51), 150);
                    for (int change_of = 0; change_of < mismatches; ++change_of)
                        change(random, read, 12 + random.below(126), "ACGT");
                    PairSet const set{{{read, text}}, scoring};
                    std::uint64_t isas = 0;
                    for (std::string const & isa : available_isas())
                        isas += is_proven(set, 0, scoring, mode, isa, "read " + std::to_string(k));
                    proven += isas == available_isas().size();
                }
                EXPECT_GT(proven, count * 8 / 10) << test::name(mode) << " " << mismatches;
            }
}

// The smallest and the largest that are tried, at both ends of the outer sequence, and those that are not.
TEST(OneDiagonal, Sizes)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{4};
    struct Size {
        std::uint64_t inner, outer;
        bool tried;
    };
    for (auto const & [inner, outer, tried] : {Size{16, 16, true},
                                               {16, 40, true},
                                               {15, 40, false},
                                               {512, 600, true},
                                               {513, 600, false},
                                               {200, 4096, true},
                                               {200, 4097, false},
                                               {64, 64, true},
                                               {63, 80, true},
                                               {65, 65, true},
                                               {128, 130, true}})
        for (std::uint64_t const begin : {std::uint64_t{0}, outer - inner})
            for (auto const & [mode, query_first] :
                 {std::pair{query_inside, true}, {target_inside, false}, {local, true}, {local, false}})
                for (std::string const & isa : available_isas()) {
                    bool proven = false;
                    for (int k = 0; k < 10 && !proven; ++k) { // a word may occur once more by chance
                        std::string const text = random_sequence(random, outer, "ACGT"),
                                          part = text.substr(begin, inner);
                        PairSet const set{{query_first ? SequencePair{part, text} : SequencePair{text, part}}, scoring};
                        proven = is_proven(set, 0, scoring, mode, isa, "size");
                    }
                    EXPECT_EQ(proven, tried) << inner << " in " << outer << " " << test::name(mode) << " isa=" << isa;
                }
}

TEST(OneDiagonal, IsForFreeEndsOfUniformSchemes)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Mode banded = query_inside;
    banded.band = Diagonals{-5, 5};
    EXPECT_TRUE(OneDiagonalCall::of(scoring, {query_inside}));
    EXPECT_FALSE(OneDiagonalCall::of(scoring, {Mode{}}));
    EXPECT_FALSE(OneDiagonalCall::of(scoring, {banded}));
    EXPECT_FALSE(OneDiagonalCall::of(scoring, {Mode{.free_target_end = true}}));
    EXPECT_FALSE(OneDiagonalCall::of(scoring, {Mode{.extend = true}}));
    EXPECT_FALSE(OneDiagonalCall::of(Scoring::uniform(0, 1, {0, 1}), {query_inside}));
    Request several{local};
    several.top = 2;
    EXPECT_FALSE(OneDiagonalCall::of(scoring, several));
    Request every{local};
    every.every_cell = true;
    EXPECT_FALSE(OneDiagonalCall::of(scoring, every));
}

} // namespace
} // namespace nwgpu::cpu
