// SPDX-License-Identifier: BSD-3-Clause
// The calling thread sends tasks and takes answers; another thread feeds the engine of rank 0 meanwhile.
#include "places/ranks_backend.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "backend/inner_monitor.hpp"
#include "base/no_signals.hpp"
#include "places/devices_backend.hpp"
#include "places/roster.hpp"
#include "places/rounds.hpp"
#include "places/rows_call.hpp"
#include "places/task.hpp"

namespace nwgpu::places {

namespace {

constexpr std::size_t tasks_ahead = 2; // of a rank: the one at hand, and the next
constexpr std::chrono::milliseconds between_reports{20};
// A call that has to end does not wait longer for a rank, which then gets no more.
constexpr std::chrono::seconds most_wait{2};

// One align() call.
class Call {
public:
    Call(World & world, Backend & local, std::uint64_t number, Roster & roster, Piece const & piece, Deal & deal,
         Monitor & monitor, Answers & answers) :
        world_{world},
        local_{local},
        number_{number},
        roster_{roster},
        piece_{piece},
        monitor_{monitor},
        answers_{answers},
        deal_{deal},
        sent_(static_cast<std::size_t>(world.size()))
    {}

    void run()
    {
        std::thread thread;
        at_work_ = true;
        try {
            NoSignals const none;
            thread = std::thread{[this] { work(); }};
        } catch (std::system_error const &) { // this rank alone, then
            return local_.align(piece_, monitor_, answers_);
        }
        try {
            while (!has_ended())
                look();
        } catch (...) { // of the communicator: nothing more can be heard
            note_failure();
            deal_.stop();
        }
        thread.join();
        monitor_.throw_if_stopped();
        if (failure_)
            std::rethrow_exception(failure_);
    }
    std::vector<std::string> const & warnings() const { return warnings_; }

private:
    struct Sent { // to a rank, in order
        std::vector<Share> shares;
        bool told_to_stop = false;
    };

    bool has_ended()
    {
        return deal_.has_ended() && !at_work_ &&
               std::all_of(sent_.begin(), sent_.end(), [](Sent const & sent) { return sent.shares.empty(); });
    }

    // What is due now; sleeps where nothing is.
    void look()
    {
        bool idle = true;
        for (int to = 1; to < world_.size(); ++to) {
            Sent & sent = sent_[static_cast<std::size_t>(to)];
            while (roster_.has(to) && sent.shares.size() < tasks_ahead) {
                Share const share = deal_.take();
                if (share.empty())
                    break;
                ByteWriter task;
                put_task(task, piece_, share);
                world_.send(to, Kind::task, number_, task);
                sent.shares.push_back(share);
                idle = false;
            }
        }
        while (auto const message = world_.next()) {
            idle = false;
            take(*message);
        }
        auto const now = std::chrono::steady_clock::now();
        if (now - reported_ >= between_reports) {
            reported_ = now;
            monitor_.report(0);
        }
        if (monitor_.stopped() || failed_)
            stop();
        if (idle)
            patience_.sleep();
        else
            patience_.reset();
    }

    void stop()
    {
        deal_.stop();
        auto const now = std::chrono::steady_clock::now();
        if (!stopping_)
            stop_at_ = now + most_wait;
        stopping_ = true;
        for (int to = 1; to < world_.size(); ++to)
            if (Sent & sent = sent_[static_cast<std::size_t>(to)]; !sent.shares.empty() && !sent.told_to_stop) {
                sent.told_to_stop = true;
                world_.send(to, Kind::stop, number_, {});
            }
        if (now < stop_at_)
            return;
        for (int rank = 1; rank < world_.size(); ++rank)
            if (auto & shares = sent_[static_cast<std::size_t>(rank)].shares; !shares.empty()) {
                roster_.wait_for(rank, number_, Roster::Work::tasks, shares.size());
                for (; !shares.empty(); shares.pop_back())
                    deal_.end();
            }
    }

    void take(Message const & message)
    {
        Sent & sent = sent_[static_cast<std::size_t>(message.from)];
        if (message.kind != Kind::answer || message.call != number_ || sent.shares.empty()) {
            roster_.take(message);
            for (; message.kind == Kind::gone && !sent.shares.empty(); sent.shares.pop_back())
                deal_.end(open_pairs(sent.shares.back()));
            return;
        }
        Share const share = sent.shares.front();
        sent.shares.erase(sent.shares.begin());
        std::vector<std::uint64_t> left;
        ByteReader reader = message.reader();
        try {
            take_answers(reader, share, piece_.request, answers_);
            std::uint64_t cells = 0;
            for (std::uint64_t const p : share)
                cells += piece_.batch.view(p).cells();
            monitor_.poll(cells);
        } catch (Error const & error) {
            std::string const text = world_.name_of(message.from) + ": " + error.what();
            if (ends_a_place(error.status)) { // rank 0 is there still
                if (roster_.has(message.from))
                    warnings_.push_back("the other ranks go on without " + text);
                roster_.lose(message.from);
                left = open_pairs(share);
            } else if (!sent.told_to_stop) {
                note_failure(Error{error.status, text, no_pair, error.cuda_code});
            }
        }
        deal_.end(std::move(left));
    }

