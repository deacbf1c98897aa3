// SPDX-License-Identifier: BSD-3-Clause
// Limits of memory: plans that keep to them, kept boundaries in host memory and in files, memory that is gone when it
// is asked for.
#include <gtest/gtest.h>

#include "cuda/device/device.hpp"
#include "gpu/gpu.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

TEST(GpuMemory, KeepsToItsLimit)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{22};
    PairSet const set{{random_pair(random, Model::mutated, 60000, 60000, s.letters, 0.05)}, s.scoring};
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    auto const full = run(set, s.scoring, request, EngineSetup{});
    for (std::uint64_t const limit : {std::uint64_t{30} << 20, std::uint64_t{60} << 20, std::uint64_t{200} << 20})
        for (int const place : {0, 1}) {
            cuda::EngineOptions options;
            options.max_device_bytes = limit;
            options.tuning.kept_in = place;
            options.tuning.slab_rows = place == 1 ? 9000 : 0;
            std::string said;
            options.warn = [&](std::string const & text) { said += text; };
            check(set, s, request, *cuda::make_engine(options), full,
                  "GpuMemory seed=22 limit=" + std::to_string(limit) + " place=" + std::to_string(place));
            EXPECT_EQ(said.find("going on with"), std::string::npos) << said; // the plan was a bound
        }
}

// All trace bits of these would take 8 MB; boundaries on a grid take less.
TEST(GpuMemory, ATraceThatDoesNotFit)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{27};
    PairSet const set{{random_pair(random, Model::mutated, 4000, 4000, s.letters, 0.05)}, s.scoring};
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    check(set, s, request, on_gpu({}, 4 << 20), oracle(set, s.scoring, {}), "GpuMemory seed=27");
}

TEST(GpuMemory, TooLittleIsAnErrorOfThePair)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{23};
    PairSet const set{{random_pair(random, Model::mutated, 60000, 60000, s.letters),
                       random_pair(random, Model::mutated, 100, 100, s.letters)},
                      s.scoring};
    BatchResult const result = align(on_gpu({}, 1 << 20), set.batch(), s.scoring, {{}, Output::cigar, CigarStyle::eqx});
    EXPECT_EQ(result.status[0], Status::memory_limit);
    EXPECT_EQ(result.status[1], Status::ok);
}

struct Case {
    std::string scheme;
    Mode mode;
    Model model;
    double divergence;
    std::uint64_t m, n, slab_rows;
    int rows_per_half, band; // Tuning
};

class GpuPlaces : public testing::TestWithParam<Case> {};

TEST_P(GpuPlaces, EqualCpu)
{
    NWGPU_NEEDS_GPU();
    Case const & c = GetParam();
    Scheme const & s = scheme(c.scheme);
    Random random{24};
    PairSet const set{{random_pair(random, c.model, c.m, c.n, s.letters, c.divergence)}, s.scoring};
    Request const request{c.mode, Output::cigar, CigarStyle::eqx};
    auto const full = run(set, s.scoring, request, EngineSetup{});
    for (int const place : {1, 2}) {
        cuda::EngineOptions options;
        options.tuning = {
            .rows_per_half = c.rows_per_half, .max_traced_cells = 1, .band = c.band, .slab_rows = c.slab_rows};
        options.tuning.kept_in = place;
        std::string said;
        options.warn = [&](std::string const & text) { said += text; };
        check(set, s, request, *cuda::make_engine(options), full, "GpuPlaces seed=24 place=" + std::to_string(place));
        EXPECT_EQ(said.find("going on with"), std::string::npos) << said;
        EXPECT_NE(said.find(place == 1 ? "in host memory" : "in files"), std::string::npos) << said;
    }
}

INSTANTIATE_TEST_SUITE_P(All, GpuPlaces,
                         testing::Values(Case{"dna_2_4_4_2", {}, Model::mutated, 0.1, 30000, 30000, 5000, 0, -1},
                                         Case{"dna_2_4_4_2", local, Model::structured, 0.05, 60000, 50000, 9000, 0, -1},
                                         Case{"dna_1_3_3_2", local, Model::uniform, 1, 30000, 30000, 7000, -1, -1},
                                         Case{"edit", {}, Model::mutated, 0.02, 110000, 117000, 20000, 0, 1}),
                         [](auto const & info) { return "case" + std::to_string(info.index); });

// More pairs than a chunk, in little memory and in much; one query and many targets; both in another order.
TEST(GpuMemory, ManyChunks)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{90};
    PairSet const set{mixed_pairs(random, s.letters, 3000), s.scoring};
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k < 150000; ++k)
        pairs.push_back(k < 50000 ? Pair{7, random.below(3000)} : Pair{random.below(3000), random.below(3000)});
    Batch const own = set.batch();
    Batch const batch{own.queries, own.targets, pairs};
    for (Mode const & mode : {Mode{}, Mode{.local = true}}) {
        Request const request{mode, Output::cigar, CigarStyle::m};
        BatchResult const expected = align(EngineSetup{}, batch, s.scoring, request);
        for (std::uint64_t const bytes : {std::uint64_t{0}, std::uint64_t{400} << 20}) {
            BatchResult const actual = align(on_gpu({}, bytes), batch, s.scoring, request);
            EXPECT_EQ(expected.score, actual.score) << bytes;
            EXPECT_EQ(expected.span, actual.span) << bytes;
            EXPECT_EQ(expected.runs, actual.runs) << bytes;
            EXPECT_EQ(expected.run_offsets, actual.run_offsets) << bytes;
        }
    }
}

