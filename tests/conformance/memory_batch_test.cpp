// SPDX-License-Identifier: BSD-3-Clause
// What a call of many pairs allocates, counted where it is allocated: no more than the estimate and the limit, little
// per pair, and little per pair that fails.  Under any limit a call either aligns all it can, or fails as a whole.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "align/aligner.hpp"
#include "base/error.hpp"
#include "conformance/counted.hpp"
#include "cpu/before_tasks.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/alphabet.hpp"
#include "support/cases.hpp"
#include "support/random.hpp"
#include "support/raw_side.hpp"
#include "support/schemes.hpp"

namespace nwgpu::test {
namespace {

struct Pairs {
    RawSide queries, targets;
    std::vector<Pair> list;

    void add(std::string const & query, std::string const & target)
    {
        list.push_back({list.size(), list.size()});
        queries.add(query);
        targets.add(target);
    }
    Problem problem() const { return {queries.raw(), targets.raw(), list}; }
    std::uint64_t letters() const { return queries.letters.size() + targets.letters.size(); }
    // The caller's.
    std::uint64_t list_bytes() const { return list.size() * sizeof(Pair); }
};

Pairs similar_pairs(std::uint64_t seed, std::uint64_t count, std::uint64_t shortest, std::uint64_t longest)
{
    Random random{seed};
    Pairs pairs;
    for (std::uint64_t p = 0; p < count; ++p) {
        std::string const target = random_sequence(random, random.between(shortest, longest), "ACGT");
        pairs.add(mutated(random, target, "ACGT", 0.2), target);
    }
    return pairs;
}

class MemoryBatch : public testing::Test {
protected:
    Scoring const dna_ = Scoring::uniform(2, 4, {4, 2}, alphabet_codes("dna"));

    static std::unique_ptr<Aligner> make_aligner(int threads, std::uint64_t limit)
    {
        AlignerOptions options;
        options.backend = BackendKind::cpu;
        options.cpu_threads = threads;
        options.max_host_bytes = limit;
        return std::make_unique<Aligner>(options);
    }

