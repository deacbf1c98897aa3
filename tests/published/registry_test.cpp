// SPDX-License-Identifier: BSD-3-Clause
// The table of published algorithms, choices among them, and what is said about problems outside their limits.
#include <gtest/gtest.h>

#include <set>

#include "path/overlap.hpp"
#include "published/engine.hpp"
#include "published/registry.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using published::algorithms;
using published::parse_choice;

// Status and message of what `action` throws.
template <class Action>
std::pair<Status, std::string> failure_of(Action const & action)
{
    try {
        action();
    } catch (Error const & error) {
        return {error.status, error.what()};
    }
    return {Status::ok, ""};
}

TEST(PublishedRegistry, NamesAreUniqueAndFactsAreThere)
{
    std::set<std::string> names;
    for (published::Algorithm const & algorithm : algorithms()) {
        EXPECT_TRUE(names.insert(algorithm.name).second) << algorithm.name;
        EXPECT_TRUE(algorithm.global || algorithm.local) << algorithm.name;
        EXPECT_EQ(algorithm.trace == published::Trace::none, algorithm.output < Output::span) << algorithm.name;
        EXPECT_GT(std::string{algorithm.summary}.size(), 20u) << algorithm.name;
        for (published::Parameter const & parameter : algorithm.parameters) {
            EXPECT_GE(parameter.usual, parameter.lowest) << algorithm.name;
            EXPECT_LE(parameter.usual, parameter.highest) << algorithm.name;
        }
        published::Choice const choice = parse_choice(algorithm.name);
        EXPECT_EQ(choice.algorithm, &algorithm);
        // Whatever is kept of the matrix or of its rows, more letters never take less.
        published::Memory const small = algorithm.memory(1000, 1000, choice.values);
        published::Memory const large = algorithm.memory(2000, 3000, choice.values);
        EXPECT_GE(large.host + large.device, small.host + small.device) << algorithm.name;
        EXPECT_EQ(small.device == 0, algorithm.processor == published::Processor::cpu) << algorithm.name;
    }
    EXPECT_EQ(names.size(), 22u);
}

TEST(PublishedRegistry, ChoicesSetParameters)
{
    EXPECT_EQ(parse_choice("cpu3-st-diagrow").value("rows"), 128);
    EXPECT_EQ(parse_choice("cpu3-st-diagrow:rows=7").value("rows"), 7);
    EXPECT_EQ(describe_values(parse_choice("cpu3-st-diagrow:cols=9,rows=7")), "rows=7 cols=9");
    auto const status = [](char const * text) { return failure_of([&] { parse_choice(text); }).first; };
    EXPECT_EQ(status("cpu9"), Status::not_found);
    EXPECT_EQ(status(""), Status::not_found);
    EXPECT_EQ(status("cpu1-st-row:rows=1"), Status::invalid_argument);
    for (char const * const text : {"rows", "rows=", "rows=0", "rows=x", "rows=7x", "rows=99999999999", "depth=3"})
        EXPECT_EQ(status(("cpu3-st-diagrow:" + std::string{text}).c_str()), Status::invalid_argument) << text;
    EXPECT_NE(failure_of([] { parse_choice("cpu9"); }).second.find("'cpu9'"), std::string::npos);
    EXPECT_NE(failure_of([] { parse_choice("cpu3-st-diagrow:x=1"); }).second.find("rows, cols"), std::string::npos);
}

TEST(PublishedRegistry, OutsideTheLimitsIsSaid)
{
    auto const fits = [](char const * name, char const * scheme_name, Mode mode, Output output) {
        return failure_of([&] {
            check_fits(*parse_choice(name).algorithm, scheme(scheme_name).scoring, {mode, output, {}});
        });
    };
    EXPECT_EQ(fits("cpu1-st-row", "edit", {}, Output::cigar).first, Status::ok);
    EXPECT_EQ(fits("cudalign", "dna_1_3_3_2", local, Output::end).first, Status::ok);
    auto const [affine, why_affine] = fits("cpu1-st-row", "dna_2_4_4_2", {}, Output::score);
    EXPECT_EQ(affine, Status::unsupported);
    EXPECT_NE(why_affine.find("gap_open must be 0, it is 4"), std::string::npos) << why_affine;
    EXPECT_EQ(fits("cpu1-st-row", "edit", local, Output::score).first, Status::unsupported);
    EXPECT_EQ(fits("swat-serial", "edit", fitting, Output::score).first, Status::unsupported);
    EXPECT_EQ(fits("cudalign", "dna_1_3_3_2", fitting, Output::cigar).first, Status::unsupported);
    Mode banded, other_ties;
    banded.band = Diagonals{-5, 5};
    other_ties.ties = Ties::last_end;
    EXPECT_EQ(fits("cpu1-st-row", "edit", banded, Output::score).first, Status::unsupported);
    EXPECT_EQ(fits("cpu1-st-row", "edit", other_ties, Output::score).first, Status::unsupported);
}

