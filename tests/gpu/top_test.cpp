// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments with the sweep on the GPU: small pairs against the oracle, longer ones against the CPU
// engine alone; every alignment's score, span and CIGAR, in order.
#include <gtest/gtest.h>

#include <chrono>

#include "align/aligner.hpp"
#include "base/error.hpp"
#include "cuda/kernels/kernels.hpp"
#include "gpu/gpu.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "support/top.hpp"

namespace nwgpu::test {
namespace {

void expect_same(std::vector<PairResult> const & expected, std::vector<PairResult> const & actual,
                 std::string const & words)
{
    ASSERT_EQ(actual.size(), expected.size()) << words;
    for (std::size_t k = 0; k < actual.size(); ++k)
        ASSERT_TRUE(actual[k] == expected[k])
            << words << " alignment=" << k << "\n  expected " << text_of(expected[k]).substr(0, 300) << "\n  actual   "
            << text_of(actual[k]).substr(0, 300);
}

void check_top(PairSet const & set, Scheme const & s, Request const & request, Backend & backend,
               std::string const & words)
{
    std::string const reproducer = words + " scheme=" + s.name + " m=" + std::to_string(set[0].query.size()) +
                                   " n=" + std::to_string(set[0].target.size()) + " top=" + std::to_string(request.top);
    BatchResult const expected = align(engine({}), set.batch(), s.scoring, request);
    BatchResult const actual = align(backend, set.batch(), s.scoring, request);
    EXPECT_EQ(actual.status, expected.status) << reproducer;
    for (std::uint64_t p = 0; p < set.count(); ++p)
        expect_same(entries_of(expected, p), entries_of(actual, p), reproducer + " pair=" + std::to_string(p));
}

std::string describe_top(cuda::Tuning const & tuning)
{
    return describe(tuning) + " top_tile=" + std::to_string(tuning.top_tile);
}

cuda::Tuning with_tile(int pairs, std::uint64_t top_tile, int width = 0)
{
    cuda::Tuning tuning;
    tuning.pairs = pairs;
    tuning.width = width;
    tuning.top_tile = top_tile;
    return tuning;
}

// Unrelated letters with copies of stretches of the query here and there in the target.
SequencePair with_repeats(Random & random, std::uint64_t m, std::uint64_t n, int copies, std::string_view letters)
{
    SequencePair pair{random_sequence(random, m, letters), random_sequence(random, n, letters)};
    for (int k = 0; k < copies; ++k) {
        std::uint64_t const length = random.between(100, std::min(m, n) / 20);
        std::string const copy = mutated(random, std::string_view{pair.query}.substr(random.below(m - length), length),
                                         letters, static_cast<double>(random.below(20)) / 100);
        pair.target.replace(random.below(n - copy.size()), copy.size(), copy);
    }
    return pair;
}

class GpuTopSchemes : public testing::TestWithParam<std::string> {};

TEST_P(GpuTopSchemes, EqualOracle)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme(GetParam());
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Random random{seed};
        PairSet const set{
            {random_pair(random, random.pick(all_models()), random.between(1, 700), random.between(1, 700), s.letters)},
            s.scoring};
        Request const request = request_of(6);
        auto const expected = reference::align_top(set.view(0), s.scoring, request.top);
        for (cuda::Tuning const & tuning : {with_tile(0, 0), with_tile(0, 100), with_tile(-1, 200), with_tile(2, 130),
                                            with_tile(4, 300), with_tile(-1, 150, 64)})
            expect_same(expected, entries_of(align(*make_gpu(tuning), set.batch(), s.scoring, request), 0),
                        "GpuTopSchemes seed=" + std::to_string(seed) + " scheme=" + s.name + " " +
                            describe_top(tuning));
    }
}

