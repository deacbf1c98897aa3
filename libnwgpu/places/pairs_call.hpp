// SPDX-License-Identifier: BSD-3-Clause
// One call whose pairs are dealt out, whole, to several engines of one host: share by share, or each device takes those
// that come next.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "backend/pair_queue.hpp"
#include "base/team.hpp"
#include "places/deal.hpp"

namespace nwgpu::places {

// An engine, and the threads that work for it alone while others work, too.
struct Device {
    std::unique_ptr<Backend> engine;
    std::shared_ptr<Team> team;
};
struct UsedDevice : Device {
    bool lost = false; // for good
};

// Failures that end a place, not the call as long as there are other places.
bool ends_a_place(Status status);

// The piece, with a device's part of its memory.
Piece part_of(Piece const & piece, std::size_t devices);

// The first device that works is fed by the calling thread, each other one by a thread of its own.  Engines ask their
// own monitors, which ask the call's: its progress function is called on the calling thread alone.
class PairsCall {
public:
    // One of the devices works; all of them live longer than this.
    PairsCall(std::span<UsedDevice> devices, Piece const & piece, Monitor & monitor, Answers & answers,
              Speed const & speed, std::function<void(std::string const &)> const & warn);

    // `deal`: of the piece.  Throws what the last device, or one that fails for another reason, has thrown.
    void align(Deal & deal);

private:
    bool takes_turns(Deal const & deal) const;
    void work_on_all();
    void work(std::size_t k, bool waits);
    void align_shares(std::size_t k, bool waits, Monitor & monitor);
    void align_in_turns(std::size_t k, Monitor & monitor);
    bool align_some(std::size_t k, Share const & pairs, Monitor & monitor, PairQueue::Taker * queue = nullptr);
    void start_threads(std::size_t own, std::vector<std::thread> & threads);
    bool others_go_on(std::size_t k, Error const & error);
    std::size_t first_working() const;
    void stop();

    std::span<UsedDevice> const devices_;
    Piece const piece_;
    Monitor & monitor_;
    Answers & answers_;
    Speed const speed_;
    std::function<void(std::string const &)> const & warn_;
    Deal * deal_ = nullptr;       // of shares; or null, and
    PairQueue * queue_ = nullptr; // from which devices take what comes next
    std::atomic<bool> failed_{false};
    std::mutex mutex_; // of what follows
    std::condition_variable changed_;
    std::vector<bool> can_work_; // devices
    std::size_t at_work_ = 0;    // threads of devices
    std::exception_ptr failure_;
};

} // namespace nwgpu::places
