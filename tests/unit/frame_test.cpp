// SPDX-License-Identifier: BSD-3-Clause
// What every call does around its engine, which is a stand-in: which pairs the engine sees, in what pieces, and what
// becomes of the others.
#include "align/frame.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/alphabet.hpp"
#include "model/cigar.hpp"
#include "support/stand_in.hpp"

namespace nwgpu {
namespace {

using Pairs = std::vector<std::uint64_t>;
using test::StandIn;

// Sequences 0 "ACGT", 1 "A*C", 2 "", 3 "AC", and 4 of `longest` letters.
class FrameTest : public testing::Test {
protected:
    FrameTest() { set_longest(1000); }

    void set_longest(std::uint64_t letters)
    {
        bytes_ = "ACGTA*CAC" + std::string(letters, 'A');
        offsets_ = {0, 4, 7, 7, 9, 9 + letters};
    }
    RawSequences raw() const
    {
        return {{reinterpret_cast<std::uint8_t const *>(bytes_.data()), bytes_.size()}, offsets_};
    }
    std::uint64_t code_bytes() const { return CodedSequences{raw(), scoring_}.bytes(); }
    BatchResult align(std::vector<Pair> const & pairs, Request const & request = {}, std::uint64_t limit = 0,
                      Progress const & progress = {})
    {
        CodedSequences const sequences{raw(), scoring_};
        return Frame{engine_, team_, {sequences, sequences, pairs}, scoring_, request, limit}.align(progress);
    }
    // The message of the call's failure.
    std::string why(std::vector<Pair> const & pairs, Request const & request, std::uint64_t limit)
    {
        try {
            align(pairs, request, limit);
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::memory_limit);
            return error.what();
        }
        return "aligned";
    }
    static Request request_of(Output output) { return {{}, output, CigarStyle::eqx}; }

