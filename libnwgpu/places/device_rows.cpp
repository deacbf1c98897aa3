// SPDX-License-Identifier: BSD-3-Clause
#include "places/device_rows.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "backend/monitor.hpp"
#include "base/rest_of_limit.hpp"
#include "places/no_signals.hpp"

namespace nwgpu::places {

namespace {

constexpr std::size_t most_lines = 4; // panels that one device may be ahead of the next

// The boundary between two neighbouring devices, panel by panel.
class Line {
public:
    // False: it was stopped.
    bool put(std::span<RowEntry const> entries)
    {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return panels_.size() < most_lines || stopped_; });
        panels_.emplace_back(entries.begin(), entries.end());
        changed_.notify_all();
        return !stopped_;
    }
    bool get(std::span<RowEntry> entries)
    {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return !panels_.empty() || stopped_; });
        if (stopped_)
            return false;
        std::copy(panels_.front().begin(), panels_.front().end(), entries.begin());
        panels_.pop_front();
        changed_.notify_all();
        return true;
    }
    void stop()
    {
        std::lock_guard const lock{mutex_};
        stopped_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::vector<RowEntry>> panels_;
    bool stopped_ = false;
};

// Of one device: to its neighbours, or where those of the whole share go.
class DeviceLines final : public RowLines {
public:
    DeviceLines(RowLines & whole, Line * above, Line * below) : whole_{whole}, above_{above}, below_{below} {}
    void receive(std::uint64_t begin, std::span<RowEntry> to) override
    {
        if (!above_)
            return whole_.receive(begin, to);
        if (!above_->get(to))
            throw_stopped();
    }
    void send(std::uint64_t begin, std::span<RowEntry const> from) override
    {
        if (!below_)
            return whole_.send(begin, from);
        if (!below_->put(from))
            throw_stopped();
    }

private:
    [[noreturn]] static void throw_stopped() { throw Error{Status::cancelled, "another device has ended the share"}; }
    RowLines & whole_;
    Line * const above_;
    Line * const below_;
};

struct DevicePart {
    std::unique_ptr<RowShare> share;
    std::uint64_t row = 0, rows = 0; // of the whole share
    Team * team = nullptr;
};

class StackedShare final : public RowShare {
public:
    explicit StackedShare(std::vector<DevicePart> parts) : parts_{std::move(parts)} {}

    SweptRows sweep(RowLines & lines, Monitor & monitor) override
    {
        std::deque<Line> between(parts_.size() - 1);
        std::vector<SweptRows> swept(parts_.size());
        std::atomic<bool> failed{false};
        std::mutex mutex; // of the failure
        std::exception_ptr failure;
        auto const work = [&](std::size_t k) {
            DeviceLines own{lines, k > 0 ? &between[k - 1] : nullptr, k + 1 < parts_.size() ? &between[k] : nullptr};
            try {
                with_monitor(monitor, k, failed, [&](Monitor & mine) { swept[k] = parts_[k].share->sweep(own, mine); });
            } catch (...) {
                std::lock_guard const lock{mutex};
                if (!failed.exchange(true))
                    failure = std::current_exception();
                for (Line & line : between)
                    line.stop();
            }
        };
        std::vector<std::thread> threads;
        try {
            NoSignals const none;
            for (std::size_t k = 1; k < parts_.size(); ++k)
                threads.emplace_back(work, k);
        } catch (std::system_error const &) {
            failure = std::make_exception_ptr(Error{Status::out_of_host_memory, "no thread can be started"});
            failed = true;
            for (Line & line : between)
                line.stop();
        }
        if (!failed)
            work(0);
        for (std::thread & thread : threads)
            thread.join();
        monitor.throw_if_stopped();
        if (failure)
            std::rethrow_exception(failure);
        return united(swept);
    }

