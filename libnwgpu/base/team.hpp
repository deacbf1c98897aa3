// SPDX-License-Identifier: BSD-3-Clause
// The threads of a context, kept from call to call.  Between calls they sleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace nwgpu {

// How many processors this process may use.
int usable_processors();

// A team needs nothing to work: a thread that cannot be started, for want of memory or because the system allows no
// more, is missing, and the calling thread does its work.  In a child made by fork(), which has none of its parent's
// threads, a team starts new ones.
class Team {
public:
    // Threads at most, the calling one included; 0: one for each usable processor.  They are started when they are
    // needed.
    explicit Team(int size = 0);
    ~Team();
    Team(Team const &) = delete;

    int size() const { return size_; }

    // Calls body(0) on this thread and, at the same time, body(k) with other k below `threads` on other threads;
    // returns when all calls have ended.  Which k there are besides 0 is not known before: threads that cannot be
    // started are missing, and so are those that have not come when body(0) returns.  So a body takes its pieces of the
    // work from a common counter until there are no more.
    //
    // What a body throws is thrown again here, when all have ended; if several throw, the first.  The others are not
    // told: a body that throws first ends what others wait for.
    //
    // A call from within a body, or while another thread is in here, does all work on the calling thread.
    //
    // `wake`: also threads that have fallen asleep since the last call; that takes some 10 microseconds.
    template <class Body>
    void run(int threads, Body const & body, bool wake = true)
    {
        run(threads, Job{[](void const * of, int k) { (*static_cast<Body const *>(of))(k); }, &body}, wake);
    }

private:
    struct Job {
        void (*call)(void const * body, int k) = nullptr;
        void const * body = nullptr;
    };
    struct Worker;

    void run(int threads, Job job, bool wake);
    int start(int workers);
    void work(int k);
    void serve(Worker & worker);

    int const size_;
    std::vector<std::unique_ptr<Worker>> workers_;
    unsigned process_ = 0;        // whose threads the workers are
    std::atomic_flag busy_{};     // run() is at work
    Job job_;                     // of run()
    std::atomic<int> at_work_{0}; // workers that were called and have not ended
    std::atomic_flag has_failed_{};
    std::exception_ptr failure_; // what was thrown first
};

} // namespace nwgpu
