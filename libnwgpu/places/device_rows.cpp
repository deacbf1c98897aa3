// SPDX-License-Identifier: BSD-3-Clause
#include "places/device_rows.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "backend/inner_monitor.hpp"
#include "base/ceil_div.hpp"
#include "base/no_signals.hpp"
#include "base/rest_of_limit.hpp"
#include "places/device_lines.hpp"

namespace nwgpu::places {

namespace {

struct DevicePart {
    std::size_t device = 0, number = 0; // among the device's parts
    std::size_t whole = 0;              // the part of the whole share that it is some rows of
    std::uint64_t row = 0, rows = 0;    // of that part
};
struct DeviceShare { // the parts of one device
    std::unique_ptr<RowShare> share;
    Team * team = nullptr;
};

class StackedShare final : public RowShare {
public:
    StackedShare(std::vector<DeviceShare> devices, std::vector<DevicePart> parts) :
        devices_{std::move(devices)}, parts_{std::move(parts)}
    {}

    std::vector<SweptRows> sweep(RowLines & lines, Monitor & monitor) override
    {
        std::deque<DeviceLine> between(parts_.size() - 1);
        std::vector<std::vector<DeviceLines::Ends>> ends(devices_.size());
        for (std::size_t k = 0; k < parts_.size(); ++k)
            ends[parts_[k].device].push_back(
                {is_first(k) ? nullptr : &between[k - 1], is_last(k) ? nullptr : &between[k], parts_[k].whole});
        std::vector<std::vector<SweptRows>> swept(devices_.size());
        std::atomic<std::int64_t> best{0};
        auto const stop = [&] {
            for (DeviceLine & line : between)
                line.stop();
        };
        on_all(
            monitor,
            [&](std::size_t d, Monitor & mine) {
                DeviceLines own{lines, ends[d], best};
                swept[d] = devices_[d].share->sweep(own, mine);
            },
            stop);
        swept_.clear();
        for (DevicePart const & part : parts_)
            swept_.push_back(swept[part.device][part.number]);
        return united();
    }

    WalkedRows walk(std::size_t part, path::Cursor const & from, Monitor & monitor) override
    {
        std::size_t k = last_of(part);
        while (!is_first(k) && parts_[k].row >= from.i)
            --k;
        path::Cursor own = from;
        own.i -= parts_[k].row;
        return walk_up(k, walk_part(k, own, monitor), true, monitor);
    }
    WalkedRows walk_from_best(std::size_t part, bool with_path, Monitor & monitor) override
    {
        std::size_t const k = best_parts_[part];
        WalkedRows walked = one(monitor, parts_[k].device, [&](RowShare & share, Monitor & mine) {
            return share.walk_from_best(parts_[k].number, with_path, mine);
        });
        return walk_up(k, std::move(walked), with_path, monitor);
    }

    std::vector<checkpoint::Slab> slabs(std::size_t part, RowEnd const & above, Monitor & monitor) override
    {
        std::size_t const last = last_of(part);
        std::size_t first = last;
        while (!is_first(first))
            --first;
        std::vector<RowEnd> ends{above}; // of the rows above each part of a device
        for (std::size_t k = first; k < last; ++k)
            ends.push_back(goes_before(swept_[k].anywhere, ends.back()) ? swept_[k].anywhere : ends.back());
        std::vector<std::vector<checkpoint::Slab>> slabs(last - first + 1);
        on_all(
            monitor,
            [&](std::size_t device, Monitor & mine) {
                for (std::size_t k = first; k <= last; ++k)
                    if (parts_[k].device == device)
                        slabs[k - first] = devices_[device].share->slabs(parts_[k].number, ends[k - first], mine);
            },
            [] {});
        std::vector<checkpoint::Slab> all;
        for (auto & of_part : slabs)
            std::move(of_part.begin(), of_part.end(), std::back_inserter(all));
        return all;
    }

private:
    // work(a monitor of the device's own, which asks the share's)
    template <class Work>
    void with_monitor(Monitor & monitor, std::size_t device, std::atomic<bool> const & failed, Work const & work) const
    {
        InnerMonitor inner{monitor, *devices_[device].team, [&] { return !failed; }};
        work(inner.monitor());
        inner.monitor().report(0);
    }
    // work(device, its monitor) on all devices at once; stop(): they are to end, as one has failed.
    template <class Work, class Stop>
    void on_all(Monitor & monitor, Work const & work, Stop const & stop) const
    {
        std::atomic<bool> failed{false};
        std::mutex mutex; // of the failure
        std::exception_ptr failure;
        auto const fail = [&](std::exception_ptr const & why) {
            std::lock_guard const lock{mutex};
            if (!failed.exchange(true))
                failure = why;
            stop();
        };
        auto const run = [&](std::size_t d) {
            try {
                with_monitor(monitor, d, failed, [&](Monitor & mine) { work(d, mine); });
            } catch (...) {
                fail(std::current_exception());
            }
        };
        std::vector<std::thread> threads;
        threads.reserve(devices_.size());
        try {
            NoSignals const none;
            for (std::size_t d = 1; d < devices_.size(); ++d)
                threads.emplace_back(run, d);
        } catch (std::system_error const &) {
            fail(std::make_exception_ptr(Error{Status::out_of_host_memory, "no thread can be started"}));
        }
        if (!failed)
            run(0);
        for (std::thread & thread : threads)
            thread.join();
        monitor.throw_if_stopped();
        if (failure)
            std::rethrow_exception(failure);
    }
    template <class Work>
    WalkedRows one(Monitor & monitor, std::size_t device, Work const & work) const
    {
        WalkedRows walked;
        std::atomic<bool> const failed{false};
        with_monitor(monitor, device, failed, [&](Monitor & mine) { walked = work(*devices_[device].share, mine); });
        return walked;
    }
    WalkedRows walk_part(std::size_t k, path::Cursor const & from, Monitor & monitor) const
    {
        return one(monitor, parts_[k].device,
                   [&](RowShare & share, Monitor & mine) { return share.walk(parts_[k].number, from, mine); });
    }

