// SPDX-License-Identifier: BSD-3-Clause
// Answers of an engine that has all pairs of a piece and answers them in order: runs go to where they stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "base/team.hpp"
#include "model/answers.hpp"
#include "unit/used_memory.hpp"

namespace nwgpu {
namespace {

Request const cigars{{}, Output::cigar, CigarStyle::eqx};

// An engine that answers in order until it leaves some pairs out, or is lost: the runs before these stay where they
// were put, and others answer the rest.  Of a chunk the runs arrive when later ones have places already.
struct InOrder {
    std::uint64_t piece;                  // pairs
    std::uint64_t ordered;                // of a piece
    std::uint64_t lost;                   // chunks at the end of these that have a place and get no runs
    std::shared_ptr<KeptMemory> memory{}; // null: none
    std::uint64_t more_runs = 3;          // room has to grow with them

    static constexpr std::uint64_t count = 200000, chunk = 10000, late = 2; // chunks
    std::uint64_t runs_of(std::uint64_t p) const
    {
        return p < 12000 && more_runs > 0 ? p % 2 : p / 30000 * more_runs + p % 4;
    }
    std::uint64_t runs_of(std::uint64_t first, std::uint64_t last) const
    {
        std::uint64_t all = 0;
        for (std::uint64_t p = first; p < last; ++p)
            all += runs_of(p);
        return all;
    }
    static std::int64_t score(std::uint64_t p) { return static_cast<std::int64_t>(p); }

    struct Chunk {
        std::uint64_t first, last;
        Answers::Place place;
    };

    void publish(Answers & answers, AnswerWriter & writer, Chunk const & it) const
    {
        bool const in_order = it.place.in_order;
        std::uint32_t * at = it.place.runs;
        std::uint64_t offset = it.place.offset;
        for (std::uint64_t p = it.first; p < it.last; ++p) {
            std::uint32_t * const runs = at;
            at = std::fill_n(at, runs_of(p), static_cast<std::uint32_t>(p));
            offset += runs_of(p);
            if (in_order)
                writer.put_next(p, score(p), {p, p + 1, p + 2, p + 3}, offset);
            else
                writer.put(p, score(p), {p, p + 1, p + 2, p + 3}, {runs, runs_of(p)});
        }
        if (in_order)
            answers.keep_next(it.place, it.first, it.last - it.first);
    }

    void align(std::uint64_t first, Answers & answers, bool is_page_locked) const
    {
        std::uint64_t const last = std::min(first + piece, count), ordered_last = std::min(first + ordered, last);
        answers.begin(first, last, runs_of(first, last), 1);
        AnswerWriter writer{&answers};
        EXPECT_EQ(answers.next_runs(last - first, first + 1, 1, 1).runs, nullptr) << "not the next pair";
        EXPECT_EQ(answers.next_runs(last - first - 1, first, 1, 1).runs, nullptr) << "another engine's too";
        EXPECT_FALSE(answers.is_early(last - first - 1, first + 1)) << "none will get one";
        std::vector<Chunk> chunks;
        std::size_t published = 0;
        for (std::uint64_t begin = first; begin < ordered_last; begin += chunk) {
            std::uint64_t const end = std::min(begin + chunk, last);
            chunks.push_back({begin, end, answers.next_runs(last - first, begin, end - begin, runs_of(begin, end))});
            ASSERT_NE(chunks.back().place.runs, nullptr);
            EXPECT_EQ(chunks.back().place.page_locked, is_page_locked);
            if (chunks.size() > late + lost)
                publish(answers, writer, chunks[published++]);
            for (int k = 0; k < 3 && answers.make_pages(); ++k) {
            }
        }
        while (published + lost < chunks.size())
            publish(answers, writer, chunks[published++]);
        for (std::uint64_t begin = published == 0 ? first : chunks[published - 1].last; begin < last; begin += chunk) {
            std::uint64_t const end = std::min(begin + chunk, last);
            publish(answers, writer, {begin, end, answers.other_runs(runs_of(begin, end))});
        }
        answers.end();
    }

    void check(bool is_page_locked, std::string const & words) const
    {
        Team team{3};
        BatchResult result;
        Answers answers{result, count, cigars, &team, memory};
        for (std::uint64_t first = 0; first < count; first += piece)
            align(first, answers, is_page_locked);
        answers.finish();
        std::string const how = words + " piece=" + std::to_string(piece) + " ordered=" + std::to_string(ordered) +
                                " lost=" + std::to_string(lost);
        EXPECT_EQ(memory && memory->has(result.runs.data()), is_page_locked) << how;
        expect_all(result, how);
    }

