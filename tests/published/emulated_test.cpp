// SPDX-License-Identifier: BSD-3-Clause
// The published CUDA algorithms without a GPU: what is particular to one of them, or to several GPUs.
#include <gtest/gtest.h>

#include "emulation/emulated.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

// Any number of overlapping parts finds what one finds, on one GPU or several.
TEST(PublishedOverlap, PartsEqualOracle)
{
    for (char const * const choice :
         {"rowscan:threads=32,parts=2", "rowscan:threads=32,parts=7", "rowscan:threads=32,gpus=2",
          "rowscan:threads=32,gpus=3,parts=7", "antidiagonal:threads=32"}) {
        auto const backend = make_emulated(choice);
        for (char const * const name : {"dna_5_3_8_1", "linear_1_1_0_1", "dna_1_3_3_2", "BLOSUM62_11_1"}) {
            Scheme const & s = scheme(name);
            Random random{8};
            std::vector<SequencePair> pairs;
            for (Model const model : all_models())
                pairs.push_back(random_pair(random, model, random.between(1, 30), random.between(1, 300), s.letters));
            PairSet const set{std::move(pairs), s.scoring};
            for (Output const output : {Output::end, Output::cigar})
                check(set, s, {local, output, {}}, *backend, oracle(set, s.scoring, local),
                      "overlap seed=8 " + std::string{choice});
        }
    }
}

// The best alignment again and again, each time the same score: the first end counts, in whichever share it lies.
TEST(PublishedSeveralGpus, TheFirstOfEqualEndsIsTheEnd)
{
    Scheme const & s = scheme("dna_5_3_8_1");
    std::string const unit = "GATTACAGT";
    for (std::size_t before = 0; before < 90; before += 7) {
        std::string target(before, 'C');
        while (target.size() < 200)
            target += unit + "CC";
        PairSet const set{{{unit, target}, {"GGGG", target}, {"A", std::string(3, 'C')}}, s.scoring};
        auto const backend = make_emulated("rowscan:threads=64,gpus=3");
        for (Mode const & mode : {Mode{.local = true}, Mode{}})
            for (Output const output : {Output::end, Output::cigar})
                check(set, s, {mode, output, {}}, *backend, oracle(set, s.scoring, mode),
                      "equal ends, before=" + std::to_string(before));
    }
}

// Where few kinds of letters occur for long, one that occurs once is numbered all the same.
TEST(PublishedLetters, OneLetterOfManyCounts)
{
    Scheme const & s = scheme("dna_5_3_8_1");
    auto const backend = make_emulated("antidiagonal:threads=32");
    Random random{13};
    for (std::string const letters : {"A", "ACGT", "ACGTNRYK"})
        for (std::uint64_t const position : {5000, 8191, 8300}) {
            std::string target = random_sequence(random, 8400, letters);
            target[position] = 'x';
            PairSet const set{{{target.substr(position - 2, 4), target}}, s.scoring};
            check(set, s, {local, Output::cigar, {}}, *backend, oracle(set, s.scoring, local),
                  "one letter seed=13 " + letters + " position=" + std::to_string(position));
        }
}

// More columns than the threads that look for the best of them.
TEST(PublishedRowscan, LongRowsEqualOracle)
{
    Scheme const & s = scheme("dna_5_3_8_1");
    auto const backend = make_emulated("rowscan:threads=32");
    for (std::uint64_t const end : {100, 2047, 2048, 2049, 4000, 4200}) {
        std::string target(4200, 'A');
        target.replace(end - 3, 3, "CGT");
        PairSet const set{{{"CGT", target}, {"GT", target + "GT"}}, s.scoring};
        check(set, s, {local, Output::end, {}}, *backend, oracle(set, s.scoring, local),
              "long rows, end=" + std::to_string(end));
    }
}

