// SPDX-License-Identifier: BSD-3-Clause
// One thread that runs tasks one after another, for as long as a range of pairs is read.
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

namespace nwgpu::seqan3::detail {

template <typename answer_t>
class worker {
public:
    worker() = default;
    worker(worker const &) = delete;
    ~worker()
    {
        if (!thread_.joinable())
            return;
        {
            std::lock_guard const lock{mutex_};
            stopping_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    template <typename work_t>
    std::future<answer_t> start(work_t && work)
    {
        std::packaged_task<answer_t()> task{std::forward<work_t>(work)};
        std::future<answer_t> answer = task.get_future();
        {
            std::lock_guard const lock{mutex_};
            tasks_.push_back(std::move(task));
        }
        changed_.notify_one();
        if (!thread_.joinable())
            thread_ = std::thread{[this] { serve(); }};
        return answer;
    }

private:
    void serve()
    {
        std::unique_lock lock{mutex_};
        while (true) {
            changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
            if (stopping_)
                return;
            auto task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            task();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::packaged_task<answer_t()>> tasks_;
    bool stopping_ = false;
    std::thread thread_; // last: it uses the others
};

} // namespace nwgpu::seqan3::detail
