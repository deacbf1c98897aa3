// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of `--device auto` are worth a GPU's start, and from how many pairs that is told.
#include "place_choice.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace cli {
namespace {

Sample sample_of(double pairs, std::uint64_t length, double seconds_of_pair)
{
    auto const count = static_cast<std::uint64_t>(pairs);
    return {{count, count * 2 * length, count * length * length}, pairs * seconds_of_pair};
}

// As measured on 16 cores beside an H200 (docs/notes/command.md): similar pairs of 1 to 10 kb stay with the CPU however
// many there are, pairs of 10 kb with 15 % of changes do so where they are few.
TEST(PlaceChoice, SimilarPairsStayWithTheCpu)
{
    for (double const letters : {1e6, 1e7, 1e9, 1e11}) {
        EXPECT_FALSE(outlook_of(sample_of(256, 1000, 14e-6), 16, letters).gpu_is_worth_it()) << letters;
        EXPECT_FALSE(outlook_of(sample_of(10, 10000, 330e-6), 16, letters).gpu_is_worth_it()) << letters;
        EXPECT_EQ(outlook_of(sample_of(10, 10000, 4e-3), 16, letters).gpu_is_worth_it(), letters > 1e8) << letters;
        EXPECT_EQ(outlook_of(sample_of(3, 10000, 8e-3), 2, letters).gpu_is_worth_it(), letters > 1e6) << letters;
    }
}

Batch batch_of(std::uint64_t pairs, std::uint64_t length, std::uint64_t group)
{
    auto queries = std::make_shared<SequenceSet>(), targets = std::make_shared<SequenceSet>();
    Batch batch;
    batch.group_size = group;
    for (std::uint64_t p = 0; p < pairs; ++p) {
        for (auto const & set : {queries, targets}) {
            set->add_letters(std::string(length, 'A'));
            set->add_record("s");
        }
        batch.pairs.push_back({p, p});
    }
    batch.queries = queries;
    batch.targets = targets;
    batch.letters = pairs * 2 * length;
    return batch;
}

TEST(PlaceChoice, SamplesUntilEnoughTimeHasPassed)
{
    Batch const batch = batch_of(3000, 100, 3);
    std::vector<std::size_t> pairs;
    Sample const all = *sample(batch, [&](Batch const & some) { pairs.push_back(some.pairs.size()); });
    EXPECT_EQ(all.sum.pairs, 3000u);
    EXPECT_EQ(all.sum.letters, 3000u * 200);
    EXPECT_EQ(all.sum.cells, 3000u * 10000);
    EXPECT_EQ(pairs.at(0), 1u); // for what the first call has to do
    EXPECT_EQ(pairs.at(1), 256u);
    Sample const slow =
        *sample(batch, [](Batch const &) { std::this_thread::sleep_for(std::chrono::milliseconds{60}); });
    EXPECT_EQ(slow.sum.pairs, 256u);
    EXPECT_GE(slow.seconds, 0.06);
    Sample const long_one =
        *sample(batch_of(2, 20000, 1), [](Batch const & some) { EXPECT_EQ(some.pairs.size(), 1u); });
    EXPECT_EQ(long_one.sum.pairs, 2u);
    EXPECT_FALSE(sample(batch_of(1, 100000, 1), [](Batch const &) { FAIL(); }));
}

TEST(PlaceChoice, ExpectsWhatTheInputTells)
{
    AlignOptions options;
    InputLetters const letters{4000, 600, 100, 200}; // 40 queries, 3 targets
    options.pair = "zip";
    EXPECT_EQ(expected_letters(options, letters), 40 * 300);
    for (char const * pair : {"", "all", "best"}) {
        options.pair = pair;
        EXPECT_EQ(expected_letters(options, letters), 40 * 3 * 300);
    }
    options.both_strands = true;
    EXPECT_EQ(expected_letters(options, letters), 2 * 40 * 3 * 300);
    options.both_strands = false;
    options.pair = "self";
    EXPECT_EQ(expected_letters(options, letters), 40 * 40 / 2 * 200);
    EXPECT_EQ(expected_letters(options, {}), 1e9); // a pipe
    options.pairs_file = "no such list";
    EXPECT_EQ(expected_letters(options, letters), 1e9);
}

} // namespace
} // namespace cli
