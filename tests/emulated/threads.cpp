// SPDX-License-Identifier: BSD-3-Clause
// The threads of a kernel as fibers: a block after the other, in a block each warp until all of its threads wait.
// Kernels that several host threads launch run side by side.
// Shared memory begins as garbage.  A mistake of the kernel that can be seen here (threads of a warp that meet at
// different places, a block that nothing can wake) ends the program with a message.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda_runtime.h"
#include "support/stacks.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#else
inline void __sanitizer_start_switch_fiber(void **, void const *, std::size_t) {}
inline void __sanitizer_finish_switch_fiber(void *, void const **, std::size_t *) {}
#endif

namespace nwgpu::emulated {

constinit thread_local ThreadState * current = nullptr;

namespace {

using test::begin_at;
using test::go;
using test::Place;

constexpr std::size_t stack_bytes = 256 << 10;
constexpr int warp_size = 32;

enum class Wait { no, meeting, block, others, done };

struct Fiber {
    ThreadState state{};
    Place place{};
    void * frames = nullptr; // AddressSanitizer's
    std::unique_ptr<char[]> stack{new char[stack_bytes]};
};
// What a thread waits for.
struct Waiting {
    Wait wait = Wait::no;
    Meeting meeting{};
    std::uint32_t mask = 0;
    std::uint64_t brought = 0;
};

struct Block;
constinit thread_local Block * running = nullptr;

struct Block {
    std::function<void()> const & body;
    std::vector<Fiber> & fibers;
    std::size_t count;
    std::size_t turn = 0; // whose it is
    std::vector<Waiting> waiting = std::vector<Waiting>(count);
    std::vector<std::uint64_t> values = std::vector<std::uint64_t>(count);
    Place scheduler{};
    void * frames = nullptr; // AddressSanitizer's, of the scheduler, and its stack
    void const * stack = nullptr;
    std::size_t stack_size = 0;

    Fiber & fiber() { return fibers[turn]; }

    // Of the running fiber: the scheduler goes on, and comes back when the wait is over.
    void pause(Wait wait)
    {
        waiting[turn].wait = wait;
        __sanitizer_start_switch_fiber(&fiber().frames, stack, stack_size);
        go(fiber().place, scheduler);
        __sanitizer_finish_switch_fiber(fiber().frames, nullptr, nullptr);
    }

    static void enter()
    {
        Block & block = *running;
        __sanitizer_finish_switch_fiber(nullptr, &block.stack, &block.stack_size);
        block.body();
        block.waiting[block.turn].wait = Wait::done;
        __sanitizer_start_switch_fiber(nullptr, block.stack, block.stack_size);
        go(block.fiber().place, block.scheduler);
    }

    void resume(std::size_t k)
    {
        turn = k;
        current = &fibers[k].state;
        __sanitizer_start_switch_fiber(&frames, fibers[k].stack.get(), stack_bytes);
        go(scheduler, fibers[k].place);
        __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
    }

    // Lets go those that have all met; returns whether there were any.
    bool end_meetings(std::size_t first)
    {
        Waiting * const warp = &waiting[first];
        bool any = false;
        for (int l = 0; l < warp_size; ++l) {
            Waiting const one = warp[l];
            if (one.wait != Wait::meeting)
                continue;
            if ((one.mask >> l & 1) == 0)
                fail("a thread meets others under a mask without itself");
            bool all = true;
            for (int o = 0; o < warp_size && all; ++o) {
                Waiting const & other = warp[o];
                if ((one.mask >> o & 1) != 0 && other.wait != Wait::done)
                    all = other.wait == Wait::meeting && other.mask == one.mask && other.meeting == one.meeting;
            }
            if (!all)
                continue;
            any = true;
            for (int const o : lanes_of(one.mask)) {
                Waiting & other = warp[o];
                values[first + static_cast<std::size_t>(o)] = other.brought;
                if (other.wait == Wait::meeting)
                    other.wait = Wait::no;
            }
        }
        return any;
    }
    static std::vector<int> const & lanes_of(std::uint32_t mask)
    {
        thread_local std::map<std::uint32_t, std::vector<int>> known;
        std::vector<int> & lanes = known[mask];
        if (lanes.empty())
            for (int l = 0; l < warp_size; ++l)
                if (mask >> l & 1)
                    lanes.push_back(l);
        return lanes;
    }

