// SPDX-License-Identifier: BSD-3-Clause
// What a word costs at least on the diagonals of a band (lost_word-inl.hpp, docs/proofs.md, lemma 34), against a matrix
// of the word's letters and those diagonals.  Compiled for the baseline's instruction set.
#include "cpu/kernels/isas.hpp" // must come first

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "cpu/furthest/lost_word-inl.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

using HWY_NAMESPACE::LostWord;
using test::Random;
using test::random_sequence;

// Of a path through all letters of the word, from any of the diagonals and on none but these.
std::int64_t least_penalty(LostWord const & word, Penalties const & costs)
{
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 2;
    auto const count = static_cast<std::size_t>(word.high - word.low + 1);
    std::vector<std::int64_t> any(count, 0), insertion(count, never), deletion(count, never);
    for (std::int64_t letter = 0; letter < word.length; ++letter) {
        std::vector<std::int64_t> next(count, never), next_insertion(count, never);
        std::ranges::fill(deletion, never);
        for (std::size_t k = 0; k < count; ++k) {
            bool const same = word.word[letter] == word.target[letter + word.low + static_cast<std::int64_t>(k)];
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
Letters some_word(Random & random, std::int64_t diagonals)
{
    Letters made;
    std::string const letters = std::string{"ACGT"}.substr(0, 2 + random.below(3));
    made.word = random_sequence(random, 1 + random.below(30), letters);
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
    made.word.resize(128, 'A');
    return made;
}

TEST(LostWord, CostsWhatAMatrixSays)
{
    std::vector<Penalties> const schemes{{1, 0, 1}, {2, 3, 1}, {6, 4, 3}, {4, 0, 5}, {12, 0, 5}, {1, 2, 1}};
    std::uint64_t dear = 0, count = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Random random{seed};
        std::int64_t const diagonals = 1 + static_cast<std::int64_t>(random.below(random.chance(0.3) ? 700 : 140)),
                           low = -static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(diagonals)));
        Letters const made = some_word(random, diagonals);
        auto const length = static_cast<std::int64_t>(1 + random.below(30));
        auto const * const word = reinterpret_cast<std::uint8_t const *>(made.word.data());
        auto const * const target = reinterpret_cast<std::uint8_t const *>(made.target.data());
        LostWord const lost{word, target - low, length, low, low + diagonals - 1};
        Penalties const & costs = random.pick(schemes);
        std::int64_t const least = least_penalty(lost, costs);
        for (std::int64_t penalty = 0; penalty <= 14; ++penalty) {
            EXPECT_EQ(lost.costs_more_than(penalty, costs), least > penalty) << "seed=" << seed << ' ' << penalty;
            dear += least > penalty;
            ++count;
        }
        std::int64_t fewest = length;
        for (std::int64_t k = lost.low; k <= lost.high; ++k) {
            std::int64_t letters = 0;
            for (std::int64_t x = 0; x < length; ++x)
                letters += lost.word[x] != lost.target[x + k];
            fewest = std::min(fewest, letters);
        }
        std::int64_t const centre = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(length)));
        for (std::int64_t letters = 1; letters <= 8; ++letters)
            EXPECT_EQ(lost.differs(letters, centre), fewest >= letters) << "seed=" << seed << ' ' << letters;
        if (HasFailure())
            return;
    }
    EXPECT_GT(dear, count / 5);
    EXPECT_LT(dear, count * 4 / 5);
}

} // namespace
} // namespace nwgpu::cpu
