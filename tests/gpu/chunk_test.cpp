// SPDX-License-Identifier: BSD-3-Clause
// What the pairs of a chunk take together is what each of them takes, without a GPU.
#include <gtest/gtest.h>

#include <numeric>
#include <tuple>

#include "cuda/batch/chunk.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using namespace cuda::batch;

auto all_of(Sums const & sums)
{
    return std::tuple{sums.pairs,          sums.suited,       sums.cells,      sums.all_cells, sums.query_letters,
                      sums.target_letters, sums.runs,         sums.stored,     sums.lines,     sums.most_steps,
                      sums.least_steps,    sums.classes,      sums.lanes,      sums.in_rows,   sums.first_query,
                      sums.last_query,     sums.first_target, sums.last_target};
}

struct Case {
    char const * scheme;
    Mode mode;
    Output output;
    bool one_query;
    std::uint64_t longest_coupled = UINT64_MAX;
};

// Queries of one length, or of few; targets of many lengths, some of them too long, or in rows of equal ones.
TEST(Chunks, SumsAreThoseOfTheirPairs)
{
    Mode const local{.local = true}, free_target{.free_target_begin = true, .free_target_end = true};
    for (Case const & its :
         {Case{"BLOSUM62_11_1", local, Output::score, true}, Case{"BLOSUM62_11_1", local, Output::score, true, 300},
          Case{"BLOSUM62_11_1", local, Output::score, false}, Case{"BLOSUM62_11_1", local, Output::end, false},
          Case{"BLOSUM62_11_1", local, Output::cigar, false}, Case{"dna_2_4_4_2", {}, Output::score, false},
          Case{"dna_2_4_4_2", {}, Output::cigar, false}, Case{"dna_2_4_4_2", free_target, Output::cigar, false},
          Case{"all_2_30", {}, Output::score, false}})
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            Random random{seed};
            Scheme const & s = scheme(its.scheme);
            std::uint64_t const queries = its.one_query ? 1 : random.between(1, 3);
            std::vector<SequencePair> sequences;
            for (std::uint64_t k = 0; k < 120; ++k)
                sequences.push_back(
                    {std::string(k < queries ? random.between(1, 700) : 1, s.letters[0]),
                     std::string(k > 0 && random.chance(0.3) ? sequences.back().target.size() : random.between(1, 600),
                                 s.letters[0])});
            if (seed % 2 == 0)
                sequences[seed].target.resize(70'000, s.letters[0]); // more columns than numbers hold
            PairSet const set{sequences, s.scoring};
            std::vector<Pair> list;
            for (std::uint64_t k = 0; k < set.count(); ++k)
                list.push_back({random.below(queries), k});
            std::vector<std::uint64_t> all(list.size());
            std::iota(all.begin(), all.end(), 0);
            Request const request{its.mode, its.output};
            Batch const batch{set.batch().queries, set.batch().targets, list};
            Piece const piece{batch, all, s.scoring, request};
            auto work = make_work(s.scoring, request, its.one_query).value();
            work.likely_couples = its.one_query;
            work.longest_coupled = its.longest_coupled;
            Sums expected;
            std::vector<ChunkPair> one_by_one(all.size()), together(all.size());
            for (std::uint64_t k = 0; k < all.size(); ++k)
                expected.add(sums_of(piece, work, k, k + 1, &one_by_one[k]));
            std::string const words = std::string{its.scheme} + " seed=" + std::to_string(seed) +
                                      " output=" + std::to_string(static_cast<int>(its.output));
            EXPECT_EQ(all_of(sums_of(piece, work, 0, all.size(), together.data())), all_of(expected)) << words;
            EXPECT_EQ(together, one_by_one) << words;
            EXPECT_GT(expected.suited, 0u) << words;
        }
}

} // namespace
} // namespace nwgpu::test
