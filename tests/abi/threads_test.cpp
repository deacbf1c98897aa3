// SPDX-License-Identifier: BSD-3-Clause
// Several threads with a context each, sharing sequences and getters.
#include <gtest/gtest.h>

#include <thread>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

TEST(Threads, ContextsAreIndependent)
{
    Context context = make_context();
    Sequences const queries = make_sequences(context, {"ACGT", "GAAC", ""});
    Sequences const targets = make_sequences(context, {"ACGT", "GAAAAC", "AC"});
    Result const shared = align(context, queries, targets);

    std::vector<std::string> texts(4);
    std::vector<std::thread> threads;
    for (std::string & text : texts)
        threads.emplace_back([&] {
            for (int round = 0; round < 20; ++round) {
                Context mine = make_context(cpu_options(2));
                Result const own = align(mine, queries, targets);
                text = cigar(own, 0) + cigar(own, 1) + cigar(own, 2) + cigar(shared, 1);
            }
        });
    for (std::thread & thread : threads)
        thread.join();
    EXPECT_EQ(texts, std::vector<std::string>(4, "4=1=2D3=2D1=2D3="));
}

// They keep the codes of one scoring; threads with another one must not get those.
TEST(Threads, SequencesServeSeveralScorings)
{
    Context context = make_context();
    Sequences const queries = make_sequences(context, {"ACGTACGT"});
    Sequences const targets = make_sequences(context, {"acgtACGT"});
    nwgpu_scoring bytes = dna_scoring();
    bytes.letter_codes = nullptr;

    std::vector<int> right(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < right.size(); ++t)
        threads.emplace_back([&, t] {
            Context own = make_context(cpu_options(1));
            for (int round = 0; round < 300; ++round) {
                bool const folded = (t + static_cast<std::size_t>(round)) % 3 == 0;
                Result const result = align(own, queries, targets, align_options(), folded ? dna_scoring() : bytes);
                right[t] += cigar(result, 0) == (folded ? "8=" : "4X4=");
            }
        });
    for (std::thread & thread : threads)
        thread.join();
    EXPECT_EQ(right, std::vector<int>(4, 300));
}

// Finalizers of other languages run on threads of their own.
TEST(Threads, HandlesMayBeDestroyedElsewhere)
{
    Context context = make_context();
    Sequences sequences = make_sequences(context, {"ACGT"});
    Result result = align(context, sequences, sequences);
    std::thread{[context = std::move(context), sequences = std::move(sequences), result = std::move(result)] {}}.join();
}

} // namespace
} // namespace nwgpu::test
