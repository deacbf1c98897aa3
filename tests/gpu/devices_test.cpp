// SPDX-License-Identifier: BSD-3-Clause
// Batches, and the rows of one pair, dealt out to several GPUs: the answers are those of one.  On a machine with one
// GPU two engines share it.
#include <algorithm>

#include "gpu.hpp"
#include "model/alphabet.hpp"
#include "places/devices_backend.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

constexpr places::Speed speed{30e-9, 0.03e-9, 1 / 3e12, 1e-4};

std::unique_ptr<Backend> make_devices(int count, places::RowRules const & rules = {},
                                      std::uint64_t bytes_of_first = std::uint64_t{1} << 30)
{
    std::vector<places::Device> devices;
    for (int k = 0; k < count; ++k) {
        cuda::EngineOptions options;
        options.device = k % cuda::device_count();
        options.max_device_bytes = k == 0 ? bytes_of_first : std::uint64_t{1} << 30;
        devices.push_back({cuda::make_engine(options), std::make_shared<Team>(2)});
    }
    return places::make_devices_backend(std::move(devices), speed, rules,
                                        [](std::string const & text) { ADD_FAILURE() << text; });
}

void expect_same(Backend & one, Backend & several, PairSet const & set, Scoring const & scoring,
                 Request const & request)
{
    BatchResult const expected = align(one, set.batch(), scoring, request),
                      found = align(several, set.batch(), scoring, request);
    EXPECT_TRUE(std::ranges::equal(found.status, expected.status));
    EXPECT_TRUE(std::ranges::equal(found.score, expected.score));
    EXPECT_TRUE(std::ranges::equal(found.span, expected.span));
    EXPECT_TRUE(std::ranges::equal(found.run_offsets, expected.run_offsets));
    EXPECT_TRUE(std::ranges::equal(found.runs, expected.runs));
}

TEST(GpuDevices, AnswersAreThoseOfOne)
{
    NWGPU_NEEDS_GPU();
    Random random{31};
    static LetterCodes const codes = codes_of("ACGT");
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2}, &codes);
    std::vector<SequencePair> pairs;
    for (int k = 0; k < 6000; ++k) // some of them too long for a batch
        pairs.push_back(random_pair(random, random.pick(all_models()), random.between(1, k % 100 == 0 ? 9000 : 900),
                                    random.between(1, k % 100 == 0 ? 9000 : 900), "ACGT"));
    PairSet const set{std::move(pairs), scoring};
    auto const one = make_gpu();
    for (int const count : {2, 3})
        for (bool const is_local : {false, true}) {
            SCOPED_TRACE(std::to_string(count) + (is_local ? " engines, local" : " engines, global"));
            Request const request{Mode{.local = is_local}, Output::cigar, CigarStyle::eqx};
            auto const several = make_devices(count);
            expect_same(*one, *several, set, scoring, request);
        }
}

