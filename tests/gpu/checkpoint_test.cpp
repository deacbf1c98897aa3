// SPDX-License-Identifier: BSD-3-Clause
// Runs that save checkpoints, are stopped and resumed, on the GPU, on the CPU, and from one to the other.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "gpu/gpu.hpp"
#include "support/cases.hpp"
#include "support/folder.hpp"

namespace nwgpu::test {
namespace {

struct Case {
    std::string scheme;
    Mode mode;
    Model model;
    double divergence;
    std::uint64_t m, n, slab_rows;
    int band; // Tuning
};

std::unique_ptr<Backend> make_cpu(std::uint64_t most_slabs)
{
    CpuSetup options;
    options.tuning.max_trace_bytes = 1u << 20;
    options.tuning.slab_strips = 3;
    options.tuning.most_slabs = most_slabs;
    return cpu::make_engine(options);
}

class GpuCheckpoint : public testing::TestWithParam<Case> {};

TEST_P(GpuCheckpoint, EqualsCpu)
{
    NWGPU_NEEDS_GPU();
    Case const & c = GetParam();
    Scheme const & s = scheme(c.scheme);
    Random random{41};
    PairSet const set{{random_pair(random, c.model, c.m, c.n, s.letters, c.divergence)}, s.scoring};
    auto const full = run(set, s.scoring, {c.mode, Output::cigar, CigarStyle::eqx}, CpuSetup{});
    auto const tuning = [&](int pairs, std::uint64_t most_slabs) {
        cuda::Tuning tuning{pairs, 0, 0, 1, c.band};
        tuning.slab_rows = c.slab_rows;
        tuning.most_slabs = most_slabs;
        return tuning;
    };
    struct Way {
        std::string words;
        int begin_pairs, end_pairs; // of the tuning; on the CPU: 99
    };
    for (Way const & way : {Way{"gpu, gpu", 0, 0}, Way{"gpu, plain", 8, c.band ? 0 : -1},
                            Way{"plain, gpu", -1, c.band ? 0 : 16}, Way{"gpu, cpu", 0, 99}, Way{"cpu, gpu", 99, 0}})
        for (Output const output : {Output::cigar, Output::score}) {
            TemporaryFolder const folder;
            Request request{c.mode, output, CigarStyle::eqx};
            request.checkpoint = {folder / "run", false, 1};
            auto const backend = [&](int pairs, std::uint64_t most_slabs) {
                return pairs == 99 ? make_cpu(most_slabs) : make_gpu(tuning(pairs, most_slabs));
            };
            bool stopped = false;
            try {
                align(*backend(way.begin_pairs, 2), set.batch(), s.scoring, request);
            } catch (Error const & error) {
                stopped = error.status == Status::cancelled;
            }
            EXPECT_TRUE(stopped) << "GpuCheckpoint seed=41 " << way.words;
            request.checkpoint.resume = true;
            check(set, s, request, *backend(way.end_pairs, 0), full, "GpuCheckpoint seed=41 " + way.words);
        }
}

Mode const local{.local = true};
Mode const fitting{.free_target_begin = true, .free_target_end = true};
Mode const overlap{.free_query_begin = true, .free_target_end = true};
Mode const query_ends{.free_query_begin = true, .free_query_end = true};

INSTANTIATE_TEST_SUITE_P(All, GpuCheckpoint,
                         testing::Values(Case{"dna_2_4_4_2", {}, Model::mutated, 0.1, 30000, 30000, 5000, -1},
                                         Case{"dna_2_4_4_2", local, Model::mutated, 0.05, 30000, 28000, 5000, -1},
                                         Case{"dna_2_4_4_2", local, Model::structured, 0.05, 60000, 50000, 9000, -1},
                                         Case{"dna_2_4_4_2", local, Model::uniform, 1, 30000, 30000, 7000, -1},
                                         Case{"dna_1_3_3_2", local, Model::tandem, 0.02, 100000, 80000, 16384, -1},
                                         Case{"dna_2_4_4_2", fitting, Model::noisy, 0.1, 20000, 60000, 3000, -1},
                                         Case{"dna_2_4_4_2", overlap, Model::tandem, 0.1, 30000, 30000, 8192, -1},
                                         Case{"edit", query_ends, Model::noisy, 0.1, 40000, 21000, 5000, -1},
                                         Case{"BLOSUM62_11_1", {}, Model::mutated, 0.1, 23000, 23000, 6000, -1},
                                         Case{"dna_2_4_4_2", {}, Model::mutated, 0.01, 100000, 100000, 16384, 1},
                                         Case{"dna_2_4_4_2", {}, Model::structured, 0.01, 131072, 130000, 30000, 1},
                                         Case{"edit", {}, Model::mutated, 0.02, 110000, 117000, 20000, 1}),
                         [](auto const & info) { return "case" + std::to_string(info.index); });

// With both kinds of kernels; the CPU goes on where the GPU has stopped, and the other way round.
TEST(GpuCheckpointTies, EqualEndsInDifferentSlabs)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{42};
    std::string const word = random_sequence(random, 60, "ACGT"), other = random_sequence(random, 60, "ACGT");
    std::string query = random_sequence(random, 9000, "AC"), beside = random_sequence(random, 5000, "GT");
    for (std::string const & next : {word, word, other, word})
        query += next + random_sequence(random, 9000, "AC");
    for (std::string const & target : {beside + word + beside, beside + other + beside + word, beside + word + other}) {
        PairSet const set{{{query, target}}, s.scoring};
        Request request{local, Output::cigar, CigarStyle::eqx};
        auto const full = run(set, s.scoring, request, CpuSetup{});
        EXPECT_EQ(full[0].score, 120);
        for (int const pairs : {0, -1}) {
            auto const backend = [&](bool on_gpu, std::uint64_t most_slabs) {
                cuda::Tuning tuning{pairs, 0, 0, 1, -1};
                tuning.slab_rows = 8192;
                tuning.most_slabs = most_slabs;
                return on_gpu ? make_gpu(tuning) : make_cpu(most_slabs);
            };
            for (auto const & [begins, ends] : {std::pair{true, true}, {true, false}, {false, true}}) {
                TemporaryFolder const folder;
                request.checkpoint = {folder / "run", false, 1};
                EXPECT_THROW(align(*backend(begins, 2), set.batch(), s.scoring, request), Error);
                request.checkpoint.resume = true;
                check(set, s, request, *backend(ends, 0), full, "GpuCheckpointTies seed=42");
            }
        }
    }
}

// All letters equal, query and target exchanged: everything but the lengths is the same.
TEST(GpuCheckpointFiles, ExchangedSequencesAreRefused)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    std::string const shorter(20000, 'A'), longer(60000, 'A');
    PairSet const set{{{shorter, longer}}, s.scoring}, exchanged{{{longer, shorter}}, s.scoring};
    TemporaryFolder const folder;
    Request request{{}, Output::cigar, CigarStyle::eqx};
    request.checkpoint = {folder / "run", false, 1};
    cuda::Tuning tuning{0, 0, 0, 1, -1};
    tuning.slab_rows = 4096;
    tuning.most_slabs = 2;
    EXPECT_THROW(align(*make_gpu(tuning), set.batch(), s.scoring, request), Error);
    request.checkpoint.resume = true;
    tuning.most_slabs = 0;
    try {
        align(*make_gpu(tuning), exchanged.batch(), s.scoring, request);
        ADD_FAILURE() << "the checkpoint of other lengths was taken";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::checkpoint) << error.what();
    }
    check(set, s, request, *make_gpu(tuning), run(set, s.scoring, {{}, Output::cigar, CigarStyle::eqx}, {}),
          "GpuCheckpointFiles exchanged");
}

} // namespace
} // namespace nwgpu::test