TEST(PublishedRegistry, MemoryIsAnErrorOfThePair)
{
    Scheme const & s = scheme("edit");
    Random random{3};
    PairSet const set{{random_pair(random, Model::uniform, 5000, 5000, s.letters),
                       random_pair(random, Model::uniform, 50, 50, s.letters)},
                      s.scoring};
    auto const backend = published::make_engine("cpu1-st-row", {});
    Request const request{{}, Output::cigar, {}};
    BatchResult const result = align(*backend, set.batch(), s.scoring, request, {}, 1 << 20);
    EXPECT_EQ(result.status[0], Status::memory_limit);
    EXPECT_NE(result.failures.message(0).find("100040004 bytes of host memory, there are "), std::string::npos)
        << result.failures.message(0);
    EXPECT_EQ(result.status[1], Status::ok);
    EXPECT_GE(estimate(*backend, set.batch(), s.scoring, request).host_bytes, 100040004u);
}

TEST(PublishedRegistry, ScoresBeyond32BitsAreAnErrorOfThePair)
{
    Scheme const & s = scheme("extend_2_30_open_0");
    PairSet const set{{{"ACGT", "ACGT"}}, s.scoring};
    auto const backend = published::make_engine("cpu1-st-row", {});
    EXPECT_EQ(align(*backend, set.batch(), s.scoring, {}).status[0], Status::too_large);
}

TEST(PublishedRegistry, CancellationEndsTheCall)
{
    Scheme const & s = scheme("edit");
    Random random{4};
    PairSet const set{{random_pair(random, Model::uniform, 20000, 20000, s.letters)}, s.scoring};
    for (char const * const name : {"cpu1-st-row", "cpu2-st-diag", "cpu3-st-diagrow", "cpu4-mt-diagrow"}) {
        auto const backend = published::make_engine(name, {.threads = 2});
        Progress const stop = [](std::uint64_t, std::uint64_t) { return false; };
        EXPECT_EQ(failure_of([&] { align(*backend, set.batch(), s.scoring, {}, stop); }).first, Status::cancelled)
            << name;
    }
}

// No alignment that the oracle finds spans more than the bound, and the bound is what a hand computes.
TEST(PublishedOverlapBound, HoldsForEveryAlignment)
{
    Scheme const & hand = scheme("dna_5_3_8_1");
    PairSet const four{{{"ACGT", "ACGT"}}, hand.scoring};
    EXPECT_EQ(path::longest_span(four.view(0), hand.scoring), 4u + 11); // 20 - 8 - 11 > 0
    EXPECT_EQ(path::longest_span(four.view(0), scheme("extend_0").scoring), std::nullopt);
    EXPECT_EQ(path::longest_span(four.view(0), scheme("no_gap").scoring), 4u);
    for (Scheme const & s : all_schemes()) {
        Random random{9};
        std::vector<SequencePair> pairs;
        for (Model const model : all_models())
            pairs.push_back(random_pair(random, model, random.between(1, 20), random.between(1, 200), s.letters));
        PairSet const set{std::move(pairs), s.scoring};
        auto const found = oracle(set, s.scoring, {.local = true});
        for (std::uint64_t p = 0; p < set.count(); ++p) {
            auto const bound = path::longest_span(set.view(p), s.scoring);
            // The tie rule keeps a prefix of score 0, which the bound does not speak of.
            if (bound && found[p].score > 0) {
                PairView const view = set.view(p);
                std::uint64_t const from = found[p].span.target_end - std::min(found[p].span.target_end, *bound);
                PairView const part{view.query, view.m, view.target + from, view.n - from};
                EXPECT_EQ(reference::align(part, s.scoring, {.local = true}).score, found[p].score)
                    << s.name << " seed=9 pair=" << p;
            }
        }
    }
    std::vector<std::uint64_t> counted;
    for (path::OverlappingPart const & part : path::overlapping_parts(10, 3, 5))
        counted.insert(counted.end(), {part.begin, part.counted, part.end});
    EXPECT_EQ(counted, (std::vector<std::uint64_t>{0, 0, 4, 0, 4, 8, 3, 8, 10}));
}

TEST(PublishedRegistry, CudaNeedsADevice)
{
    if (cuda::device_count() > 0)
        GTEST_SKIP() << "there is a GPU";
    auto const [status, why] = failure_of([] { published::make_engine("gpu1-ml-diag", {}); });
    EXPECT_TRUE(status == Status::no_device || status == Status::unsupported);
    EXPECT_NE(why.find("gpu1-ml-diag"), std::string::npos) << why;
}

} // namespace
} // namespace nwgpu::test
