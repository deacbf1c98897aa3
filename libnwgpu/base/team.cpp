// SPDX-License-Identifier: BSD-3-Clause
#include "base/team.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sched.h>
#include <signal.h>

namespace nwgpu {

namespace {

// Who waits looks again and again for so long, and sleeps then, as waking up takes longer: for long if the last wait
// was short enough to end in that time, else for little, so that no processor is kept from others in vain.
constexpr std::chrono::microseconds long_patience{100}, short_patience{20}, awake_patience{500};

// So many are woken by one member, and as many again by each of them; for an inner call, which is shorter, fewer.
constexpr int wakes_of_one = 16, wakes_of_helper = 4;

// Threads of all teams that are at work or look for it.
std::atomic<int> awake{0};

// Counts forks: 1 in a child, 2 in its child.
unsigned process = 0;
[[maybe_unused]] int const watch = pthread_atfork(nullptr, nullptr, [] {
    ++process;
    awake = 0;
});

void pause()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

enum class Order : int { none, come, is_here, end };

} // namespace

int usable_processors()
{
    for (int most = 1024; most <= 1 << 20; most *= 2) // the kernel refuses sets that are smaller than its own
        if (cpu_set_t * const set = CPU_ALLOC(most)) {
            std::size_t const bytes = CPU_ALLOC_SIZE(most);
            int const count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
            CPU_FREE(set);
            if (count > 0)
                return count;
        }
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

struct alignas(64) Team::Member {
    Team & team;
    int const k;
    pthread_t thread{};
    std::atomic<Order> order{Order::none};
    std::atomic<std::uint32_t> rings{0}; // counts what it might wait for
    std::atomic<bool> waits{false};
    std::chrono::microseconds patience = long_patience; // its own

    // Its inner call.  Guests enter and then look whether it is open; it is closed before they are counted.
    alignas(64) std::atomic<bool> is_open{false};
    std::atomic<int> guests{0}, next{0};
    std::atomic<int> most{0};
    bool wakes = false;
    Calls calls;

    Member(Team & of, int number) : team{of}, k{number} {}

    void ring(bool wake)
    {
        rings.fetch_add(1, std::memory_order_seq_cst);
        if (wake)
            rings.notify_one();
    }
    void wait(std::uint32_t seen);
};

// Waits until it is rung.
void Team::Member::wait(std::uint32_t seen)
{
    auto const begin = std::chrono::steady_clock::now();
    auto now = begin;
    auto const most = team.kept_awake_.load(std::memory_order_relaxed) > 0 ? awake_patience : patience;
    do { // without yielding, which can take a whole time slice
        for (int turn = 0; turn < 32; ++turn) {
            if (rings.load(std::memory_order_acquire) != seen)
                return;
            pause();
        }
        now = std::chrono::steady_clock::now();
    } while (awake.load(std::memory_order_relaxed) <= team.processors_ && now - begin < most);
    awake.fetch_sub(1, std::memory_order_relaxed);
    rings.wait(seen, std::memory_order_acquire);
    awake.fetch_add(1, std::memory_order_relaxed);
    patience = std::chrono::steady_clock::now() - begin < long_patience ? long_patience : short_patience;
}

thread_local Team::Place Team::here_;

void Team::Calls::call(int k)
{
    try {
        job.call(job.body, k);
    } catch (...) {
        if (!has_failed.test_and_set(std::memory_order_relaxed))
            failure = std::current_exception();
    }
}

// When all calls have ended.
void Team::Calls::rethrow()
{
    has_failed.clear(std::memory_order_relaxed);
    if (std::exception_ptr const thrown = std::exchange(failure, nullptr))
        std::rethrow_exception(thrown);
}

Team::Team(int size) : processors_{usable_processors()}, size_{size > 0 ? size : processors_} {}

Team::~Team()
{
    if (process_ != process)
        return; // the threads are the parent's
    for (std::size_t k = 1; k < members_.size(); ++k) {
        members_[k]->order.store(Order::end, std::memory_order_release);
        members_[k]->ring(true);
    }
    for (std::size_t k = 1; k < members_.size(); ++k)
        pthread_join(members_[k]->thread, nullptr);
}

// Sees to it that there are so many workers; returns how many of them there are.
int Team::start(int workers)
{
    if (process_ != process) {
        members_.clear();
        idle_ = at_work_ = 0;
        process_ = process;
    }
    auto const wanted = static_cast<std::size_t>(workers) + 1;
    sigset_t all, before; // signals are for the program's own threads
    sigfillset(&all);
    bool const blocks = members_.size() < wanted && pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    try {
        members_.reserve(static_cast<std::size_t>(size_)); // who helps may be reading
        if (members_.empty())
            members_.push_back(std::make_unique<Member>(*this, 0));
        while (members_.size() < wanted) {
            auto member = std::make_unique<Member>(*this, static_cast<int>(members_.size()));
            auto const enter = [](void * given) -> void * {
                auto & self = *static_cast<Member *>(given);
                self.team.serve(self);
                return nullptr;
            };
            if (pthread_create(&member->thread, nullptr, enter, member.get()) != 0)
                break;
            members_.push_back(std::move(member));
        }
    } catch (std::bad_alloc const &) { // fewer, then
    }
    if (blocks)
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return static_cast<int>(std::min(members_.size(), wanted)) - 1;
}

void Team::run(int threads, Job job, bool wake, Job waiting)
{
    int const others = std::min(threads, size_) - 1;
    if (others > 0 && here_.team == this && !here_.member->is_open.load(std::memory_order_relaxed))
        return run_inner(*here_.member, others + 1, job, wake);
    if (others <= 0 || here_.team == this || busy_.test_and_set(std::memory_order_acquire))
        return job.call(job.body, 0);
    called_ = start(others);
    if (called_ < 1) {
        busy_.clear(std::memory_order_release);
        return job.call(job.body, 0);
    }
    calls_.job = job;
    wakes_ = wake;
    Member & self = member(0);
    Place const before = std::exchange(here_, {this, &self});
    awake.fetch_add(1, std::memory_order_relaxed);
    at_work_.fetch_add(1, std::memory_order_acq_rel); // who comes too late for the run before may count itself, too
    for (int k = 1; k <= called_; ++k) {
        member(k).order.store(Order::come, std::memory_order_release);
        member(k).ring(false);
    }
    call_next(0);
    calls_.call(0);
    at_work_.fetch_sub(1, std::memory_order_acq_rel);
    auto const all_have_ended = [&] {
        if (waiting.call)
            waiting.call(waiting.body, 0);
        return at_work_.load(std::memory_order_acquire) == 0;
    };
    help_until(all_have_ended);
    for (int k = 1; k <= called_; ++k) { // who has not come is not needed
        Order order = Order::come;
        member(k).order.compare_exchange_strong(order, Order::none, std::memory_order_acq_rel);
    }
    help_until(all_have_ended);
    awake.fetch_sub(1, std::memory_order_relaxed);
    here_ = before;
    struct Leave {
        std::atomic_flag & busy;
        ~Leave() { busy.clear(std::memory_order_release); }
    } const leave{busy_};
    calls_.rethrow();
}

// Wakes the members that it falls to member k to wake.
void Team::call_next(int k)
{
    if (wakes_)
        for (int next = k * wakes_of_one + 1; next <= std::min(called_.load(), (k + 1) * wakes_of_one); ++next)
            member(next).rings.notify_one();
}

// A worker's life.
void Team::serve(Member & self)
{
    here_ = {this, &self};
    awake.fetch_add(1, std::memory_order_relaxed);
    for (;;) {
        std::uint32_t const seen = self.rings.load(std::memory_order_seq_cst);
        Order order = self.order.load(std::memory_order_acquire);
        if (order == Order::end)
            break;
        if (order == Order::none) {
            help_or_wait(seen);
            continue;
        }
        at_work_.fetch_add(1, std::memory_order_acq_rel); // before it can be seen that it has come
        if (self.order.compare_exchange_strong(order, Order::is_here, std::memory_order_acq_rel)) {
            call_next(self.k);
            calls_.call(self.k);
            self.order.store(Order::none, std::memory_order_release);
        }
        if (at_work_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            member(0).ring(true);
    }
    awake.fetch_sub(1, std::memory_order_relaxed);
}

void Team::run_inner(Member & owner, int threads, Job job, bool wake)
{
    owner.calls.job = job;
    owner.next.store(1, std::memory_order_relaxed);
    owner.most.store(threads, std::memory_order_relaxed);
    owner.wakes = wake;
    owner.is_open.store(true, std::memory_order_seq_cst);
    if (idle_.load(std::memory_order_seq_cst) > 0)
        call_helpers(wake);
    owner.calls.call(0);
    owner.is_open.store(false, std::memory_order_seq_cst);
    for (;;) {
        std::uint32_t const seen = owner.rings.load(std::memory_order_seq_cst);
        if (owner.guests.load(std::memory_order_seq_cst) == 0)
            break;
        owner.wait(seen);
    }
    owner.calls.rethrow();
}

// Some members that wait; who comes wakes others.
void Team::call_helpers(bool wake)
{
    int left = wakes_of_helper;
    for (int k = 0; k <= called_ && left > 0; ++k)
        if (Member & other = member(k); &other != here_.member && other.waits.load(std::memory_order_seq_cst)) {
            other.ring(wake);
            --left;
        }
}

// Whose inner call has the fewest threads; null: there is none to help in.
Team::Member * Team::find_inner(Member const & helper) const
{
    Member * found = nullptr;
    if (at_work_.load(std::memory_order_acquire) == 0)
        return found;
    int fewest = size_;
    for (int k = 0; k <= called_; ++k) {
        Member & other = member(k);
        if (&other == &helper || !other.is_open.load(std::memory_order_seq_cst))
            continue;
        if (int const there = other.next.load(std::memory_order_relaxed);
            there < std::min(fewest, other.most.load(std::memory_order_relaxed))) {
            fewest = there;
            found = &other;
        }
    }
    return found;
}

void Team::help(Member & owner)
{
    owner.guests.fetch_add(1, std::memory_order_seq_cst);
    if (owner.is_open.load(std::memory_order_seq_cst)) {
        int const most = owner.most.load(std::memory_order_relaxed);
        if (int const number = owner.next.fetch_add(1, std::memory_order_relaxed); number < most) {
            if (number + 1 < most && idle_.load(std::memory_order_relaxed) > 0)
                call_helpers(owner.wakes);
            owner.calls.call(number);
            owner.next.store(most, std::memory_order_relaxed); // nothing is left
        }
    }
    if (owner.guests.fetch_sub(1, std::memory_order_seq_cst) == 1 && !owner.is_open.load(std::memory_order_seq_cst))
        owner.ring(true);
}

// Also rings those that do not wait yet: they may have asked before what they wait for came true.
void Team::look_again()
{
    if (here_.team == this)
        for (int k = 0; k <= called_; ++k)
            member(k).ring(true);
}

std::uint32_t Team::rings_here() const
{
    return here_.team == this ? here_.member->rings.load(std::memory_order_seq_cst) : 0;
}

// `seen`: rings before the thread found that it had nothing else to do.
void Team::help_or_wait(std::uint32_t seen)
{
    if (here_.team != this) // the only thread at work
        return std::this_thread::yield();
    Member & self = *here_.member;
    if (Member * const owner = find_inner(self))
        return help(*owner);
    // Who opens an inner call later sees that this one waits.
    self.waits.store(true, std::memory_order_seq_cst);
    idle_.fetch_add(1, std::memory_order_seq_cst);
    if (!find_inner(self))
        self.wait(seen);
    idle_.fetch_sub(1, std::memory_order_relaxed);
    self.waits.store(false, std::memory_order_relaxed);
}

} // namespace nwgpu
