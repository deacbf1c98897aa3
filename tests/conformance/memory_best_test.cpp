// SPDX-License-Identifier: BSD-3-Clause
// What a call for the best pairs allocates, counted where it is allocated: no more than the estimate and the limit, and
// far less than a list of all pairs takes.
#include <gtest/gtest.h>

#include "align/aligner.hpp"
#include "conformance/counted.hpp"
#include "model/alphabet.hpp"
#include "support/random.hpp"
#include "support/raw_side.hpp"

namespace nwgpu::test {
namespace {

struct Side : RawSide {
    Side(Random & random, std::uint64_t count, std::uint64_t longest, double invalid)
    {
        for (std::uint64_t k = 0; k < count; ++k) {
            std::string sequence = random_sequence(random, random.between(1, longest), "ACGT");
            if (random.chance(invalid))
                sequence.back() = '*';
            add(sequence);
        }
    }
};

class MemoryBest : public testing::Test {
protected:
    struct Counted {
        Status status = Status::ok;
        std::uint64_t bytes = 0, estimate = 0, entries = 0;
    };
    Counted call(Side const & queries, Side const & targets, Best const & best, Output output,
                 std::uint64_t limit) const
    {
        AlignerOptions options;
        options.backend = BackendKind::cpu;
        options.cpu_threads = 2;
        options.max_host_bytes = limit;
        Aligner aligner{options};
        Problem const problem{queries.raw(), targets.raw(), {}};
        Request const request{{}, output, CigarStyle::eqx};
        Counted counted;
        try {
            counted.estimate = aligner.estimate_best(problem, Pairing::all, best, dna_, request).host_bytes;
            aligner.trim();
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::memory_limit);
        }
        std::size_t const before = peak = allocated.load();
        try {
            counted.entries = aligner.align_best(problem, Pairing::all, best, dna_, request, {}).value.count();
        } catch (Error const & error) {
            counted.status = error.status;
        }
        counted.bytes = peak - before;
        return counted;
    }

    Scoring const dna_ = Scoring::uniform(2, 4, {4, 2}, alphabet_codes("dna"));
};

TEST_F(MemoryBest, LittleForManyPairs)
{
    Random random{1};
    Side const queries{random, 200, 12, 0}, targets{random, 20'000, 12, 0};
    std::uint64_t const pairs = 4'000'000;
    for (Output const output : {Output::score, Output::cigar})
        for (std::uint64_t const best : {1, 100}) {
            Counted const found = call(queries, targets, {best}, output, 0);
            EXPECT_EQ(found.entries, 200 * best);
            EXPECT_LE(found.bytes, found.estimate) << best;
            EXPECT_LE(found.bytes, pairs * 28) << "a list of all pairs takes 16 bytes for each, a result 20 or more";
        }
}

TEST_F(MemoryBest, SectionsOfOneQuery)
{
    Random random{3};
    Side const queries{random, 2, 300, 0}, targets{random, 70'000, 300, 0.01};
    for (Output const output : {Output::score, Output::cigar})
        for (std::uint64_t const best : {1, 100}) {
            Counted const found = call(queries, targets, {best}, output, 0);
            EXPECT_GE(found.entries, 2 * best);
            EXPECT_LE(found.bytes, found.estimate) << best;
        }
}

TEST_F(MemoryBest, NoMoreThanTheLimit)
{
    Random random{7};
    Side const queries{random, 30, 150, 0.1}, targets{random, 1500, 150, 0.02};
    std::uint64_t aligned = 0, refused = 0;
    for (Output const output : {Output::score, Output::span, Output::cigar})
        for (std::uint64_t const best : {std::uint64_t{2}, std::uint64_t{300}, UINT64_MAX}) {
            Counted const free = call(queries, targets, {best}, output, 0);
            EXPECT_LE(free.bytes, free.estimate) << best;
            for (int k = 0; k < 8; ++k) {
                std::uint64_t const limit = free.estimate * random.between(2, 110) / 100;
                Counted const found = call(queries, targets, {best}, output, limit);
                EXPECT_LE(found.bytes, limit) << best << " output=" << static_cast<int>(output);
                EXPECT_LE(found.estimate, limit);
                if (limit >= free.estimate) {
                    EXPECT_EQ(found.entries, free.entries) << limit;
                }
                ++(found.status == Status::ok ? aligned : refused);
            }
        }
    EXPECT_GT(aligned, 10u);
    EXPECT_GT(refused, 10u);
}

} // namespace
} // namespace nwgpu::test
