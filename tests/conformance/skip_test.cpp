// SPDX-License-Identifier: BSD-3-Clause
// Local alignments on a GPU, which skips cells that cannot reach the best score (docs/proofs.md, lemma 19): best
// alignments that come into reach of it late, at the end of the target or below a slab.
#include <gtest/gtest.h>

#include "backend/known_score.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

constexpr Mode local{.local = true};

struct Costs {
    std::int64_t match, mismatch, open, extend;
};

class SkipTest : public OnEachEngine<> {
protected:
    void check_one(SequencePair const & pair, Scheme const & s, std::vector<cuda::Tuning> const & tunings,
                   std::string const & words)
    {
        PairSet const set{{pair}, s.scoring};
        auto const full = oracle(set, s.scoring, local);
        for (cuda::Tuning const & tuning : tunings)
            for (Output const output : {Output::score, Output::cigar})
                check(set, s, {local, output, CigarStyle::eqx}, on_gpu(tuning), full, words);
    }
    // The same for pairs that are too long for the oracle: the answers of an engine that computes all cells.
    void check_long(std::vector<SequencePair> const & pairs, Scoring const & scoring,
                    std::vector<cuda::Tuning> const & tunings, std::string const & words)
    {
        PairSet const set{pairs, scoring};
        Request const request{local, Output::cigar, CigarStyle::eqx};
        EngineSetup full;
        full.tuning.skip = -1;
        auto const expected = run(set, scoring, request, full);
        for (cuda::Tuning const & tuning : tunings)
            expect_equal(expected, run(set, scoring, request, on_gpu(tuning)), set,
                         words + " " + describe(on_gpu(tuning)));
    }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SkipTest); // without CUDA
INSTANTIATE_TEST_SUITE_P(All, SkipTest, on_cuda(), ParameterNames{});

// A strip may end every 256 columns, some steps before its last column.  The best path may then be in the last row of
// half a lane, which the next half has not followed yet.
TEST_P(SkipTest, EndsInTheLastColumns)
{
    for (char const * const name : {"dna_2_4_4_2", "BLOSUM62_11_1"}) {
        Scheme const & s = scheme(name);
        Random random{1};
        for (int const rows : {2, 4})
            for (int m = 63 * rows - 1; m <= 63 * rows + 2; ++m)
                for (std::size_t const n : {257, 258, 259, 514}) {
                    std::string const query = random_sequence(random, static_cast<std::size_t>(m), s.letters);
                    std::string const target = random_sequence(random, n, s.letters) + query;
                    check_one({query, target.substr(target.size() - n)}, s,
                              {{.rows_per_half = rows, .max_traced_cells = 1}}, "SkipTest.EndsInTheLastColumns seed=1");
                }
    }
}

// The second of two equal stretches begins near the end of a slab, to the left of the first one.
TEST_P(SkipTest, BeginsAtTheEndOfASlab)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{2};
    for (std::uint64_t gap = 0; gap <= 120; gap += 20) {
        std::string const first = random_sequence(random, 300, s.letters),
                          second = random_sequence(random, 600, s.letters);
        SequencePair const pair{first + random_sequence(random, gap, s.letters) + second,
                                second + random_sequence(random, 900, s.letters) + first};
        std::vector<cuda::Tuning> tunings;
        for (int const place : {0, 1, 2})
            tunings.push_back({.rows_per_half = 2, .max_traced_cells = 1, .slab_rows = 128, .kept_in = place});
        check_one(pair, s, tunings, "SkipTest.BeginsAtTheEndOfASlab seed=2");
    }
}