std::vector<std::string> scheme_names()
{
    std::vector<std::string> names;
    for (Scheme const & s : all_schemes())
        names.push_back(s.name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(All, GpuTopSchemes, testing::ValuesIn(scheme_names()),
                         [](auto const & info) { return info.param; });

TEST(GpuTop, EveryKernelEqualsCpu)
{
    NWGPU_NEEDS_GPU();
    for (std::string const name : {"dna_2_4_4_2", "linear_1_1_0_1"}) {
        Scheme const & s = scheme(name);
        Random random{3};
        PairSet const set{{with_repeats(random, 9000, 7000, 12, s.letters)}, s.scoring};
        for (int const pairs : cuda::packed_pairs)
            if (s.scoring.gap().open == 0 || pairs <= 50)
                check_top(set, s, request_of(20), *make_gpu(with_tile(pairs, 1000)),
                          "GpuTop.EveryKernel seed=3 " + describe_top(with_tile(pairs, 1000)));
    }
}

TEST(GpuTop, LongerPairsEqualCpu)
{
    NWGPU_NEEDS_GPU();
    struct Case {
        std::string scheme;
        Model model;
        std::uint64_t m, n;
        std::uint32_t top;
    };
    for (Case const & c : {Case{"dna_2_4_4_2", Model::structured, 20000, 30000, 30},
                           {"dna_1_3_3_2", Model::tandem, 20000, 30000, 10},
                           {"dna_2_4_4_2", Model::homopolymer, 20000, 15000, 10},
                           {"dna_1_3_3_2", Model::two_letters, 30000, 20000, 20},
                           {"dna_1_3_3_2", Model::uniform, 40000, 50000, 100},
                           {"BLOSUM62_11_1", Model::mutated, 23000, 23000, 20},
                           {"dna_1_3_3_2", Model::uniform, 900, 300000, 50},
                           {"dna_1_3_3_2", Model::uniform, 300000, 900, 50}}) {
        Scheme const & s = scheme(c.scheme);
        Random random{5};
        PairSet const set{{random_pair(random, c.model, c.m, c.n, s.letters, 0.1)}, s.scoring};
        for (std::uint64_t const tile : {0u, 1000u})
            check_top(set, s, request_of(c.top), *make_gpu(with_tile(0, tile)),
                      "GpuTop.LongerPairs seed=5 model=" + std::string{name(c.model)} +
                          " tile=" + std::to_string(tile));
    }
}

TEST(GpuTop, ManyRepeatsEqualCpu)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{6};
    PairSet const set{{with_repeats(random, 300000, 300000, 80, s.letters)}, s.scoring};
    check_top(set, s, request_of(50), *make_gpu(), "GpuTop.ManyRepeats seed=6");
    check_top(set, s, request_of(50, Output::span), *make_gpu(with_tile(0, 30000)), "GpuTop.ManyRepeats seed=6, spans");
}

// Larger tiles where memory is short; then a status of the pair, while the others are computed.
TEST(GpuTop, LittleMemory)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{7};
    PairSet const set{{with_repeats(random, 100000, 100000, 30, s.letters), {"ACGT", "ACGA"}, {"", "A"}}, s.scoring};
    Batch const batch = set.batch();
    Request const request = request_of(20);
    std::uint64_t const usual = estimate(*make_gpu(), batch, s.scoring, request).device_bytes;
    std::uint64_t const little = usual / 4;
    auto const gpu = make_gpu({}, little);
    EXPECT_LE(estimate(*gpu, batch, s.scoring, request).device_bytes, little);
    check_top(set, s, request, *gpu, "GpuTop.LittleMemory seed=7");

    BatchResult const failed = align(*make_gpu({}, 1600000), set.batch(), s.scoring, request);
    ASSERT_EQ(failed.status.front(), Status::memory_limit);
    EXPECT_EQ(failed.pair.back(), 2u);
    EXPECT_EQ(failed.score[1], 3);

    cuda::EngineOptions options;
    options.top_finder = cpu::make_swept_finder({});
    auto const limited = cuda::make_engine(options);
    EXPECT_EQ(align(*limited, batch, s.scoring, request, {}, 4 << 20).status.front(), Status::memory_limit);
    options.top_finder.reset();
    EXPECT_EQ(align(*cuda::make_engine(options), batch, s.scoring, request).status.front(), Status::unsupported);
}

// As a context has it: CUDA alone, and auto, which falls back to the CPU where the device is too small.
TEST(GpuTop, EveryDeviceAgrees)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{8};
    SequencePair const pair = with_repeats(random, 40000, 40000, 20, s.letters);
    std::vector<std::uint8_t> const query(pair.query.begin(), pair.query.end()),
        target(pair.target.begin(), pair.target.end());
    std::vector<std::uint64_t> const query_offsets{0, query.size()}, target_offsets{0, target.size()};
    std::vector<Pair> const pairs{{0, 0}};
    Problem const problem{{query, query_offsets}, {target, target_offsets}, pairs};
    std::vector<std::string> log;
    auto const with = [&](BackendKind kind, std::uint64_t device_bytes) {
        AlignerOptions options;
        options.backend = kind;
        options.max_device_bytes = device_bytes;
        options.log = [&](LogLevel, std::string const & text) { log.push_back(text); };
        BatchResult const result = Aligner{options}.align(problem, s.scoring, request_of(25), {});
        EXPECT_EQ(result.status, Array<Status>(25, Status::ok));
        return entries_of(result, 0);
    };
    auto const expected = with(BackendKind::cpu, 0);
    expect_same(expected, with(BackendKind::cuda, 0), "GpuTop.EveryDeviceAgrees seed=8 cuda");
    expect_same(expected, with(BackendKind::automatic, 0), "GpuTop.EveryDeviceAgrees seed=8 auto");
    EXPECT_TRUE(log.empty()) << log.front();
    expect_same(expected, with(BackendKind::automatic, 500000), "GpuTop.EveryDeviceAgrees seed=8 auto, little memory");
    EXPECT_EQ(log.size(), 1u);
}

// Stopped in the first sweep, in that of the tiles, while boundaries are copied, and among the alignments.
TEST(GpuTop, ProgressAndCancelling)
{
    NWGPU_NEEDS_GPU();
    using Clock = std::chrono::steady_clock;
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{9};
    PairSet const set{{with_repeats(random, 500000, 500000, 80, s.letters)}, s.scoring};
    Request const request = request_of(1000);
    auto const gpu = make_gpu();
    std::uint64_t last = 0, calls_at_end = 0;
    align(*gpu, set.batch(), s.scoring, request, [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_GE(done, last);
        EXPECT_LE(done, total);
        last = done;
        calls_at_end += done == total;
        return true;
    });
    EXPECT_EQ(last, std::uint64_t{500000} * 500000);
    struct Stop {
        double share;           // of the cells
        std::uint64_t more = 0; // calls after all of them
    };
    for (Stop const stop : {Stop{0}, Stop{0.3}, Stop{0.8}, Stop{1}, Stop{1, calls_at_end / 2}}) {
        std::uint64_t at_end = 0;
        bool stopped = false;
        Clock::time_point when;
        try {
            align(*gpu, set.batch(), s.scoring, request, [&](std::uint64_t done, std::uint64_t total) {
                EXPECT_FALSE(stopped) << "asked again";
                at_end += done == total;
                stopped = static_cast<double>(done) >= stop.share * static_cast<double>(total) && at_end >= stop.more;
                when = Clock::now();
                return !stopped;
            });
            ADD_FAILURE() << "not stopped at " << stop.share << " and " << stop.more;
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::cancelled);
        }
        EXPECT_LT(std::chrono::duration<double>(Clock::now() - when).count(), 0.1) << stop.share << " " << stop.more;
    }
}

} // namespace
} // namespace nwgpu::test
