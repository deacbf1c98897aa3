// SPDX-License-Identifier: BSD-3-Clause
// Batches: many pairs in one call, of equal, similar and very different lengths, so that pairs share vectors and
// threads; repeated and permuted pairs; the result is that of each pair alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "reference/oracle.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

enum class Lengths { equal, similar, mixed };
std::string name_of(Lengths lengths)
{
    static constexpr char const * names[] = {"equal", "similar", "mixed"};
    return names[static_cast<int>(lengths)];
}

std::vector<SequencePair> many_pairs(std::uint64_t seed, std::uint64_t count, Lengths lengths, std::string_view letters)
{
    Random random{seed};
    std::vector<SequencePair> pairs;
    for (std::uint64_t p = 0; p < count; ++p) {
        std::uint64_t m = 150, n = 200;
        if (lengths == Lengths::similar) {
            m = random.between(90, 160);
            n = random.between(m - 30, m + 30);
        } else if (lengths == Lengths::mixed) {
            m = random.chance(0.1) ? random.below(700) : random.below(80);
            n = random.chance(0.1) ? random.below(700) : random.below(80);
        }
        Model const model = random.chance(0.6) ? Model::mutated : random.pick(all_models());
        pairs.push_back(random_pair(random, model, m, n, letters, 0.05 + 0.1 * static_cast<double>(random.below(4))));
    }
    return pairs;
}

class BatchTest : public OnEachEngine<std::string, Lengths> {};

TEST_P(BatchTest, EqualsOracle)
{
    Scheme const & s = scheme(value());
    std::vector<Mode> const modes{
        {},
        {.local = true},
        {.free_target_begin = true, .free_target_end = true},
        {.free_query_begin = true, .free_target_end = true},
        {.free_query_begin = true, .free_query_end = true, .free_target_begin = true, .free_target_end = true}};
    for (std::uint64_t const count : {1, 2, 15, 16, 17, 63, 64, 65, 257}) {
        std::string const words = "BatchTest count=" + std::to_string(count);
        PairSet const set{many_pairs(count, count, value<2>(), s.letters), s.scoring};
        Mode const & mode = modes[count % modes.size()];
        for (Mode const & chosen : count == 257 ? modes : std::vector<Mode>{mode}) {
            auto const full = oracle(set, s.scoring, chosen);
            for (auto const & options :
                 kind() == BackendKind::cpu && count == 257 ? fast_setups() : engine_setups(true, kind()))
                for (Output const output : {Output::score, Output::end, Output::cigar})
                    check(set, s, {chosen, output, CigarStyle::eqx}, options, full, words);
        }
        if (HasFailure())
            return;
    }
}

INSTANTIATE_TEST_SUITE_P(All, BatchTest,
                         on_each_engine(testing::Values("dna_2_4_4_2", "edit", "dna_5_3_8_1", "any_byte", "extend_0",
                                                        "all_zero", "leaves_8_bits", "leaves_16_bits", "match_2_20",
                                                        "all_2_30", "BLOSUM62_11_1", "asymmetric_5", "letters_128"),
                                        testing::Values(Lengths::equal, Lengths::similar, Lengths::mixed)),
                         ParameterNames{});

class BatchPairsTest : public OnEachEngine<> {};
INSTANTIATE_TEST_SUITE_P(All, BatchPairsTest, on_each_engine(), ParameterNames{});

// Pairs of a set's sequences against the reference.
void check_chosen(PairSet const & set, Scheme const & s, std::span<Pair const> pairs, Mode const & mode,
                  EngineSetup const & options)
{
    Batch const whole = set.batch();
    Batch const chosen{whole.queries, whole.targets, pairs};
    BatchResult const result = align(options, chosen, s.scoring, {mode, Output::cigar, CigarStyle::eqx});
    BatchResult const scores = align(options, chosen, s.scoring, {mode, Output::score});
    ASSERT_EQ(result.score.size(), pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        PairResult const expected = reference::align(chosen.view(p), s.scoring, mode);
        EXPECT_EQ(result.score[p], expected.score) << "pair " << p << " " << describe(options);
        EXPECT_EQ(scores.score[p], expected.score) << "pair " << p << " " << describe(options);
        EXPECT_EQ(result.span[p], expected.span) << "pair " << p << " " << describe(options);
        Runs const runs(result.runs.begin() + static_cast<std::ptrdiff_t>(result.run_offsets[p]),
                        result.runs.begin() + static_cast<std::ptrdiff_t>(result.run_offsets[p + 1]));
        EXPECT_EQ(runs, expected.runs) << "pair " << p << " " << describe(options);
    }
}