    void expect_all(BatchResult const & result, std::string const & how) const
    {
        std::uint64_t offset = 0;
        for (std::uint64_t p = 0; p < count; ++p) {
            ASSERT_EQ(result.status[p], Status::ok) << how << " pair=" << p;
            ASSERT_EQ(result.score[p], score(p));
            ASSERT_EQ(result.span[p].target_end, p + 3);
            ASSERT_EQ(result.run_offsets[p], offset) << how << " pair=" << p;
            for (std::uint64_t k = 0; k < runs_of(p); ++k)
                ASSERT_EQ(result.runs[offset++], static_cast<std::uint32_t>(p)) << how << " pair=" << p;
        }
        EXPECT_EQ(result.run_offsets[count], offset) << how;
        EXPECT_EQ(result.runs.size(), offset) << how;
    }
};

TEST(Answers, RunsInOrder)
{
    for (std::uint64_t const piece : {InOrder::count, std::uint64_t{70000}})
        for (std::uint64_t const ordered : {std::uint64_t{0}, std::uint64_t{50000}, InOrder::count})
            for (std::uint64_t const lost : {0, 3}) {
                InOrder{piece, ordered, lost}.check(false, "without");
                InOrder{piece, ordered, lost, used_memory(100 << 20)}.check(true, "with memory");
                InOrder{piece, ordered, lost, used_memory(1 << 20)}.check(false, "with too little");
            }
}

// A chunk in the middle whose runs cannot be fetched goes another way, and so do all behind it.
TEST(Answers, RunsInOrderUpToOneThatIsTakenBack)
{
    for (bool const with_memory : {false, true}) {
        InOrder const call{InOrder::count, InOrder::count, 0, with_memory ? used_memory(100 << 20) : nullptr};
        BatchResult result;
        Answers answers{result, InOrder::count, cigars, nullptr, call.memory};
        answers.begin(0, InOrder::count, call.runs_of(0, InOrder::count), 1);
        AnswerWriter writer{&answers};
        std::vector<InOrder::Chunk> later;
        for (std::uint64_t first = 0; first < InOrder::count; first += InOrder::chunk) {
            std::uint64_t const last = first + InOrder::chunk, runs = call.runs_of(first, last);
            Answers::Place place = answers.next_runs(InOrder::count, first, InOrder::chunk, runs);
            bool const in_time = first <= 5 * InOrder::chunk;
            EXPECT_EQ(place.runs != nullptr, in_time);
            if (first == 5 * InOrder::chunk)
                answers.take_back(place, InOrder::chunk, runs);
            if (!in_time)
                place = answers.other_runs(runs);
            if (first == 5 * InOrder::chunk)
                later.push_back({first, last, {}});
            else
                call.publish(answers, writer, {first, last, place});
        }
        for (InOrder::Chunk & chunk : later) {
            chunk.place = answers.other_runs(call.runs_of(chunk.first, chunk.last));
            call.publish(answers, writer, chunk);
        }
        answers.end();
        answers.finish();
        call.expect_all(result, "taken back");
    }
}

// Engines that take turns: a chunk asks when those before it have their places, and its runs arrive whenever they like.
TEST(Answers, RunsOfEnginesThatTakeTurns)
{
    for (bool const with_memory : {false, true}) {
        InOrder const call{InOrder::count, InOrder::count, 0, with_memory ? used_memory(100 << 20) : nullptr};
        BatchResult result;
        Answers answers{result, InOrder::count, cigars, nullptr, call.memory};
        answers.begin(0, InOrder::count, call.runs_of(0, InOrder::count), 1);
        auto const engine = [&](std::uint64_t turn) {
            AnswerWriter writer{&answers};
            std::vector<InOrder::Chunk> late;
            for (std::uint64_t first = turn * InOrder::chunk; first < InOrder::count; first += 3 * InOrder::chunk) {
                std::uint64_t const last = std::min(first + InOrder::chunk, InOrder::count);
                while (answers.is_early(InOrder::count, first)) {
                }
                late.push_back(
                    {first, last, answers.next_runs(InOrder::count, first, last - first, call.runs_of(first, last))});
                EXPECT_TRUE(late.back().place.in_order);
                EXPECT_FALSE(answers.is_early(InOrder::count, first));
                if (late.size() > turn) {
                    call.publish(answers, writer, late.front());
                    late.erase(late.begin());
                }
            }
            for (InOrder::Chunk const & chunk : late)
                call.publish(answers, writer, chunk);
        };
        std::vector<std::thread> engines;
        for (std::uint64_t const turn : {0, 1, 2})
            engines.emplace_back(engine, turn);
        for (std::thread & thread : engines)
            thread.join();
        answers.end();
        answers.finish();
        call.expect_all(result, "in turns");
        EXPECT_EQ(call.memory && call.memory->has(result.runs.data()), with_memory);
    }
}

// A chunk that does not ask leaves those before it their places.
TEST(Answers, RunsInOrderUpToAChunkThatDoesNotAsk)
{
    BatchResult result;
    Answers answers{result, 100, cigars};
    answers.begin(0, 100, 1000, 1);
    answers.end_order(40);
    EXPECT_TRUE(answers.is_early(100, 20));
    EXPECT_FALSE(answers.is_early(100, 40));
    EXPECT_TRUE(answers.next_runs(100, 0, 20, 5).in_order);
    EXPECT_TRUE(answers.next_runs(100, 20, 20, 5).in_order);
    EXPECT_FALSE(answers.next_runs(100, 40, 20, 5).in_order);
    EXPECT_FALSE(answers.is_early(100, 60));
}

// One of them fails when it has places, or before; or its chunk is taken back.  Others answer its pairs.
TEST(Answers, RunsOfEnginesThatTakeTurnsWithAGap)
{
    enum class Gap { lost, taken_back, none_asked };
    for (bool const with_memory : {false, true})
        for (Gap const gap : {Gap::lost, Gap::taken_back, Gap::none_asked}) {
            InOrder const call{InOrder::count, InOrder::count, 0, with_memory ? used_memory(100 << 20) : nullptr};
            BatchResult result;
            Answers answers{result, InOrder::count, cigars, nullptr, call.memory};
            answers.begin(0, InOrder::count, call.runs_of(0, InOrder::count), 1);
            AnswerWriter writer{&answers};
            std::vector<InOrder::Chunk> placed, others;
            constexpr std::uint64_t failing = 5 * InOrder::chunk;
            for (std::uint64_t first = 0; first < InOrder::count; first += InOrder::chunk) {
                std::uint64_t const last = first + InOrder::chunk, runs = call.runs_of(first, last);
                if (first == failing && gap == Gap::none_asked) {
                    EXPECT_TRUE(answers.is_early(InOrder::count, first + InOrder::chunk));
                    answers.end_order(first);
                }
                EXPECT_FALSE(answers.is_early(InOrder::count, first));
                Answers::Place const place = answers.next_runs(InOrder::count, first, InOrder::chunk, runs);
                EXPECT_EQ(place.in_order, first < failing || gap != Gap::none_asked);
                (place.in_order && first != failing ? placed : others).push_back({first, last, place});
            }
            if (gap == Gap::taken_back)
                answers.take_back(others[0].place, InOrder::chunk, call.runs_of(failing, failing + InOrder::chunk));
            for (InOrder::Chunk & chunk : others) {
                chunk.place = answers.other_runs(call.runs_of(chunk.first, chunk.last));
                call.publish(answers, writer, chunk);
            }
            std::ranges::reverse(placed);
            for (InOrder::Chunk const & chunk : placed)
                call.publish(answers, writer, chunk);
            answers.end();
            answers.finish();
            call.expect_all(result, "with a gap");
        }
}

// Where all pieces are in order they share one piece of memory, and nothing is copied behind them.
TEST(Answers, RunsOfAllPiecesInOrder)
{
    InOrder const call{20000, InOrder::count, 0, used_memory(100 << 20), 0};
    BatchResult result;
    Answers answers{result, InOrder::count, cigars, nullptr, call.memory};
    std::uint32_t const * place = nullptr;
    for (std::uint64_t first = 0; first < InOrder::count; first += call.piece) {
        call.align(first, answers, true);
        if (first == 0)
            place = result.runs.data();
    }
    answers.finish();
    EXPECT_EQ(result.runs.data(), place);
    EXPECT_TRUE(call.memory->has(place));
}

} // namespace
} // namespace nwgpu
