// SPDX-License-Identifier: BSD-3-Clause
// Bands of bits (docs/proofs.md, lemma 31): the oracle's distance and CIGAR where the distance is not above what the
// band is for, and no lower cost where it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cpu/furthest/bit_band.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "path/walk.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "unit/forced_furthest.hpp"

namespace nwgpu::cpu {
namespace {

using test::PairSet;
using test::Random;
using test::random_sequence;

struct Found {
    std::int64_t cost = 0;
    PairResult result;
};

Found align_in_bits(PairView const & pair, std::int64_t most, CigarStyle style, std::string const & isa, BitBand & band)
{
    Found found;
    EXPECT_TRUE(band.compute(pair, most, kernel_table(isa)));
    EXPECT_LE(band.bytes(), BitBand::bytes_for(pair.m, pair.n, most, kernel_table(isa).lanes));
    CigarBuilder cigar;
    path::Cursor cursor;
    found.cost = band.walk(style, cigar, cursor.i, cursor.j);
    found.result.score = -found.cost;
    found.result.span.query_end = pair.m;
    found.result.span.target_end = pair.n;
    path::finish(Mode{}, cursor, cigar, found.result);
    return found;
}

void expect_oracle(PairSet const & set, std::uint64_t p, std::int64_t slack, CigarStyle style,
                   std::string const & words)
{
    PairView const pair = set.view(p);
    PairResult const expected = reference::align(pair, edit, {}, style);
    std::int64_t const distance = -expected.score,
                       apart = std::abs(static_cast<std::int64_t>(pair.m) - static_cast<std::int64_t>(pair.n)),
                       most = std::max(apart, distance + slack);
    for (std::string const & isa : available_isas()) {
        BitBand band;
        Found const found = align_in_bits(pair, most, style, isa, band);
        if (distance > most) {
            EXPECT_GE(found.cost, distance) << words << " isa=" << isa;
            continue;
        }
        EXPECT_EQ(found.cost, distance) << words << " isa=" << isa;
        EXPECT_EQ(found.result.span, expected.span) << words << " isa=" << isa;
        EXPECT_EQ(found.result.runs, expected.runs) << words << " isa=" << isa;
    }
}

// Few letters, so that many paths are equally good; bands just wide enough, wider, and too narrow.
TEST(BitBand, PairsWithManyTies)
{
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        Random random{seed};
        std::string const letters = std::string{"ACGTacg"}.substr(0, 1 + random.below(7));
        std::uint64_t const longest = seed % 20 == 0 ? 700 : 150;
        auto const pair = random_pair(random, random.pick(test::all_models()), 1 + random.below(longest),
                                      1 + random.below(longest), letters, 0.01 * static_cast<double>(random.below(40)));
        if (pair.query.empty() || pair.target.empty())
            continue;
        // Letters of others lie around it.
        PairSet const set{{{"ACGT", "A"}, pair, {"ACGTACGT", "C"}}, edit};
        std::int64_t const slack = random.chance(0.5)   ? 0
                                   : random.chance(0.7) ? static_cast<std::int64_t>(random.below(200))
                                                        : -static_cast<std::int64_t>(1 + random.below(30));
        expect_oracle(set, 1, slack, random.chance(0.8) ? CigarStyle::eqx : CigarStyle::m,
                      "PairsWithManyTies seed=" + std::to_string(seed));
        if (HasFailure())
            return;
    }
}

TEST(BitBand, LengthsAtTheEdgesOfWords)
{
    Random random{1};
    for (std::uint64_t const m : {1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257, 320, 513})
        for (std::uint64_t const n : {1, 63, 64, 65, 128, 256, 257, 300}) {
            PairSet const set{{{random_sequence(random, m, "ACGT"), random_sequence(random, n, "ACGT")},
                               {std::string(m, 'A'), std::string(n, 'A')},
                               {std::string(m, 'A'), std::string(n, 'C')}},
                              edit};
            for (std::uint64_t p = 0; p < set.count(); ++p)
                expect_oracle(set, p, 0, CigarStyle::eqx,
                              "m=" + std::to_string(m) + " n=" + std::to_string(n) + " pair=" + std::to_string(p));
        }
}

TEST(BitBand, SevenLettersAndNoMore)
{
    PairSet const set{{{"ACGTacgACGT", "ACGTacgnnAC"}, {"ACGTacgt", "ACGT"}}, edit};
    expect_oracle(set, 0, 3, CigarStyle::eqx, "seven letters");
    BitBand band;
    EXPECT_FALSE(band.compute(set.view(1), 4, kernel_table("")));
}

// Chosen by itself: the distance is guessed from a few fronts.
TEST(BitBand, IsChosenForDistantShortPairs)
{
    Random random{3};
    Penalties const penalties = Penalties::of(edit);
    int used = 0;
    for (int k = 0; k < 60; ++k) {
        auto const pair = random_pair(random, test::Model::mutated, 1000, 1000, "ACGT", 0.05 + 0.01 * (k % 16));
        PairSet const set{{pair}, edit};
        PairView const view = set.view(0);
        auto const plan = plan_furthest(view.m, view.n, penalties, no_min_score, true, {512, 32, 1, plenty}, 0);
        ASSERT_GT(plan.bit_bytes, 0u);
        FurthestMemory memory;
        Progress const silent;
        Team team{1};
        Monitor monitor{silent, view.cells(), team};
        auto const result =
            align_furthest(view, penalties, kernel_table(""), {Mode{}, Output::cigar}, plan, memory, monitor);
        if (!result)
            continue;
        used += memory.bits.bytes() > 0;
        test::expect_equal({reference::align(view, edit, {}, CigarStyle::eqx)}, {*result}, set,
                           "IsChosenForDistantShortPairs pair " + std::to_string(k));
    }
    EXPECT_GT(used, 20);
}

} // namespace
} // namespace nwgpu::cpu
