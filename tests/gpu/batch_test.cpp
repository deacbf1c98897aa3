// SPDX-License-Identifier: BSD-3-Clause
// Batches on a GPU against the CPU engine: random pairs full of ties, every mode and scheme, lengths 0 to 2400 and a
// few beyond, in one call.  NWGPU_BATCH_PAIRS: how many per scheme and mode.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "gpu/gpu.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

std::uint64_t pairs_wanted()
{
    char const * const text = std::getenv("NWGPU_BATCH_PAIRS");
    return text ? std::strtoull(text, nullptr, 10) : 400;
}

std::vector<SequencePair> mixed_pairs(Random & random, Scheme const & s, std::uint64_t count)
{
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::uint64_t const longest = random.chance(0.02) ? 2500 : random.chance(0.2) ? 700 : 200;
        pairs.push_back(random_pair(random, random.pick(all_models()), random.below(longest + 1),
                                    random.below(longest + 1), s.letters));
    }
    return pairs;
}

class GpuBatch : public testing::TestWithParam<std::string> {};

TEST_P(GpuBatch, EqualsCpuEngine)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme(GetParam());
    auto const gpu = make_gpu();
    std::uint64_t seed = 80;
    for (Mode const & mode : all_modes()) {
        Random random{++seed};
        PairSet const set{mixed_pairs(random, s, pairs_wanted()), s.scoring};
        auto const full = run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, CpuSetup{});
        for (Output const output : {Output::score, Output::end, Output::span, Output::cigar})
            if (!check(set, s, {mode, output, CigarStyle::eqx}, *gpu, full, "GpuBatch seed=" + std::to_string(seed)))
                return;
    }
}

std::vector<std::string> names()
{
    std::vector<std::string> all;
    for (Scheme const & s : all_schemes())
        all.push_back(s.name);
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, GpuBatch, testing::ValuesIn(names()), [](auto const & info) { return info.param; });

// More pairs than a chunk, in little memory and in much; one query and many targets; both in another order.
TEST(GpuBatches, ManyChunks)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{90};
    PairSet const set{mixed_pairs(random, s, 3000), s.scoring};
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k < 150000; ++k)
        pairs.push_back(k < 50000 ? Pair{7, random.below(3000)} : Pair{random.below(3000), random.below(3000)});
    Batch const own = set.batch();
    Batch const batch{own.queries, own.targets, pairs};
    for (Mode const & mode : {Mode{}, Mode{.local = true}}) {
        Request const request{mode, Output::cigar, CigarStyle::m};
        BatchResult const expected = align(engine({}), batch, s.scoring, request);
        for (std::uint64_t const bytes : {std::uint64_t{0}, std::uint64_t{400} << 20}) {
            auto const gpu = make_gpu({}, bytes);
            BatchResult const actual = align(*gpu, batch, s.scoring, request);
            EXPECT_EQ(expected.score, actual.score) << bytes;
            EXPECT_EQ(expected.span, actual.span) << bytes;
            EXPECT_EQ(expected.runs, actual.runs) << bytes;
            EXPECT_EQ(expected.run_offsets, actual.run_offsets) << bytes;
        }
    }
}

TEST(GpuCancel, BatchesStopWithin100Milliseconds)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{91};
    PairSet const set{mixed_pairs(random, s, 3000), s.scoring};
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k < 1000000; ++k)
        pairs.push_back({random.below(3000), random.below(3000)});
    Batch const own = set.batch();
    Batch const batch{own.queries, own.targets, pairs};
    auto const gpu = make_gpu();
    using Clock = std::chrono::steady_clock;
    Clock::time_point asked;
    int calls = 0;
    Progress const stop = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_LE(done, total);
        asked = Clock::now();
        return ++calls < 3;
    };
    try {
        align(*gpu, batch, s.scoring, {{.local = true}, Output::cigar, CigarStyle::eqx}, stop);
        ADD_FAILURE() << "not cancelled";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
        EXPECT_LT(Clock::now() - asked, std::chrono::milliseconds{100});
    }
    PairSet const small{{{"ACGT", "ACGT"}}, s.scoring};
    check(small, s, {{}, Output::cigar, CigarStyle::eqx}, *gpu, oracle(small, s.scoring, {}), "after a cancelled call");
}

} // namespace
} // namespace nwgpu::test
