// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/queue.hpp"

namespace nwgpu::cpu {

std::optional<Queue::Turn> Queue::take()
{
    for (std::size_t ticket; (ticket = ticket_++) < work_.tasks().size();) {
        Task & task = work_.tasks()[ticket];
        auto const means = means_of(task);
        if (!means)
            continue;
        if (means->bytes > 0 && (waiting_ > 0 || !try_take(means->bytes)))
            wait_for(means->bytes, ticket);
        return Turn{&task, *means};
    }
    return std::nullopt;
}

// None: the task is refused.
std::optional<Means> Queue::means_of(Task & task) const
{
    if (task.count > 1) // in the memory of the thread's lanes
        return Means{};
    try {
        Means const means = work_.means_of(task, work_.pairs(task)[0]);
        task.refused = means.alone;
        return means.alone ? std::nullopt : std::optional{means};
    } catch (Error const &) { // who aligns it meets it again
        return Means{1, work_.memory()};
    }
}

bool Queue::try_take(std::uint64_t bytes)
{
    std::uint64_t taken = taken_;
    do {
        if (taken > 0 && taken + bytes > work_.memory_for_pairs())
            return false;
    } while (!taken_.compare_exchange_weak(taken, taken + bytes));
    return true;
}

void Queue::wait_for(std::uint64_t bytes, std::size_t ticket)
{
    ++waiting_; // before it looks, so that nothing is given back unheard
    {
        std::lock_guard const lock{mutex_};
        tickets_.insert(ticket);
    }
    monitor_.team().help_until([&] {
        monitor_.report_if_due();
        std::lock_guard const lock{mutex_};
        if (*tickets_.begin() != ticket || !try_take(bytes))
            return false;
        tickets_.erase(ticket);
        return true;
    });
    --waiting_;
    monitor_.team().look_again(); // for the one behind it
}

void Queue::give_back(Turn const & turn)
{
    if (turn.means.bytes == 0)
        return;
    taken_ -= turn.means.bytes;
    if (waiting_ > 0)
        monitor_.team().look_again();
}

} // namespace nwgpu::cpu
