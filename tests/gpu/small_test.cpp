// SPDX-License-Identifier: BSD-3-Clause
// Small enough for compute-sanitizer: a little of everything, against the oracle.
#include <gtest/gtest.h>

#include "gpu/gpu.hpp"
#include "published/engine.hpp"
#include "published/subject.hpp"

namespace nwgpu::test {
namespace {

TEST(GpuSmall, AFewPairsOfEveryKind)
{
    NWGPU_NEEDS_GPU();
    for (char const * const name : {"dna_1_3_3_2", "BLOSUM62_11_1", "linear_1_1_0_2"}) {
        Scheme const & s = scheme(name);
        Random random{14};
        std::vector<SequencePair> pairs;
        for (int k = 0; k < 4; ++k)
            pairs.push_back(
                random_pair(random, random.pick(all_models()), random.below(101), random.below(101), s.letters));
        pairs.push_back(random_pair(random, Model::mutated, 600, 640, s.letters));
        PairSet const set{std::move(pairs), s.scoring};
        for (Mode const & mode : {Mode{}, Mode{.local = true}, fitting}) {
            auto const full = oracle(set, s.scoring, mode);
            for (cuda::Tuning const & tuning : {cuda::Tuning{},
                                                {.rows_per_half = 2, .max_traced_cells = 1},
                                                {.rows_per_half = 4, .max_traced_cells = 1},
                                                {.rows_per_half = -1, .width = 64, .max_traced_cells = 1}})
                check(set, s, {mode, Output::cigar, CigarStyle::eqx}, on_gpu(tuning), full, "GpuSmall seed=14");
        }
    }
}

// Parameters that make several tiles, blocks and super-tiles of little.
TEST(GpuSmall, PublishedAlgorithms)
{
    NWGPU_NEEDS_GPU();
    for (char const * const name :
         {"gpu1-ml-diag:threads=32", "gpu2-ml-diagrow2pass", "gpu3-ml-diagdiag:cols=32",
          "gpu4-ml-diagdiag2pass:cols=32", "gpu5-coop-diagdiag:cols=32", "gpu6-coop-diagdiag2pass:cols=32",
          "gpu7-mlsp-diagdiag:cols=33", "gpu8-mlsp-diagdiag:cols=32", "gpu9-mlsp-diagdiagdiag:warps=2,cols=40",
          "gpu10-mlsp-supertile:cols=32,side=2", "rowscan:threads=64", "antidiagonal",
          "swat-offload:blocks=3,threads=32", "swat-coalesced:blocks=3,threads=32", "swat-tiled:tile=32",
          "swat-barrier:blocks=3,threads=32", "cudalign:blocks=2,threads=16"}) {
        published::Choice const choice = published::parse_choice(name);
        auto const backend = published::make_engine(name, {});
        Subject subject{*choice.algorithm, *backend, "--algorithm " + std::string{name}};
        Scheme const s = subject.schemes().front();
        Random random{34};
        PairSet const set{{random_pair(random, Model::mutated, 90, 110, s.letters)}, s.scoring};
        for (Mode const & mode : subject.modes())
            check(set, s, {mode, choice.algorithm->output, CigarStyle::eqx}, *backend, oracle(set, s.scoring, mode),
                  "GpuSmall seed=34 " + subject.words);
    }
}

TEST(GpuSmall, RowscanOnTwoGpus)
{
    NWGPU_NEEDS_GPU();
    if (cuda::device_count() < 2)
        GTEST_SKIP() << "needs two GPUs, there is one";
    Scheme const & s = scheme("dna_5_3_8_1");
    Random random{37};
    PairSet const set{{random_pair(random, Model::mutated, 30, 700, s.letters)}, s.scoring};
    for (char const * const choice : {"rowscan:threads=64,gpus=2", "rowscan:threads=64,gpus=2,parts=5"})
        check(set, s, {local, Output::cigar, CigarStyle::eqx}, *published::make_engine(choice, {}),
              oracle(set, s.scoring, local), "GpuSmall seed=37 --algorithm " + std::string{choice});
}

} // namespace
} // namespace nwgpu::test
