// SPDX-License-Identifier: BSD-3-Clause
// What needs a process of its own: a kernel that fails takes the device's context with it, and every later use of it;
// and the first call of a process, in which CUDA loads kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "align/aligner.hpp"
#include "base/error.hpp"
#include "gpu/gpu.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

__global__ void fail() { __trap(); }

// Another kernel of the process fails while the engine's own runs.  It is loaded before: that would wait for them.
Progress failing_after(int reports)
{
    cudaFuncAttributes attributes{};
    cudaFuncGetAttributes(&attributes, fail);
    return [left = reports](std::uint64_t, std::uint64_t) mutable {
        if (left-- == 0)
            fail<<<1, 1>>>();
        return true;
    };
}

void expect(bool right, char const * what)
{
    if (right)
        return;
    std::fprintf(stderr, "not so: %s\n", what);
    std::_Exit(1);
}

SequencePair long_pair(Scheme const & s, std::uint64_t length)
{
    Random random{26};
    return random_pair(random, Model::mutated, length, length, s.letters, 0.05);
}

Request const request{{.local = true}, Output::cigar, CigarStyle::eqx};

[[noreturn]] void lose_the_engine()
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{long_pair(s, 1000000)}, s.scoring};
    auto const gpu = make_gpu();
    for (int k = 0; k < 2; ++k)
        try {
            align(*gpu, set.batch(), s.scoring, request, failing_after(1));
            expect(false, "a call that failed throws");
        } catch (Error const & error) {
            std::fprintf(stderr, "%s\n", error.what());
            expect(error.status == Status::device_lost, "its status is device_lost");
            expect(k == 0 || std::string{error.what()}.find("earlier failure") != std::string::npos,
                   "the next call is refused");
        }
    std::_Exit(0);
}

// What `auto` began on the GPU is the CPU's then.
[[noreturn]] void lose_and_go_on()
{
    Scheme const & s = scheme("BLOSUM62_11_1"); // no pair that the CPU tries first
    SequencePair const pair = long_pair(s, 200000);
    std::vector<std::uint8_t> const query(pair.query.begin(), pair.query.end()),
        target(pair.target.begin(), pair.target.end());
    std::vector<std::uint64_t> const query_offsets{0, query.size()}, target_offsets{0, target.size()};
    std::vector<Pair> const pairs{{0, 0}};
    Problem const problem{{query, query_offsets}, {target, target_offsets}, pairs};
    std::string said;
    AlignerOptions options;
    options.log = [&](LogLevel, std::string const & text) { said += text + "\n"; };
    BatchResult const by_both = Aligner{options}.align(problem, s.scoring, request, failing_after(0), "");
    options.backend = BackendKind::cpu;
    BatchResult const by_cpu = Aligner{options}.align(problem, s.scoring, request, {}, "");
    std::fprintf(stderr, "%s", said.c_str());
    expect(by_both.status[0] == Status::ok && by_both.score == by_cpu.score && by_both.runs == by_cpu.runs,
           "the CPU's result");
    expect(said.find("CPU") != std::string::npos, "it is said aloud");
    std::_Exit(0);
}

[[noreturn]] void report_while_the_first_sweep_runs()
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{long_pair(s, 1000000)}, s.scoring};
    using Clock = std::chrono::steady_clock;
    auto const gpu = make_gpu();
    auto last = Clock::now();
    std::chrono::duration<double> longest{};
    int reports = 0;
    align(*gpu, set.batch(), s.scoring, request, [&](std::uint64_t, std::uint64_t) {
        longest = std::max<std::chrono::duration<double>>(longest, Clock::now() - last);
        last = Clock::now();
        ++reports;
        return true;
    });
    std::fprintf(stderr, "%d reports, the longest wait for one %.3f s\n", reports, longest.count());
    expect(reports >= 5 && longest.count() < 0.1, "a report at least each 100 ms");
    std::_Exit(0);
}

class GpuProcess : public testing::Test {
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
    void TearDown() override { GTEST_FLAG_SET(death_test_style, "fast"); }
};

TEST_F(GpuProcess, AFailedKernelEndsTheContext)
{
    NWGPU_NEEDS_GPU();
    EXPECT_EXIT(lose_the_engine(), testing::ExitedWithCode(0), "earlier failure");
}

TEST_F(GpuProcess, AutoGoesOnWithTheCpu)
{
    NWGPU_NEEDS_GPU();
    EXPECT_EXIT(lose_and_go_on(), testing::ExitedWithCode(0), "CPU");
}

TEST_F(GpuProcess, ReportsWhileTheFirstSweepRuns)
{
    NWGPU_NEEDS_GPU();
    EXPECT_EXIT(report_while_the_first_sweep_runs(), testing::ExitedWithCode(0), "reports");
}

} // namespace
} // namespace nwgpu::test
