// SPDX-License-Identifier: BSD-3-Clause
// Batches without a GPU: the lanes of a group in lockstep on the CPU, the walk from what they store, and the bounds of
// both, against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda/batch/chunk.hpp"
#include "cuda/batch/group_field.cuh"
#include "cuda/batch/path_kernel.cuh"
#include "cuda/batch/residues.hpp"
#include "gpu/host_sweep.hpp"
#include "gpu/stored_steps.hpp"
#include "model/alphabet.hpp"

namespace nwgpu::test {
namespace {

using namespace cuda::batch;
using cuda::both;
using cuda::Halves;

// What a chunk holds, numbered.
TEST(BatchLetters, AreNumberedByTheirCodes)
{
    Scoring const dna = Scoring::uniform(2, 3, {3, 2}, alphabet_codes("dna"));
    BatchScheme const scheme = make_batch_scheme(dna, {}).value();
    auto const seen = [](std::string_view letters) {
        std::bitset<256> set;
        for (char const letter : letters)
            set.set(static_cast<unsigned char>(letter));
        return set;
    };
    LetterTable const table = make_letters(seen("acGTuA"), dna, scheme).value();
    EXPECT_EQ(table.letters, 4);
    EXPECT_FALSE(table.identity);
    EXPECT_EQ(table.number['a'], table.number['A']);
    EXPECT_EQ(table.number['T'], table.number['u']);
    for (char const other : {'A', 'G', 'T'})
        EXPECT_NE(table.number['c'], table.number[static_cast<unsigned char>(other)]);
    for (int q = 0; q < 4; ++q)
        for (int t = 0; t < 4; ++t)
            EXPECT_EQ(table.scores[static_cast<std::size_t>(4 * q + t)], q == t ? 2 : -3);
    EXPECT_FALSE(make_letters(seen("AC*"), dna, scheme)) << "an invalid letter is the frame's to name";
    Scoring const any = Scoring::uniform(2, 3, {3, 2});
    EXPECT_TRUE(make_letters(seen("AC*"), any, scheme));
    std::bitset<256> many;
    for (std::size_t byte = 0; byte < 32; ++byte)
        many.set(byte);
    EXPECT_FALSE(make_letters(many, any, scheme)) << "one too many";
}

constexpr std::uint32_t unset = 0x5a5a5a5a; // what nobody stored, nor reads

// With the path, from residues.
template <int rows, bool local, int bits>
PairResult align_on_host(PairView const & view, Scoring const & scoring, Mode const & mode, GroupShape const & shape)
{
    using Sweep = HostSweep<rows, local, local ? BestCell::step : BestCell::number>;
    using Field = typename Sweep::Field;
    Sweep sweep{view, scoring, mode, shape.lanes()};
    auto const & [scheme, numbered, lanes, steps, args, cells, columns] = sweep;
    ChunkPair const pair = numbered.pair;
    int const last = (pair.m - 1) / rows;
    std::vector<uint4> stored(stored_bytes(static_cast<std::uint32_t>(steps), rows, bits) / 16,
                              uint4{unset, unset, unset, unset});
    sweep.run([&](int t, int lane, Field const & c) {
        if (StoredSteps::of(lane, rows, pair.m, pair.n).have(t & ~1))
            store_step(stored, t, lane, StepWords<rows, bits>{c.H});
    });
    Answer answer;
    Residues<bits, false> const residues{reinterpret_cast<char const *>(stored.data()), shape, static_cast<int>(pair.m),
                                         static_cast<int>(pair.n)};
    if constexpr (local)
        answer = sweep.best_cell(residues);
    else
        answer.score = cells[static_cast<std::size_t>(last / 2)].number((pair.m - 1) % rows, last % 2) - args.zero -
                       args.extend * (pair.m + pair.n);

    PathArgs path;
    path.path = path.cigar = true;
    path.scheme = walk_scheme(scheme, true);
    Matrix<bits> const matrix{
        path.scheme, residues, numbered.letters.data() + pair.query, numbered.letters.data() + pair.target,
        pair.m,      pair.n,   numbered.table.scores.data(),         args.letter_count};
    std::vector<std::uint32_t> runs(view.m + view.n + 2);
    find_path(matrix, path, runs.data() + runs.size(), answer);
    PairResult result;
    result.score = scheme.unit * answer.score;
    result.span = {answer.query_begin, answer.query_end, answer.target_begin, answer.target_end};
    result.runs.assign(runs.end() - answer.runs, runs.end());
    return result;
}

template <int rows, int bits>
PairResult align_on_host(PairView const & view, Scoring const & scoring, Mode const & mode, GroupShape const & shape)
{
    return mode.local ? align_on_host<rows, true, bits>(view, scoring, mode, shape)
                      : align_on_host<rows, false, bits>(view, scoring, mode, shape);
}

template <int rows>
PairResult align_on_host(PairView const & view, Scoring const & scoring, Mode const & mode, GroupShape const & shape)
{
    return make_batch_scheme(scoring, mode)->bits == 4 ? align_on_host<rows, 4>(view, scoring, mode, shape)
                                                       : align_on_host<rows, 8>(view, scoring, mode, shape);
}

PairResult align_on_host(PairView const & view, Scoring const & scoring, Mode const & mode, GroupShape const & shape)
{
    switch (shape.height) {
    case 0:
        return align_on_host<16>(view, scoring, mode, shape);
    case 1:
        return align_on_host<25>(view, scoring, mode, shape);
    case 2:
        return align_on_host<32>(view, scoring, mode, shape);
    default:
        return align_on_host<38>(view, scoring, mode, shape);
    }
}

class GroupFieldTest : public testing::TestWithParam<std::string> {};

// All heights, one lane and several, every mode; tie-rich pairs that fill their group, or not.
TEST_P(GroupFieldTest, SweepAndWalkEqualOracle)
{
    Scheme const & s = scheme(GetParam());
    Random random{71};
    for (Mode const & mode : common_modes()) {
        auto const fits = make_batch_scheme(s.scoring, mode);
        if (!fits || fits->bits == 0)
            continue;
        std::vector<SequencePair> pairs;
        std::vector<GroupShape> shapes;
        for (int k = 0; k < 40; ++k) {
            GroupShape const shape{k % height_count, k / 4 % 3};
            std::uint64_t const m = random.chance(0.2) ? shape.capacity() : 1 + random.below(shape.capacity()),
                                n = 1 + random.below(160);
            if (!fits->fits(m, n))
                continue;
            pairs.push_back(random_pair(random, random.pick(all_models()), m, n, s.letters));
            shapes.push_back(shape);
        }
        PairSet const set{std::move(pairs), s.scoring};
        auto const expected = oracle(set, s.scoring, mode);
        std::vector<PairResult> actual;
        for (std::uint64_t p = 0; p < set.count(); ++p)
            actual.push_back(align_on_host(set.view(p), s.scoring, mode, shapes[p]));
        expect_equal(expected, actual, set, "GroupFieldTest seed=71 scheme=" + s.name + " mode=" + name(mode));
    }
}

std::vector<std::string> names()
{
    std::vector<std::string> all;
    for (Scheme const & s : all_schemes())
        if (s.letters.size() <= most_letters &&
            (make_batch_scheme(s.scoring, {}) || make_batch_scheme(s.scoring, {.local = true})))
            all.push_back(s.name);
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, GroupFieldTest, testing::ValuesIn(names()), [](auto const & info) { return info.param; });

// The largest pairs that are said to fit 16 bits, and no larger ones: equal letters, different ones, and one long gap.
TEST(BatchScheme, LargestPairsThatFit)
{
    struct Case {
        std::int64_t match, mismatch, open, extend;
    };
    for (auto const & [match, mismatch, open, extend] :
         {Case{100, 10, 20, 3}, {5, 4, 10, 1}, {1, 30, 20, 12}, {60, 9, 1, 30}})
        for (Mode const & mode : {Mode{}, Mode{.local = true}, Mode{.free_target_begin = true, .free_target_end = true},
                                  Mode{.free_query_begin = true, .free_query_end = true},
                                  Mode{.free_query_begin = true,
                                  .free_query_end = true,
                                  .free_target_begin = true,
                                  .free_target_end = true}}) {
            Scoring const scoring = Scoring::uniform(match, mismatch, {open, extend});
            auto const scheme = make_batch_scheme(scoring, mode);
            ASSERT_TRUE(scheme);
            ASSERT_EQ(scheme->unit, 1);
            ASSERT_GT(scheme->bits, 0);
            for (std::uint64_t const m : {7, 300, 2432}) {
                std::uint64_t n = 1;
                while (n < 6000 && scheme->fits(m, n + 1))
                    ++n;
                if (!scheme->fits(m, n))
                    continue;
                std::string const one(m, 'A'), equal(n, 'A'), different(n, 'C');
                PairSet const set{
                    {{one, equal}, {one, different}, {one, different.substr(n / 2) + equal.substr((n + 1) / 2)}},
                    scoring};
                auto const expected = run(set, scoring, {mode, Output::cigar, CigarStyle::eqx}, EngineSetup{});
                std::vector<PairResult> actual;
                for (std::uint64_t p = 0; p < set.count(); ++p)
                    actual.push_back(
                        align_on_host(set.view(p), scoring, mode, shape_for(static_cast<std::uint32_t>(m), false)));
                expect_equal(expected, actual, set,
                             "BatchScheme match=" + std::to_string(match) + " mode=" + name(mode));
            }
        }
}

TEST(BatchShape, HoldsAllRowsAndWastesFew)
{
    for (bool const many : {false, true})
        for (std::uint32_t m = 1; m <= most_rows; ++m) {
            GroupShape const shape = shape_for(m, many);
            ASSERT_GE(shape.capacity(), m);
            EXPECT_EQ(GroupShape::of(shape.index()).capacity(), shape.capacity());
            if (m > 32 && !many)
                EXPECT_LE(shape.capacity(), 1.52 * m) << m;
        }
}

// What the warps of a chunk store is never more than the plan says.
TEST(BatchChunk, StoredBytesAreEnough)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    Random random{72};
    for (int round = 0; round < 60; ++round) {
        auto const work = make_work(s.scoring, request);
        ASSERT_TRUE(work);
        std::vector<SequencePair> pairs;
        std::uint64_t const longest_m = 1 + random.below(2400), longest_n = 1 + random.below(400);
        for (std::uint64_t k = random.below(120) + 1; k > 0; --k)
            pairs.push_back(
                {std::string(1 + random.below(longest_m), 'A'), std::string(1 + random.below(longest_n), 'C')});
        PairSet const set{std::move(pairs), s.scoring};
        std::vector<std::uint64_t> all(set.count());
        std::iota(all.begin(), all.end(), 0);
        Batch const batch = set.batch();
        Sums const sums = sums_of({batch, all, s.scoring, request}, *work, 0, all.size());
        EXPECT_EQ(sums.pairs, set.count());
        EXPECT_EQ(sums.suited, set.count());
        auto const which = [&](std::uint64_t p) { return work->class_of(set.view(p), p); };
        auto const steps_of_pair = [&](std::uint64_t p) {
            PairView const pair = set.view(p);
            return steps_of(GroupShape::of(which(p)), static_cast<int>(pair.m), static_cast<int>(pair.n));
        };
        std::stable_sort(all.begin(), all.end(), [&](auto a, auto b) {
            return which(a) != which(b) ? which(a) > which(b) : steps_of_pair(a) > steps_of_pair(b);
        });
        std::uint64_t stored = 0;
        for (std::size_t k = 0; k < all.size();) {
            GroupShape const shape = GroupShape::of(which(all[k]));
            std::uint32_t steps = 0;
            std::size_t end = k;
            for (; end < all.size() && end < k + 32 / static_cast<std::size_t>(shape.lanes()) &&
                   which(all[end]) == which(all[k]);
                 ++end) {
                PairView const pair = set.view(all[end]);
                int const last = static_cast<int>(pair.m - 1) / shape.rows();
                steps =
                    std::max(steps, shape.ring ? steps_of_pair(all[end])
                                               : static_cast<std::uint32_t>(pair.n) + static_cast<std::uint32_t>(last));
            }
            stored += stored_bytes(steps, shape.rows(), work->bits());
            k = end;
        }
        EXPECT_LE(stored, sums.stored_bytes(work->bits())) << "seed=72 round=" << round;
    }
}

} // namespace
} // namespace nwgpu::test
