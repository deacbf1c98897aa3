// SPDX-License-Identifier: BSD-3-Clause
// Pairs whose rows are dealt out to ranks: what happens when a rank fails, is late, or goes in the middle.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "backend/row_share.hpp"
#include "base/error.hpp"
#include "support/row_world.hpp"

namespace nwgpu::test {
namespace {

using namespace std::chrono_literals;

RowWorld::MakeEngine const plain_engines = [](int, std::shared_ptr<Team> const & team) {
    return cpu::make_engine({.team = team});
};

// Every cell, or rank 0 may find the answer alone.
Request every_cell(Mode const & mode, Output output)
{
    Request request{mode, output, CigarStyle::eqx};
    request.every_cell = true;
    return request;
}

// A CPU engine whose shares fail on purpose: when they are made, swept or walked.
class Failing final : public Backend, private RowEngine {
public:
    enum class At { nowhere, share, sweep, walk };

    // `deaf`: before it fails it waits, whatever the monitor says, until this is false.
    Failing(std::unique_ptr<Backend> engine, std::atomic<At> const & at, Error const & error,
            std::atomic<bool> const * deaf = nullptr) :
        engine_{std::move(engine)}, at_{at}, error_{error}, deaf_{deaf}
    {}
    std::string name() const override { return engine_->name(); }
    int threads() const override { return 1; }
    void trim() override {}
    Estimate estimate(Piece const & piece) override { return engine_->estimate(piece); }
    void check_memory(Piece const & piece) override { engine_->check_memory(piece); }
    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        engine_->align(piece, monitor, answers);
    }
    RowEngine * row_engine() override { return this; }

private:
    class Share final : public RowShare {
    public:
        Share(std::unique_ptr<RowShare> share, Failing const & engine) : share_{std::move(share)}, engine_{engine} {}
        std::vector<SweptRows> sweep(RowLines & lines, Monitor & monitor) override
        {
            engine_.fail(At::sweep);
            return share_->sweep(lines, monitor);
        }
        WalkedRows walk(std::size_t part, path::Cursor const & from, Monitor & monitor) override
        {
            engine_.fail(At::walk);
            return share_->walk(part, from, monitor);
        }
        WalkedRows walk_from_best(std::size_t part, bool with_path, Monitor & monitor) override
        {
            engine_.fail(At::walk);
            return share_->walk_from_best(part, with_path, monitor);
        }

    private:
        std::unique_ptr<RowShare> share_;
        Failing const & engine_;
    };

    void fail(At here) const
    {
        if (at_ != here)
            return;
        while (deaf_ && *deaf_)
            std::this_thread::sleep_for(1ms);
        throw error_;
    }
    bool suits(Request const & request) const override { return engine_->row_engine()->suits(request); }
    RowPace pace() const override { return engine_->row_engine()->pace(); }
    bool align_if_similar(Piece const &, Monitor &, Answers &) override { return false; }
    std::unique_ptr<RowShare> share(RowTask const & task) override
    {
        fail(At::share);
        return std::make_unique<Share>(engine_->row_engine()->share(task), *this);
    }

    std::unique_ptr<Backend> const engine_;
    std::atomic<At> const & at_;
    Error const error_;
    std::atomic<bool> const * const deaf_;
};

class RowFailures : public testing::Test {
protected:
    // Engines of which that of `wrong` fails where at_ says.
    RowWorld::MakeEngine engines(int wrong, Error const & error)
    {
        return [this, wrong, error](int rank, std::shared_ptr<Team> const & team) -> std::unique_ptr<Backend> {
            auto engine = cpu::make_engine({.team = team});
            if (rank != wrong)
                return engine;
            return std::make_unique<Failing>(std::move(engine), at_, error);
        };
    }

    Scheme const & s_ = scheme("dna_2_4_4_2");
    Random random_{7400};
    PairSet const set_{{random_pair(random_, Model::noisy, 900, 1000, s_.letters, 0.1)}, s_.scoring};
    std::vector<PairResult> const full_ = oracle(set_, s_.scoring, {});
    Request const request_ = every_cell({}, Output::cigar);
    std::atomic<Failing::At> at_{Failing::At::nowhere};
};

TEST_F(RowFailures, ARankThatFailsEndsTheCallAndNotTheWorld)
{
    for (int const wrong : {0, 1, 2}) {
        RowWorld world{3, all_rows(100, 100), engines(wrong, {Status::internal, "the abacus broke"}), 1, 200us};
        for (auto const at : {Failing::At::share, Failing::At::sweep, Failing::At::walk}) {
            at_ = at;
            try {
                align(world.backend(), set_.batch(), s_.scoring, request_);
                ADD_FAILURE() << "the call goes on without rank " << wrong;
            } catch (Error const & error) {
                EXPECT_EQ(error.status, Status::internal);
                EXPECT_EQ(std::string{error.what()}.find("rank " + std::to_string(wrong) + " ("), 0u) << error.what();
                EXPECT_NE(std::string{error.what()}.find("): the abacus broke"), std::string::npos) << error.what();
            }
            at_ = Failing::At::nowhere;
            check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400");
        }
    }
}

TEST_F(RowFailures, APairThatARankLacksMemoryForIsAlignedByRankZero)
{
    for (int const wrong : {0, 2}) {
        RowWorld world{3, all_rows(100, 100), engines(wrong, {Status::out_of_host_memory, "none left"})};
        for (auto const at : {Failing::At::share, Failing::At::sweep, Failing::At::walk}) {
            at_ = at;
            check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400");
        }
    }
    RowWorld world{3, all_rows(100, 100), plain_engines, 1, {}, {0, 0, 1000}}; // a limit of rank 2
    std::uint64_t const before = world.ranks().sent(2);
    check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400");
    EXPECT_EQ(world.ranks().sent(2), before + 2); // it says so, and that it has ended
}

TEST_F(RowFailures, LimitsOfMemoryAreKeptOrThePairIsRefused)
{
    RowWorld world{3, all_rows(100, 100), plain_engines};
    std::uint64_t const all = estimate(EngineSetup{.threads = 1}, set_.batch(), s_.scoring, request_).host_bytes;
    for (std::uint64_t const limit : {all, 2 * all, 100 * all})
        check(set_, s_, request_, world.backend(), full_, "RowLimits seed=7400", limit);
    EXPECT_THROW(align(world.backend(), set_.batch(), s_.scoring, request_, {}, 20000), Error);
}

TEST_F(RowFailures, ACallThatIsEndedLeavesTheRanksReady)
{
    Random random{7401};
    PairSet const large{{random_pair(random, Model::uniform, 40000, 60000, s_.letters)}, s_.scoring};
    RowWorld world{3, all_rows(1024, 1024), plain_engines, 1, 100us};
    for (int const reports : {1, 3}) {
        int left = reports;
        auto const begin = std::chrono::steady_clock::now();
        try {
            align(world.backend(), large.batch(), s_.scoring, every_cell(local, Output::cigar),
                  [&](std::uint64_t done, std::uint64_t all) {
                      EXPECT_LE(done, all);
                      return --left > 0;
                  });
            ADD_FAILURE() << "the call goes on";
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::cancelled) << error.what();
        }
        EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
        check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400");
    }
}

