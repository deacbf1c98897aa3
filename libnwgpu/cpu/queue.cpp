// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/queue.hpp"

namespace nwgpu::cpu {

std::optional<Queue::Turn> Queue::take()
{
    if (work_.memory_for_pairs() == 0) {
        std::size_t const k = ticket_++;
        if (k >= work_.tasks().size())
            return std::nullopt;
        Task & task = work_.tasks()[k];
        return Turn{&task, task.count > 1 ? Means{} : work_.means_of(task, work_.pairs(task)[0])};
    }
    std::optional<Turn> turn;
    monitor_.team().help_until([&] {
        monitor_.report_if_due();
        std::lock_guard const lock{mutex_};
        if (!has_room())
            return false;
        turn = take_next();
        return true;
    });
    return turn;
}

// For the next task that is not refused; also if there is none.
bool Queue::has_room()
{
    for (; next_ < work_.tasks().size(); ++next_) {
        Task & task = work_.tasks()[next_];
        if (task.count > 1) // in the memory of the thread's lanes
            return true;
        try {
            if (!next_means_)
                next_means_ = work_.means_of(task, work_.pairs(task)[0]);
        } catch (Error const &) { // whoever takes it meets it again
            next_means_ = Means{1, work_.memory()};
        }
        if (!next_means_->alone)
            return taken_ == 0 || taken_ + next_means_->bytes <= work_.memory_for_pairs();
        task.refused = true;
        next_means_.reset();
    }
    return true;
}

std::optional<Queue::Turn> Queue::take_next()
{
    if (next_ == work_.tasks().size())
        return std::nullopt;
    Turn turn{&work_.tasks()[next_++], next_means_.value_or(Means{})};
    next_means_.reset();
    taken_ += turn.means.bytes;
    return turn;
}

void Queue::give_back(Turn const & turn)
{
    if (turn.means.bytes == 0)
        return;
    {
        std::lock_guard const lock{mutex_};
        taken_ -= turn.means.bytes;
    }
    monitor_.team().look_again();
}

} // namespace nwgpu::cpu
