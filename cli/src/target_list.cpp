// SPDX-License-Identifier: BSD-3-Clause
#include "target_list.hpp"

#include "background.hpp"

namespace cli {

void TargetList::add(SequenceSet const & targets)
{
    std::uint64_t const first = parts_.empty() ? 0 : parts_.back().first + parts_.back().size();
    Part & part = parts_.emplace_back();
    part.first = first;
    part.lengths.resize(targets.size());
    for (std::uint64_t i = 0; i < targets.size(); ++i)
        part.lengths[i] = targets.length(i);
    part.names = targets.names();
}

void TargetList::end(std::exception_ptr failure)
{
    {
        std::lock_guard const lock(mutex_);
        ended_ = true;
        failure_ = std::move(failure);
    }
    changed_.notify_all();
}

std::vector<TargetList::Part> const & TargetList::parts() const
{
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, look_again, [this] { return ended_; }))
        if (interrupted())
            throw Interrupted();
    if (failure_)
        std::rethrow_exception(failure_);
    return parts_;
}

} // namespace cli
