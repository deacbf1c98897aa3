// SPDX-License-Identifier: BSD-3-Clause
// What furthest-reaching points take and keep, counted where it is allocated.
#include <gtest/gtest.h>

#include <string>

#include "conformance/counted.hpp"
#include "cpu/furthest/align_furthest.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cpu/work.hpp"
#include "path/most_runs.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

// What furthest-reaching points take is no more than their own plan says.
TEST(FurthestMemoryTest, KeepsToThePlan)
{
    Progress const silent;
    Team team{1};
    for (Scoring const & scoring : {Scoring::uniform(2, 4, {4, 2}), Scoring::uniform(0, 1, {0, 1})})
        for (std::uint64_t const length : {300, 10000, 70000})
            for (double const rate : {0.0, 0.001, 0.004, 0.009, 0.015, 0.03}) {
                Random random{length};
                std::string const query = random_sequence(random, length, "ACGT");
                PairSet const set{{{query, mutated(random, query, "ACGT", rate)}}, scoring};
                PairView const pair = set.view(0);
                for (Output const output : {Output::score, Output::cigar}) {
                    cpu::FurthestPlan const plan =
                        cpu::plan_furthest(pair.m, pair.n, cpu::Penalties::of(scoring), no_min_score,
                                           output == Output::cigar, {512, 32, 1, std::uint64_t{1} << 30}, 0);
                    ASSERT_TRUE(plan.tried);
                    Monitor monitor{silent, pair.cells(), team};
                    cpu::KernelTable const & kernels = cpu::kernel_table("");
                    std::size_t const before = peak = allocated.load();
                    cpu::FurthestMemory memory;
                    auto const result = cpu::align_furthest(pair, cpu::Penalties::of(scoring), kernels,
                                                            {Mode{}, output}, plan, memory, monitor);
                    std::size_t const most = peak - before;
                    EXPECT_LE(most, plan.bytes + CigarBuilder::bytes(path::most_runs(pair.m, pair.n, false)))
                        << length << " " << rate << (result ? " aligned" : " not similar enough");
                    EXPECT_TRUE(result || rate > 0.005);
                }
            }
}

// Whichever of a pair's allocations fails, its thread does not keep more than it may.
TEST(FurthestMemoryTest, LittleIsKeptWhenMemoryEnds)
{
    Random random{9};
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    std::string const query = random_sequence(random, 150'000, "ACGT");
    PairSet const set{{{query, mutated(random, query, "ACGT", 0.008)}}, scoring};
    Batch const batch = set.batch();
    std::uint64_t const pairs[] = {0};
    Request const request{Mode{}, Output::cigar};
    cpu::Scheme const scheme{scoring};
    cpu::Tuning const tuning{.bits = -1}; // as usual, but without landmarks
    cpu::LaneLosses losses;
    Team team{1};
    cpu::Work work{{batch, pairs, scoring, request}, scheme, cpu::kernel_table(""), tuning, losses, team};
    Progress const silent;
    // What is allocated afterwards, if no more than this can be had.
    auto const kept = [&](std::size_t most) {
        Monitor monitor{silent, set.view(0).cells(), team};
        AnswerWriter nowhere{nullptr};
        cpu::FurthestMemory furthest;
        cpu::ThreadMemory memory{furthest};
        std::size_t const before = peak = allocated.load();
        most_allocated = before + most;
        work.align(work.tasks()[0], {}, memory, nowhere, monitor);
        most_allocated = SIZE_MAX;
        return allocated - before;
    };
    std::size_t const begin = allocated;
    EXPECT_LE(kept(SIZE_MAX / 2), cpu::FurthestMemory::most_kept);
    std::size_t const all = peak - begin;
    ASSERT_GT(all, 2 * cpu::FurthestMemory::most_kept);
    for (std::size_t part = 1; part < 100; ++part)
        EXPECT_LE(kept(all * part / 100), cpu::FurthestMemory::most_kept) << part << " % of " << all << " bytes";
}

} // namespace
} // namespace nwgpu::test
