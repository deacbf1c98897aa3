// SPDX-License-Identifier: BSD-3-Clause
// Lines between the parts of a share that several devices of one process have (device_rows.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "backend/row_share.hpp"
#include "base/error.hpp"

namespace nwgpu::places {

// The boundary between two neighbouring parts, panel by panel.
class DeviceLine {
public:
    static constexpr std::size_t most_panels = 4; // that one part may be ahead of the next
    void put(std::span<RowEntry const> entries)
    {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return panels_.size() < most_panels || stopped_; });
        add(entries);
    }
    bool try_put(std::span<RowEntry const> entries)
    {
        std::lock_guard const lock{mutex_};
        bool const has_place = panels_.size() < most_panels || stopped_;
        if (has_place)
            add(entries);
        return has_place;
    }
    void get(std::span<RowEntry> entries)
    {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return !panels_.empty() || stopped_; });
        take(entries);
    }
    bool try_get(std::span<RowEntry> entries)
    {
        std::lock_guard const lock{mutex_};
        bool const is_there = !panels_.empty() || stopped_;
        if (is_there)
            take(entries);
        return is_there;
    }
    void stop()
    {
        std::lock_guard const lock{mutex_};
        stopped_ = true;
        changed_.notify_all();
    }

private:
    void throw_if_stopped() const
    {
        if (stopped_)
            throw Error{Status::cancelled, "another device has ended the share"};
    }
    void add(std::span<RowEntry const> entries)
    {
        throw_if_stopped();
        panels_.emplace_back(entries.begin(), entries.end());
        changed_.notify_all();
    }
    void take(std::span<RowEntry> entries)
    {
        throw_if_stopped();
        std::copy(panels_.front().begin(), panels_.front().end(), entries.begin());
        panels_.pop_front();
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::vector<RowEntry>> panels_;
    bool stopped_ = false;
};

// Of the parts of one device: to their neighbours, or where those of the whole share go.
class DeviceLines final : public RowLines {
public:
    struct Ends {
        DeviceLine * above; // null: that of the whole share's part
        DeviceLine * below;
        std::size_t part; // of the whole share
    };
    DeviceLines(RowLines & whole, std::vector<Ends> ends, std::atomic<std::int64_t> & best) :
        whole_{whole}, ends_{std::move(ends)}, best_{best}
    {}
    void receive(std::size_t part, std::uint64_t begin, std::span<RowEntry> to) override
    {
        DeviceLine * const line = ends_[part].above;
        line ? line->get(to) : whole_.receive(ends_[part].part, begin, to);
    }
    bool try_receive(std::size_t part, std::uint64_t begin, std::span<RowEntry> to) override
    {
        DeviceLine * const line = ends_[part].above;
        return line ? line->try_get(to) : whole_.try_receive(ends_[part].part, begin, to);
    }
    void send(std::size_t part, std::uint64_t begin, std::span<RowEntry const> from) override
    {
        DeviceLine * const line = ends_[part].below;
        line ? line->put(from) : whole_.send(ends_[part].part, begin, from);
    }
    bool try_send(std::size_t part, std::uint64_t begin, std::span<RowEntry const> from) override
    {
        DeviceLine * const line = ends_[part].below;
        return line ? line->try_put(from) : whole_.try_send(ends_[part].part, begin, from);
    }
    std::int64_t best_so_far(std::int64_t own) override
    {
        std::int64_t best = best_.load(std::memory_order_relaxed);
        while (own > best && !best_.compare_exchange_weak(best, own, std::memory_order_relaxed)) {
        }
        return std::max(own, best);
    }

private:
    RowLines & whole_;
    std::vector<Ends> const ends_;
    std::atomic<std::int64_t> & best_;
};

} // namespace nwgpu::places