    bool is_first(std::size_t k) const { return k == 0 || parts_[k - 1].whole != parts_[k].whole; }
    bool is_last(std::size_t k) const { return k + 1 == parts_.size() || parts_[k + 1].whole != parts_[k].whole; }
    std::size_t last_of(std::size_t whole) const
    {
        std::size_t k = parts_.size() - 1;
        while (parts_[k].whole != whole)
            --k;
        return k;
    }

    // Best ends by the tie rule, as of one share: the first column, then the first row.
    std::vector<SweptRows> united()
    {
        std::vector<SweptRows> all(parts_.back().whole + 1);
        best_parts_.assign(all.size(), 0);
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            SweptRows const & one = swept_[k];
            SweptRows & whole = all[parts_[k].whole];
            if (is_first(k) || goes_before(one.anywhere, whole.anywhere)) {
                whole.anywhere = one.anywhere;
                best_parts_[parts_[k].whole] = k;
            }
            if (RowEnd const & last = one.in_last_column; last.score > whole.in_last_column.score)
                whole.in_last_column = {last.score, last.i + parts_[k].row, last.j};
            if (!is_last(k))
                continue;
            whole.in_last_row = one.in_last_row;
            whole.in_last_row.i += parts_[k].row;
            whole.corner = one.corner;
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
            cigar.add(walked.runs);
            all.begin = walked.begin;
            if (!goes_on || is_first(k) || all.begin.i > 0 || all.begin.j == 0 || all.begin.stopped)
                break;
            path::Cursor from = all.begin;
            from.i = parts_[k - 1].rows;
            walked = walk_part(k - 1, from, monitor);
        }
        all.begin.i += parts_[k].row;
        cigar.finish(all.runs);
        return all;
    }

    std::vector<DeviceShare> const devices_;
    std::vector<DevicePart> const parts_; // from the top to the bottom
    std::vector<SweptRows> swept_;        // of each of them
    std::vector<std::size_t> best_parts_; // of each part of the whole share
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

RowDeal DeviceRows::deal(std::uint64_t m, std::uint64_t n, Scoring const * whole) const
{
    std::vector<RowPlace> places;
    for (RowDevice const & device : devices_)
        places.push_back(
            {static_cast<int>(places.size()),
             whole ? device.engine->pace_of(ceil_div(m, devices_.size()), *whole) : device.engine->pace()});
    give_one_unit(places); // the last device ends where a share does
    return deal_rounds(m, n, places, rules_);
}

std::unique_ptr<RowShare> DeviceRows::share(RowTask const & task)
{
    PairView const & pair = task.pair;
    std::vector<std::vector<RowRange>> ranges(devices_.size()); // of the whole share
    bool const is_whole = pair.m == task.all_rows; // of a part, strips are those that all ranks reckon with
    std::vector<DevicePart> parts;
    std::uint64_t panel_cols = task.panel_cols; // of a place that is alone the devices' own
    for (std::size_t whole = 0; whole < task.part_count(); ++whole) {
        RowRange const range = task.part(whole);
        RowDeal dealt = deal(range.rows, pair.n, is_whole ? &task.scoring : nullptr);
        if (dealt.parts.empty())
            dealt.parts.push_back({0, 0, range.rows});
        if (panel_cols == UINT64_MAX)
            panel_cols = dealt.panel_cols;
        for (RowPart const & part : dealt.parts) {
            auto const device = static_cast<std::size_t>(part.rank);
            parts.push_back({device, ranges[device].size(), whole, part.row, part.rows});
            ranges[device].push_back({range.row + part.row, part.rows});
        }
    }
    std::erase_if(ranges, [](auto const & of_device) { return of_device.empty(); }); // the first devices have rows
    std::uint64_t const lines =
                            parts.size() * DeviceLine::most_panels * sizeof(RowEntry) * std::min(pair.n, panel_cols),
                        limit = rest_of_limit(task.max_host_bytes, lines);
    std::vector<DeviceShare> shares;
    for (std::size_t d = 0; d < ranges.size(); ++d) {
        std::uint64_t const first = ranges[d].front().row, end = ranges[d].back().row + ranges[d].back().rows;
        for (RowRange & range : ranges[d])
            range.row -= first;
        RowTask own{{pair.query + first, end - first, pair.target, pair.n},
                    task.row + first,
                    task.all_rows,
                    panel_cols,
                    task.scoring,
                    task.request,
                    limit == 0 ? 0 : std::max<std::uint64_t>(1, limit / ranges.size()),
                    task.max_slab_bytes == UINT64_MAX ? UINT64_MAX : ceil_div(task.max_slab_bytes, ranges.size()),
                    task.known_score};
        own.parts = std::move(ranges[d]);
        shares.push_back({devices_[d].engine->share(own), devices_[d].team});
    }
    return std::make_unique<StackedShare>(std::move(shares), std::move(parts));
}

} // namespace nwgpu::places
