// SPDX-License-Identifier: BSD-3-Clause
// The same answers with any number of threads, also with more of them than processors: pairs in groups, one pair per
// thread, and pairs that threads share, in one call and in bands, with other ties and with several alignments.
#include <gtest/gtest.h>

#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

// A few long pairs, some of middle length and many short ones, in any order.
std::vector<SequencePair> mixed_pairs(std::uint64_t seed, std::string_view letters, std::uint64_t longest)
{
    Random random{seed};
    std::vector<SequencePair> pairs;
    for (int k = 0; k < 400; ++k) {
        std::uint64_t const most = k % 200 == 7 ? longest : k % 40 == 3 ? 1500 : 160;
        std::uint64_t const m = random.between(most / 2, most), n = random.between(most / 2, most);
        Model const model = k % 200 == 7 ? (k < 200 ? Model::mutated : Model::uniform) : random.pick(all_models());
        pairs.push_back(random_pair(random, model, m, n, letters, 0.05));
    }
    return pairs;
}

struct Kind {
    char const * name;
    char const * scheme;
    Request request;
    std::uint64_t longest;
};

class Threads : public testing::TestWithParam<Kind> {};

TEST_P(Threads, SameAnswersWithAny)
{
    Kind const & kind = GetParam();
    Scheme const & s = scheme(kind.scheme);
    PairSet const set{mixed_pairs(1, s.letters, kind.longest), s.scoring};
    BatchResult const one = align({.threads = 1}, set.batch(), s.scoring, kind.request);
    EXPECT_EQ(one.failures.count(), 0u);
    for (int const threads : {2, 3, 7, 16, 64})
        for (std::uint64_t const limit : {0, 60'000'000}) {
            EngineSetup const setup{.threads = threads, .max_host_bytes = limit};
            std::string const words = std::string{"Threads "} + kind.name + " seed=1 " + describe(setup);
            BatchResult const other = align(setup, set.batch(), s.scoring, kind.request);
            EXPECT_EQ(one.status, other.status) << words;
            EXPECT_EQ(one.score, other.score) << words;
            EXPECT_EQ(one.pair, other.pair) << words;
            EXPECT_TRUE(one.span == other.span) << words;
            EXPECT_EQ(one.run_offsets, other.run_offsets) << words;
            EXPECT_EQ(one.runs, other.runs) << words;
        }
}

Request request_of(Mode const & mode, std::uint32_t top = 1)
{
    Request request{mode, Output::cigar, CigarStyle::eqx};
    request.top = top;
    return request;
}

INSTANTIATE_TEST_SUITE_P(
    All, Threads,
    testing::Values(Kind{"global", "dna_2_4_4_2", request_of({}), 12000},
                    Kind{"local", "dna_2_4_4_2", request_of({.local = true}), 8000},
                    Kind{"protein", "BLOSUM62_11_1", request_of({.local = true}), 6000},
                    Kind{"free_ends", "dna_2_4_4_2", request_of({.free_target_begin = true, .free_target_end = true}),
                         8000},
                    Kind{"band", "dna_2_4_4_2", request_of({.band = Diagonals{-4000, 4000}}), 5000},
                    Kind{"last_end", "dna_2_4_4_2", request_of({.local = true, .ties = Ties::last_end}), 2000},
                    Kind{"top", "dna_2_4_4_2", request_of({.local = true}, 3), 5000}),
    [](auto const & info) { return std::string{info.param.name}; });

} // namespace
} // namespace nwgpu::test