    std::string bytes_;
    std::vector<std::uint64_t> offsets_;
    Scoring const scoring_ = Scoring::uniform(4, 5, {10, 1}, alphabet_codes("dna"));
    StandIn engine_;
    Team team_{1};
};

TEST_F(FrameTest, TiesThatMakeNoDifferenceAreDropped)
{
    struct Case {
        Mode mode;
        Output output;
        bool dropped_last, dropped_gaps; // Ties::last_end and gaps_first
    };
    for (Case const & c :
         {Case{{}, Output::cigar, true, false}, Case{{}, Output::end, true, true},
          Case{{.extend_left = true}, Output::span, true, false},
          Case{{.free_query_begin = true}, Output::cigar, true, false},
          Case{{.free_query_end = true}, Output::end, false, false},
          Case{{.free_target_end = true}, Output::cigar, false, false},
          Case{{.extend = true}, Output::end, false, false}, Case{{.local = true}, Output::cigar, false, false},
          Case{{.local = true}, Output::score, true, true}})
        for (Ties const ties : {Ties::first, Ties::last_end, Ties::gaps_first}) {
            Request request = request_of(c.output);
            request.mode = c.mode;
            request.mode.ties = ties;
            align({{0, 0}}, request);
            bool const dropped = ties == Ties::last_end ? c.dropped_last : c.dropped_gaps;
            request.mode.ties = dropped ? Ties::first : ties;
            EXPECT_EQ(engine_.requests.back().mode, request.mode)
                << static_cast<int>(c.output) << " " << static_cast<int>(ties);
        }
}

// An engine that makes codes itself looks at the letters that it is given, and the frame at those of other pairs.
TEST_F(FrameTest, LettersThatNoEngineSeesAreLookedAt)
{
    CodedSequences const letters{raw(), [this] { return std::make_shared<CodedSequences const>(raw(), scoring_); }};
    std::vector<Pair> const pairs{{1, 2}, {2, 1}, {3, 2}, {2, 2}};
    BatchResult const result =
        Frame{engine_, team_, {letters, letters, pairs}, scoring_, request_of(Output::score), 0}.align({});
    Status const bad = Status::invalid_sequence;
    EXPECT_EQ(result.status, (Array<Status>{bad, bad, Status::ok, Status::ok}));
    EXPECT_EQ(result.failures.message(0), "query: letter '*' at position 1 is not in the alphabet");
    EXPECT_EQ(result.failures.message(1), "target: letter '*' at position 1 is not in the alphabet");
}

TEST_F(FrameTest, TheEngineSeesPairsThatItCanAlign)
{
    BatchResult const result =
        align({{0, 0}, {1, 0}, {2, 3}, {3, 0}, {0, 1}, {2, 2}, {3, 3}}, request_of(Output::cigar));
    EXPECT_EQ(engine_.pairs, (std::vector<Pairs>{{0, 3, 6}}));
    Status const bad = Status::invalid_sequence, ok = Status::ok;
    EXPECT_EQ(result.status, (Array<Status>{ok, bad, ok, ok, bad, ok, ok}));
    EXPECT_EQ(result.score, (Array<std::int64_t>{1, 0, -12, 1, 0, 0, 1}));
    EXPECT_EQ(result.run_offsets, (Array<std::uint64_t>{0, 1, 1, 2, 3, 3, 3, 4}));
    EXPECT_EQ(result.runs[1], cigar_run(CigarOp::deletion, 2));
    EXPECT_EQ(result.runs[3], 6u);
    EXPECT_EQ(result.failures.message(1), "query: letter '*' at position 1 is not in the alphabet");
    EXPECT_EQ(result.failures.message(4), "target: letter '*' at position 1 is not in the alphabet");
}

// The engine may still refuse the call.
TEST_F(FrameTest, TheEngineIsAskedWithoutPairs)
{
    EXPECT_EQ(align({}).count(), 0u);
    EXPECT_EQ(align({{1, 1}}).status[0], Status::invalid_sequence);
    EXPECT_EQ(engine_.pairs, (std::vector<Pairs>{{}, {}}));
}

TEST_F(FrameTest, APairThatTheEngineForgetsHasNoAnswer)
{
    engine_.forgotten = 1;
    BatchResult const result = align({{0, 0}, {0, 0}, {0, 0}});
    EXPECT_EQ(result.status, (Array<Status>{Status::ok, Status::internal, Status::ok}));
}

TEST_F(FrameTest, ABandForEmptySequences)
{
    Request request;
    request.mode.band = Diagonals{1, 3};
    BatchResult const result = align({{2, 3}, {2, 0}}, request);
    EXPECT_EQ(result.status, (Array<Status>(2, Status::invalid_argument)));
    EXPECT_NE(result.failures.message(0).find("band"), std::string::npos);
}

TEST_F(FrameTest, QueriesWithCommonTargetsAreInOnePiece)
{
    std::uint64_t const count = 1'100'000, most = std::uint64_t{1} << 20;
    std::vector<Pair> const pairs(count, Pair{0, 3});
    for (bool const common : {false, true}) {
        engine_.common = common;
        engine_.pairs.clear();
        align(pairs);
        ASSERT_EQ(engine_.pairs.size(), common ? 1u : 2u);
        EXPECT_EQ(engine_.pairs[0].size(), common ? count : most);
    }
}

// Progress goes on from piece to piece.
TEST_F(FrameTest, PiecesKeepToTheLimit)
{
    engine_.bytes_per_letter = 100;
    std::vector<Pair> const pairs(5000, {0, 0});
    std::uint64_t const least = call_bytes(2 * (1009 + 1024), pairs.size(), request_of(Output::cigar));
    std::uint64_t last = 0;
    BatchResult const result = align(pairs, request_of(Output::cigar), least + 600000, [&](auto done, auto total) {
        EXPECT_GE(done, last);
        EXPECT_EQ(total, 5000u * 16);
        last = done;
        return true;
    });
    EXPECT_EQ(last, 5000u * 16);
    EXPECT_EQ(result.failures.count(), 0u);
    EXPECT_EQ(result.runs.size(), 5000u);
    for (std::uint64_t p = 0; p < 5000; ++p)
        ASSERT_EQ(result.runs[p], p);
    ASSERT_GT(engine_.pairs.size(), 2u);
    std::uint64_t next = 0;
    for (std::size_t k = 0; k < engine_.pairs.size(); ++k) {
        for (std::uint64_t const p : engine_.pairs[k])
            ASSERT_EQ(p, next++);
        EXPECT_GE(engine_.limits[k], 8u * 100);
        EXPECT_LT(engine_.limits[k], 600000u);
    }
    EXPECT_EQ(next, 5000u);
}

TEST_F(FrameTest, ACallThatDoesNotFitIsRefusedBeforeItBegins)
{
    std::vector<Pair> const pairs(5000, {0, 0});
    for (Output const output : {Output::score, Output::cigar}) {
        std::uint64_t const least = call_bytes(2 * 1009, pairs.size(), request_of(output));
        std::string const text = why(pairs, request_of(output), least);
        EXPECT_NE(text.find("a call of 5000 pairs needs more than "), std::string::npos) << text;
        EXPECT_NE(text.find(" bytes, the limit is " + std::to_string(least)), std::string::npos) << text;
    }
    // Without room for the CIGARs that there may be, and without room for the work.
    std::uint64_t const cigars = call_bytes(2 * code_bytes(), pairs.size(), request_of(Output::cigar)) + 5000 * 8 * 8;
    EXPECT_NE(why(pairs, request_of(Output::cigar), cigars - 1), "aligned");
    engine_.bytes_per_letter = 10000;
    std::uint64_t const scores = call_bytes(2 * code_bytes(), pairs.size(), request_of(Output::score));
    std::string const text = why(pairs, request_of(Output::score), scores + 10000);
    EXPECT_NE(text.find("of the rest, the pair needs 80000 bytes"), std::string::npos) << text;
    EXPECT_TRUE(engine_.pairs.empty());
}

// A long pair that does not fit fails alone, and takes nothing from the others.
TEST_F(FrameTest, ALongPairFailsAlone)
{
    set_longest(100000);
    engine_.bytes_per_letter = 10;
    std::vector<Pair> pairs(1000, {0, 0});
    pairs[10] = {4, 4};
    std::uint64_t const arrays = call_bytes(2 * (100009 + 1024), pairs.size(), request_of(Output::cigar));
    BatchResult const refused = align(pairs, request_of(Output::cigar), arrays + 800000);
    EXPECT_EQ(refused.failures.count(), 1u);
    EXPECT_EQ(refused.status[10], Status::memory_limit);
    BatchResult const aligned = align(pairs, request_of(Output::cigar), arrays + 8000000);
    EXPECT_EQ(aligned.failures.count(), 0u);
}

TEST_F(FrameTest, TheEstimateIsABoundOfTheLimitThatIsNeeded)
{
    std::vector<Pair> const pairs(3000, {0, 3});
    RawSequences const raw{{reinterpret_cast<std::uint8_t const *>(bytes_.data()), bytes_.size()}, offsets_};
    CodedSequences const sequences{raw, scoring_};
    for (Output const output : {Output::score, Output::end, Output::cigar}) {
        Request const request = request_of(output);
        Batch const batch{sequences, sequences, pairs};
        std::uint64_t const bytes = Frame{engine_, team_, batch, scoring_, request, 0}.estimate().host_bytes;
        EXPECT_LE((Frame{engine_, team_, batch, scoring_, request, bytes}.estimate().host_bytes), bytes);
        BatchResult const result = Frame{engine_, team_, batch, scoring_, request, bytes}.align({});
        EXPECT_EQ(result.failures.count(), 0u);
    }
}

} // namespace
} // namespace nwgpu
