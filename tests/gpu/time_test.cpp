// SPDX-License-Identifier: BSD-3-Clause
// What depends on the clock: calls end within 100 ms of being cancelled, and bands save time.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "base/error.hpp"
#include "gpu/gpu.hpp"
#include "support/top.hpp"

namespace nwgpu::test {
namespace {

using Clock = std::chrono::steady_clock;

// `stop` says at which report the call is cancelled, which has to end soon after, without another report.
void expect_cancelled(Backend & gpu, Batch const & batch, Scheme const & s, Request const & request,
                      Progress const & stop, std::string const & words)
{
    Clock::time_point asked;
    bool stopped = false;
    try {
        align(gpu, batch, s.scoring, request, [&](std::uint64_t done, std::uint64_t total) {
            EXPECT_FALSE(stopped) << "asked again, " << words;
            EXPECT_LE(done, total) << words;
            stopped = stop(done, total);
            asked = Clock::now();
            return !stopped;
        });
        ADD_FAILURE() << "not cancelled, " << words;
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled) << words << ": " << error.what();
        EXPECT_LT(Clock::now() - asked, std::chrono::milliseconds{100}) << words;
    }
    PairSet const small{{{"ACGT", "ACGT"}}, s.scoring};
    check(small, s, {{}, Output::cigar, CigarStyle::eqx}, gpu, oracle(small, s.scoring, {}), words + ", the next call");
}

Progress at_report(int number)
{
    return [number, calls = 0](std::uint64_t, std::uint64_t) mutable { return ++calls == number; };
}

TEST(GpuCancel, ALongPair)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{24};
    PairSet const set{{random_pair(random, Model::uniform, 2000000, 2000000, s.letters)}, s.scoring};
    auto const gpu = make_gpu();
    expect_cancelled(*gpu, set.batch(), s, {}, at_report(4), "GpuCancel seed=24");
    // At any time, also while a band is looked for.
    PairSet const similar{{random_pair(random, Model::mutated, 5000000, 5000000, s.letters, 0.01)}, s.scoring};
    for (int const milliseconds : {0, 10, 25, 50, 100, 200}) {
        auto const begin = Clock::now();
        expect_cancelled(
            *gpu, similar.batch(), s, {{}, Output::cigar, CigarStyle::eqx},
            [&](auto...) { return Clock::now() - begin >= std::chrono::milliseconds{milliseconds}; },
            "GpuCancel seed=24 milliseconds=" + std::to_string(milliseconds));
    }
}

TEST(GpuCancel, ABatch)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{91};
    PairSet const set{mixed_pairs(random, s.letters, 3000), s.scoring};
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k < 1000000; ++k)
        pairs.push_back({random.below(3000), random.below(3000)});
    Batch const own = set.batch();
    expect_cancelled(*make_gpu(), {own.queries, own.targets, pairs}, s, {local, Output::cigar, CigarStyle::eqx},
                     at_report(3), "GpuCancel seed=91");
}

// Stopped in the first sweep, in that of the tiles, while boundaries are copied, and among the alignments.
TEST(GpuCancel, SeveralAlignments)
{
    NWGPU_NEEDS_GPU();
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
        expect_cancelled(
            *gpu, set.batch(), s, request,
            [&, at_end = std::uint64_t{0}](std::uint64_t done, std::uint64_t total) mutable {
                at_end += done == total;
                return static_cast<double>(done) >= stop.share * static_cast<double>(total) && at_end >= stop.more;
            },
            "GpuCancel seed=9 share=" + std::to_string(stop.share) + " more=" + std::to_string(stop.more));
    }
}

// That a band is found where it saves much: else the tests above would compare whole matrices.
TEST(GpuBand, IsUsed)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{28};
    PairSet const set{{random_pair(random, Model::mutated, 2000000, 2000000, s.letters, 0.01)}, s.scoring};
    auto const seconds = [&](int band) {
        auto const gpu = make_gpu({.band = band});
        double best = 1e9;
        for (int k = 0; k < 2; ++k) {
            auto const begin = std::chrono::steady_clock::now();
            align(*gpu, set.batch(), s.scoring, {{}, Output::score, CigarStyle::eqx});
            best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
        return best;
    };
    double const taken = seconds(0), whole = seconds(-1);
    EXPECT_LT(taken, 0.8 * whole);
    cuda::EngineOptions options;
    options.host = cpu::make_engine({});
    double const predicted =
        estimate(*cuda::make_engine(options), set.batch(), s.scoring, {{}, Output::score, CigarStyle::eqx}).seconds;
    EXPECT_LT(std::abs(predicted - taken), 0.5 * taken) << predicted << " s are predicted for " << taken;
}

} // namespace
} // namespace nwgpu::test