// Messages of a rank do not arrive any more, from some moment on: a call ends when the caller wants it to, and the next
// one goes on without the rank.
TEST_F(RowFailures, ARankThatIsGoneHoldsNobody)
{
    for (int const messages : {1}) { // that its rows are swept
        RowWorld world{3, all_rows(100, 100), plain_engines};
        world.ranks().break_after(2, messages);
        auto const end = std::chrono::steady_clock::now() + 100ms;
        try {
            align(world.backend(), set_.batch(), s_.scoring, request_,
                  [&](std::uint64_t, std::uint64_t) { return std::chrono::steady_clock::now() < end; });
            ADD_FAILURE() << "the call goes on without rank 2";
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::cancelled) << error.what();
        }
        check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400");
    }
}

// One that its caller has stopped: between two calls, or while it has rows.
TEST_F(RowFailures, ARankThatItsCallerStopsIsLeftOut)
{
    RowWorld world{4, all_rows(100, 100), plain_engines};
    world.dismiss(3);
    std::this_thread::sleep_for(20ms);
    check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400");
    EXPECT_NE(world.warnings.find("the other ranks go on without rank 3 ("), std::string::npos) << world.warnings;
    check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400");
    std::uint64_t const sent = world.ranks().sent(3);

    PairSet const large{{random_pair(random_, Model::uniform, 9000, 30000, s_.letters)}, s_.scoring};
    Request const score = every_cell(local, Output::score);
    auto const expected = run(large, s_.scoring, score, EngineSetup{});
    std::thread later{[&] {
        std::this_thread::sleep_for(5ms);
        world.dismiss(1);
    }};
    check(large, s_, score, world.backend(), expected, "RowFailures seed=7400 while it has rows");
    later.join();
    check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400");
    EXPECT_NE(world.warnings.find("the other ranks go on without rank 1 ("), std::string::npos) << world.warnings;
    EXPECT_EQ(world.ranks().sent(3), sent);
}

// One that does not hear for longer than a call waits for it: it gets nothing until it answers again.
TEST_F(RowFailures, ARankThatIsLateIsBackOnceItAnswers)
{
    std::atomic<bool> deaf{true};
    auto const make = [&](int rank, std::shared_ptr<Team> const & team) -> std::unique_ptr<Backend> {
        auto engine = cpu::make_engine({.team = team});
        if (rank != 2)
            return engine;
        return std::make_unique<Failing>(std::move(engine), at_, Error{Status::internal, "late"}, &deaf);
    };
    RowWorld world{3, all_rows(100, 100), make};
    at_ = Failing::At::sweep;
    auto const end = std::chrono::steady_clock::now() + 50ms;
    EXPECT_THROW(align(world.backend(), set_.batch(), s_.scoring, request_,
                       [&](std::uint64_t, std::uint64_t) { return std::chrono::steady_clock::now() < end; }),
                 Error);
    EXPECT_NE(world.warnings.find("rank 2 ("), std::string::npos) << world.warnings;
    EXPECT_NE(world.warnings.find("does not answer: it gets no work until it does"), std::string::npos);
    std::uint64_t const sent = world.ranks().sent(2);
    check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400 without rank 2");
    EXPECT_EQ(world.ranks().sent(2), sent);
    at_ = Failing::At::nowhere;
    deaf = false;
    while (world.ranks().sent(2) == sent) // that it has ended
        std::this_thread::sleep_for(1ms);
    check(set_, s_, request_, world.backend(), full_, "RowFailures seed=7400 with rank 2");
    EXPECT_NE(world.warnings.find("answers again"), std::string::npos) << world.warnings;
    EXPECT_GT(world.ranks().sent(2), sent + 1);
}

TEST_F(RowFailures, ACommunicatorThatFailsEndsTheCall)
{
    for (int const messages : {0, 1, 3}) {
        RowWorld world{3, all_rows(100, 100), plain_engines};
        world.ranks().break_after(0, messages);
        try {
            align(world.backend(), set_.batch(), s_.scoring, request_);
            ADD_FAILURE() << "the call goes on";
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::communication) << error.what();
        }
    }
}

} // namespace
} // namespace nwgpu::test
