// SPDX-License-Identifier: BSD-3-Clause
#include "places/roster.hpp"

#include <algorithm>
#include <utility>

#include "places/row_messages.hpp"
#include "places/task.hpp"

namespace nwgpu::places {

namespace {

bool ends_rows(Message const & message)
{
    ByteReader reader = message.reader();
    try {
        return get_row_answer(reader) == RowAnswer::ended;
    } catch (Error const &) { // why they failed; that they have ended comes after it
        return false;
    }
}

} // namespace

Roster::Roster(World const & world, std::function<void(std::string const &)> warn) :
    world_{world}, warn_{std::move(warn)}, places_(static_cast<std::size_t>(world.size()))
{}

std::size_t Roster::count() const
{
    return static_cast<std::size_t>(
        std::count_if(places_.begin(), places_.end(), [](Place const & one) { return !one.is_lost && one.owed == 0; }));
}

std::vector<RowPlace> Roster::row_places(bool saves) const
{
    std::vector<RowPlace> places;
    for (int rank = 0; rank < world_.size(); ++rank)
        if (RowPace const & pace = world_.members()[static_cast<std::size_t>(rank)].pace;
            has(rank) && pace.cells_per_second > 0 && (!saves || pace.slab_rows != 0))
            places.push_back({rank, pace});
    if (saves)
        give_one_unit(places);
    return places;
}

void Roster::wait_for(int rank, std::uint64_t call, Work work, std::uint64_t answers)
{
    Place & late = place(rank);
    late.owed = answers;
    late.call = call;
    late.work = work;
    warn_(world_.name_of(rank) + " does not answer: it gets no work until it does");
}

void Roster::take(Message const & message)
{
    if (message.kind == Kind::line) // of rows that were given up
        return;
    Place & from = place(message.from);
    if (message.kind == Kind::gone) {
        if (!from.is_lost)
            try {
                ByteReader reader = message.reader();
                take_failure(reader);
            } catch (Error const & error) {
                warn_("the other ranks go on without " + world_.name_of(message.from) + ": " + error.what());
            }
        from.is_lost = true;
        return;
    }
    if (message.kind != Kind::answer || from.owed == 0 || message.call != from.call)
        throw Error{Status::communication, world_.name_of(message.from) + " answers what it was not asked"};
    if (from.work == Work::rows && !ends_rows(message))
        return;
    if (--from.owed == 0)
        warn_(world_.name_of(message.from) + " answers again");
}

} // namespace nwgpu::places