// Pairs may name any query and target, in any order and more than once.
TEST_P(BatchPairsTest, PermutedAndRepeatedPairs)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{many_pairs(7, 40, Lengths::mixed, s.letters), s.scoring};
    Random random{8};
    std::vector<Pair> pairs;
    for (int i = 0; i < 300; ++i)
        pairs.push_back({random.below(set.count()), i % 3 == 0 ? 5 : random.below(set.count())});
    for (auto const & options : engine_setups(true, kind()))
        for (Mode const & mode : {Mode{}, Mode{.local = true}})
            check_chosen(set, s, pairs, mode, options);
}

TEST_P(BatchPairsTest, FewLongPairsAmongManyShortOnes) // which an engine may take one by one
{
    Scheme const & s = scheme("BLOSUM62_11_1");
    std::vector<SequencePair> sequences = many_pairs(13, 1200, Lengths::similar, s.letters);
    for (std::size_t p = 77; p < sequences.size(); p += 500)
        sequences[p] = {std::string(2500, s.letters[p % 3]) + sequences[p].target, sequences[p].query + "ARNDC"};
    PairSet const set{std::move(sequences), s.scoring};
    Mode const mode{.local = true};
    check(set, s, {mode, Output::cigar, CigarStyle::eqx}, {.threads = 2, .kind = kind()}, oracle(set, s.scoring, mode),
          "FewLongPairs seed=13");
}

// Of equal lengths, one behind the other, which an engine may describe by the first: all of them, and with one that is
// not where its neighbours let expect it.
TEST_P(BatchPairsTest, EqualLengths)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{12};
    std::vector<SequencePair> sequences;
    for (int p = 0; p < 600; ++p)
        sequences.push_back({random_sequence(random, 11, s.letters), random_sequence(random, 17, s.letters)});
    PairSet const set{std::move(sequences), s.scoring};
    std::vector<Pair> all;
    for (std::uint64_t p = 3; p + 1 < set.count(); ++p)
        all.push_back({p, p});
    for (std::size_t const odd : {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{256}, std::size_t{400},
                                  all.size() - 1, all.size()}) {
        std::vector<Pair> pairs = all;
        if (odd < pairs.size())
            (odd % 2 == 0 ? pairs[odd].query : pairs[odd].target) = 2;
        for (Mode const & mode : {Mode{}, Mode{.local = true}})
            check_chosen(set, s, pairs, mode, {.threads = 2, .kind = kind()});
    }
    for (std::size_t const from : {1u, 255u, 256u, 257u, 512u}) { // where one comes again
        std::vector<Pair> pairs = all;
        for (std::size_t k = from; k < pairs.size(); ++k)
            --(from % 2 == 0 ? pairs[k].query : pairs[k].target);
        check_chosen(set, s, pairs, {}, {.threads = 2, .kind = kind()});
    }
    for (Pair & pair : all) // queries backwards
        pair.query = set.count() - 1 - pair.query;
    check_chosen(set, s, all, {}, {.threads = 2, .kind = kind()});
}

// One query against many targets, some of them empty: a profile may serve all of them.
TEST_P(BatchPairsTest, OneQueryManyTargets)
{
    for (std::string const name : {"dna_2_4_4_2", "BLOSUM62_11_1"}) {
        Scheme const & s = scheme(name);
        std::vector<SequencePair> sequences = many_pairs(10, 60, Lengths::mixed, s.letters);
        Random random{11};
        for (std::uint64_t const m : {1, 33, 150, 400})
            sequences.push_back({random_sequence(random, m, s.letters), ""});
        PairSet const set{std::move(sequences), s.scoring};
        for (std::uint64_t q = 60; q < set.count(); ++q) {
            std::vector<Pair> pairs;
            for (std::uint64_t t = 0; t <= 60; ++t)
                pairs.push_back({q, t});
            for (Mode const & mode : {Mode{}, Mode{.local = true}, fitting})
                check_chosen(set, s, pairs, mode, {.threads = 2, .kind = kind()});
        }
    }
}