// Each GPU is used, beginning with the context's and going round, and holds its share of the target, no more.
TEST(PublishedSeveralGpus, SharesGoRoundTheDevices)
{
    constexpr std::uint64_t letters = 3000, overlap = 4 + 11; // of the scheme, with 4 rows
    Scheme const & s = scheme("dna_5_3_8_1");
    Random random{12};
    PairSet const set{{{"ACGT", random_sequence(random, letters, s.letters)}}, s.scoring};
    auto const uploaded = [&](std::string const & choice, int device) {
        std::vector<std::uint64_t> bytes;
        for (int k = 0; k < emulated_devices; ++k)
            bytes.push_back(bytes_uploaded_to(k));
        auto const backend = make_emulated(choice, device);
        BatchResult const result = align(*backend, set.batch(), s.scoring, {{.local = true}, Output::end, {}});
        EXPECT_EQ(result.status[0], Status::ok) << result.failures.message(0);
        for (int k = 0; k < emulated_devices; ++k)
            bytes[k] = bytes_uploaded_to(k) - bytes[k];
        return bytes;
    };
    std::vector<std::uint64_t> const one = uploaded("rowscan:threads=512", 1);
    EXPECT_EQ(one[0] + one[2], 0u);
    auto const with = [&](std::uint64_t target) { return one[1] - letters + target; };
    EXPECT_EQ(uploaded("rowscan:threads=512,gpus=2", 2),
              (std::vector<std::uint64_t>{with(1500 + overlap), 0, with(1500)}));
    EXPECT_EQ(uploaded("rowscan:threads=512,gpus=3,parts=4", 1),
              (std::vector<std::uint64_t>{with(1000 + overlap), with(1000), with(1000 + overlap)}));
    // What is predicted is one GPU's, and that of the host for all.
    auto const estimated = [&](std::string const & choice) {
        return estimate(*make_emulated(choice), set.batch(), s.scoring, {{.local = true}, Output::end, {}});
    };
    EXPECT_EQ(estimated("rowscan").device_bytes, 32 * (letters + 1) + 2 * (4 + letters));
    EXPECT_EQ(estimated("rowscan:gpus=3").device_bytes, 32 * (1000 + overlap + 1) + 2 * (4 + 1000 + overlap));
    EXPECT_EQ(estimated("rowscan:gpus=3,parts=6").device_bytes,
              32 * ((1000 + overlap + 1) / 2 + overlap + 1) + 2 * (4 + 1000 + overlap));
    EXPECT_GE(estimated("rowscan:gpus=3").host_bytes, estimated("rowscan").host_bytes);
    EXPECT_NEAR(estimated("rowscan:gpus=3").seconds, estimated("rowscan").seconds / 3, 1e-9);
}

TEST(PublishedSeveralGpus, MoreThanThereAreIsAnError)
{
    try {
        make_emulated("rowscan:gpus=4");
        ADD_FAILURE();
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::no_device);
        EXPECT_STREQ(error.what(), "algorithm rowscan: gpus=4, but this machine has 3");
    }
    EXPECT_EQ(make_emulated("rowscan:gpus=3")->name(), "rowscan on 3 x emulated");
}

// Longer than a band between special rows is high: what is computed again does not begin at column 0.
TEST(PublishedSpecialRows, PathsEqualOracle)
{
    auto const backend = make_emulated("cudalign:blocks=2,threads=2,rows=15");
    for (char const * const name : {"dna_1_3_3_2", "dna_5_3_8_1", "linear_1_1_0_1", "extend_0", "BLOSUM62_11_1"}) {
        Scheme const & s = scheme(name);
        Random random{11};
        std::vector<SequencePair> pairs;
        for (Model const model : {Model::mutated, Model::structured, Model::tandem, Model::uniform})
            pairs.push_back(random_pair(random, model, random.between(150, 250), random.between(150, 400), s.letters));
        PairSet const set{std::move(pairs), s.scoring};
        for (Mode const & mode : {Mode{}, Mode{.local = true}})
            check(set, s, {mode, Output::cigar, {}}, *backend, oracle(set, s.scoring, mode), "special rows seed=11");
    }
}

TEST(PublishedOverlap, WithoutABoundItIsRefused)
{
    Scheme const & s = scheme("extend_0");
    PairSet const set{{{"ACGTACGT", "ACGTACGTACGT"}}, s.scoring};
    for (char const * const choice : {"rowscan:parts=2", "rowscan:gpus=2"}) {
        BatchResult const result =
            align(*make_emulated(choice), set.batch(), s.scoring, {{.local = true}, Output::end, {}});
        EXPECT_EQ(result.status[0], Status::unsupported) << choice;
    }
}

} // namespace
} // namespace nwgpu::test
