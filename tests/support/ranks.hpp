// SPDX-License-Identifier: BSD-3-Clause
// A world of threads in one process: messages are late, and some are lost on purpose.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <vector>

#include "nwgpu/nwgpu.h"

namespace nwgpu::test {

class Ranks {
public:
    // `most_delay`: of a message; messages of one rank to another one stay in order, others do not.
    explicit Ranks(int size, std::uint64_t seed = 1, std::chrono::microseconds most_delay = {}) :
        most_delay_{most_delay}, seats_(static_cast<std::size_t>(size))
    {
        for (int rank = 0; rank < size; ++rank) {
            Seat & seat = this->seat(rank);
            seat.ranks = this;
            seat.rank = rank;
            seat.random.seed(seed * 1000 + static_cast<std::uint64_t>(rank));
            seat.from.resize(static_cast<std::size_t>(size));
        }
    }

    nwgpu_communicator table(int rank, std::uint64_t fingerprint = 0)
    {
        nwgpu_communicator table = NWGPU_COMMUNICATOR_INIT;
        table.rank = rank;
        table.size = static_cast<std::int32_t>(seats_.size());
        table.fingerprint = fingerprint;
        table.user = &seat(rank);
        table.send = send;
        table.probe = probe;
        table.receive = receive;
        return table;
    }

    std::uint64_t sent(int rank) { return seat(rank).sent; } // messages
    // After so many more messages sent by the rank, each of its functions fails.
    void break_after(int rank, std::int64_t messages) { seat(rank).left = messages; }

private:
    using Clock = std::chrono::steady_clock;
    struct Message {
        Clock::time_point due;
        std::vector<std::byte> bytes;
    };
    struct Seat {
        Ranks * ranks = nullptr;
        int rank = 0;
        std::mutex mutex;
        std::vector<std::deque<Message>> from; // by sender
        std::mt19937_64 random;                // of the sender's thread
        std::atomic<std::uint64_t> sent{0};
        std::atomic<std::int64_t> left{INT64_MAX};
    };

    Seat & seat(int rank) { return seats_[static_cast<std::size_t>(rank)]; }

    static std::int32_t send(void * user, std::int32_t to, void const * bytes, std::uint64_t count)
    {
        Seat & self = *static_cast<Seat *>(user);
        if (self.left.fetch_sub(1) <= 0)
            return 7;
        ++self.sent;
        auto const most = static_cast<std::uint64_t>(self.ranks->most_delay_.count());
        Message message{Clock::now(), std::vector<std::byte>(count)};
        if (most > 0)
            message.due += std::chrono::microseconds{self.random() % most};
        if (count > 0)
            std::memcpy(message.bytes.data(), bytes, count);
        Seat & other = self.ranks->seat(to);
        std::lock_guard const lock{other.mutex};
        other.from[static_cast<std::size_t>(self.rank)].push_back(std::move(message));
        return 0;
    }
    static std::int32_t probe(void * user, std::int32_t * from, std::uint64_t * count)
    {
        Seat & self = *static_cast<Seat *>(user);
        *from = -1;
        *count = 0;
        if (self.left <= 0)
            return 7;
        std::lock_guard const lock{self.mutex};
        auto const now = Clock::now();
        std::size_t const first = self.random() % self.from.size();
        for (std::size_t k = 0; k < self.from.size(); ++k) {
            std::size_t const sender = (first + k) % self.from.size();
            auto const & waiting = self.from[sender];
            if (waiting.empty() || waiting.front().due > now)
                continue;
            *from = static_cast<std::int32_t>(sender);
            *count = waiting.front().bytes.size();
            return 0;
        }
        return 0;
    }
    static std::int32_t receive(void * user, std::int32_t from, void * bytes, std::uint64_t count)
    {
        Seat & self = *static_cast<Seat *>(user);
        std::lock_guard const lock{self.mutex};
        auto & waiting = self.from[static_cast<std::size_t>(from)];
        if (waiting.empty() || waiting.front().bytes.size() != count)
            return 8;
        if (count > 0)
            std::memcpy(bytes, waiting.front().bytes.data(), count);
        waiting.pop_front();
        return 0;
    }

    std::chrono::microseconds const most_delay_;
    std::deque<Seat> seats_;
};

} // namespace nwgpu::test