// Scores of one query with many targets, some of which have one letter or none.
TEST_P(BatchPairsTest, OneQueryManyScores)
{
    std::uint64_t seed = 8400;
    for (std::uint64_t const m : {1, 20, 60, 144, 333, 400, 900, 2400})
        for (std::string const name : {"dna_2_4_4_2", "BLOSUM62_11_1"}) {
            Scheme const & s = scheme(name);
            Random random{++seed};
            std::string const query = random_sequence(random, m, s.letters);
            std::vector<SequencePair> pairs;
            for (std::uint64_t const count = random.between(500, 700); pairs.size() < count;)
                pairs.push_back(
                    {query,
                     random.chance(0.3)
                         ? random_sequence(random, random.between(0, 3), s.letters)
                         : random_pair(random, Model::mutated, std::min<std::uint64_t>(m, 40), 30, s.letters).target});
            for (SequencePair & pair : pairs) // related ones, which score
                if (random.chance(0.5))
                    pair.target += query.substr(random.below(m), random.between(1, 30));
            PairSet const set{std::move(pairs), s.scoring};
            std::vector<Pair> chosen;
            for (std::uint64_t target = 0; target < set.count(); ++target)
                chosen.push_back({0, target});
            Batch const whole = set.batch();
            Batch const batch{whole.queries, whole.targets, chosen};
            Mode const local{.local = true};
            BatchResult const result = align({.threads = 2, .kind = kind()}, batch, s.scoring, {local, Output::score});
            for (std::size_t p = 0; p < chosen.size(); ++p)
                ASSERT_EQ(result.score[p], reference::align(batch.view(p), s.scoring, local).score)
                    << "OneQueryManyScores seed=" << seed << " pair " << p;
        }
}

// More pairs than 16 bits count.
TEST_P(BatchPairsTest, SeventyThousandPairs)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{9};
    std::vector<SequencePair> pairs;
    for (int p = 0; p < 70000; ++p)
        pairs.push_back(random_pair(random, Model::mutated, random.below(12), random.below(12), s.letters));
    PairSet const set{std::move(pairs), s.scoring};
    for (Mode const & mode : {Mode{}, Mode{.local = true}})
        check(set, s, {mode, Output::cigar, CigarStyle::eqx}, {.threads = 2, .kind = kind()},
              oracle(set, s.scoring, mode), "SeventyThousandPairs seed=9");
}

TEST_P(BatchPairsTest, NoPairs)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{}, s.scoring};
    for (auto const & options : engine_setups(true, kind()))
        EXPECT_TRUE(run(set, s.scoring, {Mode{}, Output::cigar, CigarStyle::eqx}, options).empty());
}

// The same call twice on one engine, and after a larger one: nothing of an earlier call is left in the workspace.
TEST_P(BatchPairsTest, WorkspaceIsReused)
{
    Scheme const & s = scheme("dna_1_3_3_2");
    PairSet const small{many_pairs(11, 20, Lengths::mixed, s.letters), s.scoring};
    PairSet const large{many_pairs(12, 100, Lengths::equal, s.letters), s.scoring};
    for (auto const & options : engine_setups(true, kind()))
        for (Mode const & mode : {Mode{}, Mode{.local = true}}) {
            Request const request{mode, Output::cigar, CigarStyle::eqx};
            auto const expected = oracle(small, s.scoring, mode);
            check(small, s, request, options, expected, "WorkspaceIsReused first");
            run(large, s.scoring, request, options);
            check(small, s, request, options, expected, "WorkspaceIsReused second");
            engine(options).trim();
            check(small, s, request, options, expected, "WorkspaceIsReused trimmed");
        }
}

