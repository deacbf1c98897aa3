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
// threads, a team starts new ones.  Its threads take no signals.
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
    // started are missing, and so are those that have not come when the others have ended.  So a body takes its pieces
    // of the work from a common counter until there are no more.
    //
    // What a body throws is thrown again here, when all have ended; if several throw, the first.  The others are not
    // told: a body that throws first ends what others wait for.
    //
    // A call from within a body is an inner one: threads whose own bodies have ended, and those in help_until(), come
    // to it one by one, for as long as it lasts.  A call while another thread is in here, or from within a body of an
    // inner call, does all work on the calling thread.
    //
    // `wake`: also threads that have fallen asleep since the last call; that takes some 10 microseconds.
    template <class Body>
    void run(int threads, Body const & body, bool wake = true)
    {
        run(threads, job_of(body), wake, {});
    }
    // The same; when body(0) has ended, this thread calls waiting() whenever it is rung, until the other calls have
    // ended: after look_again() at the latest.  It does not throw.
    template <class Body, class Waiting>
    void run(int threads, Body const & body, bool wake, Waiting const & waiting)
    {
        auto const with_number = [&](int) { waiting(); };
        run(threads, job_of(body), wake, job_of(with_number));
    }

    // While it lives, threads wait for half a millisecond before they sleep: for calls that follow each other with
    // pauses that are not much longer than waking up takes.
    class Awake {
    public:
        explicit Awake(Team & team) : team_{team} { ++team_.kept_awake_; }
        ~Awake() { --team_.kept_awake_; }
        Awake(Awake const &) = delete;

    private:
        Team & team_;
    };

    // From within a body: takes part in the inner calls of other bodies until `is_ready`(), which is asked again after
    // each of them and after look_again().
    template <class IsReady>
    void help_until(IsReady const & is_ready)
    {
        for (;;) {
            std::uint32_t const seen = rings_here();
            if (is_ready())
                return;
            help_or_wait(seen);
        }
    }
    // From within a body: who waits in help_until() asks again.
    void look_again();

private:
    struct Job {
        void (*call)(void const * body, int k) = nullptr;
        void const * body = nullptr;
    };
    template <class Body>
    static Job job_of(Body const & body)
    {
        return {[](void const * of, int k) { (*static_cast<Body const *>(of))(k); }, &body};
    }
    // Calls of a job's body, and what the first of them has thrown.
    struct Calls {
        Job job;
        std::atomic_flag has_failed{};
        std::exception_ptr failure;

        void call(int k);
        void rethrow();
    };
    struct Member;
    struct Place { // of a thread that is in a body
        Team * team = nullptr;
        Member * member = nullptr;
    };
    static thread_local Place here_;

    void run(int threads, Job job, bool wake, Job waiting);
    void run_inner(Member & owner, int threads, Job job, bool wake);
    int start(int workers);
    Member & member(int k) const { return *members_.data()[k]; }
    void serve(Member & member);
    void call_next(int k);
    void call_helpers(bool wake);
    Member * find_inner(Member const & helper) const;
    void help(Member & owner);
    std::uint32_t rings_here() const;
    void help_or_wait(std::uint32_t seen);

    int const processors_; // found before there are threads: fork() may come at any time for them
    int const size_;
    std::vector<std::unique_ptr<Member>> members_; // the first is the thread that is in run()
    unsigned process_ = 0;                         // whose threads the members are
    std::atomic_flag busy_{};                      // run() is at work
    Calls calls_;                                  // of run()
    std::atomic<int> kept_awake_{0};               // by so many
    std::atomic<int> called_{0};                   // workers that run() has called, and that help
    bool wakes_ = false;                           // of run()
    std::atomic<int> at_work_{0};                  // bodies that have begun and not ended
    std::atomic<int> idle_{0};                     // members that wait for a call or an inner one
};

} // namespace nwgpu
