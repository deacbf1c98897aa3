// SPDX-License-Identifier: BSD-3-Clause
// Letters that a GPU keeps from call to call: answers are as on the CPU, whatever was kept before, and of whom.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <optional>
#include <thread>

#include "cpu/kernels/kernel_table.hpp"
#include "model/alphabet.hpp"
#include "support/engines.hpp"
#include "support/row_world.hpp"

namespace nwgpu::test {
namespace {

// Sequences as a handle has them: they have an origin until it ends.
class Handle {
public:
    // `second`: the length of the second one; 0: as the others.
    Handle(Random & random, std::uint64_t count, std::uint64_t longest, std::string_view letters,
           std::uint64_t second = 0)
    {
        for (std::uint64_t k = 0; k < count; ++k) {
            std::uint64_t const length = k == 1 && second > 0 ? second : random.between(1, longest);
            std::string const one = random_sequence(random, length, letters);
            bytes_.insert(bytes_.end(), one.begin(), one.end());
            offsets_.push_back(bytes_.size());
        }
    }
    // In the same place: one handle ends, another begins.
    void become_another(Random & random, std::string_view letters)
    {
        std::string const others = random_sequence(random, bytes_.size(), letters);
        origin_.reset();
        std::ranges::copy(others, bytes_.begin());
        codes_.emplace();
        origin_ = std::make_shared<char>();
    }
    std::uint64_t count() const { return offsets_.size() - 1; }
    std::vector<std::uint8_t> & bytes() { return bytes_; }
    RawSequences raw() const { return {bytes_, offsets_, 0, origin_}; }
    // As one that is there for a call.
    RawSequences unknown() const { return {bytes_, offsets_}; }
    CodeCache * codes() { return &*codes_; }

private:
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint64_t> offsets_{0};
    std::shared_ptr<void const> origin_ = std::make_shared<char>();
    std::optional<CodeCache> codes_{std::in_place};
};

std::vector<Pair> zipped(Handle const & queries, Handle const & targets)
{
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k < std::min(queries.count(), targets.count()); ++k)
        pairs.push_back({k, k});
    return pairs;
}

// A context with a GPU, or several engines, on as many as there are: letters go to the device as they are.
class Gpu {
public:
    explicit Gpu(std::uint64_t max_device_bytes = 64 << 20, std::uint64_t free_bytes = 0, int engines = 1)
    {
        cuda::EngineOptions options;
        options.to_two_bits = cpu::kernel_table({}).to_two_bits;
        options.max_device_bytes = max_device_bytes; // an emulated device writes to all of it
        options.tuning.free_bytes = free_bytes;
        std::vector<std::unique_ptr<Backend>> made;
        for (int k = 0; k < engines; ++k) {
            options.device = k % cuda::device_count();
            made.push_back(cuda::make_engine(options));
        }
        engine_ = engines == 1 ? std::move(made[0]) : stacked(std::move(made), {});
    }
    BatchResult align(Handle & queries, Handle & targets, std::span<Pair const> pairs, Scoring const & scoring,
                      Request const & request)
    {
        auto const lazy = [&](Handle & handle) {
            auto const make = [&] { return handle.codes()->get(handle.raw(), scoring, nullptr, translate); };
            return CodedSequences{handle.raw(), make};
        };
        CodedSequences const first = lazy(queries), second = lazy(targets);
        return test::align(*engine_, {first, second, pairs}, scoring, request);
    }
    // Whether the device has all letters of a call: then it is predicted to take less time.
    double seconds(Handle & queries, Handle & targets, std::span<Pair const> pairs, Scoring const & scoring,
                   Request const & request)
    {
        auto const coded = [&](Handle & handle) {
            return handle.codes()->get(handle.raw(), scoring, nullptr, translate);
        };
        auto const first = coded(queries), second = coded(targets);
        return estimate(*engine_, {*first, *second, pairs}, scoring, request).seconds;
    }
    Backend & engine() { return *engine_; }

private:
    std::unique_ptr<Backend> engine_;
};

BatchResult on_cpu(RawSequences const & queries, RawSequences const & targets, std::span<Pair const> pairs,
                   Scoring const & scoring, Request const & request)
{
    CodedSequences const first{queries, scoring}, second{targets, scoring};
    return align(EngineSetup{}, {first, second, pairs}, scoring, request);
}

Scoring const dna = Scoring::uniform(2, 4, {4, 2}, alphabet_codes("dna"));
Scoring const bytes = Scoring::uniform(1, 1, {1, 1});
Request const cigars{{}, Output::cigar, CigarStyle::eqx}, local_scores{{.local = true}, Output::score, CigarStyle::m};

class KeptLettersTest : public OnEachEngine<> {
protected:
    static void expect_right(Gpu & gpu, Handle & queries, Handle & targets, std::span<Pair const> pairs,
                             Scoring const & scoring, Request const & request, std::string const & what)
    {
        SCOPED_TRACE(what);
        expect_equal(gpu.align(queries, targets, pairs, scoring, request),
                     on_cpu(queries.unknown(), targets.unknown(), pairs, scoring, request));
    }
    static void expect_equal(BatchResult const & actual, BatchResult const & expected)
    {
        EXPECT_EQ(actual.status, expected.status);
        EXPECT_EQ(actual.score, expected.score);
        EXPECT_EQ(actual.span, expected.span);
        EXPECT_EQ(actual.runs, expected.runs);
        EXPECT_EQ(actual.run_offsets, expected.run_offsets);
    }