// Lengths from none to beyond what a GPU aligns in batches, of every scheme, in every mode.  NWGPU_BATCH_PAIRS: how
// many per scheme and mode.
class BatchOfAnyLengths : public OnEachEngine<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BatchOfAnyLengths); // without CUDA

std::vector<SequencePair> pairs_of_any_length(Random & random, Scheme const & s, std::uint64_t count)
{
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::uint64_t const longest = random.chance(0.02) ? 2500 : random.chance(0.2) ? 700 : 200;
        pairs.push_back(random_pair(random, random.pick(all_models()), random.below(longest + 1),
                                    random.below(longest + 1), s.letters));
    }
    return pairs;
}

TEST_P(BatchOfAnyLengths, EqualsCpu)
{
    char const * const wanted = std::getenv("NWGPU_BATCH_PAIRS");
    Scheme const & s = scheme(value());
    std::uint64_t seed = 80;
    for (Mode const & mode : all_modes()) {
        Random random{++seed};
        PairSet const set{pairs_of_any_length(random, s, wanted ? std::strtoull(wanted, nullptr, 10) : 400), s.scoring};
        auto const full = run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, EngineSetup{});
        for (Output const output : {Output::score, Output::end, Output::span, Output::cigar})
            if (!check(set, s, {mode, output, CigarStyle::eqx}, {.kind = kind()}, full,
                       "BatchOfAnyLengths seed=" + std::to_string(seed)))
                return;
    }
}

INSTANTIATE_TEST_SUITE_P(All, BatchOfAnyLengths, on_cuda(testing::ValuesIn(names_of(all_schemes()))), ParameterNames{});

// Global pairs that a GPU computes in bands: first bands that prove the score or do not, long gaps, queries longer than
// groups hold, a few that are not similar at all.
class BatchOfSimilarPairs : public OnEachEngine<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BatchOfSimilarPairs); // without CUDA

std::vector<SequencePair> similar_pairs(Random & random, Scheme const & s, std::uint64_t count)
{
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::uint64_t const m = random.chance(0.1) ? random.between(2400, 4000) : random.between(200, 1400);
        std::string const query = random_sequence(random, m, s.letters);
        std::string target = mutated(random, query, s.letters, random.pick(std::vector<double>{0, 0.005, 0.02, 0.06}));
        if (random.chance(0.2))
            target.insert(random.below(target.size() + 1), random_sequence(random, random.below(200), s.letters));
        if (random.chance(0.05))
            target = random_sequence(random, random.below(400), s.letters);
        if (random.chance(0.15)) { // a path along one diagonal, away from that of the end
            std::uint64_t const begin = random.below(query.size()), along = random.below(query.size() - begin),
                                apart = random.between(20, 140);
            target = query.substr(0, begin) + std::string(apart, s.letters.back()) + query.substr(begin, along) +
                     query.substr(std::min<std::size_t>(query.size(), begin + along + apart));
        }
        pairs.push_back(random.chance(0.5) ? SequencePair{query, target} : SequencePair{target, query});
    }
    return pairs;
}

TEST_P(BatchOfSimilarPairs, EqualsCpu)
{
    char const * const wanted = std::getenv("NWGPU_BATCH_PAIRS");
    Scheme const & s = scheme(value());
    Random random{90};
    PairSet const set{similar_pairs(random, s, wanted ? std::strtoull(wanted, nullptr, 10) : 80), s.scoring};
    auto const full = run(set, s.scoring, {{}, Output::cigar, CigarStyle::eqx}, EngineSetup{});
    for (Output const output : {Output::score, Output::end, Output::span, Output::cigar})
        for (std::uint64_t const limit : {0, 24 << 20}) // of the device
            if (!check(set, s, {{}, output, CigarStyle::eqx}, {.kind = kind(), .max_device_bytes = limit}, full,
                       "BatchOfSimilarPairs seed=90"))
                return;
}

INSTANTIATE_TEST_SUITE_P(All, BatchOfSimilarPairs, on_cuda(testing::ValuesIn(names_of(all_schemes()))),
                         ParameterNames{});

} // namespace
} // namespace nwgpu::test
