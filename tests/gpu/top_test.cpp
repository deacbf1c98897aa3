// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments with the sweep on the GPU: limits of both memories, and contexts of every kind.
#include <gtest/gtest.h>

#include "align/aligner.hpp"
#include "base/error.hpp"
#include "gpu/gpu.hpp"
#include "support/top.hpp"

namespace nwgpu::test {
namespace {

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
    BatchResult const expected = align(EngineSetup{}, batch, s.scoring, request),
                      actual = align(*gpu, batch, s.scoring, request);
    for (std::uint64_t p = 0; p < set.count(); ++p)
        expect_same_top(entries_of(expected, p), entries_of(actual, p), Output::cigar, "GpuTop.LittleMemory seed=7");

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
    options.host = cpu::make_engine({});
    EXPECT_EQ(align(*cuda::make_engine(options), batch, s.scoring, request).score, expected.score);
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
    expect_same_top(expected, with(BackendKind::cuda, 0), Output::cigar, "GpuTop.EveryDeviceAgrees seed=8 cuda");
    expect_same_top(expected, with(BackendKind::automatic, 0), Output::cigar, "GpuTop.EveryDeviceAgrees seed=8 auto");
    EXPECT_TRUE(log.empty()) << log.front();
    expect_same_top(expected, with(BackendKind::automatic, 500000), Output::cigar,
                    "GpuTop.EveryDeviceAgrees seed=8 auto, little memory");
    EXPECT_EQ(log.size(), 1u);
}

} // namespace
} // namespace nwgpu::test