    // Until its threads wait for the block, for others, or are done; returns whether anything happened.
    bool run_warp(std::size_t first)
    {
        bool any = false;
        for (;;) {
            bool ran = false;
            for (std::size_t k = first; k < first + warp_size; ++k)
                if (waiting[k].wait == Wait::no) {
                    resume(k);
                    ran = true;
                }
            any |= ran;
            if (!end_meetings(first) && !ran)
                return any;
        }
    }

    void run()
    {
        running = this;
        for (;;) {
            bool any = false, all_done = true, all_at_block = true;
            for (std::size_t first = 0; first < count; first += warp_size)
                any |= run_warp(first);
            for (std::size_t k = 0; k < count; ++k) {
                Wait & wait = waiting[k].wait;
                all_done &= wait == Wait::done;
                all_at_block &= wait == Wait::block || wait == Wait::done;
                if (wait == Wait::others) {
                    wait = Wait::no;
                    any = true;
                }
            }
            if (all_done)
                return;
            if (all_at_block) {
                for (std::size_t k = 0; k < count; ++k)
                    if (waiting[k].wait == Wait::block)
                        waiting[k].wait = Wait::no;
            } else if (!any) {
                fail("threads of a block wait for each other: some meet under other masks or at other places");
            }
        }
    }
};

std::map<void const *, Caller> & callers()
{
    static std::map<void const *, Caller> all;
    return all;
}
std::mutex mutex;

} // namespace

void fail(char const * what)
{
    std::fprintf(stderr, "emulated device: %s\n", what);
    std::abort();
}
void meet(Meeting meeting, std::uint32_t mask, std::uint64_t value, std::uint64_t const *& values)
{
    Block & block = *running;
    block.waiting[block.turn] = {Wait::meeting, meeting, mask, value};
    values = &block.values[block.turn / warp_size * warp_size];
    block.pause(Wait::meeting);
}
void wait_for_block() { running->pause(Wait::block); }
void let_others_run() { running->pause(Wait::others); }

void note(void const * kernel, Caller caller)
{
    std::lock_guard const lock{mutex};
    callers()[kernel] = caller;
}

} // namespace nwgpu::emulated

using namespace nwgpu::emulated;

cudaError_t cudaLaunchKernel(void const * kernel, dim3 blocks, dim3 threads, void ** arguments, std::size_t shared,
                             cudaStream_t)
{
    static thread_local std::vector<Fiber> fibers;
    Caller const caller = [&] {
        std::lock_guard const lock{mutex};
        return callers().at(kernel);
    }();
    std::size_t const count = threads.x, rounded = (count + warp_size - 1) / warp_size * warp_size;
    if (threads.y != 1 || threads.z != 1 || count > 1024 || blocks.z != 1)
        fail("a block of more than one dimension, or of more than 1024 threads");
    if (shared > 227 << 10)
        fail("more shared memory than a block can have");
    while (fibers.size() < rounded)
        fibers.emplace_back();
    std::vector<uint4> memory(shared / sizeof(uint4) + 1);
    std::function<void()> const body = [&] { caller(kernel, arguments); };
    for (unsigned y = 0; y < blocks.y; ++y)
        for (unsigned x = 0; x < blocks.x; ++x) {
            std::memset(memory.data(), 0xa5, memory.size() * sizeof(uint4));
            Block block{body, fibers, rounded};
            for (std::size_t k = 0; k < rounded; ++k) {
                fibers[k].state = {dim3{static_cast<unsigned>(k)}, dim3{x, y}, threads, blocks, memory.data()};
                block.waiting[k].wait = k < count ? Wait::no : Wait::done;
                begin_at(fibers[k].place, fibers[k].stack.get(), stack_bytes, &Block::enter);
            }
            block.run();
        }
    return cudaSuccess;
}
