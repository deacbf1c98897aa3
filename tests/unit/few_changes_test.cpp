// SPDX-License-Identifier: BSD-3-Clause
// Pairs of few changes, found by comparing their letters once (docs/proofs.md, lemma 30): the oracle's answers, and
// that all pairs are found that the lemma names, at every edge of a vector.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cpu/furthest/few_changes.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "unit/forced_furthest.hpp"

namespace nwgpu::cpu {
namespace {

using test::PairSet;
using test::Random;
using test::random_sequence;
using test::SequencePair;

// Costs of which two gaps are worth 2, 4, 1 and no mismatches.
std::vector<Scoring> const & schemes()
{
    static std::vector<Scoring> const all{edit,
                                          affine,
                                          Scoring::uniform(0, 4, {6, 2}),
                                          Scoring::uniform(1, 3, {0, 2}),
                                          Scoring::uniform(0, 9, {1, 1}),
                                          Scoring::uniform(5, 1, {0, 0})};
    return all;
}

// Whether they are told to differ little; if so, the answer is the oracle's at all levels.
bool is_found(PairSet const & set, std::uint64_t p, Scoring const & scoring, std::string const & words)
{
    Penalties const penalties = Penalties::of(scoring);
    bool found = false;
    for (std::string const & isa : available_isas())
        for (CigarStyle const style : {CigarStyle::eqx, CigarStyle::m}) {
            PairResult const full = reference::align(set.view(p), scoring, {}, style);
            for (Output const output : {Output::score, Output::end, Output::span, Output::cigar}) {
                PairResult result;
                result.runs = {1, 2, 3}; // of another pair
                bool const is =
                    align_few_changes(set.view(p), penalties, kernel_table(isa), {Mode{}, output, style}, result);
                EXPECT_TRUE(is == found ||
                            (isa == available_isas()[0] && style == CigarStyle::eqx && output == Output::score))
                    << words;
                found = is;
                if (!is)
                    continue;
                EXPECT_EQ(result.score, full.score) << words;
                if (output >= Output::span) {
                    EXPECT_EQ(result.span, full.span) << words;
                    EXPECT_EQ(result.runs, full.runs) << words << " isa=" << isa;
                }
            }
        }
    return found;
}

std::string with_letter(std::string text, std::uint64_t at)
{
    text[at] = text[at] == 'A' ? 'C' : 'A';
    return text;
}

TEST(FewChanges, AreFoundAtAllEdges)
{
    Random random{1};
    for (Scoring const & scoring : schemes())
        for (std::uint64_t const length : {1, 2, 15, 16, 17, 63, 64, 65, 128, 129, 200}) {
            std::string const same = random_sequence(random, length, "ACGT"),
                              insert = random_sequence(random, 3, "ACGT");
            std::vector<SequencePair> pairs{{same, same}};
            for (std::uint64_t const at : {std::uint64_t{0}, length / 2, length - 1}) {
                std::string const longer = same.substr(0, at) + insert + same.substr(at);
                pairs.push_back({same, longer});
                pairs.push_back({longer, same});
            }
            std::uint64_t const certain = pairs.size();
            for (std::uint64_t const at : {std::uint64_t{0}, length / 2, length - 1})
                pairs.push_back({same, with_letter(same, at)});
            PairSet const set{pairs, scoring};
            Penalties const penalties = Penalties::of(scoring);
            bool const one = penalties.mismatch <= 2 * (penalties.open + penalties.extend);
            for (std::uint64_t p = 0; p < set.count(); ++p)
                EXPECT_EQ(is_found(set, p, scoring, "length=" + std::to_string(length)), p < certain || one)
                    << length << " pair " << p;
        }
}

// One mismatch more than two gaps are worth is not found.
TEST(FewChanges, AsManyMismatchesAsTwoGapsAreWorth)
{
    for (Scoring const & scoring : schemes()) {
        Penalties const penalties = Penalties::of(scoring);
        std::int64_t const most = 2 * (penalties.open + penalties.extend) / penalties.mismatch;
        Random random{2};
        std::string const same = random_sequence(random, 300, "ACGT");
        std::string other = same;
        for (std::int64_t count = 0; count <= most + 1; ++count) {
            PairSet const set{{{same, other}}, scoring};
            EXPECT_EQ(is_found(set, 0, scoring, "mismatches"), count <= most) << count;
            other = with_letter(other, static_cast<std::uint64_t>(20 * count + 7));
        }
    }
}

// Few letters, so that many paths are equally good, and the gap has many places.
TEST(FewChanges, PairsWithManyTies)
{
    std::uint64_t found = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Random random{seed};
        std::string const letters = std::string{"ACGT"}.substr(0, 1 + random.below(4));
        std::string const query = random_sequence(random, 1 + random.below(40), letters);
        std::string target = query;
        for (std::uint64_t changes = random.below(4); changes > 0; --changes) {
            std::uint64_t const at = random.below(target.size() + 1), length = 1 + random.below(3);
            if (random.chance(0.3))
                target.insert(at, random_sequence(random, length, letters));
            else if (random.chance(0.4) && at + length < target.size())
                target.erase(at, length);
            else if (at < target.size())
                target[at] = letters[random.below(letters.size())];
        }
        Scoring const & scoring = random.pick(schemes());
        // Letters of others lie around it.
        PairSet const set{{{"ACGT", "A"}, {query, target}, {"ACGTACGTACGT", "C"}}, scoring};
        found += is_found(set, 1, scoring, "PairsWithManyTies seed=" + std::to_string(seed));
        if (HasFailure())
            return;
    }
    EXPECT_GT(found, 1500);
    EXPECT_LT(found, 2900);
}

} // namespace
} // namespace nwgpu::cpu
