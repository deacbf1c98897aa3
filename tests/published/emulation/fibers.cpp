// SPDX-License-Identifier: BSD-3-Clause
#include "fibers.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "support/random.hpp"
#include "support/stacks.hpp"

constinit thread_local EmulatedIndex threadIdx, blockIdx, blockDim, gridDim;

namespace nwgpu::test {

namespace {

constexpr std::size_t stack_bytes = 64 << 10, canary_bytes = 64;
constexpr int canary = 0xa5;

enum class State { ready, waiting, done };

struct Fiber {
    Place place;
    unsigned block = 0, thread = 0;
    State state = State::ready;
    Wait wait = Wait::nothing;
};

struct Block {
    std::vector<unsigned char> shared;
    std::vector<long long> words; // [threads]
};

class Scheduler {
public:
    void run(EmulatedLaunch const & launch, unsigned first_block, unsigned blocks,
             std::function<void()> const & thread);

    void wait_for(Wait what)
    {
        current_->state = what == Wait::nothing ? State::ready : State::waiting;
        current_->wait = what;
        go(current_->place, main_);
    }
    Block & block() { return blocks_[current_->block]; }
    Fiber const & current() const { return *current_; }

private:
    static void enter();
    void prepare(EmulatedLaunch const & launch, unsigned count);
    void step(Fiber & fiber);
    bool release();

    std::vector<Fiber> fibers_;
    std::vector<std::unique_ptr<char[]>> stacks_;
    std::vector<Block> blocks_;
    std::function<void()> const * thread_ = nullptr;
    Fiber * current_ = nullptr;
    Place main_;
    unsigned first_block_ = 0;
    Random random_{1};
};

Scheduler & scheduler()
{
    thread_local Scheduler only;
    return only;
}

void Scheduler::enter()
{
    Scheduler & s = scheduler();
    (*s.thread_)();
    s.current_->state = State::done;
    go(s.current_->place, s.main_);
}

void Scheduler::prepare(EmulatedLaunch const & launch, unsigned count)
{
    blocks_.assign(count, {});
    for (Block & block : blocks_) {
        block.shared.assign(launch.shared_bytes + canary_bytes, 0xcd);
        std::memset(block.shared.data() + launch.shared_bytes, canary, canary_bytes);
        block.words.assign(launch.threads, 0);
    }
    fibers_.assign(std::size_t{count} * launch.threads, {});
    while (stacks_.size() < fibers_.size())
        stacks_.push_back(std::make_unique_for_overwrite<char[]>(stack_bytes));
    for (std::size_t k = 0; k < fibers_.size(); ++k) {
        Fiber & fiber = fibers_[k];
        fiber.block = static_cast<unsigned>(k / launch.threads);
        fiber.thread = static_cast<unsigned>(k % launch.threads);
        begin_at(fiber.place, stacks_[k].get(), stack_bytes, &Scheduler::enter);
    }
}

void Scheduler::step(Fiber & fiber)
{
    current_ = &fiber;
    threadIdx.x = fiber.thread;
    blockIdx.x = first_block_ + fiber.block;
    go(main_, fiber.place);
}

// Lets those go on who all wait for the same; whether there are any.
bool Scheduler::release()
{
    bool released = false;
    auto const release_range = [&](std::size_t begin, std::size_t end, Wait what) {
        bool all = true, some = false;
        for (std::size_t k = begin; k < end; ++k)
            if (fibers_[k].state != State::done) {
                all = all && fibers_[k].state == State::waiting && fibers_[k].wait == what;
                some = true;
            }
        if (!all || !some)
            return;
        released = true;
        for (std::size_t k = begin; k < end; ++k)
            if (fibers_[k].state != State::done)
                fibers_[k].state = State::ready;
    };
    std::size_t const threads = fibers_.size() / blocks_.size();
    for (std::size_t begin = 0; begin < fibers_.size(); begin += threads) {
        for (std::size_t warp = begin; warp < begin + threads; warp += 32)
            release_range(warp, std::min(warp + 32, begin + threads), Wait::warp);
        release_range(begin, begin + threads, Wait::block);
    }
    release_range(0, fibers_.size(), Wait::grid);
    return released;
}

void Scheduler::run(EmulatedLaunch const & launch, unsigned first_block, unsigned blocks,
                    std::function<void()> const & thread)
{
    prepare(launch, blocks);
    thread_ = &thread;
    first_block_ = first_block;
    std::vector<std::size_t> order(fibers_.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        order[k] = k;
    // Warps are slow or fast for a while, so that none keeps step with another for long.
    std::size_t const apart = launch.threads % 32 == 0 ? 32 : launch.threads;
    std::vector<char> slow(fibers_.size() / apart, 0);
    auto const choose_slow = [&] {
        for (char & warp : slow)
            warp = slow.size() > 1 && random_.chance(0.5);
    };
    std::uint64_t const kind = random_.below(3); // forwards, backwards, any
    if (kind == 1)
        std::reverse(order.begin(), order.end());
    for (std::size_t k = order.size(); kind == 2 && k > 1; --k)
        std::swap(order[k - 1], order[random_.below(k)]);
    for (std::size_t left = order.size(), round = 0; left > 0; ++round) {
        if (round % 64 == 0)
            choose_slow();
        bool ran = false;
        for (std::size_t const k : order)
            if (fibers_[k].state == State::ready) {
                ran = true;
                if (slow[k / apart] && round % 16 != 0)
                    continue;
                step(fibers_[k]);
                left -= fibers_[k].state == State::done;
            }
        if (!release() && !ran && left > 0)
            throw std::logic_error{"threads wait for each other for ever"};
    }
    for (Block const & block : blocks_)
        if (std::any_of(block.shared.end() - canary_bytes, block.shared.end(), [](int byte) { return byte != canary; }))
            throw std::logic_error{"a block wrote behind its shared memory"};
}

} // namespace

void run_fibers(EmulatedLaunch const & launch, std::function<void()> const & thread)
{
    gridDim.x = launch.blocks;
    blockDim.x = launch.threads;
    if (launch.together)
        return scheduler().run(launch, 0, launch.blocks, thread);
    for (unsigned block = 0; block < launch.blocks; ++block)
        scheduler().run(launch, block, 1, thread);
}

void wait_for(Wait what) { scheduler().wait_for(what); }
void * fiber_shared_memory() { return scheduler().block().shared.data(); }
long long & exchanged(unsigned lane)
{
    return scheduler().block().words[scheduler().current().thread / 32 * 32 + lane];
}

} // namespace nwgpu::test
