// SPDX-License-Identifier: BSD-3-Clause
// Pairs of few changes, found by comparing their letters once (docs/proofs.md, lemma 30): the oracle's answers, and
// that all pairs are found that the lemma names, at every edge of a vector.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
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

// Costs of which two gaps are worth 2, 4, 1 and no mismatches, or just one.
std::vector<Scoring> const & schemes()
{
    static std::vector<Scoring> const all{edit,
                                          affine,
                                          Scoring::uniform(0, 4, {6, 2}),
                                          Scoring::uniform(1, 3, {0, 2}),
                                          Scoring::uniform(0, 9, {1, 1}),
                                          Scoring::uniform(0, 2, {0, 1}),
                                          Scoring::uniform(5, 1, {0, 0})};
    return all;
}

// Whether the kernels of an instruction set tell that they differ little; if so, the answer is the oracle's at all
// levels.
bool is_found(PairSet const & set, std::uint64_t p, Scoring const & scoring, std::string const & isa,
              std::string const & words, SeparateChanges::Limits const & limits = {})
{
    Penalties const penalties = Penalties::of(scoring);
    std::uint64_t found = 0, asked = 0;
    for (CigarStyle const style : {CigarStyle::eqx, CigarStyle::m}) {
        std::optional<PairResult> full; // of the oracle, which takes its time
        for (Output const output : {Output::score, Output::end, Output::span, Output::cigar}) {
            PairResult result;
            result.runs = {1, 2, 3}; // of another pair
            ++asked;
            ApartSoFar apart{limits};
            if (!align_few_changes(set.view(p), penalties, kernel_table(isa), {Mode{}, output, style}, apart, result))
                continue;
            ++found;
            if (!full)
                full = reference::align(set.view(p), scoring, {}, style);
            EXPECT_EQ(result.score, full->score) << words << " isa=" << isa;
            if (output >= Output::span) {
                EXPECT_EQ(result.span, full->span) << words << " isa=" << isa;
                EXPECT_EQ(result.runs, full->runs) << words << " isa=" << isa;
            }
        }
    }
    EXPECT_TRUE(found == 0 || found == asked) << words << " isa=" << isa;
    return found > 0;
}

// By how many of the instruction sets; those with shorter vectors may find fewer.
std::uint64_t finders(PairSet const & set, std::uint64_t p, Scoring const & scoring, std::string const & words)
{
    std::uint64_t count = 0;
    for (std::string const & isa : available_isas())
        count += is_found(set, p, scoring, isa, words);
    return count;
}

bool is_found(PairSet const & set, std::uint64_t p, Scoring const & scoring, std::string const & words)
{
    std::uint64_t const count = finders(set, p, scoring, words);
    EXPECT_TRUE(count == 0 || count == available_isas().size()) << words;
    return count > 0;
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
                EXPECT_TRUE(is_found(set, p, scoring, "length=" + std::to_string(length)) || (p >= certain && !one))
                    << length << " pair " << p;
        }
}

// More mismatches than two gaps are worth are found where they lie apart.
TEST(FewChanges, AsManyMismatchesAsTwoGapsAreWorth)
{
    for (Scoring const & scoring : schemes())
        for (std::uint64_t const distance : {2, 60}) {
            Penalties const penalties = Penalties::of(scoring);
            std::int64_t const gap = penalties.open + penalties.extend, most = 2 * gap / penalties.mismatch;
            Random random{2};
            std::string const same = random_sequence(random, 400, "ACGT");
            std::string other = same;
            for (std::int64_t count = 0; count <= most + 1; ++count) {
                PairSet const set{{{same, other}}, scoring};
                bool const is_one = is_found(set, 0, scoring, "mismatches");
                if (count <= most || (distance == 60 && penalties.mismatch <= gap)) {
                    EXPECT_TRUE(is_one) << count;
                }
                other = with_letter(other, distance * static_cast<std::uint64_t>(count) + 7);
            }
        }
}

// Few letters, so that many paths are equally good, and the gap has many places.
TEST(FewChanges, PairsWithManyTies)
{
    std::uint64_t found = 0;
    for (std::uint64_t seed = 1; seed <= 12000; ++seed) {
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
        found += 0 < finders(set, 1, scoring, "PairsWithManyTies seed=" + std::to_string(seed));
        if (HasFailure())
            return;
    }
    EXPECT_GT(found, 6000);
    EXPECT_LT(found, 11600);
}

void change_once(Random & random, std::string & text, std::uint64_t at, std::string const & letters)
{
    if (random.chance(0.3))
        text.insert(at, 1, letters[random.below(letters.size())]);
    else if (random.chance(0.4))
        text.erase(at, 1 + random.below(10) / 9);
    else
        text[at] = letters[random.below(letters.size())];
}

