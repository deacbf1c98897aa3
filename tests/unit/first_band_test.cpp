// SPDX-License-Identifier: BSD-3-Clause
// For which pairs a band is tried: those whose words tell that one may be narrow enough.
#include "cpu/furthest/first_band.hpp"

#include <gtest/gtest.h>

#include <string>

#include "model/alphabet.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

using namespace test;

constexpr std::uint64_t letters = 80'000;

bool may_prove(std::string const & query, std::string const & target, Scoring const & scoring)
{
    auto const bytes = [](std::string const & text) { return reinterpret_cast<std::uint8_t const *>(text.data()); };
    return may_prove_band({bytes(query), query.size(), bytes(target), target.size()}, scoring, letters / 3);
}

TEST(FirstBand, NotOfUnrelatedSequences)
{
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        Random random{seed};
        std::string const query = random_sequence(random, letters, "ACGT"),
                          target = random_sequence(random, letters, "ACGT");
        EXPECT_FALSE(may_prove(query, target, Scoring::uniform(2, 4, {4, 2}))) << "seed=" << seed;
        EXPECT_FALSE(may_prove(query, target.substr(letters / 20), Scoring::uniform(0, 4, {6, 2}))) << "seed=" << seed;
        EXPECT_FALSE(may_prove(query.substr(letters / 20), target, Scoring::uniform(1, 3, {3, 2}))) << "seed=" << seed;
        // The band of an edit distance is narrower than a third of the sequences, whatever they are.
        EXPECT_TRUE(may_prove(query, target, Scoring::uniform(0, 1, {0, 1}))) << "seed=" << seed;
    }
}

TEST(FirstBand, OfRelatedSequences)
{
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        Random random{seed};
        std::string const query = random_sequence(random, letters, "ACGT");
        for (double const changed : {0.0, 0.01, 0.1, 0.2}) {
            std::string const target = mutated(random, query, "ACGT", changed);
            EXPECT_TRUE(may_prove(query, target, Scoring::uniform(2, 4, {4, 2}))) << "seed=" << seed << ' ' << changed;
            // All of the begin is another one.
            EXPECT_TRUE(may_prove(query, random_sequence(random, letters / 2, "ACGT") + target.substr(letters / 2),
                                  Scoring::uniform(2, 4, {4, 2})))
                << "seed=" << seed << ' ' << changed;
        }
    }
}

TEST(FirstBand, OfWhatWordsDoNotTell)
{
    Random random{5};
    std::string const query = random_sequence(random, letters, "ACGT"),
                      target = random_sequence(random, letters, "ACGT");
    Scoring const two_scores = Scoring::matrix({2, -4, -4, 3}, 2, codes_of("AC"), {4, 2});
    EXPECT_TRUE(may_prove(query, target, two_scores));
    EXPECT_TRUE(may_prove("ACG", "TTT", Scoring::uniform(2, 4, {4, 2}))); // no word
}

} // namespace
} // namespace nwgpu::cpu
