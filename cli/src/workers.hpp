// SPDX-License-Identifier: BSD-3-Clause
// Items that several threads work on, each on one of its own, and whose results are taken in order.
#pragma once

#include "background.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace cli {

// Calls work(k, item) with other k at the same time, each k below `count` by one thread, and take(result) by one thread
// more.  Threads start when they are needed; where none can be had, push() does their work.
template <typename Item, typename Result>
class Workers {
public:
    using Work = std::function<Result(int, Item)>;
    using Take = std::function<void(Result)>;

    // most_size: of items that are not taken yet, but one alone may have more.
    Workers(int count, std::uint64_t most_size, Work work, Take take) :
        count_(count), most_size_(most_size), work_(std::move(work)), take_(std::move(take))
    {}

    // Begun items are finished.
    ~Workers()
    {
        {
            std::lock_guard const lock(mutex_);
            ends_ = true;
            items_.clear();
        }
        more_.notify_all();
        ready_.notify_all();
        for (std::thread & thread : threads_)
            thread.join();
        if (taker_.joinable())
            taker_.join();
    }

    // From now on so many times as many items may wait to be taken, and as large ones, as long as those are not very
    // large; 1 at first.
    void let_wait(std::uint64_t times)
    {
        {
            std::lock_guard const lock(mutex_);
            times_ = times;
        }
        room_.notify_one();
    }

    // Whether an item has failed: finish() throws its failure, and push() does nothing.
    bool failed() const
    {
        std::lock_guard const lock(mutex_);
        return failure_ != nullptr;
    }

    // Waits while there is enough to do, or what is not taken yet has too large a size.  Throws Interrupted when Ctrl-C
    // comes first.
    void push(Item item, std::uint64_t size)
    {
        std::unique_lock lock(mutex_);
        wait(lock, 1, [&] { return failure_ || has_room(size); });
        if (failure_)
            return;
        items_.push_back(std::move(item));
        results_.emplace_back().size = size;
        size_ += size;
        if (!taker_.joinable())
            start(taker_, [this] { take_results(); });
        if (idle_ == 0 && static_cast<int>(threads_.size()) < count_)
            if (std::thread thread; start(thread, [this, k = static_cast<int>(threads_.size())] { serve(k); }))
                threads_.push_back(std::move(thread));
        more_.notify_one();
        if (threads_.empty())
            work_next(lock, 0);
        if (!taker_.joinable())
            take_ready(lock);
    }

    // Returns when all results are taken.  Throws what failed first; the results before it are taken, no others.
    void finish()
    {
        std::unique_lock lock(mutex_);
        wait(lock, written_grace,
             [&] { return (failure_ || results_.empty()) && !taking_ && idle_ == static_cast<int>(threads_.size()); });
        if (failure_)
            std::rethrow_exception(failure_);
    }

private:
    static constexpr std::uint64_t very_large = 1 << 30;
    static constexpr int written_grace = 20; // looks for Ctrl-C: results may go into a pipe that nobody reads

    struct Outcome {
        std::uint64_t size = 0;
        std::optional<Result> result; // neither: it is not there yet
        std::exception_ptr failure;
    };

    std::size_t most_waiting() const { return 2 + static_cast<std::size_t>(count_) / 4; }
    std::size_t most_results() const { return times_ * 2 * static_cast<std::size_t>(count_) + most_waiting(); }

    bool has_room(std::uint64_t size) const
    {
        return results_.empty() || (items_.size() < most_waiting() && results_.size() < most_results() &&
                                    size_ + size <= std::max(most_size_, std::min(times_ * most_size_, very_large)));
    }

    template <typename Task>
    static bool start(std::thread & thread, Task task)
    {
        try {
            thread = std::thread(std::move(task));
        } catch (std::system_error const &) {
            return false;
        }
        return true;
    }

    template <typename Ready>
    void wait(std::unique_lock<std::mutex> & lock, int grace, Ready const & ready)
    {
        for (int looks = 0; !ready();)
            if (!room_.wait_for(lock, look_again, ready) && interrupted() && ++looks == grace) {
                if (grace == 1)
                    throw Interrupted();
                leave_interrupted("the output is incomplete");
            }
    }

    void serve(int k)
    {
        std::unique_lock lock(mutex_);
        for (;;) {
            ++idle_;
            room_.notify_one();
            more_.wait(lock, [&] { return ends_ || !items_.empty(); });
            --idle_;
            if (items_.empty())
                return;
            work_next(lock, k);
        }
    }

    void work_next(std::unique_lock<std::mutex> & lock, int k)
    {
        std::uint64_t const number = taken_ + results_.size() - items_.size();
        Item item = std::move(items_.front());
        items_.pop_front();
        lock.unlock();
        room_.notify_one();
        Outcome outcome;
        try {
            outcome.result.emplace(work_(k, std::move(item)));
        } catch (...) {
            outcome.failure = std::current_exception();
        }
        lock.lock();
        if (!failure_) {
            Outcome & place = results_[number - taken_];
            outcome.size = place.size;
            place = std::move(outcome);
        }
        if (is_ready())
            ready_.notify_one();
    }

    bool is_ready() const { return !results_.empty() && (results_.front().result || results_.front().failure); }

    void take_results()
    {
        std::unique_lock lock(mutex_);
        for (;;) {
            ready_.wait(lock, [&] { return ends_ || is_ready(); });
            if (!is_ready())
                return;
            take_ready(lock);
        }
    }

    void take_ready(std::unique_lock<std::mutex> & lock)
    {
        while (!failure_ && is_ready()) {
            Outcome outcome = std::move(results_.front());
            taking_ = true;
            lock.unlock();
            if (outcome.result)
                try {
                    take_(std::move(*outcome.result));
                } catch (...) {
                    outcome.failure = std::current_exception();
                }
            lock.lock();
            taking_ = false;
            size_ -= outcome.size;
            results_.pop_front();
            ++taken_;
            if (outcome.failure) {
                failure_ = outcome.failure;
                items_.clear();
                results_.clear();
            }
            room_.notify_one();
        }
    }

    int const count_;
    std::uint64_t const most_size_;
    Work const work_;
    Take const take_;
    mutable std::mutex mutex_;                    // of all below
    std::condition_variable more_, ready_, room_; // items for threads, a result to take, and room for items
    std::deque<Item> items_;                      // that nobody works on yet
    std::deque<Outcome> results_;                 // of the items that are not taken yet, in order
    std::uint64_t taken_ = 0, size_ = 0;          // of the results
    std::uint64_t times_ = 1;
    int idle_ = 0;
    bool taking_ = false, ends_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
    std::thread taker_;
};

} // namespace cli