    struct Call {
        Status status = Status::ok; // of the call
        std::string message;
        BatchResult result;
        std::uint64_t estimate = 0, bytes = 0; // the pairs' list included
    };
    Call call(Pairs const & pairs, Request const & request, int threads, std::uint64_t limit = 0)
    {
        return call(pairs, dna_, request, threads, limit);
    }
    Call call(Pairs const & pairs, Scoring const & scoring, Request const & request, int threads, std::uint64_t limit)
    {
        auto const aligner = make_aligner(threads, limit);
        Pairs const warm = similar_pairs(1, 4, 10, 10); // starts the threads
        Call call;
        try {
            call.estimate = aligner->estimate(pairs.problem(), scoring, request).host_bytes;
            if (limit == 0)
                aligner->align(warm.problem(), scoring, request, {});
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::memory_limit);
        }
        std::size_t const before = peak = allocated.load();
        try {
            call.result = aligner->align(pairs.problem(), scoring, request, {});
        } catch (Error const & error) {
            call.status = error.status;
            call.message = error.what();
        }
        call.bytes = peak - before + pairs.list_bytes();
        return call;
    }
    // Whether a call under a limit, which it keeps to, has all answers: those of a call without one then.
    bool is_whole(Pairs const & pairs, Scoring const & scoring, Request const & request, int threads,
                  std::uint64_t limit, Call const & full, std::string const & words)
    {
        Call const found = call(pairs, scoring, request, threads, limit);
        EXPECT_LE(found.bytes, limit) << words;
        if (found.status != Status::ok || found.result.failures.count() > 0)
            return false;
        EXPECT_LE(found.estimate, limit) << words;
        if (found.estimate > 0) { // it is told of pieces that fit one after the other
            EXPECT_LE(found.bytes, found.estimate) << words;
        }
        EXPECT_EQ(found.result.score, full.result.score) << words;
        EXPECT_EQ(found.result.runs, full.result.runs) << words;
        return true;
    }
};

Request request_of(Output output, bool local = false) { return {Mode{.local = local}, output, CigarStyle::eqx}; }

// Letters, once, and the arrays of the result; CIGARs beside them.
TEST_F(MemoryBatch, LittlePerPair)
{
    Pairs const pairs = similar_pairs(2, 60000, 20, 20);
    auto const count = static_cast<double>(pairs.list.size());
    for (int const threads : {1, 2})
        for (Output const output : {Output::score, Output::end, Output::span, Output::cigar}) {
            Call const found = call(pairs, request_of(output), threads);
            std::string const words = "MemoryBatch seed=2 threads=" + std::to_string(threads) +
                                      " output=" + std::to_string(static_cast<int>(output));
            EXPECT_LE(found.bytes, found.estimate) << words;
            double const own = static_cast<double>(found.bytes - pairs.letters()) / count;
            // The list, the result, the engine's lists; workspace of the threads.
            double const result = static_cast<double>(BatchResult::bytes_per_entry(output));
            EXPECT_LE(own, 16 + result + 40 + 8 + (output == Output::cigar ? 100 : 0)) << words;
            // A bound that is not far off: traces of the threads, and the runs that a path may have.
            double const far = threads * 6e6 + (output == Output::cigar ? 2.4 : 0.3) * static_cast<double>(found.bytes);
            EXPECT_LE(static_cast<double>(found.estimate - found.bytes), far) << words;
        }
}

// 16 bytes and a bit, whatever the message.
TEST_F(MemoryBatch, LittlePerFailure)
{
    Pairs good, invalid, infeasible;
    for (std::uint64_t p = 0; p < 60000; ++p) {
        good.add("ACGTACGTAC", "ACGTACGTAC");
        invalid.add("ACGTACGT*C", "ACGTACGTAC");
        infeasible.add("ACGTACGTAC", "AC");
    }
    Request banded = request_of(Output::score);
    banded.mode.band = Diagonals{0, 0};
    Call const none = call(good, request_of(Output::score), 1);
    Call const letters = call(invalid, request_of(Output::score), 1);
    Call const bands = call(infeasible, banded, 1);
    EXPECT_EQ(letters.result.failures.count(), 60000u);
    EXPECT_EQ(letters.result.failures.message(59999), "query: letter '*' at position 8 is not in the alphabet");
    EXPECT_EQ(bands.result.failures.count(), 60000u);
    EXPECT_NE(bands.result.failures.message(12345).find("band"), std::string::npos);
    EXPECT_LE(none.bytes, none.estimate);
    EXPECT_LE(letters.bytes, letters.estimate);
    EXPECT_LE(bands.bytes, bands.estimate);
    EXPECT_LE(letters.result.failures.bytes(), 60000u * 17);
    // In place of what the engine would take for them.
    EXPECT_LE(letters.bytes, none.bytes + 60000 * 17);
}

// Limits from far too low to more than enough, for pairs of all sizes, some of them empty or invalid.
TEST_F(MemoryBatch, EveryLimitIsKept)
{
    Pairs pairs = similar_pairs(3, 3000, 1, 60);
    Random random{4};
    for (std::uint64_t const length : {0, 300, 1000, 3000}) {
        std::string const target = random_sequence(random, length, "ACGT");
        pairs.add(mutated(random, target, "ACGT", 0.1), target);
        pairs.add(target, "");
        pairs.add(target + "*", target);
    }
    for (bool const local : {false, true})
        for (Output const output : {Output::score, Output::cigar}) {
            Request const request = request_of(output, local);
            BatchResult const full = call(pairs, request, 1).result;
            int refused = 0, whole = 0;
            for (int k = 0; k < 60; ++k) {
                std::uint64_t const limit = random.between(100000, k % 2 == 0 ? 4000000 : 1500000);
                int const threads = static_cast<int>(random.between(1, 4));
                std::string const words = "MemoryBatch seed=4 k=" + std::to_string(k) +
                                          " limit=" + std::to_string(limit) + " threads=" + std::to_string(threads) +
                                          " output=" + std::to_string(static_cast<int>(output)) +
                                          (local ? " local" : "");
                Call const found = call(pairs, request, threads, limit);
                EXPECT_LE(found.bytes, limit) << words;
                if (found.status != Status::ok) {
                    ++refused;
                    EXPECT_EQ(found.status, Status::memory_limit) << words;
                    EXPECT_NE(found.message.find("bytes, the limit is " + std::to_string(limit)), std::string::npos)
                        << words << ": " << found.message;
                    continue;
                }
                EXPECT_LE(found.estimate, limit) << words;
                bool all = true;
                for (std::uint64_t p = 0; p < pairs.list.size(); ++p) {
                    BatchResult const & result = found.result;
                    if (result.status[p] != full.status[p]) {
                        ASSERT_EQ(result.status[p], Status::memory_limit) << words << " pair=" << p;
                        ASSERT_GE(p, 3000u) << words << ": short pairs are aligned or none is";
                        ASSERT_NE(result.failures.message(p), "") << words;
                        all = false;
                        continue;
                    }
                    ASSERT_EQ(result.score[p], full.score[p]) << words << " pair=" << p;
                    if (output != Output::cigar)
                        continue;
                    ASSERT_EQ(result.span[p], full.span[p]) << words << " pair=" << p;
                    auto const runs = [&](BatchResult const & of) {
                        return std::span{of.runs}.subspan(of.run_offsets[p], of.run_offsets[p + 1] - of.run_offsets[p]);
                    };
                    ASSERT_TRUE(std::ranges::equal(runs(result), runs(full))) << words << " pair=" << p;
                }
                whole += all;
            }
            EXPECT_GT(refused, 0);
            EXPECT_GT(whole, 5);
        }
}

// A pair that lacks memory beside others is aligned when they have ended.
TEST_F(MemoryBatch, ThreadsShareTheLimit)
{
    Pairs const pairs = similar_pairs(5, 8, 3000, 3000);
    Request const request = request_of(Output::cigar);
    std::uint64_t limit = 8 << 20;
    auto const fits = [&](int threads) {
        Call const found = call(pairs, request, threads, limit);
        EXPECT_LE(found.bytes, limit);
        return found.status == Status::ok && found.result.failures.count() == 0;
    };
    while (fits(1))
        limit = limit * 9 / 10;
    limit = limit * 10 / 9 + 1;
    EXPECT_TRUE(fits(4)) << limit;
}

// The limit decides how many pairs are at work at the same time; threads share them then.
TEST_F(MemoryBatch, SixteenThreadsKeepToTheLimit)
{
    Pairs pairs = similar_pairs(6, 12, 4600, 6000);
    Random random{7};
    for (int k = 0; k < 300; ++k)
        pairs.add(random_sequence(random, random.between(50, 400), "ACGT"), random_sequence(random, 200, "ACGT"));
    for (bool const local : {false, true}) {
        Request const request = request_of(Output::cigar, local);
        Call const full = call(pairs, request, 16);
        EXPECT_LE(full.bytes, full.estimate);
        ASSERT_EQ(full.result.failures.count(), 0u);
        int whole = 0;
        for (int k = 0; k < 12; ++k) {
            std::uint64_t const limit = full.bytes * static_cast<std::uint64_t>(k + 1) / 10;
            std::string const words =
                "MemoryBatch seed=6,7 limit=" + std::to_string(limit) + (local ? " local" : " global");
            whole += is_whole(pairs, dna_, request, 16, limit, full, words);
        }
        EXPECT_GE(whole, 5);
    }
}

// What similar pairs are tried with before others: changes that lie apart, bits and bands.
TEST_F(MemoryBatch, SimilarPairsKeepToTheLimit)
{
    Random random{20261128};
    Pairs pairs;
    for (std::uint64_t p = 0; p < 700; ++p) {
        bool const is_long = p % 4 == 0; // of which a few fill a thread's workspace
        std::string const target = random_sequence(random, random.between(50, is_long ? 4000 : 400), "ACGT");
        pairs.add(p % 9 == 0 ? random_sequence(random, 300, "ACGT")
                             : mutated(random, target, "ACGT", p % 3 == 0 ? 0.002 : 0.08),
                  target);
    }
    for (Scoring const & scoring : {dna_, Scoring::uniform(0, 1, {0, 1}, alphabet_codes("dna"))}) {
        Request const request = request_of(Output::cigar);
        Call const full = call(pairs, scoring, request, 1, 0);
        int whole = 0;
        for (int k = 0; k < 30; ++k) {
            std::uint64_t const limit =
                k % 2 == 0 ? random.between(1'500'000, 4'000'000) : random.between(4'000'000, 60'000'000);
            int const threads = static_cast<int>(random.between(1, 4));
            std::string const words = "MemoryBatch seed=20261128 limit=" + std::to_string(limit) +
                                      " threads=" + std::to_string(threads) + (scoring == dna_ ? "" : " unit costs");
            whole += is_whole(pairs, scoring, request, threads, limit, full, words);
        }
        EXPECT_GE(whole, 10);
    }
}

// Where that does not fit for all threads, some do it: without it pairs of 1 kb take four to eight times as long.
// Longer ones need it less, and leave it where it does not fit for all.
TEST_F(MemoryBatch, SomeThreadsHaveSimilarPairsUnderALimit)
{
    cpu::Scheme const scheme{dna_};
    Team team{16};
    for (std::uint64_t const longest : {1200, 3900}) {
        Random random{20261130};
        std::vector<SequencePair> list;
        for (int p = 0; p < 300; ++p) {
            std::string const target = random_sequence(random, random.between(700, p == 0 ? longest : 1000), "ACGT");
            list.push_back({mutated(random, target, "ACGT", 0.05),
                            p == 0 ? target + random_sequence(random, longest - target.size(), "ACGT") : target});
        }
        PairSet const set{std::move(list), dna_};
        std::vector<std::uint64_t> pairs(set.count());
        std::iota(pairs.begin(), pairs.end(), std::uint64_t{0});
        Batch const batch = set.batch();
        Request const request = request_of(Output::cigar);
        auto const before = [&](std::uint64_t limit) {
            return cpu::before_tasks({batch, pairs, dna_, request, limit}, scheme, team);
        };
        EXPECT_EQ(before(0).threads, 16);
        std::uint64_t const all = 1'000'000'000;
        ASSERT_EQ(before(all).threads, 16);
        std::uint64_t const bytes = before(all).bytes;
        for (std::uint64_t limit = bytes; limit > 0; limit = limit * 9 / 10) {
            cpu::BeforeTasks const found = before(limit);
            EXPECT_LE(found.bytes, limit);
            // A third of the threads, or none; where there are longer pairs, all.
            if (longest > 2048 && limit < bytes) {
                EXPECT_EQ(found.threads, 0) << limit;
            } else if (limit > bytes / 2) {
                EXPECT_GE(found.threads, 6) << limit;
            } else if (limit < bytes / 4) {
                EXPECT_EQ(found.threads, 0) << limit;
            }
        }
    }
}

// Scores of a query and its many targets, side by side.
TEST_F(MemoryBatch, AQueryOfManyTargetsKeepsToTheLimit)
{
    Random random{20261129};
    Scheme const & protein = scheme("BLOSUM62_11_1");
    Pairs pairs;
    for (std::uint64_t p = 0; p < 3000; ++p) {
        if (p % 1000 == 0)
            pairs.queries.add(random_sequence(random, random.between(100, 3000), protein.letters));
        pairs.targets.add(random_sequence(random, random.between(50, p % 100 == 0 ? 5000 : 300), protein.letters));
        pairs.list.push_back({p / 1000, p});
    }
    Request const request = request_of(Output::score, true);
    Call const full = call(pairs, protein.scoring, request, 1, 0);
    int whole = 0;
    for (int k = 0; k < 20; ++k) {
        std::uint64_t const limit = random.between(1'500'000, k % 2 == 0 ? 4'000'000 : 20'000'000);
        int const threads = static_cast<int>(random.between(1, 4));
        std::string const words =
            "MemoryBatch seed=20261129 limit=" + std::to_string(limit) + " threads=" + std::to_string(threads);
        whole += is_whole(pairs, protein.scoring, request, threads, limit, full, words);
    }
    EXPECT_GE(whole, 10);
}

// As many bytes as the messages of all pairs would take.
TEST_F(MemoryBatch, AMillionTinyPairsInSixtyFourMiB)
{
    Pairs pairs;
    for (std::uint64_t p = 0; p < 1000000; ++p)
        pairs.add("ACGT", "ACGA");
    for (std::uint64_t const limit : {std::uint64_t{64} << 20, std::uint64_t{48} << 20}) {
        Call const found = call(pairs, request_of(Output::score), 2, limit);
        EXPECT_LE(found.bytes, limit);
        if (limit == std::uint64_t{64} << 20) {
            ASSERT_EQ(found.status, Status::ok) << found.message;
            EXPECT_EQ(found.result.failures.count(), 0u);
            EXPECT_EQ(found.result.score[999999], 2);
        } else {
            EXPECT_EQ(found.status, Status::memory_limit);
            EXPECT_LE(found.bytes, pairs.list_bytes() + 4096) << "it has not begun";
        }
    }
}

} // namespace
} // namespace nwgpu::test
