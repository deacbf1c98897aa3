// SPDX-License-Identifier: BSD-3-Clause
// Reading the next batch, and writing the last one, while this one is aligned: a thread each, one batch apart.
#pragma once

#include "app.hpp"
#include "failure.hpp"
#include "interrupt.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <optional>
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

// Calls `read`, one item ahead.
template <typename Item>
class ReadAhead {
public:
    explicit ReadAhead(std::function<std::optional<Item>()> read) : read_(std::move(read)) {}

    // The next item, nothing at the end.  Rethrows what its reading threw; Interrupted when Ctrl-C comes first.
    std::optional<Item> next()
    {
        if (!ahead_.valid())
            start();
        if (!ends_before_interrupt(ahead_))
            throw Interrupted();
        std::optional<Item> item = ahead_.get();
        if (item)
            start();
        return item;
    }

    // Whether `read` runs still.  The destructor waits for it, which may take for ever where it waits for a pipe.
    bool reading() const
    {
        return ahead_.valid() && ahead_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
    }

private:
    void start() { ahead_ = std::async(read_); }

    std::function<std::optional<Item>()> read_;
    std::future<std::optional<Item>> ahead_;
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