// Letters that repeat, exactly or nearly so, and gaps that have many places, near to each other and far apart.
std::string with_repeats(Random & random, std::uint64_t length, std::string const & letters)
{
    std::string text;
    while (text.size() < length) {
        std::string const unit = random_sequence(random, 1 + random.below(random.chance(0.5) ? 4 : 30), letters);
        for (std::uint64_t k = 1 + random.below(random.chance(0.3) ? 6 : 1); k > 0; --k) {
            std::string copy = unit;
            if (copy.size() > 4 && random.chance(0.3))
                change_once(random, copy, random.below(copy.size()), letters);
            text += copy;
        }
    }
    return text.substr(0, length);
}

SequencePair changed_at_steps(Random & random, std::string const & letters)
{
    std::string const query = with_repeats(random, 20 + random.below(300), letters);
    std::uint64_t const step = 1 + random.below(60);
    std::string target = query;
    for (std::uint64_t at = random.below(2 * step); at < target.size(); at += 1 + random.below(2 * step))
        change_once(random, target, at, letters);
    return {query, target.empty() ? "A" : target};
}

// Between two places with changes letters are equal on several diagonals.
SequencePair changed_around_repeats(Random & random, std::string const & letters)
{
    std::string const unit = random_sequence(random, 1 + random.below(3), letters);
    std::string middle;
    while (middle.size() < 40)
        middle += unit;
    std::string query, target;
    for (std::uint64_t k = 2 + random.below(3); k > 0; --k) {
        std::string const same = random_sequence(random, 10 + random.below(30), letters),
                          repeat = middle.substr(0, random.below(40));
        query += same + random_sequence(random, random.below(4), letters) + repeat;
        target += same + random_sequence(random, random.below(4), letters) + repeat;
    }
    std::string const end = random_sequence(random, 70, letters);
    return {query + end, target + end};
}

TEST(FewChanges, ChangesThatLieApart)
{
    std::uint64_t found = 0, count = 0;
    for (std::uint64_t seed = 1; seed <= 2500; ++seed) {
        Random random{seed};
        std::string const letters = std::string{"ACGT"}.substr(0, random.chance(0.7) ? 4 : 2 + random.below(2));
        SequencePair const pair =
            random.chance(0.6) ? changed_at_steps(random, letters) : changed_around_repeats(random, letters);
        Scoring const & scoring = random.pick(schemes());
        PairSet const set{{{"ACGT", "A"}, pair, {"ACGTACGTACGT", "C"}}, scoring};
        found += 0 < finders(set, 1, scoring, "ChangesThatLieApart seed=" + std::to_string(seed));
        ++count;
        if (HasFailure())
            return;
    }
    EXPECT_GT(found, count / 5);
    EXPECT_LT(found, count * 3 / 4);
}

// The query repeats itself some letters further on, with a letter changed now and then; the target is what it repeats.
// So a path so many diagonals aside has no mismatches, and two gaps: about as much as all mismatches of the near one.
SequencePair repeated_far_aside(Random & random, Penalties const & costs, std::string const & letters)
{
    std::uint64_t const shift =
                            random.chance(0.2) ? 2 + random.below(8) : 9 + random.below(random.chance(0.7) ? 8 : 32),
                        between = 10 + random.below(50);
    auto const gaps = static_cast<std::uint64_t>(2 * (costs.open + static_cast<std::int64_t>(shift) * costs.extend)),
               change = static_cast<std::uint64_t>(std::min(costs.mismatch, costs.open + costs.extend));
    std::uint64_t const length =
        shift + std::clamp<std::uint64_t>(between * gaps * (60 + random.below(100)) / 100 / change, 40, 300);
    SequencePair pair{random_sequence(random, shift, letters), random_sequence(random, shift, letters)};
    std::uint64_t const close = random.chance(0.4) ? 1 + random.below(5) : 1; // changes
    std::uint64_t next = shift + random.below(2 * between), left = close;
    for (std::uint64_t i = shift; i < length; ++i) {
        char letter = pair.query[i - shift];
        pair.target += letter;
        if (i >= next) {
            letter = random_sequence(random, 1, letters)[0];
            left = left > 1 ? left - 1 : close;
            next = i + 1 + (left < close ? random.below(6) : random.below(2 * between));
        }
        pair.query += letter;
    }
    if (random.chance(0.5))
        std::swap(pair.query, pair.target);
    if (random.chance(0.3)) {
        std::ranges::reverse(pair.query);
        std::ranges::reverse(pair.target);
    }
    return pair;
}

// As for long pairs: places are told together, and far words looked for.
SeparateChanges::Limits long_pairs(Random & random)
{
    SeparateChanges::Limits limits{
        .letters_apart = 10, .long_letters = 0, .letters_apart_in_long = 0, .letters_together = 0};
    if (random.chance(0.5))
        limits.changes = 1000;
    if (random.chance(0.5))
        limits.near = 1 + static_cast<std::int64_t>(random.below(8));
    return limits;
}

