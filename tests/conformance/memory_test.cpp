// SPDX-License-Identifier: BSD-3-Clause
// What a pair takes beyond its letters is no more than the estimate: memory is counted where it is allocated.  A
// program of its own, because it replaces operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

#include "base/error.hpp"
#include "support/cases.hpp"

namespace {

std::atomic<std::size_t> allocated{0}, peak{0};

void * allocate(std::size_t bytes, std::size_t alignment)
{
    void * const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory)
        throw std::bad_alloc{};
    std::size_t const now = allocated += malloc_usable_size(memory);
    for (std::size_t most = peak; now > most && !peak.compare_exchange_weak(most, now);) {
    }
    return memory;
}

void release(void * memory)
{
    if (memory)
        allocated -= malloc_usable_size(memory);
    std::free(memory);
}

} // namespace

void * operator new(std::size_t bytes) { return allocate(bytes, 16); }
void * operator new(std::size_t bytes, std::align_val_t alignment)
{
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void * memory) noexcept { release(memory); }
void operator delete(void * memory, std::size_t) noexcept { release(memory); }
void operator delete(void * memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void * memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace nwgpu::test {
namespace {

struct Lengths {
    std::uint64_t m, n;
};

class MemoryTest : public testing::TestWithParam<std::int64_t> {
protected:
    // Costs so large that scores take 8, 16 or 32 bits.
    Scoring const scoring_ = Scoring::uniform(2 * GetParam(), 4 * GetParam(), {4 * GetParam(), 2 * GetParam()});

    void keeps_to_the_estimate(SequencePair const & pair, Mode const & mode)
    {
        PairSet const set{{pair}, scoring_};
        for (int const threads : {1, 2})
            for (std::uint64_t const limit : {0, 2'000'000})
                for (Output const output : {Output::score, Output::cigar}) {
                    Request const request{mode, output, CigarStyle::eqx};
                    auto const engine =
                        cpu::make_engine({.threads = threads, .max_host_bytes = limit, .tuning = {.lanes = -1}});
                    std::uint64_t estimate = 0;
                    try {
                        estimate = engine->estimate(set.batch(), scoring_, request).host_bytes;
                    } catch (Error const & error) {
                        EXPECT_EQ(error.status, Status::memory_limit) << error.what();
                        continue;
                    }
                    BatchResult result;
                    std::size_t const before = peak = allocated.load();
                    engine->align(set.batch(), scoring_, request, {}, result);
                    EXPECT_LE(peak - before, estimate)
                        << pair.query.size() << " x " << pair.target.size() << ", " << threads << " threads, limit "
                        << limit
                        << (mode.local      ? ", local"
                            : mode.global() ? ", global"
                                            : ", free ends")
                        << (output == Output::cigar ? ", cigar" : ", score") << ", costs times " << GetParam();
                }
    }
};

TEST_P(MemoryTest, Parts)
{
    for (auto const [m, n] : {Lengths{1, 1000}, {20, 104000}, {64, 2600}, {1100, 20000}, {2500, 9000}}) {
        Random random{5};
        std::string const target = random_sequence(random, n, "ACGT");
        SequencePair const pair{mutated(random, target.substr(n - m, m), "ACGT", 0.1), target};
        for (Mode const & mode :
             {Mode{}, Mode{.local = true}, Mode{.free_target_begin = true, .free_target_end = true}})
            keeps_to_the_estimate(pair, mode);
    }
}

TEST_P(MemoryTest, SimilarPairs)
{
    for (double const rate : {0.0005, 0.03}) {
        Random random{6};
        std::string const target = random_sequence(random, 10000, "ACGT");
        SequencePair const pair{mutated(random, target, "ACGT", rate), target};
        keeps_to_the_estimate(pair, {});
        keeps_to_the_estimate(pair, {.local = true});
    }
}

INSTANTIATE_TEST_SUITE_P(All, MemoryTest, testing::Values(1, 300, 20000),
                         [](auto const & info) { return "costs_times_" + std::to_string(info.param); });

} // namespace
} // namespace nwgpu::test
