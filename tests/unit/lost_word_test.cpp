// SPDX-License-Identifier: BSD-3-Clause
// What a word costs at least on the diagonals of a band (lost_word-inl.hpp, docs/proofs.md, lemma 34), against a matrix
// of the word's letters and those diagonals, for every instruction set.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "unit/lost_word_test.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "cpu/furthest/lost_word-inl.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "support/cases.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

// Of the word that begins where diagonal 0 has the target's letters.
bool costs_more_than(std::uint8_t const * word, std::uint8_t const * target, std::int64_t length, std::int64_t low,
                     std::int64_t high, std::int64_t penalty, Penalties const & costs)
{
    return LostWord{word, target, length, low, high}.costs_more_than(penalty, costs);
}
bool differs(std::uint8_t const * word, std::uint8_t const * target, std::int64_t length, std::int64_t low,
             std::int64_t high, std::int64_t letters, std::int64_t centre)
{
    return LostWord{word, target, length, low, high}.differs(letters, centre);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace nwgpu::cpu {
namespace {

using test::Random;
using test::random_sequence;

struct Isa {
    std::string name;
    decltype(&HWY_NAMESPACE::costs_more_than) costs_more_than;
    decltype(&HWY_NAMESPACE::differs) differs;
};

// Those of this CPU.
std::vector<Isa> isas()
{
    std::vector<Isa> all
    {
#if HWY_TARGETS & HWY_AVX3
        {"avx3", N_AVX3::costs_more_than, N_AVX3::differs},
#endif
#if HWY_TARGETS & HWY_AVX2
            {"avx2", N_AVX2::costs_more_than, N_AVX2::differs},
#endif
#if HWY_TARGETS & HWY_SSE4
            {"sse4", N_SSE4::costs_more_than, N_SSE4::differs},
#endif
    };
    std::vector<std::string> const available = available_isas();
    std::erase_if(all, [&](Isa const & isa) { return !std::ranges::count(available, isa.name); });
    all.push_back({"the baseline", HWY_STATIC_DISPATCH(costs_more_than), HWY_STATIC_DISPATCH(differs)});
    return all;
}

struct Word {
    std::uint8_t const *letters, *target; // the target's begin where diagonal 0 has the word
    std::int64_t length, low, high;
};

// Of a path through all letters of the word, from any of the diagonals and on none but these.
std::int64_t least_penalty(Word const & word, Penalties const & costs)
{
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 2;
    auto const count = static_cast<std::size_t>(word.high - word.low + 1);
    std::vector<std::int64_t> any(count, 0), insertion(count, never), deletion(count, never);
    for (std::int64_t letter = 0; letter < word.length; ++letter) {
        std::vector<std::int64_t> next(count, never), next_insertion(count, never);
        std::ranges::fill(deletion, never);
        for (std::size_t k = 0; k < count; ++k) {
            bool const same = word.letters[letter] == word.target[letter + word.low + static_cast<std::int64_t>(k)];
            if (k + 1 < count)
                next_insertion[k] = std::min(any[k + 1] + costs.open, insertion[k + 1]) + costs.extend;
            if (k > 0)
                deletion[k] = std::min(next[k - 1] + costs.open, deletion[k - 1]) + costs.extend;
            next[k] = std::min({any[k] + (same ? 0 : costs.mismatch), next_insertion[k], deletion[k]});
        }
        any = next;
        insertion = next_insertion;
    }
    return std::ranges::min(any);
}

struct Letters {
    std::string word, target;
};

// The word lies somewhere in the target, changed a little.
Letters some_word(Random & random, std::int64_t length, std::int64_t diagonals)
{
    Letters made;
    std::string const letters = std::string{"ACGT"}.substr(0, 2 + random.below(3));
    made.word = random_sequence(random, static_cast<std::uint64_t>(length), letters);
    made.target = random_sequence(random, 64 + static_cast<std::uint64_t>(diagonals), letters);
    std::string near = made.word;
    for (std::uint64_t changes = random.below(4); changes > 0 && !near.empty(); --changes) {
        std::uint64_t const at = random.below(near.size());
        if (random.chance(0.4))
            near.insert(at, 1 + random.below(2), letters[random.below(letters.size())]);
        else if (random.chance(0.5))
            near.erase(at, 1 + random.below(2));
        else
            near[at] = letters[random.below(letters.size())];
    }
    // Of many diagonals, often where one part of them ends.
    std::uint64_t const at = diagonals > 330 && random.chance(0.5)
                                 ? 314 + random.below(12)
                                 : random.below(static_cast<std::uint64_t>(diagonals));
    made.target.replace(at, near.size(), near);
    made.target.resize(256 + static_cast<std::size_t>(diagonals), 'A'); // letters that can be read
    made.word.resize(128, letters[random.below(letters.size())]);
    return made;
}

std::int64_t fewest_that_differ(Word const & word)
{
    std::int64_t fewest = word.length;
    for (std::int64_t k = word.low; k <= word.high; ++k) {
        std::int64_t letters = 0;
        for (std::int64_t x = 0; x < word.length; ++x)
            letters += word.letters[x] != word.target[x + k];
        fewest = std::min(fewest, letters);
    }
    return fewest;
}

// Words of every length that the search makes (`most_word`), and as many diagonals as fill a vector, a number or some
// numbers, or one more or less.
TEST(LostWord, CostsWhatAMatrixSays)
{
    constexpr std::int64_t most_word = 48;
    std::vector<std::int64_t> const edges{1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 319, 320, 321, 639};
    std::vector<Penalties> const schemes{{1, 0, 1}, {2, 3, 1}, {6, 4, 3}, {4, 0, 5}, {12, 0, 5}, {1, 2, 1}};
    std::vector<Isa> const all = isas();
    std::uint64_t dear = 0, count = 0;
    for (std::uint64_t seed = 1; seed <= 100 * most_word; ++seed) {
        Random random{seed};
        std::int64_t const length = 1 + static_cast<std::int64_t>(seed) % most_word,
                           diagonals =
                               random.chance(0.5)
                                   ? random.pick(edges)
                                   : 1 + static_cast<std::int64_t>(random.below(random.chance(0.3) ? 700 : 140)),
                           low = -static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(diagonals)));
        Letters const made = some_word(random, length, diagonals);
        Word const word{reinterpret_cast<std::uint8_t const *>(made.word.data()),
                        reinterpret_cast<std::uint8_t const *>(made.target.data()) - low, length, low,
                        low + diagonals - 1};
        Penalties const & costs = random.pick(schemes);
        std::int64_t const least = least_penalty(word, costs), fewest = fewest_that_differ(word);
        auto const centre = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(length)));
        for (Isa const & isa : all) {
            for (std::int64_t penalty = 0; penalty <= 14; ++penalty) {
                EXPECT_EQ(
                    isa.costs_more_than(word.letters, word.target, word.length, word.low, word.high, penalty, costs),
                    least > penalty)
                    << "LostWord seed=" << seed << " isa=" << isa.name << " penalty " << penalty;
                dear += least > penalty;
                ++count;
            }
            for (std::int64_t letters = 1; letters <= 8; ++letters)
                EXPECT_EQ(isa.differs(word.letters, word.target, word.length, word.low, word.high, letters, centre),
                          fewest >= letters)
                    << "LostWord seed=" << seed << " isa=" << isa.name << " letters " << letters;
        }
        if (HasFailure())
            return;
    }
    EXPECT_GT(dear, count / 5);
    EXPECT_LT(dear, count * 4 / 5);
}

} // namespace
} // namespace nwgpu::cpu

#endif // HWY_ONCE