// The same, longer ones, and repeated ones, as if they were long pairs, by one of the instruction sets.
TEST(FewChanges, PlacesToldTogetherAndFarWords)
{
    std::vector<Scoring> all = schemes();
    all.push_back(Scoring::uniform(1, 1, {3, 1}));
    all.push_back(Scoring::uniform(0, 1, {2, 1}));
    std::uint64_t found = 0, alone = 0, count = 0;
    for (std::uint64_t seed = 1; seed <= (test::is_thorough() ? 30'000u : 5000u); ++seed) {
        Random random{seed};
        std::string const letters = std::string{"ACGT"}.substr(0, random.chance(0.8) ? 4 : 2 + random.below(2));
        Scoring const & scoring = random.pick(all);
        SequencePair pair;
        for (std::uint64_t parts = 1 + random.below(3); parts > 0; --parts) {
            std::string const same = random_sequence(random, random.below(60), letters);
            std::uint64_t const kind = random.below(4);
            SequencePair const next = kind < 2 && scoring.gap().extend > 0
                                          ? repeated_far_aside(random, Penalties::of(scoring), letters)
                                      : kind < 3 ? changed_at_steps(random, letters)
                                                 : changed_around_repeats(random, letters);
            pair.query += same + next.query;
            pair.target += same + next.target;
        }
        PairSet const set{{pair}, scoring};
        std::string const words = "PlacesToldTogetherAndFarWords seed=" + std::to_string(seed);
        std::string const isa = random.pick(available_isas());
        found += is_found(set, 0, scoring, isa, words, long_pairs(random));
        if (seed % 8 == 0)
            alone += is_found(set, 0, scoring, isa, words);
        ++count;
        if (HasFailure())
            return;
    }
    EXPECT_GT(found, count / 5);
    EXPECT_GT(found, 8 * alone + count / 50);
}

// Of as many penalties as six gaps of one letter have, paths lead five diagonals aside and back: here the tie rule's.
TEST(FewChanges, PathsThatLeadFarAside)
{
    std::string const begin = "TTGACGCATGCAGTC",
                      end = "ACGGTCATTGCAGATCCGTAAGCTTGACCATGCGTTAACGCTAGGATCTCAGCGTATTGCACGGATTACAGTCCGATA";
    Scoring const scoring = Scoring::uniform(5, 1, {0, 0});
    PairSet const set{{{begin + "GGAGCCCCACGACAACACAACCCGGGCAAAGGGCA" + end,
                        begin + "GGAGCCCCACGACAACACAACACCCCGGGCAAAACGGCA" + end}},
                      scoring};
    finders(set, 0, scoring, "PathsThatLeadFarAside"); // if at all, with the oracle's answer
}

// Two gaps lead to the next change as cheaply as the mismatch.
TEST(FewChanges, MismatchesThatCostAsMuchAsTwoGaps)
{
    Scoring const scoring = Scoring::uniform(0, 2, {0, 1});
    PairSet const set{
        {{"ACCCAACACAACCAACCCCCACAACAACCAAAACACCCCCACACAACCCCCCCCACAAAAAAACCCCACAACACCCCCCAAACACCACACCAAAA",
          "ACCCAACACAACCAACCCCCACAACAACCACAACACCCCCCACACAACCCCCCCCACAAAAAAACCCCACAACACCCCCCAAACACCACACCAAAA"}},
        scoring};
    finders(set, 0, scoring, "MismatchesThatCostAsMuchAsTwoGaps");
}

// The letters before the second change belong to the first one's word.
TEST(FewChanges, WordsThatMustNotOverlap)
{
    PairSet const set{{{"CACAACCCAAAACAACACACCCACCCAAACACCACCCAACACAAAAACACACCCAACAAAACACACAACCAAACACAAAAAAACCCCACCCCCC"
                        "ACCCCCAAAACACACACCACAAACACCC",
                        "CACAACCCAAAACAACACACCCACCCAAACACCACCCAACACAAAACACACCCCAACAAAACACACCAACCAAACACAAAAAACCCCACCCCCC"
                        "ACCCCCAAAACACACACCACAAACACCC"}},
                      edit};
    finders(set, 0, edit, "WordsThatMustNotOverlap");
}

// Two mismatches in place of an insertion and a deletion, which have many places and lie further apart.
TEST(FewChanges, MismatchesInPlaceOfGaps)
{
    PairSet const set{{{"ACCCCCCAAACCACACCACCCCCCACCACAACAACACAACCCCCCAACACAAAAAAAAAACCCCCAAAAAAACACCAAAACACACAAACCCCCC"
                        "CCCAAAACAACCCCCACCAAA",
                        "ACCCCCCAAACCACACCACCCCCCACACAACAACACAACCCCCCAACACAAAAAAAAACCCCCAAAAAAAACACCAAAACACACAAACCCCCCC"
                        "CCAAAACAACCCCCACCAAA"}},
                      edit};
    finders(set, 0, edit, "MismatchesInPlaceOfGaps");
}

} // namespace
} // namespace nwgpu::cpu