    Random random_{71};
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(KeptLettersTest); // without CUDA
INSTANTIATE_TEST_SUITE_P(All, KeptLettersTest, on_cuda(), ParameterNames{});

TEST_P(KeptLettersTest, CallsAreRepeated)
{
    Handle queries{random_, 300, 60, "ACGT"}, targets{random_, 300, 60, "ACGTacgt"};
    std::vector<Pair> const pairs = zipped(queries, targets);
    Gpu gpu;
    double const first = gpu.seconds(queries, targets, pairs, dna, cigars);
    for (int k = 0; k < 3; ++k) {
        expect_right(gpu, queries, targets, pairs, dna, cigars, "dna");
        EXPECT_LT(gpu.seconds(queries, targets, pairs, dna, cigars), first);
        expect_right(gpu, queries, targets, pairs, bytes, cigars, "every byte is a letter");
        expect_right(gpu, queries, targets, pairs, dna, local_scores, "local");
        expect_right(gpu, targets, queries, pairs, dna, cigars, "the other way round");
    }
    gpu.engine().trim();
    EXPECT_EQ(gpu.seconds(queries, targets, pairs, dna, cigars), first);
    expect_right(gpu, queries, targets, pairs, dna, cigars, "after trim");
}

// Each device makes codes of the pairs that it cannot take as letters: of those with a letter that is none.
TEST_P(KeptLettersTest, SeveralDevices)
{
    Gpu gpu{64 << 20, 0, 3};
    ASSERT_TRUE(gpu.engine().takes_letters(dna, cigars));
    for (int call = 0; call < 4; ++call) {
        Handle queries{random_, 900, 60, "ACGT"}, targets{random_, 900, 60, "ACGTacgt"};
        for (Handle * const handle : {&queries, &targets})
            for (int k = 0; k < 20 * call; ++k)
                handle->bytes()[random_.below(handle->bytes().size())] = '?';
        std::vector<Pair> const pairs = zipped(queries, targets);
        BatchResult const expected = on_cpu(queries.unknown(), targets.unknown(), pairs, dna, cigars);
        for (int k = 0; k < 2; ++k) { // the second with codes, where they had to be made
            BatchResult const found = gpu.align(queries, targets, pairs, dna, cigars);
            expect_equal(found, expected);
            for (std::uint64_t p = 0; p < pairs.size(); ++p)
                EXPECT_EQ(found.failures.message(p), expected.failures.message(p)) << "pair " << p;
        }
    }
}

TEST_P(KeptLettersTest, OneHandleOnBothSides)
{
    Handle both{random_, 120, 80, "ACGT"};
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k < 2000; ++k)
        pairs.push_back({random_.below(both.count()), random_.below(both.count())});
    Gpu gpu;
    for (int k = 0; k < 3; ++k)
        expect_right(gpu, both, both, pairs, dna, cigars, "pairs here and there");
    expect_right(gpu, both, both, zipped(both, both), dna, cigars, "each with itself");
    expect_right(gpu, both, both, pairs, dna, cigars, "pairs here and there, of letters that are there");
}

TEST_P(KeptLettersTest, OneQueryAndManyTargets)
{
    Handle targets{random_, 400, 60, "ACGT"};
    Gpu gpu;
    for (int k = 0; k < 3; ++k) {
        Handle query{random_, 1, 50, "ACGT"};
        std::vector<Pair> pairs;
        for (std::uint64_t t = 0; t < targets.count(); ++t)
            pairs.push_back({0, t});
        expect_right(gpu, query, targets, pairs, dna, local_scores, "all");
        std::span<Pair const> const all{pairs};
        expect_right(gpu, query, targets, all.subspan(100, 37), dna, cigars, "some");
        expect_right(gpu, query, targets, all.subspan(390), dna, cigars, "the last ones");
    }
}

// First some letters are kept, then others.
TEST_P(KeptLettersTest, PartsOfAHandle)
{
    Handle queries{random_, 500, 60, "ACGT"}, targets{random_, 500, 60, "ACGT"};
    std::vector<Pair> const pairs = zipped(queries, targets);
    std::span<Pair const> const all{pairs};
    Gpu gpu;
    for (auto const & [first, count] : {std::pair{200, 100}, {0, 50}, {280, 120}, {200, 100}, {40, 170}, {0, 500}})
        expect_right(gpu, queries, targets,
                     all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)), dna, cigars,
                     std::to_string(first));
}