// Plans believe that more is free than there is.
TEST(GpuMemory, GoesOnWithLess)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{25};
    PairSet const set{{random_pair(random, Model::mutated, 60000, 60000, s.letters, 0.05),
                       random_pair(random, Model::mutated, 5000, 5000, s.letters),
                       random_pair(random, Model::mutated, 5001, 4999, s.letters)},
                      s.scoring};
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    auto const full = run(set, s.scoring, request, EngineSetup{});
    cuda::EngineOptions options;
    options.max_device_bytes = 12 << 20;
    options.tuning.free_bytes = std::uint64_t{8} << 30;
    std::vector<std::string> said;
    options.warn = [&](std::string const & text) { said.push_back(text); };
    check(set, s, request, *cuda::make_engine(options), full, "GpuMemory seed=25");
    ASSERT_GE(said.size(), 1u);
    EXPECT_LE(said.size(), 9u) << "each plan is half as large as the one before";
    EXPECT_NE(said.front().find("going on with"), std::string::npos) << said.front();
}

// What is free is planned with, also after a call that keeps its memory.
TEST(GpuMemory, KeptMemoryIsFree)
{
    NWGPU_NEEDS_GPU();
    cuda::DeviceGuard const guard{0};
    cuda::Device device{{}};
    std::uint64_t const before = device.budget();
    for (int k = 0; k < 2; ++k) {
        cuda::DeviceArray<std::uint8_t> const taken{device, before / 2};
        cuda::check(cudaMemsetAsync(taken.data(), 1, 1, device.stream()), "using it");
    }
    EXPECT_GT(device.budget(), before / 20 * 19);
    EXPECT_LT(device.budget(), before / 19 * 20);
}

std::vector<SequencePair> short_pairs(Random & random, Scheme const & s, std::uint64_t count)
{
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::uint64_t const m = k % 500 == 0 ? 2000 : random.below(150);
        pairs.push_back(random_pair(random, random.pick(all_models()), m, random.below(300), s.letters, 0.1));
    }
    return pairs;
}

// Batches: limits of device and host, with room for the whole call, for some chunks, for few pairs, for none.
TEST(GpuMemory, BatchesKeepToTheirLimits)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{28};
    PairSet const set{short_pairs(random, s, 20000), s.scoring};
    Request const request{{.local = true}, Output::cigar, CigarStyle::eqx};
    BatchResult const expected = align(engine({}), set.batch(), s.scoring, request);
    struct Limit {
        std::uint64_t device, host;
    };
    for (Limit const & limit : {Limit{2048, 0}, {256, 0}, {40, 0}, {12, 0}, {0, 400}, {0, 150}, {0, 60}, {60, 150}}) {
        std::string const words = "GpuMemory.Batches seed=28 MiB: device " + std::to_string(limit.device) + ", host " +
                                  std::to_string(limit.host);
        cuda::EngineOptions options;
        options.max_device_bytes = limit.device << 20;
        std::string said;
        options.warn = [&](std::string const & text) { said += text; };
        auto const gpu = cuda::make_engine(options);
        EXPECT_LE(estimate(*gpu, set.batch(), s.scoring, request).device_bytes,
                  limit.device == 0 ? UINT64_MAX : limit.device << 20)
            << words;
        BatchResult const actual = align(*gpu, set.batch(), s.scoring, request, {}, limit.host << 20);
        EXPECT_EQ(expected.status, actual.status) << words;
        EXPECT_EQ(expected.score, actual.score) << words;
        EXPECT_EQ(expected.span, actual.span) << words;
        EXPECT_EQ(expected.runs, actual.runs) << words;
        EXPECT_EQ(expected.run_offsets, actual.run_offsets) << words;
        EXPECT_EQ(said, "") << words; // no plan asked for more than there is
    }
}

// The device has less than plans believe: batches take half as much, and half of that.
TEST(GpuMemory, BatchesGoOnWithLess)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{29};
    PairSet const set{short_pairs(random, s, 20000), s.scoring};
    for (Output const output : {Output::cigar, Output::score}) {
        Request const request{{}, output, CigarStyle::eqx};
        BatchResult const expected = align(engine({}), set.batch(), s.scoring, request);
        cuda::EngineOptions options;
        options.max_device_bytes = 12 << 20;
        options.tuning.free_bytes = std::uint64_t{8} << 30;
        std::string said;
        options.warn = [&](std::string const & text) { said += text; };
        auto const gpu = cuda::make_engine(options);
        for (int call = 0; call < 2; ++call) {
            BatchResult const actual = align(*gpu, set.batch(), s.scoring, request);
            EXPECT_EQ(expected.status, actual.status) << "GpuMemory seed=29 call=" << call;
            EXPECT_EQ(expected.score, actual.score) << "GpuMemory seed=29 call=" << call;
            EXPECT_EQ(expected.runs, actual.runs) << "GpuMemory seed=29 call=" << call;
        }
        EXPECT_EQ(said, "") << "pairs went one by one";
    }
}

} // namespace
} // namespace nwgpu::test
