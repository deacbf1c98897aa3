// SPDX-License-Identifier: BSD-3-Clause
#include "base/team.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sched.h>

namespace nwgpu {

namespace {

// Calls often follow each other: who waits looks again and again for so long, and sleeps then, as waking up takes
// longer.
constexpr std::chrono::microseconds patience{50};

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

// Waits until the value is another one, and returns that.
template <class T>
T wait_for_other(std::atomic<T> const & value, T than)
{
    static int const processors = usable_processors();
    auto const end = std::chrono::steady_clock::now() + patience;
    do { // without yielding, which can take a whole time slice
        for (int k = 0; k < 32; ++k) {
            if (T const now = value.load(std::memory_order_acquire); now != than)
                return now;
            pause();
        }
    } while (awake.load(std::memory_order_relaxed) <= processors && std::chrono::steady_clock::now() < end);
    awake.fetch_sub(1, std::memory_order_relaxed);
    value.wait(than, std::memory_order_acquire);
    awake.fetch_add(1, std::memory_order_relaxed);
    return value.load(std::memory_order_acquire);
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

struct alignas(64) Team::Worker {
    Team & team;
    int const k;
    pthread_t thread{};
    std::atomic<Order> order{Order::none};
};

Team::Team(int size) : size_{size > 0 ? size : usable_processors()} {}

Team::~Team()
{
    if (process_ != process)
        return; // the threads are the parent's
    for (auto const & worker : workers_) {
        worker->order.store(Order::end, std::memory_order_release);
        worker->order.notify_one();
    }
    for (auto const & worker : workers_)
        pthread_join(worker->thread, nullptr);
}

// Sees to it that there are so many workers; returns how many of them there are.
int Team::start(int workers)
{
    if (process_ != process) {
        workers_.clear();
        process_ = process;
    }
    auto const wanted = static_cast<std::size_t>(workers);
    try {
        workers_.reserve(wanted);
        while (workers_.size() < wanted) {
            std::unique_ptr<Worker> worker{new Worker{*this, static_cast<int>(workers_.size()) + 1}};
            auto const enter = [](void * given) -> void * {
                auto & self = *static_cast<Worker *>(given);
                self.team.serve(self);
                return nullptr;
            };
            if (pthread_create(&worker->thread, nullptr, enter, worker.get()) != 0)
                break;
            workers_.push_back(std::move(worker));
        }
    } catch (std::bad_alloc const &) { // fewer, then
    }
    return static_cast<int>(std::min(workers_.size(), wanted));
}

void Team::run(int threads, Job job, bool wake)
{
    int const others = std::min(threads, size_) - 1;
    if (others <= 0 || busy_.test_and_set(std::memory_order_acquire))
        return job.call(job.body, 0);
    int const called = start(others);
    job_ = job;
    at_work_.store(called, std::memory_order_relaxed);
    awake.fetch_add(1, std::memory_order_relaxed);
    for (int w = 0; w < called; ++w) {
        workers_[w]->order.store(Order::come, std::memory_order_release);
        if (wake)
            workers_[w]->order.notify_one();
    }
    work(0);
    for (int w = 0; w < called; ++w) {
        Order order = Order::come;
        if (workers_[w]->order.compare_exchange_strong(order, Order::none, std::memory_order_relaxed))
            at_work_.fetch_sub(1, std::memory_order_relaxed);
    }
    for (int left = at_work_.load(std::memory_order_acquire); left > 0;)
        left = wait_for_other(at_work_, left);
    awake.fetch_sub(1, std::memory_order_relaxed);
    std::exception_ptr const failure = std::exchange(failure_, nullptr);
    has_failed_.clear(std::memory_order_relaxed);
    busy_.clear(std::memory_order_release);
    if (failure)
        std::rethrow_exception(failure);
}

void Team::work(int k)
{
    try {
        job_.call(job_.body, k);
    } catch (...) {
        if (!has_failed_.test_and_set(std::memory_order_relaxed))
            failure_ = std::current_exception();
    }
}

// A worker's life.
void Team::serve(Worker & worker)
{
    awake.fetch_add(1, std::memory_order_relaxed);
    while (wait_for_other(worker.order, Order::none) != Order::end) {
        Order order = Order::come;
        if (!worker.order.compare_exchange_strong(order, Order::is_here, std::memory_order_acquire))
            continue; // all is done
        work(worker.k);
        worker.order.store(Order::none, std::memory_order_relaxed);
        if (at_work_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            at_work_.notify_one();
    }
    awake.fetch_sub(1, std::memory_order_relaxed);
}

} // namespace nwgpu
