// SPDX-License-Identifier: BSD-3-Clause
// The fronts that a path asks.  While they take little memory all of them are kept.  Otherwise, of every `spacing`-th,
// what the kernel needs to go on from there is kept, a snapshot; and the path, which goes backwards, has the fronts
// between two snapshots computed again, on the diagonals around its own that can be on its way (docs/proofs.md, lemma
// 24).  Memory of the order of the penalty to the power of 4/3 in place of its square.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "base/uninitialized.hpp"
#include "cpu/furthest/fronts.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/kernels/kernels.hpp"

namespace nwgpu::cpu {

// What is kept of fronts up to some penalty.
struct FrontRoom {
    std::int64_t spacing = 1;  // 1: all fronts
    std::uint64_t numbers = 0; // that they take
};
// `rings`: fronts that the kernel needs, those of gaps included.  With the spacing that is quickest, or a wider one, as
// `most` has room for, if that was made for a penalty and points that are not lower.
FrontRoom room_for(std::uint64_t points, std::int64_t penalty, Penalties const & penalties, std::int64_t rings,
                   FrontRoom const & most = {INT64_MAX, UINT64_MAX});
// With the spacing that takes the least memory.
FrontRoom least_room_for(std::uint64_t points, std::int64_t penalty, Penalties const & penalties, std::int64_t rings);
// That of snapshots.
FrontRoom snapshot_room(std::uint64_t points, std::int64_t penalty, Penalties const & penalties, std::int64_t rings,
                        std::int64_t spacing);
// Numbers that kept fronts of so many points take, up to this penalty.
std::uint64_t room_of(std::uint64_t points, std::int64_t penalty, Penalties const & penalties);
// What computing fronts again takes beside.
std::uint64_t window_bytes(std::int64_t spacing, Penalties const & penalties, std::int64_t rings, int width);

// Where the kernel can go on.
struct FrontSnapshot {
    std::int64_t s = 0, low = 0, high = 0, rows = 0, columns = 0, passed = 0; // as those of Fronts
    std::int64_t first = 0, stride = 0; // diagonals; the numbers' rows are those of the rings
    void * numbers = nullptr;
};

// Fronts first .. end - 1 on all diagonals from which `diagonal` can be reached with penalty s.
struct FrontWindow {
    std::int64_t first = 0, end = 0, diagonal = 0, s = 0;
    Array<KeptFront> fronts;
    AlignedBuffer<std::uint8_t> numbers;

    bool has(std::int64_t t, std::int64_t k, std::int64_t penalty, std::int64_t extend) const
    {
        return first <= t && t < end && (k < diagonal ? diagonal - k : k - diagonal) * extend <= s - penalty;
    }
};

// Memory that a thread keeps from pair to pair.
struct FrontMemory {
    AlignedBuffer<std::uint8_t> first_room, room;
    Array<KeptFront> fronts;
    std::vector<FrontSnapshot> snapshots;
    std::array<FrontWindow, 2> windows;

    std::uint64_t bytes() const;
};

class KeptFronts {
public:
    KeptFronts(KernelTable const & kernels, Penalties const & penalties, int width, FrontMemory & memory,
               Monitor & monitor) :
        kernels_{kernels}, penalties_{penalties}, width_{width}, memory_{memory}, monitor_{monitor}
    {
        for (FrontWindow & window : memory_.windows)
            window.end = window.first; // those of another pair
    }

    // All of the fronts that follow, into memory for so many numbers.
    void keep_first(Fronts & fronts, std::uint64_t numbers);
    // What `room` says of those that follow.
    void keep_rest(Fronts & fronts, FrontRoom const & room);
    // Before the kernel computes fronts up to `until`: how far it may go.
    std::int64_t prepare(Fronts & fronts, std::int64_t until);
    // The end was reached: what lies between snapshots can be computed again.
    void finish(Fronts const & fronts);

    std::int64_t count() const { return end_.s; }
    std::int64_t base() const { return end_.base; }
    // Front t <= s, for questions about cells on the way to a cell of `diagonal` that has penalty s.
    KeptFront const & at(std::int64_t t, std::int64_t diagonal, std::int64_t s)
    {
        return t < all_ ? memory_.fronts[static_cast<std::size_t>(t)] : again(t, diagonal, s);
    }

private:
    std::uint8_t * grow(AlignedBuffer<std::uint8_t> & room, std::uint64_t numbers) const;
    template <class T>
    void take_snapshot(Fronts const & fronts);
    KeptFront const & again(std::int64_t t, std::int64_t diagonal, std::int64_t s);
    void compute(FrontWindow & window, FrontSnapshot const & from, std::int64_t diagonal, std::int64_t s) const;
    template <class T>
    void restore(Fronts & fronts, FrontSnapshot const & from) const;

    KernelTable const & kernels_;
    Penalties const & penalties_;
    int const width_;
    FrontMemory & memory_;
    Monitor & monitor_;
    Fronts end_; // as they were at the end
    std::int64_t all_ = 0, spacing_ = 1;
    void * room_ = nullptr; // for the next snapshot
    std::size_t last_ = 0;  // the window that was asked last
};

} // namespace nwgpu::cpu
