// SPDX-License-Identifier: BSD-3-Clause
// Reading the next batch, and writing the last one, while this one is aligned: a thread each, one batch apart.
#pragma once

#include "app.hpp"
#include "failure.hpp"
#include "interrupt.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace cli {

constexpr std::chrono::milliseconds look_again{100}; // whether Ctrl-C was pressed

// Whether the task ends before Ctrl-C was seen `grace` times.  Tasks run in threads of their own; where none can be
// had, when get() is called (the default of std::async).
template <typename Result>
bool ends_before_interrupt(std::future<Result> const & task, int grace = 1)
{
    for (int looks = 0; task.wait_for(look_again) == std::future_status::timeout;)
        if (interrupted() && ++looks == grace)
            return false;
    return true;
}

[[noreturn]] inline void leave_interrupted(char const * message)
{
    std::fprintf(stderr, "nwgpu: interrupted; %s\n", message);
    std::_Exit(exit_interrupted);
}

// Runs a task that may wait for a pipe for ever, before anything is written: Ctrl-C ends the process here.
template <typename Task>
void run_interruptibly(Task task)
{
    std::future<void> done = std::async(std::move(task));
    if (!ends_before_interrupt(done))
        leave_interrupted("nothing was written");
    done.get();
}

// Calls `read`, some items ahead, in a thread of its own.  More than one pay where items are small: threads that wait
// for each other after each of them take longer to wake up than to read.
template <typename Item>
class ReadAhead {
public:
    explicit ReadAhead(std::function<std::optional<Item>()> read, std::size_t most = 1) :
        read_(std::move(read)), most_(most)
    {}
    // Waits for `read`, which may take for ever where it waits for a pipe.
    ~ReadAhead()
    {
        {
            std::lock_guard const lock(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        if (thread_.joinable())
            thread_.join();
    }

    // The next item, nothing at the end.  Rethrows what its reading threw, which is the end; Interrupted when Ctrl-C
    // comes first.  stops(): whether nothing is wanted any more.
    template <typename Stops>
    std::optional<Item> next(Stops const & stops)
    {
        if (stops())
            return std::nullopt;
        std::unique_lock lock(mutex_);
        if (!start())
            return read_();
        while (!changed_.wait_for(lock, look_again, [this] { return !ahead_.empty() || ended_; }))
            if (interrupted())
                throw Interrupted();
            else if (stops())
                return std::nullopt;
        if (!ahead_.empty()) {
            std::optional<Item> item = std::move(ahead_.front());
            ahead_.pop_front();
            reading_ = !ended_;
            lock.unlock();
            changed_.notify_all();
            return item;
        }
        if (failure_)
            std::rethrow_exception(std::exchange(failure_, nullptr));
        return std::nullopt;
    }

    std::optional<Item> next()
    {
        return next([] { return false; });
    }

    // Begins before anything is asked for.  False where no thread can be had: next() reads.
    bool begin()
    {
        std::lock_guard const lock(mutex_);
        return start();
    }

    // Whether `read` runs still.
    bool reading() const
    {
        std::lock_guard const lock(mutex_);
        return reading_;
    }

private:
    // False where no thread can be had.
    bool start()
    {
        if (thread_.joinable())
            return true;
        try {
            thread_ = std::thread([this] { read_all(); });
            reading_ = true;
        } catch (std::system_error const &) {
        }
        return reading_;
    }

    void read_all()
    {
        std::unique_lock lock(mutex_);
        while (!ended_ && !ends_) {
            lock.unlock();
            std::optional<Item> item;
            std::exception_ptr failure;
            try {
                item = read_();
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            ended_ = !item;
            failure_ = failure;
            if (item)
                ahead_.push_back(*std::move(item));
            reading_ = !ended_ && ahead_.size() < most_;
            changed_.notify_all();
            changed_.wait(lock, [this] { return ahead_.size() < most_ || ends_; });
        }
    }

    std::function<std::optional<Item>()> const read_;
    std::size_t const most_;
    mutable std::mutex mutex_; // of all below
    std::condition_variable changed_;
    std::deque<Item> ahead_;
    std::exception_ptr failure_;
    bool reading_ = false, ended_ = false, ends_ = false; // within `read`; nothing more to read; nothing more is wanted
    std::thread thread_;
};

// Calls `write` for each item, in order, one item behind.
template <typename Item>
class WriteBehind {
public:
    explicit WriteBehind(std::function<void(Item)> write) : write_(std::move(write)) {}

    // Rethrows what writing the item before threw.
    void push(Item item)
    {
        wait();
        behind_ = std::async([this, item = std::move(item)]() mutable {
            write_(std::move(item)); // whose memory goes when it is written
        });
    }

    // Ctrl-C ends the process where writing goes on for longer than seconds: into a pipe that nobody reads, perhaps.
    void wait()
    {
        if (!behind_.valid())
            return;
        if (!ends_before_interrupt(behind_, 20))
            leave_interrupted("the output is incomplete");
        behind_.get();
    }

private:
    std::function<void(Item)> write_;
    std::future<void> behind_;
};

// align_all() returns the exit code.  Where it throws, what is complete is written; and where the reader still runs, as
// it may wait for a pipe that stays open, the process ends here.  drop_output() closes the output as well as it can.
template <typename Read, typename Written>
int run_stages(ReadAhead<Read> const & reader, WriteBehind<Written> & behind, std::function<int()> const & align_all,
               std::function<void()> const & drop_output)
{
    try {
        return align_all();
    } catch (...) {
        try {
            behind.wait();
        } catch (...) { // the first error is told
        }
        if (!reader.reading())
            throw;
        int const code = report_error();
        drop_output();
        std::_Exit(code);
    }
}

} // namespace cli