// Chunks whose runs go to where they stay, those with a pair whose band proves nothing, and those of a device that has
// no memory for any.
TEST(GpuDevices, ChunksInTurns)
{
    NWGPU_NEEDS_GPU();
    Random random{36};
    static LetterCodes const codes = codes_of("ACGT");
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2}, &codes);
    std::vector<SequencePair> short_pairs, similar;
    for (int k = 0; k < 90'000; ++k)
        short_pairs.push_back(
            random_pair(random, Model::mutated, random.between(1, 40), random.between(1, 40), "ACGT"));
    for (int k = 0; k < 40'000; ++k)
        similar.push_back(k % 20'000 == 17'000 ? random_pair(random, Model::uniform, 300, 300, "ACGT")
                                               : random_pair(random, Model::mutated, 300, 310, "ACGT", 0.02));
    std::vector<SequencePair> without_first = similar; // which no engine aligns: nothing is in order
    without_first[0].query.clear();
    PairSet const sets[]{
        {std::move(short_pairs), scoring}, {std::move(similar), scoring}, {std::move(without_first), scoring}};
    auto const one = make_gpu();
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    for (int const count : {2, 3})
        for (std::uint64_t const bytes_of_first : {std::uint64_t{1} << 30, std::uint64_t{1} << 19})
            for (PairSet const & set : sets) {
                SCOPED_TRACE(std::to_string(count) + " engines, " + std::to_string(bytes_of_first) + " bytes, " +
                             std::to_string(set.batch().pairs.size()) + " pairs");
                auto const several = make_devices(count, {}, bytes_of_first);
                expect_same(*one, *several, set, scoring, request);
                expect_same(*one, *several, set, scoring, request); // with memory of before
            }
}

// Shares of several rounds of strips, and a path through several levels of tiles.
TEST(GpuDevices, TheRowsOfOnePair)
{
    NWGPU_NEEDS_GPU();
    Random random{33};
    static LetterCodes const codes = codes_of("ACGT");
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2}, &codes);
    PairSet const set{{random_pair(random, Model::structured, 150'000, 170'000, "ACGT", 0.2)}, scoring};
    auto const one = make_gpu();
    places::RowRules rules;
    rules.least_seconds = rules.least_part = 0;
    for (int const count : {2, 2, 3})
        for (Mode const & mode :
             {Mode{}, Mode{.local = true}, Mode{.free_query_begin = true, .free_query_end = true}}) {
            rules.round_rows = rules.round_rows == 0 ? 40'000 : 0; // where each has a device
            SCOPED_TRACE(std::to_string(count) + " engines, mode " + name(mode) + ", rounds of " +
                         std::to_string(rules.round_rows));
            Request request{mode, Output::cigar, CigarStyle::eqx};
            request.every_cell = true;
            auto const several = make_devices(count, rules);
            EXPECT_NE(estimate(*several, set.batch(), scoring, request)
                          .plan.find("rows of the pair dealt out to " + std::to_string(count) + " devices"),
                      std::string::npos);
            expect_same(*one, *several, set, scoring, request);
        }
}

// Cells that cannot matter are skipped in each part; what one device has found is known to the others.
TEST(GpuDevices, TheRowsOfALocalPair)
{
    NWGPU_NEEDS_GPU();
    Random random{35};
    static LetterCodes const codes = codes_of("ACGT");
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2}, &codes);
    PairSet const set{{random_pair(random, Model::mutated, 400'000, 420'000, "ACGT", 0.08)}, scoring};
    places::RowRules rules;
    rules.least_seconds = rules.least_part = 0;
    rules.round_rows = 100'000;
    auto const one = make_gpu(), several = make_devices(2, rules);
    expect_same(*one, *several, set, scoring, {Mode{.local = true}, Output::cigar, CigarStyle::eqx});
}

// Sequences for which a band is proven: one GPU has them.
TEST(GpuDevices, SimilarPairsStayWithOne)
{
    NWGPU_NEEDS_GPU();
    Random random{34};
    static LetterCodes const codes = codes_of("ACGT");
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2}, &codes);
    PairSet const set{{random_pair(random, Model::mutated, 400'000, 400'000, "ACGT", 0.01)}, scoring};
    places::RowRules rules;
    rules.least_seconds = rules.least_part = 0;
    auto const one = make_gpu(), several = make_devices(2, rules);
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    expect_same(*one, *several, set, scoring, request);
}

TEST(GpuDevices, ACallOnSeveralIsCancelled)
{
    NWGPU_NEEDS_GPU();
    Random random{32};
    static LetterCodes const codes = codes_of("ACGT");
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2}, &codes);
    std::vector<SequencePair> pairs;
    for (int k = 0; k < 40; ++k)
        pairs.push_back(random_pair(random, Model::uniform, 300000, 300000, "ACGT"));
    PairSet const set{std::move(pairs), scoring};
    auto const several = make_devices(2);
    Request const request{Mode{.local = true}, Output::score, CigarStyle::eqx};
    try {
        align(*several, set.batch(), scoring, request, [](std::uint64_t, std::uint64_t) { return false; });
        ADD_FAILURE();
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
    }
    BatchResult const again =
        align(*several, {set.batch().queries, set.batch().targets, set.batch().pairs.first(2)}, scoring, request);
    EXPECT_EQ(again.status[0], Status::ok);
}

} // namespace
} // namespace nwgpu::test
