// SPDX-License-Identifier: BSD-3-Clause
// Device 0 is fed by the calling thread, each other one by a thread of its own for the length of the call.  Engines
// ask their own monitors, which ask the call's: its progress function is called on the calling thread alone.
#include "places/devices_backend.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "backend/invalid_letters.hpp"
#include "backend/monitor.hpp"
#include "base/no_signals.hpp"
#include "places/alone.hpp"
#include "places/device_rows.hpp"
#include "places/kept_by_devices.hpp"
#include "places/rounds.hpp"
#include "places/rows_call.hpp"

namespace nwgpu::places {

namespace {

constexpr std::chrono::milliseconds look_again{20}; // for progress and cancellation, while others work

double seconds_since(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class DevicesBackend final : public Backend {
public:
    DevicesBackend(std::vector<Device> devices, Speed const & speed, RowRules const & rows,
                   std::function<void(std::string const &)> warn) :
        speed_{speed}, row_rules_{rows}, warn_{std::move(warn)}
    {
        for (Device & device : devices)
            devices_.push_back({std::move(device)});
    }

    std::string name() const override
    {
        return std::to_string(devices_.size()) + "x" + devices_.front().engine->name();
    }
    int threads() const override
    {
        int sum = 0;
        for (OneDevice const & device : devices_)
            sum += device.engine->threads();
        return sum;
    }
    void trim() override
    {
        for (OneDevice & device : devices_)
            device.engine->trim();
    }

    bool takes_letters(Scoring const & scoring, Request const & request) override
    {
        return devices_[first_alive()].engine->takes_letters(scoring, request);
    }
    // Whichever device writes them.
    ResultMemory result_memory() override { return devices_[first_alive()].engine->result_memory(); }

    bool gains_by_common_targets(Scoring const & scoring, Request const & request) override
    {
        return devices_.front().engine->gains_by_common_targets(scoring, request);
    }
    double kept_part(CodedSequences const & sequences) override { return least_kept_part(alive(), sequences); }

    Estimate estimate(Piece const & piece) override
    {
        OneDevice & first = devices_[first_alive()];
        Deal const deal{piece, devices_.size(), speed_};
        if (piece.pairs.size() == 1)
            if (RowDeal const rows = deal_rows_of(piece, piece.pairs[0], deal); !rows.parts.empty())
                return estimate_by_rows(first.engine->estimate(piece), piece.batch.view(piece.pairs[0]), rows,
                                        "devices");
        if (is_for_one(piece, deal))
            return first.engine->estimate(piece);
        Estimate sum = with_fewest_letters(alive(), piece).estimate(part(piece, piece.batch, piece.pairs));
        auto const count = std::min(devices_.size(), piece.pairs.size());
        double longest = 0;
        for (std::uint64_t const p : piece.pairs)
            longest = std::max(longest, static_cast<double>(piece.batch.view(p).cells()));
        double const share =
            std::max(1 / static_cast<double>(count), sum.cells > 0 ? longest / static_cast<double>(sum.cells) : 1.0);
        sum.seconds *= share;
        sum.host_bytes += (count - 1) * sum.host_bytes + piece.pairs.size() * Deal::bytes_per_pair;
        sum.plan = "dealt out to " + std::to_string(count) + " devices: " + sum.plan;
        return sum;
    }

    void check_memory(Piece const & piece) override
    {
        devices_.front().engine->check_memory(piece.pairs.size() == 1 ? piece : part(piece, piece.batch, piece.pairs));
    }

    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        Deal deal{piece, devices_.size(), speed_, &monitor.team()};
        if (!is_for_rows(piece, deal.longest_seconds(), deal))
            return align_whole(piece, deal, monitor, answers);
        std::vector<std::uint64_t> pairs{piece.pairs.begin(), piece.pairs.end()}, whole;
        if (piece.batch.are_letters()) // rows take codes
            pairs = code_pairs(piece.batch, pairs, answers);
        for (std::uint64_t const p : pairs)
            if (!deal_rows_of(piece, p, deal).parts.empty())
                align_by_rows({piece.batch, {&p, 1}, piece.scoring, piece.request, piece.max_host_bytes}, monitor,
                              answers);
            else
                whole.push_back(p);
        if (whole.empty())
            return;
        Piece const rest{piece.batch, whole, piece.scoring, piece.request, piece.max_host_bytes};
        Deal rest_deal{rest, devices_.size(), speed_, &monitor.team()};
        align_whole(rest, rest_deal, monitor, answers);
    }

    RowEngine * row_engine() override { return rows_of_alive(); }

private:
    struct OneDevice : Device {
        bool lost = false; // for good
    };
    struct Call {
        Piece const & piece;
        Monitor & monitor;
        Answers & answers;
        Deal & deal;
        std::atomic<bool> failed{false};
        std::mutex mutex{}; // of what follows
        std::condition_variable changed{};
        std::vector<bool> can_work{}; // devices
        std::size_t threads = 0;      // of devices that are at work
        std::exception_ptr failure{};
    };

    void align_whole(Piece const & piece, Deal & deal, Monitor & monitor, Answers & answers)
    {
        if (is_for_one(piece, deal))
            return align_on_first(piece, monitor, answers);
        Call call{piece, monitor, answers, deal};
        for (std::size_t k = 0; k < devices_.size(); ++k)
            call.can_work.push_back(!devices_[k].lost);
        std::vector<std::thread> threads;
        std::size_t own = first_of(call);
        start_threads(own, call, threads);
        do {
            work(own, call, false);
            std::unique_lock lock{call.mutex};
            while (!call.changed.wait_for(lock, look_again, [&] { return call.threads == 0; })) {
                lock.unlock();
                if (!monitor.report(0))
                    deal.stop();
                lock.lock();
            }
            own = first_of(call);
        } while (!deal.has_ended()); // what a device left that failed when the calling thread had ended its own work
        for (std::thread & thread : threads)
            thread.join();
        monitor.throw_if_stopped();
        if (call.failure)
            std::rethrow_exception(call.failure);
    }

    // Null where the devices left take no rows.
    DeviceRows * rows_of_alive()
    {
        std::vector<RowDevice> alive;
        for (OneDevice & device : devices_)
            if (RowEngine * const engine = device.engine->row_engine(); engine && !device.lost)
                alive.push_back({engine, device.team.get()});
        if (alive.empty())
            return nullptr;
        if (!rows_ || rows_->size() != alive.size())
            rows_.emplace(std::move(alive), row_rules_);
        return &*rows_;
    }
    // Whether a pair that takes so long may be.
    bool is_for_rows(Piece const & piece, double seconds, Deal const & deal)
    {
        DeviceRows const * const rows = rows_of_alive();
        return rows && takes_rows(*rows, piece.request) &&
               is_worth_rows(seconds, deal.seconds(), rows->size(), row_rules_);
    }
    // How the rows of a pair are dealt out; no parts: they are not.
    RowDeal deal_rows_of(Piece const & piece, std::uint64_t p, Deal const & deal)
    {
        if (!is_for_rows(piece, deal.seconds_of(p), deal))
            return {};
        PairView const pair = piece.batch.view(p);
        return rows_of_alive()->deal(pair.m, pair.n, &piece.scoring);
    }

    // The piece has one pair.
    void align_by_rows(Piece const & piece, Monitor & monitor, Answers & answers)
    {
        DeviceRows & engine = *rows_of_alive();
        std::string const & folder = piece.request.checkpoint.folder;
        bool const was_there = !folder.empty() && checkpoint::holds_slabs(folder);
        if (!was_there && engine.align_if_similar(piece, monitor, answers))
            return;
        monitor.throw_if_stopped();
        std::uint64_t const done = monitor.done();
        try {
            World alone{std::make_unique<Alone>()};
            alone.meet(Member::here(name(), threads(), engine.pace()), {});
            Roster roster{alone, warn_};
            std::uint64_t calls = 0;
            std::string lack;
            RowDeal const whole{{{0, 0, piece.batch.view(piece.pairs[0]).m}}}; // whose panels the devices choose
            auto answer = folder.empty()
                              ? RowsCall{alone, calls, roster, monitor, engine.known_score(piece, monitor)}.run(
                                    engine, piece, whole)
                              : Rounds{alone, calls, roster, row_rules_, monitor}.run(engine, piece, lack);
            if (answer)
                return AnswerWriter{&answers}.put(piece.pairs[0], *answer);
        } catch (Error const & error) {
            if (!ends_a_place(error.status))
                throw;
            warn_(std::string{"one device goes on with a pair that was dealt out by rows: "} + error.what());
        }
        monitor.go_back_to(done);
        Request request = piece.request;
        request.checkpoint.resume = request.checkpoint.resume || !was_there; // what is there now is this call's own
        for (;;)
            try {
                return align_on_first({piece.batch, piece.pairs, piece.scoring, request, piece.max_host_bytes}, monitor,
                                      answers);
            } catch (Error const & error) {
                if (error.status != Status::device_lost || devices_[first_alive()].lost)
                    throw;
            }
    }

    void align_on_first(Piece const & piece, Monitor & monitor, Answers & answers)
    {
        OneDevice & device = devices_[first_alive()];
        try {
            device.engine->align(piece, monitor, answers);
        } catch (Error const & error) {
            device.lost = error.status == Status::device_lost;
            throw;
        }
    }

    // One per device, but for device `own`.
    void start_threads(std::size_t own, Call & call, std::vector<std::thread> & threads)
    {
        NoSignals const none;
        threads.reserve(devices_.size());
        for (std::size_t k = 0; k < devices_.size(); ++k) {
            if (k == own || devices_[k].lost)
                continue;
            {
                std::lock_guard const lock{call.mutex};
                ++call.threads;
            }
            try {
                threads.emplace_back([this, k, &call] {
                    work(k, call, true);
                    std::lock_guard const lock{call.mutex};
                    --call.threads;
                    call.changed.notify_all();
                });
            } catch (std::system_error const &) { // fewer, then
                std::lock_guard const lock{call.mutex};
                --call.threads;
            }
        }
    }

    bool is_for_one(Piece const & piece, Deal const & deal) const
    {
        return piece.pairs.size() <= 1 || !piece.request.checkpoint.folder.empty() ||
               deal.seconds() < speed_.least_seconds;
    }
    // Some pairs of the piece, and a device's part of its memory.
    Piece part(Piece const & piece, Batch const & batch, std::span<std::uint64_t const> pairs) const
    {
        std::uint64_t const lists = piece.pairs.size() * Deal::bytes_per_pair, limit = piece.max_host_bytes;
        std::uint64_t const rest = limit - std::min(limit, lists);
        return {batch, pairs, piece.scoring, piece.request,
                limit == 0 ? 0 : std::max<std::uint64_t>(1, rest / devices_.size())};
    }
    std::size_t first_alive() const
    {
        for (std::size_t k = 0; k < devices_.size(); ++k)
            if (!devices_[k].lost)
                return k;
        return 0; // says itself that it is lost
    }
    std::vector<Backend *> alive() const // engines that work, one at least
    {
        std::vector<Backend *> engines{devices_[first_alive()].engine.get()};
        for (OneDevice const & device : devices_)
            if (!device.lost && device.engine.get() != engines[0])
                engines.push_back(device.engine.get());
        return engines;
    }
    std::size_t first_of(Call const & call) const
    {
        auto const found = std::find(call.can_work.begin(), call.can_work.end(), true);
        return found == call.can_work.end() ? 0 : static_cast<std::size_t>(found - call.can_work.begin());
    }

    // What device k does in a call.  `waits`: for pairs that others may leave.
    void work(std::size_t k, Call & call, bool waits)
    {
        std::uint64_t told = 0;
        Progress const ask = [&](std::uint64_t done, std::uint64_t) {
            call.monitor.poll(done - std::exchange(told, done)); // modulo 2^64: it may go back
            call.monitor.report_if_due(); // on the calling thread, if another one has asked for it
            if (call.monitor.stopped())
                call.deal.stop();
            return !call.monitor.stopped() && !call.failed.load(std::memory_order_relaxed);
        };
        Batch const & all = call.piece.batch;
        try {
            Monitor monitor{ask, UINT64_MAX, *devices_[k].team};
            for (bool goes_on = true; goes_on;) {
                Share const share = waits ? call.deal.wait_and_take() : call.deal.take();
                if (share.empty())
                    return;
                // It makes codes of letters when it wants them, while others are at work on the letters.
                std::optional<CodedSequences> queries, targets;
                if (all.queries.are_letters())
                    queries.emplace(all.queries.beside());
                if (all.targets.are_letters())
                    targets.emplace(all.targets.beside());
                Batch const batch{queries ? *queries : all.queries, targets ? *targets : all.targets, all.pairs};
                std::vector<std::uint64_t> left;
                auto const begin = std::chrono::steady_clock::now();
                try {
                    devices_[k].engine->align(part(call.piece, batch, share), monitor, call.answers);
                    call.deal.took(share, seconds_since(begin));
                } catch (Error const & error) {
                    if (!ends_a_place(error.status) || !others_go_on(k, error, call)) {
                        call.deal.end();
                        throw;
                    }
                    goes_on = false;
                    std::copy_if(share.begin(), share.end(), std::back_inserter(left),
                                 [&](std::uint64_t p) { return call.answers.is_open(p); });
                } catch (...) {
                    call.deal.end();
                    throw;
                }
                monitor.report(0);
                call.deal.end(std::move(left));
            }
        } catch (...) {
            call.deal.stop();
            std::lock_guard const lock{call.mutex};
            if (!call.failed.exchange(true))
                call.failure = std::current_exception();
        }
    }

    // When device k has failed.
    bool others_go_on(std::size_t k, Error const & error, Call & call)
    {
        {
            std::lock_guard const lock{call.mutex};
            devices_[k].lost = error.status == Status::device_lost;
            call.can_work[k] = false;
            if (std::find(call.can_work.begin(), call.can_work.end(), true) == call.can_work.end())
                return false;
        }
        warn_("device " + std::to_string(k) + " of the list has failed, the others go on: " + error.what());
        return true;
    }

    std::vector<OneDevice> devices_;
    std::optional<DeviceRows> rows_; // of those that are alive
    Speed const speed_;
    RowRules const row_rules_;
    std::function<void(std::string const &)> const warn_;
};

} // namespace

bool ends_a_place(Status status)
{
    return status == Status::device || status == Status::device_lost || status == Status::out_of_device_memory;
}

std::unique_ptr<Backend> make_devices_backend(std::vector<Device> devices, Speed const & speed, RowRules const & rows,
                                              std::function<void(std::string const &)> warn)
{
    return std::make_unique<DevicesBackend>(std::move(devices), speed, rows, std::move(warn));
}

} // namespace nwgpu::places