    // Those that have no answer yet.
    std::vector<std::uint64_t> open_pairs(Share const & share) const
    {
        std::vector<std::uint64_t> open;
        std::copy_if(share.begin(), share.end(), std::back_inserter(open),
                     [&](std::uint64_t p) { return answers_.is_open(p); });
        return open;
    }

    // The thread that feeds the engine of this rank.
    void work()
    {
        try {
            InnerMonitor inner{monitor_, monitor_.team(), [&] { return !failed_; }};
            Monitor & monitor = inner.monitor();
            for (Share share = deal_.wait_and_take(); !share.empty(); share = deal_.wait_and_take()) {
                try {
                    local_.align({piece_.batch, share, piece_.scoring, piece_.request, piece_.max_host_bytes}, monitor,
                                 answers_);
                    monitor.report(0);
                } catch (...) {
                    deal_.end();
                    throw;
                }
                deal_.end();
            }
        } catch (...) {
            note_failure();
        }
        at_work_ = false;
    }

    void note_failure() // the one that is caught
    {
        std::lock_guard const lock{mutex_};
        if (!failed_.exchange(true))
            failure_ = std::current_exception();
    }
    void note_failure(Error const & error)
    {
        std::lock_guard const lock{mutex_};
        if (!failed_.exchange(true))
            failure_ = std::make_exception_ptr(error);
    }

    World & world_;
    Backend & local_;
    std::uint64_t const number_;
    Roster & roster_;
    Piece const & piece_;
    Monitor & monitor_;
    Answers & answers_;
    Deal & deal_;
    std::vector<Sent> sent_; // by rank
    Patience patience_;
    std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now(), stop_at_;
    bool stopping_ = false;
    std::atomic<bool> at_work_{false}, failed_{false};
    std::mutex mutex_; // of failure_
    std::exception_ptr failure_;
    std::vector<std::string> warnings_;
};

class RanksBackend final : public Backend {
public:
    RanksBackend(std::shared_ptr<World> world, std::unique_ptr<Backend> local, Speed const & speed,
                 RowRules const & rows, std::function<void(std::string const &)> warn) :
        world_{std::move(world)},
        local_{std::move(local)},
        speed_{speed},
        row_rules_{rows},
        warn_{std::move(warn)},
        roster_{*world_, warn_}
    {}

    std::string name() const override { return std::to_string(world_->size()) + " ranks, " + local_->name(); }
    int threads() const override
    {
        int sum = 0;
        for (Member const & member : world_->members())
            sum += member.threads;
        return sum;
    }
    void trim() override { local_->trim(); }

    Estimate estimate(Piece const & piece) override
    {
        Estimate estimate = local_->estimate(piece);
        Deal const deal{piece, roster_.size(), speed_};
        if (piece.pairs.size() == 1)
            if (RowDeal const rows = deal_rows_of(piece, piece.pairs[0], deal); !rows.parts.empty())
                return estimate_by_rows(estimate, piece.batch.view(piece.pairs[0]), rows,
                                        saves(piece) ? "ranks in rounds that are saved" : "ranks");
        if (is_for_one(piece, deal))
            return estimate;
        double longest = 0;
        for (std::uint64_t const p : piece.pairs)
            longest = std::max(longest, static_cast<double>(piece.batch.view(p).cells()));
        double const ranks = static_cast<double>(roster_.size()), cells = static_cast<double>(estimate.cells);
        estimate.seconds *= std::max(1 / ranks, cells > 0 ? longest / cells : 1);
        estimate.host_bytes += piece.pairs.size() * Deal::bytes_per_pair;
        estimate.plan = "dealt out to " + std::to_string(roster_.size()) + " ranks; " + estimate.plan;
        return estimate;
    }

