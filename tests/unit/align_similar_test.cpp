// SPDX-License-Identifier: BSD-3-Clause
// What the CPU's engine does for who chooses between it and a GPU: pairs that are similar, as far as time allows, and
// how long pairs take.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "backend/monitor.hpp"
#include "cpu/engine.hpp"
#include "model/alphabet.hpp"
#include "support/cases.hpp"
#include "support/random.hpp"

namespace nwgpu {
namespace {

using test::PairSet;
using test::Random;
using test::SequencePair;

// Aligns similar pairs for so many seconds, and then the others.
class SimilarFirst final : public Backend {
public:
    SimilarFirst(Backend & engine, double seconds) : engine_{engine}, seconds_{seconds} {}
    std::string name() const override { return "similar first"; }
    int threads() const override { return engine_.threads(); }
    Estimate estimate(Piece const & piece) override { return engine_.estimate(piece); }
    void check_memory(Piece const & piece) override { engine_.check_memory(piece); }
    void trim() override {}
    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        std::uint64_t const before = monitor.done();
        others = engine_.align_similar(piece, monitor, answers, seconds_);
        std::uint64_t cells = 0;
        for (std::uint64_t const p : piece.pairs) {
            bool const is_other = std::ranges::find(others, p) != others.end();
            EXPECT_EQ(answers.is_open(p), is_other) << p;
            cells += is_other ? 0 : piece.batch.view(p).cells();
        }
        EXPECT_EQ(monitor.done() - before, cells) << "cells of others are counted when they are aligned";
        engine_.align({piece.batch, others, piece.scoring, piece.request}, monitor, answers);
    }
    std::vector<std::uint64_t> others;

private:
    Backend & engine_;
    double const seconds_;
};

std::vector<SequencePair> three_of_six_similar()
{
    Random random{20261128};
    std::vector<SequencePair> pairs;
    for (int k = 0; k < 6; ++k) {
        std::string const text = test::random_sequence(random, 6000, "ACGT");
        pairs.push_back({text, k % 2 == 0 ? test::mutated(random, text, "ACGT", 0.05)
                                          : test::random_sequence(random, 6000, "ACGT")});
    }
    return pairs;
}

class AlignSimilar : public testing::TestWithParam<int> {
protected:
    AlignSimilar() { request_.output = Output::cigar; }

    Request request_;
    bool goes_on_ = true;
    Scoring const scoring_ = Scoring::uniform(2, 4, {4, 2}, alphabet_codes("dna"));
    PairSet const pairs_{three_of_six_similar(), scoring_};
    std::unique_ptr<Backend> const engine_ = cpu::make_engine({.threads = GetParam()});
};

TEST_P(AlignSimilar, OthersAreLeft)
{
    for (double const seconds : {1e9, 1e-3, 0.0}) {
        SimilarFirst similar_first{*engine_, seconds};
        BatchResult const all = test::align(*engine_, pairs_.batch(), scoring_, request_),
                          parts = test::align(similar_first, pairs_.batch(), scoring_, request_);
        EXPECT_EQ(parts.score, all.score);
        EXPECT_EQ(parts.runs, all.runs);
        std::vector<std::uint64_t> const unrelated{1, 3, 5};
        EXPECT_TRUE(std::ranges::includes(similar_first.others, unrelated));
        EXPECT_TRUE(seconds < 1 || similar_first.others == unrelated);
    }
}

TEST_P(AlignSimilar, TimeIsMeasuredUpToALimit)
{
    std::vector<std::uint64_t> const some{0, 1, 4};
    Batch const batch = pairs_.batch();
    Piece const piece{batch, some, scoring_, request_};
    Progress const progress = [this](std::uint64_t done, std::uint64_t) {
        EXPECT_EQ(done, 0u) << "of a sample nobody hears";
        return goes_on_;
    };
    Team team{GetParam()};
    Monitor monitor{progress, 1, team};
    double const seconds = engine_->measured_seconds(piece, 1e9, monitor);
    EXPECT_GT(seconds, 0);
    EXPECT_LT(seconds, 60);
    EXPECT_EQ(engine_->measured_seconds(piece, 0, monitor), HUGE_VAL)
        << "unrelated pairs take more than a look at the clock";
    goes_on_ = false;
    std::vector<std::uint64_t> const many(1000, 1);
    EXPECT_THROW(engine_->measured_seconds({batch, many, scoring_, request_}, 1e9, monitor), Error)
        << "the caller stops it";
}

INSTANTIATE_TEST_SUITE_P(Threads, AlignSimilar, testing::Values(1, 3));

} // namespace
} // namespace nwgpu