// Few pairs from here and there are copied sequence by sequence: from the host, and from the device once all letters
// are there.
TEST_P(KeptLettersTest, PairsHereAndThere)
{
    Handle queries{random_, 900, 60, "ACGT"}, targets{random_, 900, 60, "ACGT"};
    auto const some = [&](std::uint64_t first, std::uint64_t count) {
        std::vector<Pair> pairs;
        for (std::uint64_t k = 0; k < count; ++k)
            pairs.push_back({first + random_.below(900 - first), first + random_.below(900 - first)});
        return pairs;
    };
    Gpu gpu;
    expect_right(gpu, queries, targets, some(0, 100), dna, cigars, "from the host");
    expect_right(gpu, queries, targets, zipped(queries, targets), dna, local_scores, "all");
    expect_right(gpu, queries, targets, some(0, 300), dna, cigars, "from the device");
    expect_right(gpu, queries, targets, some(500, 100), dna, cigars, "the later ones");
    Handle others{random_, 900, 60, "ACGT"};
    expect_right(gpu, queries, others, some(300, 280), dna, cigars, "queries from the device, targets from the host");
    expect_right(gpu, others, targets, some(300, 280), dna, cigars, "the other way round");
    expect_right(gpu, others, others, some(200, 10), dna, cigars, "from the host, few");
}

// The same with so many pairs that all letters are sent before.
TEST_P(KeptLettersTest, ManyPairsHereAndThere)
{
    Handle targets{random_, 400, 30, "ACGT", 9000};
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k < 500; ++k) {
        std::uint64_t const one = random_.below(400), other = random_.below(400);
        pairs.push_back({one == 1 ? 0 : one, other == 1 ? 2 : other}); // not the long one
    }
    Gpu gpu;
    double const before = gpu.seconds(targets, targets, pairs, bytes, cigars);
    expect_right(gpu, targets, targets, pairs, dna, cigars, "first");
    EXPECT_LT(gpu.seconds(targets, targets, pairs, bytes, cigars), before);
    expect_right(gpu, targets, targets, pairs, dna, cigars, "then");
}

TEST_P(KeptLettersTest, AnotherHandleInTheSamePlace)
{
    Handle queries{random_, 200, 60, "ACGT"}, targets{random_, 200, 60, "ACGT"};
    std::vector<Pair> const pairs = zipped(queries, targets);
    Gpu gpu;
    for (int k = 0; k < 3; ++k) {
        expect_right(gpu, queries, targets, pairs, dna, cigars, std::to_string(k));
        (k == 1 ? queries : targets).become_another(random_, "ACGT");
    }
}

// Letters of a call, which has no handle, may be others in the next one.
TEST_P(KeptLettersTest, NotOfUnknownOrigin)
{
    Handle queries{random_, 200, 60, "ACGT"}, targets{random_, 200, 60, "ACGT"};
    std::vector<Pair> const pairs = zipped(queries, targets);
    Gpu gpu;
    for (int k = 0; k < 3; ++k) {
        CodedSequences const first{queries.unknown(), dna}, second{targets.raw(), dna};
        expect_equal(align(gpu.engine(), {first, second, pairs}, dna, cigars),
                     on_cpu(queries.unknown(), targets.unknown(), pairs, dna, cigars));
        queries.become_another(random_, "ACGT");
    }
}

TEST_P(KeptLettersTest, InvalidLetters)
{
    Handle queries{random_, 200, 60, "ACGT"}, targets{random_, 200, 60, "ACGT"};
    std::vector<Pair> const pairs = zipped(queries, targets);
    targets.bytes()[777] = '*';
    Gpu gpu;
    for (int k = 0; k < 3; ++k) {
        expect_right(gpu, queries, targets, pairs, dna, cigars, "not of the alphabet");
        expect_right(gpu, queries, targets, pairs, bytes, cigars, "every byte is a letter");
        expect_right(gpu, queries, targets, std::span{pairs}.first(10), dna, cigars, "before it");
    }
}