// Skipping begins with a score that is known from words in common, near the best one or far from it.
TEST_P(SkipTest, FromAKnownScoreOn)
{
    for (char const * const name : {"dna_2_4_4_2", "linear_1_1_0_2", "BLOSUM62_11_1"}) {
        Scheme const & s = scheme(name);
        int known = 0;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            Random random{seed};
            std::uint64_t const m = random.between(200, 1200);
            SequencePair const pair = random_pair(random, random.pick(all_models()), m, random.between(m / 2, 2 * m),
                                                  s.letters, static_cast<double>(random.below(1000)) / 5000);
            std::vector<cuda::Tuning> const tunings{
                {.rows_per_half = 2, .max_traced_cells = 1, .skip = 1},
                {.rows_per_half = 2, .max_traced_cells = 1, .skip = 1, .slab_rows = 128, .kept_in = 1}};
            check_one(pair, s, tunings, "SkipTest.FromAKnownScoreOn seed=" + std::to_string(seed));
            PairSet const set{{pair}, s.scoring};
            Batch const batch = set.batch();
            std::uint64_t const all[] = {0};
            Team team{1};
            Progress const none;
            Request const request{local};
            Monitor monitor{none, 0, team};
            known += known_score({batch, all, s.scoring, request}, 0, engine(EngineSetup{}), monitor) > 0;
        }
        EXPECT_GT(known, 2) << name;
    }
}

// Strips end and begin where scores are high, along gaps that go on from strip to strip; kept boundaries, bottoms of
// slabs among them, stand beside skipped cells.
TEST_P(SkipTest, EdgesOfHighScores)
{
    for (auto const & [match, mismatch, open, extend] :
         {Costs{2, 4, 4, 2}, Costs{5, 4, 20, 1}, Costs{3, 2, 31, 0}, Costs{1, 3, 0, 2}, Costs{20, 30, 500, 10}}) {
        std::string const words =
            "SkipTest.EdgesOfHighScores match=" + std::to_string(match) + " open=" + std::to_string(open);
        Random random{static_cast<std::uint64_t>(match + open)};
        std::string const query = random_sequence(random, 2600, "ACGT");
        std::string target = mutated(random, query, "ACGT", 0.02);
        target.insert(random.between(600, 1800), random_sequence(random, 500, "ACGT"));
        std::vector<cuda::Tuning> tunings;
        for (int const rows : {2, 4})
            for (std::uint64_t const slab : {0, 512})
                tunings.push_back({.rows_per_half = rows,
                                   .max_traced_cells = 1,
                                   .skip = 1,
                                   .slab_rows = slab,
                                   .kept_in = slab > 0 ? 1 : 0});
        for (bool const swapped : {false, true})
            check_long({swapped ? SequencePair{target, query} : SequencePair{query, target}},
                       Scoring::uniform(match, mismatch, {open, extend}), tunings, words);
    }
}

// Tiles of the path begin with boundaries that other sweeps have kept, raised where those have skipped cells.  The end
// of a slab and the cut of the target meet among letters that differ, in each place by turns.
TEST_P(SkipTest, TilesBesideSkippedCells)
{
    constexpr std::uint64_t slab = 1024;
    for (auto const & [match, mismatch, open, extend] :
         {Costs{1, 3, 5, 0}, Costs{1, 4, 6, 1}, Costs{2, 4, 4, 2}, Costs{1, 3, 0, 2}})
        for (std::uint64_t const seed : {3, 5}) {
            if (!is_thorough() && seed != (open == 5 || open == 0 ? 3u : 5u)) // in CI one for each of the costs
                continue;
            Random random{seed};
            std::vector<SequencePair> pairs{{random_sequence(random, 4000, "ACGT"), ""}};
            pairs[0].target = mutated(random, pairs[0].query, "ACGT", 0.03);
            for (std::uint64_t rows = 1; rows <= 8; ++rows) { // of those letters, above the end of the slab
                std::uint64_t const half = slab - rows;
                std::string const before = random_sequence(random, half, "ACGT"),
                                  behind = random_sequence(random, half, "ACGT");
                pairs.push_back(
                    {before + random_sequence(random, 8, "AC") + behind + random_sequence(random, 2000, "GT"),
                     before + random_sequence(random, random.between(2, 9), "AC") + behind});
                pairs.back().target.resize(2 * half);
            }
            std::vector<cuda::Tuning> tunings;
            for (int const skip : {-1, 1})
                tunings.push_back({.rows_per_half = 2,
                                   .max_traced_cells = 1,
                                   .skip = skip,
                                   .slab_rows = slab,
                                   .cuts = 2,
                                   .kept_in = 1});
            check_long(pairs, Scoring::uniform(match, mismatch, {open, extend}), tunings,
                       "SkipTest.TilesBesideSkippedCells seed=" + std::to_string(seed) +
                           " open=" + std::to_string(open));
        }
}

} // namespace
} // namespace nwgpu::test
