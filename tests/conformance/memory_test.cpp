// SPDX-License-Identifier: BSD-3-Clause
// What a pair takes beyond its letters is no more than the estimate: memory is counted where it is allocated.  A
// program of its own, because it replaces operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>

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

// What a call takes beyond its letters, at most.
std::size_t peak_of(Backend & engine, PairSet const & set, Scoring const & scoring, Request const & request,
                    BatchResult & result)
{
    std::size_t const before = peak = allocated.load();
    engine.align(set.batch(), scoring, request, {}, result);
    return peak - before;
}

std::uint64_t letter_bytes(PairSet const & set) { return set.batch().queries.bytes() + set.batch().targets.bytes(); }

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
                    EXPECT_LE(peak_of(*engine, set, scoring_, request, result), estimate)
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

// One random call, and limits for it, most of them near the least that is accepted: all it allocates stays below the
// estimate and the limit, and the answers are those without a limit.
class RandomCall {
public:
    explicit RandomCall(std::uint64_t seed) : random_{seed}, scheme_{random_.pick(all_schemes())}
    {
        // Of 17 modes two are half of what people run.
        static std::vector<Mode> const usual{Mode{}, Mode{.local = true}};
        request_ = {random_.pick(random_.chance(0.5) ? usual : all_modes()), static_cast<Output>(random_.between(0, 3)),
                    static_cast<CigarStyle>(random_.between(0, 1))};
        if (random_.chance(0.2))
            request_.mode.ties = static_cast<Ties>(random_.between(1, 2));
        else if (random_.chance(0.2) && request_.mode.local)
            request_.top = static_cast<std::uint32_t>(random_.between(2, 4));
        std::uint64_t const count = random_.chance(0.6) ? 1 : random_.between(2, 6);
        std::vector<SequencePair> pairs;
        for (std::uint64_t p = 0; p < count; ++p)
            pairs.push_back(random_pair(random_, random_.pick(all_models()), length(3000), length(10000),
                                        scheme_.letters, random_.chance(0.5) ? 0.1 : 0.002));
        if (random_.chance(0.2)) {
            std::int64_t const wide = static_cast<std::int64_t>(random_.between(0, 3000));
            request_.mode.band = Diagonals{-wide, 10000};
        }
        set_.emplace(std::move(pairs), scheme_.scoring);
        options_.threads = static_cast<int>(random_.between(1, 3));
        words_ = "NWGPU_TEST_SEED=" + std::to_string(seed) + " NWGPU_TEST_PAIRS=1: " + scheme_.name + " " +
                 name(request_.mode) + " " + name(request_.output) + " pairs=" + std::to_string(count) + " of " +
                 std::to_string((*set_)[0].query.size()) + " x " + std::to_string((*set_)[0].target.size()) +
                 (request_.mode.band ? " band" : "") + " ties=" + std::to_string(static_cast<int>(request_.mode.ties)) +
                 " top=" + std::to_string(request_.top) + " ";
    }

    void check()
    {
        BatchResult full;
        peak_of(*cpu::make_engine({.threads = 1}), *set_, scheme_.scoring, request_, full);
        // From too little on, up to what is just enough; then more.
        std::uint64_t limit = letter_bytes(*set_) + 1000;
        std::uint64_t estimate = 0;
        while (limit < 2'000'000 && !accepts(limit, estimate))
            limit += limit / 64;
        for (int k = 0; k < 3 && limit < 2'000'000; ++k) {
            if (accepts(limit, estimate))
                try_limit(limit, estimate, full);
            limit = random_.between(limit, 2'000'000);
        }
    }

private:
    std::uint64_t length(std::uint64_t most) { return random_.between(1, random_.between(1, most)); }

    bool accepts(std::uint64_t limit, std::uint64_t & estimate)
    {
        options_.max_host_bytes = limit;
        try {
            estimate = cpu::make_engine(options_)->estimate(set_->batch(), scheme_.scoring, request_).host_bytes;
            return true;
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::memory_limit) << words_ << describe(options_) << ": " << error.what();
            return false;
        }
    }

    void try_limit(std::uint64_t limit, std::uint64_t estimate, BatchResult const & full)
    {
        std::string const words = words_ + describe(options_);
        BatchResult result;
        std::size_t const most = peak_of(*cpu::make_engine(options_), *set_, scheme_.scoring, request_, result);
        EXPECT_LE(most + letter_bytes(*set_), limit) << words;
        if (request_.top > 1 && result.status != full.status)
            return; // further alignments may not fit
        EXPECT_EQ(result.status, full.status) << words;
        EXPECT_EQ(result.score, full.score) << words;
        EXPECT_EQ(result.span, full.span) << words;
        EXPECT_EQ(result.runs, full.runs) << words;
        if (request_.top == 1) { // of several alignments the estimate has the first
            EXPECT_LE(most, estimate) << words;
        }
    }

    Random random_;
    Scheme const & scheme_;
    Request request_;
    cpu::EngineOptions options_;
    std::optional<PairSet> set_;
    std::string words_;
};

TEST(Memory, RandomLimits)
{
    auto const number = [](char const * variable, std::uint64_t otherwise) {
        char const * const text = std::getenv(variable);
        return text ? std::strtoull(text, nullptr, 10) : otherwise;
    };
    std::uint64_t const seed = number("NWGPU_TEST_SEED", 1), calls = number("NWGPU_TEST_PAIRS", 150);
    for (std::uint64_t k = 0; k < calls && !testing::Test::HasFailure(); ++k)
        RandomCall{seed + k}.check();
}

} // namespace
} // namespace nwgpu::test