// Each device keeps the letters of its own pairs; the part that counts is that of the one with the fewest.
TEST_P(KeptLettersTest, PredictionsForSeveralDevices)
{
    Handle queries{random_, 900, 60, "ACGT"}, targets{random_, 900, 60, "ACGT"};
    std::vector<Pair> const pairs = zipped(queries, targets);
    CodedSequences const letters{queries.raw(), dna};
    Gpu gpu{64 << 20, 0, 2};
    double const first = gpu.seconds(queries, targets, pairs, dna, cigars);
    double before = 0; // which device gets which pairs is chance
    for (int k = 0; k < 4; ++k) {
        expect_right(gpu, queries, targets, pairs, dna, cigars, std::to_string(before));
        double const now = gpu.engine().kept_part(letters);
        EXPECT_GE(now, before);
        EXPECT_LE(now, 1);
        before = now;
    }
    EXPECT_LE(gpu.seconds(queries, targets, pairs, dna, cigars), first);
}

// Page-locked, as of a view of memory that the device reads itself.
TEST_P(KeptLettersTest, PageLockedLetters)
{
    Handle queries{random_, 200, 60, "ACGT"}, targets{random_, 200, 60, "ACGT"};
    std::vector<Pair> const pairs = zipped(queries, targets);
    Gpu gpu;
    RawSequences view = targets.raw();
    auto * const locked = static_cast<std::uint8_t *>(cuda::allocate_pinned(view.bytes.size(), 0));
    std::memcpy(locked, view.bytes.data(), view.bytes.size());
    view.bytes = {locked, view.bytes.size()};
    {
        CodedSequences const first{queries.raw(), dna}, second{view, dna};
        BatchResult const expected = on_cpu(queries.unknown(), targets.unknown(), pairs, dna, cigars);
        for (int k = 0; k < 3; ++k)
            expect_equal(align(gpu.engine(), {first, second, pairs}, dna, cigars), expected);
    }
    cuda::free_pinned(locked);
}

// Handles take turns in little memory, which a call with a long pair needs in between.
TEST_P(KeptLettersTest, LittleMemory)
{
    Handle queries{random_, 2000, 60, "ACGT"};
    std::vector<std::unique_ptr<Handle>> targets;
    for (int k = 0; k < 8; ++k)
        targets.push_back(std::make_unique<Handle>(random_, 2000, 60, "ACGT"));
    Handle long_ones{random_, 2, 4000, "ACGT"};
    for (std::uint64_t const limit : {std::uint64_t{1} << 20, std::uint64_t{3} << 20}) {
        Gpu gpu{limit};
        for (int k = 0; k < 16; ++k) {
            Handle & its = *targets[static_cast<std::size_t>(k * 3 % 8)];
            std::vector<Pair> const pairs = zipped(queries, its);
            expect_right(gpu, queries, its, std::span{pairs}.first(300), dna, local_scores,
                         std::to_string(limit) + " " + std::to_string(k));
        }
        expect_right(gpu, long_ones, long_ones, std::vector<Pair>{{0, 1}}, dna, cigars, "a long pair");
    }
}

// The device has less memory than it seems for the chunks of a call: what is kept is given up, and chunks are smaller.
TEST_P(KeptLettersTest, MemoryThatIsGone)
{
    Handle queries{random_, 17000, 8, "ACGT"}, targets{random_, 17000, 8, "ACGT"};
    std::vector<Pair> const pairs = zipped(queries, targets);
    Gpu gpu{12 << 20, 64 << 20};
    std::span<Pair const> const few = std::span{pairs}.first(2000);
    expect_right(gpu, queries, targets, few, dna, cigars, "kept");
    expect_right(gpu, queries, targets, pairs, dna, cigars, "given up");
    expect_right(gpu, queries, targets, few, dna, cigars, "kept again");
}

TEST_P(KeptLettersTest, TwoContextsInTwoThreads)
{
    auto queries = std::make_unique<Handle>(random_, 200, 40, "ACGT");
    Handle targets{random_, 200, 40, "ACGT"}, others{random_, 200, 40, "ACGT"};
    std::vector<Pair> const pairs = zipped(*queries, targets);
    BatchResult const expected = on_cpu(queries->unknown(), targets.unknown(), pairs, dna, cigars),
                      expected_then = on_cpu(others.unknown(), targets.unknown(), pairs, dna, cigars);
    std::atomic<int> ready{0};
    auto const call = [&] {
        Gpu gpu{16 << 20};
        for (int k = 0; k < 4; ++k)
            expect_equal(gpu.align(*queries, targets, pairs, dna, cigars), expected);
        ++ready;
        while (ready < 3) // idle, while the handle ends
            std::this_thread::yield();
        expect_equal(gpu.align(others, targets, pairs, dna, cigars), expected_then);
    };
    std::thread one{call}, other{call};
    while (ready < 2)
        std::this_thread::yield();
    queries.reset();
    ++ready;
    one.join();
    other.join();
}

} // namespace
} // namespace nwgpu::test
