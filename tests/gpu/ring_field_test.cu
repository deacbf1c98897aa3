// SPDX-License-Identifier: BSD-3-Clause
// Rings without a GPU: their lanes in lockstep on the CPU, the walk from what they store, and the proof of their bands,
// against the oracle.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cuda/batch/path_kernel.cuh"
#include "cuda/batch/probe.hpp"
#include "cuda/batch/ring_field.cuh"
#include "gpu/numbered.hpp"
#include "gpu/stored_steps.hpp"
#include "path/band.hpp"

namespace nwgpu::test {
namespace {

using namespace cuda::batch;
using cuda::Halves;

struct InRing {
    bool proven = false;
    std::int32_t score = 0; // in units
    PairResult result;      // if proven
};

// What the kernel does with one pair in the first lanes of a warp.
template <int rows>
InRing align_in_ring(PairView const & view, Scoring const & scoring, GroupShape const & shape, bool path)
{
    using Field = RingField<rows>;
    using P = Profile<rows>;
    constexpr int bits = 4;
    BatchScheme const scheme = make_batch_scheme(scoring, {}).value();
    Numbered const numbered{view, scoring, scheme};
    ChunkPair const pair = numbered.pair;
    GroupArgs args;
    args.letter_count = static_cast<std::uint32_t>(numbered.table.letters);
    args.open = scheme.open;
    args.extend = scheme.extend;
    int const best = scheme.best + 2 * scheme.extend, worst = scheme.worst + 2 * scheme.extend;
    RingNumbers const numbers = RingNumbers::of(rows, best, scheme.open, scheme.zero);
    auto const bytes = [](int score) { return static_cast<std::uint8_t>(score) * 0x01010101u; };

    int const lanes = shape.lanes(), low = ring_low(shape, pair.m, pair.n), last = (pair.m - 1) / rows,
              end = pair.n - 1 + last + low;
    std::vector<uint4> profile(static_cast<std::size_t>(P::letter_bytes) * (args.letter_count + 1) / 16);
    std::vector<Field> cells(static_cast<std::size_t>(lanes));
    std::vector<int> first_col(static_cast<std::size_t>(2 * lanes));
    auto const lane_profile = [&](int lane) { return reinterpret_cast<char *>(profile.data()) + lane * 16; };
    auto const constants = Field::constants(args);
    for (int lane = 0; lane < lanes; ++lane) {
        Field::build_no_letter(lane_profile(lane), args.letter_count);
        cells[static_cast<std::size_t>(lane)].start(constants, numbers);
    }
    std::uint8_t const * const query = numbered.letters.data() + pair.query;
    cells[0].load_letters(query);
    InRing in_ring;
    bool lost = false;
    std::vector<uint4> stored(stored_bytes(static_cast<std::uint32_t>(end + 1), rows, bits) / 16);
    std::vector<Halves> hands(static_cast<std::size_t>(lanes));
    for (int t = 0; t <= end; ++t) {
        int const block = t / (rows + 1), phase = t % (rows + 1);
        auto const lane_of = [&](int b) { return static_cast<std::size_t>(b / 2 % lanes); };
        if (phase == 0) {
            Field & c = cells[lane_of(block)];
            if (!c.begin_block(constants, block & 1, numbers) && block <= last)
                lost = true;
            c.build_profile(lane_profile(static_cast<int>(lane_of(block))), block & 1, args.letter_count, bytes(best),
                            bytes(worst));
            first_col[2 * lane_of(block) + (block & 1)] = -block - low;
        } else if (phase == 1) {
            cells[lane_of(block + 1)].begin_hold(constants, (block + 1) & 1);
            if ((block + 1) * rows < pair.m)
                cells[lane_of(block + 1)].load_letters(query + (block + 1) * rows);
        }
        for (int lane = 0; lane < lanes; ++lane)
            hands[static_cast<std::size_t>(lane)] =
                lane == 0 && t < ring_columns(shape) - rows
                    ? Field::top(args, numbers, t - low)
                    : cells[static_cast<std::size_t>((lane + lanes - 1) % lanes)].hand;
        for (int lane = 0; lane < lanes; ++lane) {
            Field & c = cells[static_cast<std::size_t>(lane)];
            auto const letter = [&](int half) {
                int const col = t + first_col[static_cast<std::size_t>(2 * lane + half)];
                return (col >= 0 && col < pair.n ? numbered.letters[pair.target + static_cast<unsigned>(col)]
                                                 : args.letter_count) *
                       static_cast<unsigned>(P::letter_bytes);
            };
            c.step(constants, hands[static_cast<std::size_t>(lane)], lane_profile(lane) + letter(0),
                   lane_profile(lane) + letter(1));
            store_step(stored, t, lane, StepWords<rows, bits>{c.H});
        }
    }
    in_ring.score = lost ? no_score
                         : cells[static_cast<std::size_t>(last / 2 % lanes)].number((pair.m - 1) % rows, last & 1) -
                               numbers.zero + last * numbers.fall - args.extend * (pair.m + pair.n);
    in_ring.proven = is_proven(shape, {scheme.best, scheme.open, scheme.extend}, pair.m, pair.n, in_ring.score);
    if (!in_ring.proven || !path)
        return in_ring;
    PathArgs paths;
    paths.path = paths.cigar = true;
    paths.scheme = walk_scheme(scheme, true);
    Matrix<bits> const matrix{
        paths.scheme,
        {reinterpret_cast<char const *>(stored.data()), shape, static_cast<int>(pair.m), static_cast<int>(pair.n)},
        query,
        numbered.letters.data() + pair.target,
        pair.m,
        pair.n,
        numbered.table.scores.data(),
        args.letter_count};
    Answer answer;
    answer.score = in_ring.score;
    std::vector<std::uint32_t> runs(view.m + view.n + 2);
    find_path(matrix, paths, runs.data() + runs.size(), answer);
    in_ring.result.score = scheme.unit * answer.score;
    in_ring.result.span = {answer.query_begin, answer.query_end, answer.target_begin, answer.target_end};
    in_ring.result.runs.assign(runs.end() - answer.runs, runs.end());
    return in_ring;
}

InRing align_in_ring(PairView const & view, Scoring const & scoring, GroupShape const & shape, bool path = true)
{
    return shape.height == 0 ? align_in_ring<16>(view, scoring, shape, path)
                             : align_in_ring<32>(view, scoring, shape, path);
}

bool has_rings(Scoring const & scoring, int bits)
{
    auto const scheme = make_batch_scheme(scoring, {});
    return scheme && scheme->uniform && scoring.max_score() >= 0 && scheme->bits == bits &&
           scheme->best + 2 * scheme->extend > 0;
}

class RingFieldTest : public testing::TestWithParam<std::string> {};

// Similar pairs that pass through all lanes of a ring more than once, or not even once, with ends that shift the band;
// many ties.  What is proven has the path of the tie rule, and enough of them are.
TEST_P(RingFieldTest, ProvenPathsEqualOracle)
{
    Scheme const & s = scheme(GetParam());
    Random random{81};
    for (int index = group_classes; index < first_chain; ++index) {
        GroupShape const shape = GroupShape::of(index);
        auto const rows = static_cast<std::uint64_t>(shape.capacity());
        std::vector<SequencePair> pairs;
        for (int k = 0; k < 24; ++k) {
            std::uint64_t const m = 1 + random.below(rows < 512 ? 4 * rows : rows + rows / 4);
            std::string_view const letters = random.chance(0.5) ? s.letters : s.letters.substr(0, 2);
            SequencePair pair = random_pair(random, Model::uniform, m, m, letters);
            pair.target = mutated(random, pair.query, letters, random.pick(std::vector<double>{0, 0.01, 0.03}));
            if (random.chance(0.5)) { // one long gap
                std::string & longer = random.chance(0.5) ? pair.query : pair.target;
                longer.insert(random.below(longer.size() + 1),
                              std::string(random.below(rows / 8), letters[random.below(letters.size())]));
            }
            if (!pair.target.empty() &&
                ring_half_width(shape, static_cast<int>(pair.query.size()), static_cast<int>(pair.target.size())) >= 0)
                pairs.push_back(std::move(pair));
        }
        PairSet const set{std::move(pairs), s.scoring};
        auto const expected = oracle(set, s.scoring, {});
        std::vector<PairResult> actual;
        std::uint64_t proven = 0;
        std::int64_t const unit = make_batch_scheme(s.scoring, {})->unit;
        for (std::uint64_t p = 0; p < set.count(); ++p) {
            InRing const in_ring = align_in_ring(set.view(p), s.scoring, shape);
            ASSERT_NE(in_ring.score, no_score);
            EXPECT_LE(unit * in_ring.score, expected[p].score) << "pair " << p;
            proven += in_ring.proven;
            actual.push_back(in_ring.proven ? in_ring.result : expected[p]);
        }
        expect_equal(expected, actual, set, "RingField seed=81 scheme=" + s.name + " ring=" + std::to_string(index));
        EXPECT_GE(proven, set.count() / 4) << s.name << " ring " << index;
    }
}

// A path along the outermost diagonal of the band, over the ends of several blocks: S + D + R + T with S + R + I + T.
SequencePair along_the_edge(Random & random, GroupShape const & shape, std::string_view letters)
{
    auto const rows = static_cast<std::uint64_t>(shape.rows());
    std::uint64_t const apart = random.below(20);
    auto const half_width = static_cast<std::uint64_t>(ring_half_width(shape, 1000, static_cast<int>(1000 + apart)));
    std::uint64_t const out = half_width - random.below(3);
    auto const some = [&](std::uint64_t length) { return random_sequence(random, length, letters); };
    std::string const begin = some(random.below(3 * rows)), along = some(2 * rows + random.below(6 * rows)),
                      end = some(300 + random.below(400));
    std::string target = begin + std::string(out + apart, letters.back()) + along + end,
                query = begin + along + std::string(out, letters.front()) + end;
    if (random.chance(0.25))
        std::swap(query, target);
    return {std::move(query), std::move(target)};
}

TEST(RingEdges, AreComputedAsAllElse)
{
    std::uint64_t seed = 0, as_wide_as_the_band = 0;
    for (auto const & [match, mismatch, open, extend] : {std::array{5, 4, 1, 2},
                                                         {5, 4, 1, 1},
                                                         {2, 2, 1, 1},
                                                         {4, 1, 3, 2},
                                                         {10, 4, 1, 1},
                                                         {6, 5, 0, 0},
                                                         {4, 3, 0, 0}}) {
        Scoring const scoring = Scoring::uniform(match, mismatch, {open, extend});
        ASSERT_TRUE(has_rings(scoring, 4));
        for (int k = 0; k < 60; ++k, ++seed) {
            Random random{seed};
            GroupShape const shape = GroupShape::of(group_classes + k % 2);
            PairSet const set{{along_the_edge(random, shape, k % 3 == 0 ? "ACGT" : "AC")}, scoring};
            PairView const view = set.view(0);
            InRing const in_ring = align_in_ring(view, scoring, shape);
            auto const expected = oracle(set, scoring, {});
            EXPECT_LE(in_ring.score, expected[0].score) << "seed=" << seed;
            if (!in_ring.proven)
                continue;
            auto const m = static_cast<int>(view.m), n = static_cast<int>(view.n);
            as_wide_as_the_band +=
                BandRule{match, open, extend}.half_width(m, n, in_ring.score) + 2 >= ring_half_width(shape, m, n);
            expect_equal(expected, {in_ring.result}, set, "RingEdges seed=" + std::to_string(seed));
        }
    }
    EXPECT_GT(as_wide_as_the_band, 10u);
}

// Scores alone, where blocks behind the last one have numbers that no floor watches.
TEST(RingEdges, ScoresOfDearGaps)
{
    std::uint64_t seed = 0, told = 0;
    for (auto const & [match, mismatch, open, extend] :
         {std::array{101, 104, 1986, 13}, {53, 70, 1962, 37}, {34, 9, 862, 24}, {1, 127, 1936, 63}}) {
        Scoring const scoring = Scoring::uniform(match, mismatch, {open, extend});
        ASSERT_TRUE(make_batch_scheme(scoring, {})->uniform);
        for (int k = 0; k < 40; ++k, ++seed) {
            Random random{seed};
            GroupShape const shape = GroupShape::of(group_classes + k % 4);
            PairSet const set{{along_the_edge(random, shape, "ACGT")}, scoring};
            InRing const in_ring = align_in_ring(set.view(0), scoring, shape, false);
            told += in_ring.score != no_score;
            std::int64_t const score = make_batch_scheme(scoring, {})->unit * std::int64_t{in_ring.score};
            std::int64_t const expected = oracle(set, scoring, {})[0].score;
            if (in_ring.score != no_score)
                EXPECT_LE(score, expected) << "seed=" << seed;
            if (in_ring.proven)
                EXPECT_EQ(score, expected) << "seed=" << seed;
        }
    }
    EXPECT_GT(told, 50u);
}

std::vector<std::string> names()
{
    std::vector<std::string> all;
    for (Scheme const & s : all_schemes())
        if (s.letters.size() <= most_letters && has_rings(s.scoring, 4))
            all.push_back(s.name);
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, RingFieldTest, testing::ValuesIn(names()), [](auto const & info) { return info.param; });

// Long pairs that lose more than 16 bits hold, and some that nearly do: no wrong score is taken for a proven one.
TEST(RingNumbers, AreToldWhenTheyAreTooLow)
{
    Scoring const scoring = Scoring::uniform(61, 64, {30, 33});
    ASSERT_TRUE(has_rings(scoring, 8));
    GroupShape const shape = GroupShape::of(group_classes + 2);
    Random random{82};
    int told = 0, proven = 0;
    for (int different = 150; different < 260; different += 10) {
        std::string const query = random_pair(random, Model::uniform, 2600, 1, "ACGT").query;
        std::string target = query;
        for (int k = 0; k < different; ++k) { // ten apart
            char & letter = target[static_cast<std::size_t>(10 * k + 5)];
            letter = letter == 'A' ? 'C' : 'A';
        }
        PairSet const set{{{query, target}}, scoring};
        InRing const in_ring = align_in_ring(set.view(0), scoring, shape, false);
        std::int64_t const expected = oracle(set, scoring, {})[0].score;
        told += in_ring.score == no_score;
        proven += in_ring.proven;
        if (in_ring.proven)
            EXPECT_EQ(in_ring.score, expected) << "different=" << different;
    }
    EXPECT_GT(told, 0);
    EXPECT_GT(proven, 0);
}

// The rule of a band says what the proof of the CPU says.
TEST(RingBand, RuleIsThatOfLemma17)
{
    Random random{83};
    for (auto const & [match, mismatch, open, extend] :
         {std::array{2, 4, 4, 2}, {0, 1, 0, 1}, {1, 3, 3, 2}, {5, 4, 10, 1}}) {
        Scoring const scoring = Scoring::uniform(match, mismatch, {open, extend});
        for (int k = 0; k < 200; ++k) {
            std::string const query(1 + random.below(90), 'A'), target(1 + random.below(90), 'A');
            PairSet const set{{{query, target}}, scoring};
            PairView const pair = set.view(0);
            auto const score = static_cast<int>(random.below(400)) - 300;
            EXPECT_EQ(std::uint64_t(BandRule{match, open, extend}.half_width(static_cast<int>(pair.m),
                                                                             static_cast<int>(pair.n), score)),
                      path::BandProof(pair, scoring).half_width(score).value())
                << pair.m << " x " << pair.n << " score " << score;
        }
    }
}

// What a probe says is what pairs of this kind need, more or less; a few strange ones do not matter.
TEST(RingProbe, SaysWhatBandsNeed)
{
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2});
    BatchScheme const scheme = make_batch_scheme(scoring, {}).value();
    double before = -1;
    for (double const divergence : {0.002, 0.01, 0.05}) {
        Random random{84};
        std::vector<SequencePair> pairs;
        double needed = 0;
        for (int k = 0; k < 40; ++k) {
            std::string const query = random_sequence(random, 1500, "ACGT");
            pairs.push_back({query, k % 20 == 0 ? random_sequence(random, 1500, "ACGT")
                                                : mutated(random, query, "ACGT", divergence)});
        }
        PairSet const set{std::move(pairs), scoring};
        auto const scores = run(set, scoring, {{}, Output::score}, EngineSetup{});
        for (std::uint64_t p = 0; p < set.count(); ++p)
            if (p % 20 != 0)
                needed += (1500.0 - static_cast<double>(scores[p].score)) / 5 / 1500 / 38;
        std::vector<std::uint64_t> all(set.count());
        std::iota(all.begin(), all.end(), 0);
        Request const request{};
        Batch const batch = set.batch();
        double const width = width_per_row({batch, all, scoring, request}, scheme, nullptr);
        EXPECT_LT(width, 1.4 * needed) << divergence;
        EXPECT_GT(width, 0.7 * needed) << divergence;
        EXPECT_GT(width, before);
        before = width;
    }
}

TEST(RingShape, ClassesAndColumns)
{
    for (int index = group_classes; index < first_chain; ++index) {
        GroupShape const ring = GroupShape::of(index);
        EXPECT_TRUE(ring.ring);
        EXPECT_EQ(ring.index(), index);
        EXPECT_GE(ring_half_width(ring, 1000, 1000), 60);
        EXPECT_EQ(ring_low(ring, 1040, 1000), ring_half_width(ring, 1000, 1040) + 40);
        EXPECT_LT(ring_half_width(ring, 5000, 1000), 0);
        if (index > group_classes)
            EXPECT_GT(ring_half_width(ring, 1, 1), ring_half_width(GroupShape::of(index - 1), 1, 1));
    }
}

} // namespace
} // namespace nwgpu::test
