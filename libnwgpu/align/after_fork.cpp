// SPDX-License-Identifier: BSD-3-Clause
// A worker thread, and the questions that it puts to the thread which waits for it.
#include "align/after_fork.hpp"

#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include <pthread.h>

namespace nwgpu {

namespace {

bool in_child = false; // of a process that had loaded the library
[[maybe_unused]] int const watch = pthread_atfork(nullptr, nullptr, [] { in_child = true; });

class Worker {
public:
    Worker(std::function<void(Progress const &)> const & work, bool reports) :
        task_{[this, &work, reports] {
            work(reports ? Progress{[this](auto done, auto total) { return ask(done, total); }} : Progress{});
        }},
        thread_{[this] { run(); }}
    {}

    // Answers the worker's reports until it is done; throws what the work threw.
    void serve(Progress const & progress)
    {
        std::unique_lock lock{mutex_};
        while (true) {
            changed_.wait(lock, [&] { return done_ || (report_ && !answer_); });
            if (done_)
                break;
            answer_ = progress(report_->done, report_->total);
            changed_.notify_all();
        }
        lock.unlock();
        thread_.join();
        task_.get_future().get();
    }

private:
    struct Report {
        std::uint64_t done, total;
    };

    void run()
    {
        task_();
        std::lock_guard const lock{mutex_};
        done_ = true;
        changed_.notify_all();
    }

    bool ask(std::uint64_t done, std::uint64_t total)
    {
        std::unique_lock lock{mutex_};
        report_ = Report{done, total};
        changed_.notify_all();
        changed_.wait(lock, [&] { return answer_.has_value(); });
        bool const go_on = *answer_;
        report_.reset();
        answer_.reset();
        return go_on;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Report> report_;
    std::optional<bool> answer_;
    bool done_ = false;
    std::packaged_task<void()> task_; // keeps what the work throws
    std::thread thread_;              // last: it uses the others
};

} // namespace

void run_with_live_threads(std::function<void(Progress const &)> const & work, Progress const & progress)
{
    if (in_child)
        Worker{work, static_cast<bool>(progress)}.serve(progress);
    else
        work(progress);
}

} // namespace nwgpu