    WalkedRows walk(path::Cursor const & from, Monitor & monitor) override
    {
        std::size_t k = parts_.size() - 1;
        while (k > 0 && parts_[k].row >= from.i)
            --k;
        path::Cursor own = from;
        own.i -= parts_[k].row;
        return walk_up(k, one(monitor, k, [&](Monitor & mine) { return parts_[k].share->walk(own, mine); }), true,
                       monitor);
    }
    WalkedRows walk_from_best(bool with_path, Monitor & monitor) override
    {
        return walk_up(best_part_,
                       one(monitor, best_part_,
                           [&](Monitor & mine) { return parts_[best_part_].share->walk_from_best(with_path, mine); }),
                       with_path, monitor);
    }

private:
    // work(a monitor of the device's own, which asks the share's)
    template <class Work>
    void with_monitor(Monitor & monitor, std::size_t k, std::atomic<bool> const & failed, Work const & work) const
    {
        std::uint64_t told = 0;
        Progress const ask = [&](std::uint64_t done, std::uint64_t) {
            monitor.poll(done - std::exchange(told, done)); // modulo 2^64: it may go back
            return !monitor.stopped() && !failed;
        };
        Monitor own{ask, UINT64_MAX, *parts_[k].team};
        work(own);
        own.report(0);
    }
    template <class Work>
    WalkedRows one(Monitor & monitor, std::size_t k, Work const & work) const
    {
        WalkedRows walked;
        std::atomic<bool> const failed{false};
        with_monitor(monitor, k, failed, [&](Monitor & mine) { walked = work(mine); });
        return walked;
    }

    // Best ends by the tie rule, as of one share: the first column, then the first row.
    SweptRows united(std::vector<SweptRows> const & swept)
    {
        SweptRows all;
        all.in_last_row = swept.back().in_last_row;
        all.in_last_row.i += parts_.back().row;
        all.corner = swept.back().corner;
        best_part_ = 0;
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            RowEnd const & best = swept[k].anywhere;
            if (best.score > all.anywhere.score || (best.score == all.anywhere.score && best.j < all.anywhere.j)) {
                all.anywhere = best;
                best_part_ = k;
            }
            if (RowEnd const & last = swept[k].in_last_column; last.score > all.in_last_column.score)
                all.in_last_column = {last.score, last.i + parts_[k].row, last.j};
        }
        return all;
    }

    // What part k has walked, and the parts above it.
    WalkedRows walk_up(std::size_t k, WalkedRows walked, bool goes_on, Monitor & monitor) const
    {
        WalkedRows all;
        all.end = walked.end;
        all.end.i += parts_[k].row;
        CigarBuilder cigar;
        for (;; --k) {
            for (auto run = walked.runs.rbegin(); run != walked.runs.rend(); ++run)
                cigar.add(run_op(*run), run_length(*run));
            all.begin = walked.begin;
            if (!goes_on || k == 0 || all.begin.i > 0 || all.begin.j == 0 || all.begin.stopped)
                break;
            path::Cursor from = all.begin;
            from.i = parts_[k - 1].rows;
            walked = one(monitor, k - 1, [&](Monitor & mine) { return parts_[k - 1].share->walk(from, mine); });
        }
        all.begin.i += parts_[k].row;
        cigar.finish(all.runs);
        return all;
    }

    std::vector<DevicePart> const parts_;
    std::size_t best_part_ = 0;
};

} // namespace

DeviceRows::DeviceRows(std::vector<RowDevice> devices, RowRules const & rules) :
    devices_{std::move(devices)}, rules_{rules}
{}

RowPace DeviceRows::pace() const
{
    std::vector<RowPace> all;
    for (RowDevice const & device : devices_)
        all.push_back(device.engine->pace());
    return united(all);
}

RowDeal DeviceRows::deal(std::uint64_t m, std::uint64_t n) const
{
    std::vector<RowPlace> places;
    std::uint64_t const unit = pace().unit_rows;
    for (RowDevice const & device : devices_) {
        places.push_back({static_cast<int>(places.size()), device.engine->pace()});
        places.back().pace.unit_rows = unit;
    }
    return deal_rows(m, n, places, rules_);
}

std::unique_ptr<RowShare> DeviceRows::share(RowTask const & task)
{
    PairView const & pair = task.pair;
    std::vector<RowPart> rows = deal(pair.m, pair.n).parts;
    if (rows.empty())
        rows.push_back({0, 0, pair.m});
    std::uint64_t const lines = rows.size() * most_lines * sizeof(RowEntry) * std::min(pair.n, task.panel_cols),
                        limit = rest_of_limit(task.max_host_bytes, lines);
    std::vector<DevicePart> parts;
    for (RowPart const & part : rows) {
        RowDevice const & device = devices_[static_cast<std::size_t>(part.rank)];
        RowTask const own{{pair.query + part.row, part.rows, pair.target, pair.n},
                          task.row + part.row,
                          task.all_rows,
                          task.panel_cols,
                          task.scoring,
                          task.request,
                          limit == 0 ? 0 : std::max<std::uint64_t>(1, limit / rows.size())};
        parts.push_back({device.engine->share(own), part.row, part.rows, device.team});
    }
    return std::make_unique<StackedShare>(std::move(parts));
}

} // namespace nwgpu::places
