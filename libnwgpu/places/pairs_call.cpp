// SPDX-License-Identifier: BSD-3-Clause
#include "places/pairs_call.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "backend/inner_monitor.hpp"
#include "base/no_signals.hpp"

namespace nwgpu::places {

namespace {

constexpr std::chrono::milliseconds look_again{20}; // for progress and cancellation, while others work

double seconds_since(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

bool ends_a_place(Status status)
{
    return status == Status::device || status == Status::device_lost || status == Status::out_of_device_memory;
}

Piece part_of(Piece const & piece, std::size_t devices)
{
    Piece part = piece;
    std::uint64_t const lists = piece.pairs.size() * Deal::bytes_per_pair, limit = piece.max_host_bytes;
    if (limit != 0)
        part.max_host_bytes = std::max<std::uint64_t>(1, (limit - std::min(limit, lists)) / devices);
    return part;
}

PairsCall::PairsCall(std::span<UsedDevice> devices, Piece const & piece, Monitor & monitor, Answers & answers,
                     Speed const & speed, std::function<void(std::string const &)> const & warn) :
    devices_{devices}, piece_{piece}, monitor_{monitor}, answers_{answers}, speed_{speed}, warn_{warn}
{
    for (UsedDevice const & device : devices)
        can_work_.push_back(!device.lost);
}

// CIGARs lie in the order of the pairs: devices that take turns bring each to where it stays, while those of a share
// are in the way of the shares behind it until it has ended.
bool PairsCall::takes_turns(Deal const & deal) const
{
    return piece_.request.output == Output::cigar && piece_.request.min_score == no_min_score &&
           piece_.max_host_bytes == 0 && !deal.has_large_pairs() &&
           std::ranges::all_of(devices_, [&](UsedDevice const & device) {
               return device.lost || device.engine->takes_turns(piece_.scoring, piece_.request);
           });
}

void PairsCall::align(Deal & deal)
{
    if (!takes_turns(deal)) {
        deal_ = &deal;
        return work_on_all();
    }
    PairQueue queue{piece_.pairs.size(), devices_.size()};
    for (std::size_t k = 0; k < devices_.size(); ++k)
        if (!can_work_[k])
            PairQueue::Taker{queue, k}.leave();
    queue_ = &queue;
    std::vector<bool> const could_work = can_work_;
    work_on_all();
    if (queue.left() == 0 && can_work_ == could_work)
        return;
    std::vector<std::uint64_t> open;
    std::ranges::copy_if(piece_.pairs, std::back_inserter(open), [&](std::uint64_t p) { return answers_.is_open(p); });
    if (open.empty())
        return;
    Piece const rest{piece_.batch, open, piece_.scoring, piece_.request};
    Deal deal_of_rest{rest, devices_.size(), speed_};
    PairsCall again{devices_, rest, monitor_, answers_, speed_, warn_};
    again.can_work_ = can_work_;
    again.deal_ = &deal_of_rest;
    again.work_on_all();
}

void PairsCall::work_on_all()
{
    std::vector<std::thread> threads;
    std::size_t own = first_working();
    start_threads(own, threads);
    do {
        work(own, false);
        std::unique_lock lock{mutex_};
        while (!changed_.wait_for(lock, look_again, [&] { return at_work_ == 0; })) {
            lock.unlock();
            if (!monitor_.report(0))
                stop();
            lock.lock();
        }
        own = first_working();
    } while (deal_ && !deal_->has_ended()); // what a device left that failed when this thread had ended its own work
    for (std::thread & thread : threads)
        thread.join();
    monitor_.throw_if_stopped();
    if (failure_)
        std::rethrow_exception(failure_);
}

// One per device, but for device `own`.
void PairsCall::start_threads(std::size_t own, std::vector<std::thread> & threads)
{
    NoSignals const none;
    threads.reserve(devices_.size());
    for (std::size_t k = 0; k < devices_.size(); ++k) {
        if (std::lock_guard const lock{mutex_}; k != own && can_work_[k])
            ++at_work_;
        else
            continue;
        try {
            threads.emplace_back([this, k] {
                work(k, true);
                std::lock_guard const lock{mutex_};
                --at_work_;
                changed_.notify_all();
            });
        } catch (std::system_error const &) { // fewer, then
            if (queue_)
                PairQueue::Taker{*queue_, k}.leave();
            std::lock_guard const lock{mutex_};
            --at_work_;
        }
    }
}

std::size_t PairsCall::first_working() const
{
    auto const found = std::find(can_work_.begin(), can_work_.end(), true);
    return found == can_work_.end() ? 0 : static_cast<std::size_t>(found - can_work_.begin());
}

void PairsCall::stop()
{
    if (deal_)
        deal_->stop();
}

// What device k does.  `waits`: for pairs that others may leave.
void PairsCall::work(std::size_t k, bool waits)
{
    auto const goes_on = [&] {
        monitor_.report_if_due(); // on the calling thread, if another one has asked for it
        if (monitor_.stopped())
            stop();
        return !monitor_.stopped() && !failed_.load(std::memory_order_relaxed);
    };
    try {
        Team::Awake const awake{*devices_[k].team};
        InnerMonitor inner{monitor_, *devices_[k].team, goes_on};
        if (queue_)
            align_in_turns(k, inner.monitor());
        else
            align_shares(k, waits, inner.monitor());
    } catch (...) {
        answers_.end_order();
        stop();
        std::lock_guard const lock{mutex_};
        if (!failed_.exchange(true))
            failure_ = std::current_exception();
    }
}

void PairsCall::align_shares(std::size_t k, bool waits, Monitor & monitor)
{
    for (bool goes_on = true; goes_on;) {
        Share const share = waits ? deal_->wait_and_take() : deal_->take();
        if (share.empty())
            return;
        std::vector<std::uint64_t> left;
        auto const begin = std::chrono::steady_clock::now();
        try {
            goes_on = align_some(k, share, monitor);
        } catch (...) {
            deal_->end();
            throw;
        }
        if (goes_on)
            deal_->took(share, seconds_since(begin));
        else
            std::ranges::copy_if(share, std::back_inserter(left), [&](std::uint64_t p) { return answers_.is_open(p); });
        deal_->end(std::move(left));
    }
}

void PairsCall::align_in_turns(std::size_t k, Monitor & monitor)
{
    struct Turns : PairQueue::Taker {
        using Taker::Taker;
        ~Turns() { leave(); }
    } turns{*queue_, k};
    align_some(k, piece_.pairs, monitor, &turns);
}

// False: the device has failed, and others go on.
bool PairsCall::align_some(std::size_t k, Share const & pairs, Monitor & monitor, PairQueue::Taker * queue)
{
    // It makes codes of letters when it wants them, while others are at work on the letters.
    Batch const & all = piece_.batch;
    std::optional<CodedSequences> queries, targets;
    if (all.queries.are_letters())
        queries.emplace(all.queries.beside());
    if (all.targets.are_letters())
        targets.emplace(all.targets.beside());
    Batch const batch{queries ? *queries : all.queries, targets ? *targets : all.targets, all.pairs};
    std::uint64_t const memory = part_of(piece_, devices_.size()).max_host_bytes;
    bool works = true;
    try {
        devices_[k].engine->align({batch, pairs, piece_.scoring, piece_.request, memory, queue}, monitor, answers_);
    } catch (Error const & error) {
        if (!ends_a_place(error.status) || !others_go_on(k, error))
            throw;
        works = false;
    }
    monitor.report(0);
    return works;
}

// When device k has failed.
bool PairsCall::others_go_on(std::size_t k, Error const & error)
{
    answers_.end_order(); // it may have taken pairs that have no place yet
    {
        std::lock_guard const lock{mutex_};
        devices_[k].lost = error.status == Status::device_lost;
        can_work_[k] = false;
        if (std::find(can_work_.begin(), can_work_.end(), true) == can_work_.end())
            return false;
    }
    warn_("device " + std::to_string(k) + " of the list has failed, the others go on: " + error.what());
    return true;
}

} // namespace nwgpu::places
