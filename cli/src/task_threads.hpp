// SPDX-License-Identifier: BSD-3-Clause
// Threads that are kept for short tasks: to start one takes as long as some of them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace cli {

template <typename Result>
class TaskThreads {
public:
    using Task = std::packaged_task<Result()>;

    // waiting: so many tasks wait for each busy thread before another one is woken up, where that takes longer than a
    // good part of a task.
    explicit TaskThreads(std::size_t most, std::size_t waiting = 0) : most_(most), waiting_(waiting) {}

    // Tasks that have not begun never do.
    ~TaskThreads()
    {
        {
            std::lock_guard const lock(mutex_);
            ends_ = true;
        }
        more_.notify_all();
        for (std::thread & thread : threads_)
            thread.join();
    }

    // Where no thread can be had, the caller's.
    std::future<Result> submit(Task task)
    {
        std::future<Result> result = task.get_future();
        std::unique_lock lock(mutex_);
        bool const needs_thread = tasks_.size() >= waiting_ * (threads_.size() - idle_);
        if (needs_thread && idle_ <= tasks_.size() && threads_.size() < most_)
            try {
                threads_.emplace_back([this] { serve(); });
            } catch (std::system_error const &) {
            }
        if (threads_.empty()) {
            task();
            return result;
        }
        tasks_.push_back(std::move(task));
        lock.unlock();
        if (needs_thread)
            more_.notify_one();
        return result;
    }

private:
    void serve()
    {
        std::unique_lock lock(mutex_);
        for (;;) {
            ++idle_;
            more_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
            --idle_;
            if (ends_)
                return;
            Task task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            task();
            lock.lock();
        }
    }

    std::size_t const most_, waiting_;
    std::mutex mutex_; // of all below
    std::condition_variable more_;
    std::deque<Task> tasks_; // that nobody has begun
    std::size_t idle_ = 0;
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

} // namespace cli
