// SPDX-License-Identifier: BSD-3-Clause
// Which ranks may be given work: rank 0's list.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "places/row_deal.hpp"
#include "places/world.hpp"

namespace nwgpu::places {

class Roster {
public:
    // `warn` is told who is left out, and who is back.
    Roster(World const & world, std::function<void(std::string const &)> warn);

    std::size_t size() const { return places_.size(); } // of the world
    bool has(int rank) const { return !place(rank).is_lost && place(rank).owed == 0; }
    std::size_t count() const; // of those it has

    // Of those it has, the ones that take rows; `saves`: and whose shares can be saved, with one unit of rows for all.
    std::vector<RowPlace> row_places(bool saves) const;

    // For good: its device has failed, or it is gone.
    void lose(int rank) { place(rank).is_lost = true; }

    enum class Work { tasks, rows };
    // It owes a call that has ended so many answers; of rows one, that they have ended.  Until it has given them, it is
    // left out.
    void wait_for(int rank, std::uint64_t call, Work work, std::uint64_t answers);

    // A message that no call at hand waits for: a late answer, or a farewell.  Throws Error communication for others.
    void take(Message const & message);

private:
    struct Place {
        bool is_lost = false;
        std::uint64_t owed = 0, call = 0;
        Work work{};
    };
    Place & place(int rank) { return places_[static_cast<std::size_t>(rank)]; }
    Place const & place(int rank) const { return places_[static_cast<std::size_t>(rank)]; }

    World const & world_;
    std::function<void(std::string const &)> const warn_;
    std::vector<Place> places_;
};

} // namespace nwgpu::places
