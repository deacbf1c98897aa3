// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/queue.hpp"

namespace nwgpu::cpu {

// Of a thread that waits for memory, however that ends.
struct Queue::InLine {
    Queue & queue;
    std::size_t const ticket;

    InLine(Queue & of, std::size_t its) : queue{of}, ticket{its}
    {
        std::lock_guard const lock{queue.mutex_};
        queue.tickets_.insert(ticket);
        ++queue.waiting_; // before the thread looks, so that nothing is given back unheard
    }
    InLine(InLine const &) = delete;
    ~InLine()
    {
        {
            std::lock_guard const lock{queue.mutex_};
            queue.tickets_.erase(ticket);
            --queue.waiting_;
        }
        queue.wake_waiting(); // the one behind it
    }
};

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
        if (!means.alone)
            return means;
        task.refused = true;
        return std::nullopt;
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
    InLine const in_line{*this, ticket};
    monitor_.team().help_until([&] {
        monitor_.report_if_due();
        std::lock_guard const lock{mutex_};
        return *tickets_.begin() == ticket && try_take(bytes);
    });
}

void Queue::give_back(Turn const & turn)
{
    if (turn.means.bytes == 0)
        return;
    taken_ -= turn.means.bytes;
    wake_waiting();
}

void Queue::wake_waiting()
{
    if (waiting_ > 0)
        monitor_.team().look_again();
}

} // namespace nwgpu::cpu