    void check_memory(Piece const & piece) override { local_->check_memory(piece); }

    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        while (auto const message = world_->next()) // since the last call
            roster_.take(*message);
        Deal deal{piece, roster_.size(), speed_, &monitor.team()};
        if (!is_for_rows(piece, deal.longest_seconds(), deal))
            return align_whole(piece, deal, monitor, answers);
        std::vector<std::uint64_t> whole;
        for (std::uint64_t const p : piece.pairs)
            if (RowDeal const rows = deal_rows_of(piece, p, deal); !rows.parts.empty())
                align_by_rows({piece.batch, {&p, 1}, piece.scoring, piece.request, piece.max_host_bytes}, rows, monitor,
                              answers);
            else
                whole.push_back(p);
        if (whole.empty())
            return;
        Piece const rest{piece.batch, whole, piece.scoring, piece.request, piece.max_host_bytes};
        Deal rest_deal{rest, roster_.size(), speed_, &monitor.team()};
        align_whole(rest, rest_deal, monitor, answers);
    }

private:
    void align_whole(Piece const & piece, Deal & deal, Monitor & monitor, Answers & answers)
    {
        if (is_for_one(piece, deal))
            return local_->align(piece, monitor, answers);
        Call call{*world_, *local_, ++calls_, roster_, piece, deal, monitor, answers};
        call.run();
        for (std::string const & text : call.warnings())
            warn_(text);
    }

    static bool saves(Piece const & piece) { return !piece.request.checkpoint.folder.empty(); }
    bool is_for_one(Piece const & piece, Deal const & deal) const
    {
        return piece.pairs.size() <= 1 || saves(piece) || deal.seconds() < speed_.least_seconds;
    }

    // Whether a pair that takes so long may be.
    bool is_for_rows(Piece const & piece, double seconds, Deal const & deal) const
    {
        RowEngine const * const engine = local_->row_engine();
        return engine && takes_rows(*engine, piece.request) &&
               is_worth_rows(seconds, deal.seconds(), roster_.size(), row_rules_);
    }

    // How the rows of a pair are dealt out; no parts: they are not.
    RowDeal deal_rows_of(Piece const & piece, std::uint64_t p, Deal const & deal) const
    {
        if (!is_for_rows(piece, deal.seconds_of(p), deal))
            return {};
        PairView const pair = piece.batch.view(p);
        std::vector<RowPlace> const places = roster_.row_places(saves(piece));
        RowDeal const rows = deal_rounds(pair.m, pair.n, places, row_rules_);
        bool const fits = piece.max_host_bytes == 0 || RowsCall::message_bytes(pair, rows) < piece.max_host_bytes;
        return fits ? rows : RowDeal{};
    }

    // The piece has one pair.
    void align_by_rows(Piece const & piece, RowDeal const & rows, Monitor & monitor, Answers & answers)
    {
        RowEngine & engine = *local_->row_engine();
        bool const was_there = saves(piece) && checkpoint::holds_slabs(piece.request.checkpoint.folder);
        if (!was_there && engine.align_if_similar(piece, monitor, answers))
            return;
        monitor.throw_if_stopped();
        std::uint64_t const done = monitor.done();
        try {
            std::string lack;
            auto answer = saves(piece) ? Rounds{*world_, calls_, roster_, row_rules_, monitor}.run(engine, piece, lack)
                                       : one_round(engine, piece, rows, monitor, lack);
            if (answer)
                return AnswerWriter{&answers}.put(piece.pairs[0], *answer);
            if (!lack.empty())
                warn_("rank 0 aligns a pair alone that was dealt out by rows: " + lack);
        } catch (Error const & error) {
            if (!ends_a_place(error.status))
                throw;
            warn_("rank 0 goes on alone with a pair that was dealt out by rows: " + std::string{error.what()});
        }
        monitor.go_back_to(done);
        Request request = piece.request;
        request.checkpoint.resume = request.checkpoint.resume || !was_there; // what is there now is this call's own
        local_->align({piece.batch, piece.pairs, piece.scoring, request, piece.max_host_bytes}, monitor, answers);
    }

    std::optional<PairResult> one_round(RowEngine & engine, Piece const & piece, RowDeal const & rows,
                                        Monitor & monitor, std::string & lack)
    {
        RowsCall call{*world_, ++calls_, roster_, monitor, engine.known_score(piece, monitor)};
        std::optional<PairResult> answer = call.run(engine, piece, rows);
        lack = call.lack();
        return answer;
    }

    std::shared_ptr<World> const world_;
    std::unique_ptr<Backend> const local_;
    Speed const speed_;
    RowRules const row_rules_;
    std::function<void(std::string const &)> const warn_;
    Roster roster_;
    std::uint64_t calls_ = 0;
};

} // namespace

std::unique_ptr<Backend> make_ranks_backend(std::shared_ptr<World> world, std::unique_ptr<Backend> local,
                                            Speed const & speed, RowRules const & rows,
                                            std::function<void(std::string const &)> warn)
{
    return std::make_unique<RanksBackend>(std::move(world), std::move(local), speed, rows, std::move(warn));
}

} // namespace nwgpu::places
