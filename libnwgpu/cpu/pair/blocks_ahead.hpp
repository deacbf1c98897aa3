// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a grid that a path may come to next, swept by other threads while one walks through those before.  A path
// tends to follow its diagonal, so its way is guessed: along the diagonal of its cursor, and a little to either side.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "cpu/pair/grid.hpp"
#include "cpu/pair/sweep.hpp"
#include "cpu/pair/wait_for.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

// The place of a block in a grid: the numbers of its cuts.  A word, for atomics.
struct alignas(8) BlockPlace {
    std::uint32_t row_cut = 0, col_cut = 0;
    bool operator==(BlockPlace const &) const = default;
};

// A block with all that a walk through it needs.
struct TracedBlock {
    RegionTrace trace;
    AlignedBuffer<std::uint8_t> bits;
};

class BlocksAhead {
public:
    // As many as there is memory for.  Blocks of the grid of a region have so many rows and columns, the last ones
    // fewer.  The path goes on from the cursor.
    BlocksAhead(std::vector<TracedBlock> & blocks, Region const & region, std::uint64_t rows, std::uint64_t cols,
                path::Cursor const & cursor, Monitor & monitor) :
        blocks_{blocks},
        entries_(blocks.size()),
        region_{region},
        rows_{rows},
        cols_{cols},
        i_{cursor.i},
        j_{cursor.j},
        here_{place_of(cursor.i - 1, cursor.j - 1)},
        monitor_{monitor}
    {}

    // For the thread that walks: it has come to the cell before the cursor.  Returns the trace of its block, until the
    // next call; null: nobody has swept it.
    RegionTrace const * enter(path::Cursor const & cursor)
    {
        BlockPlace const here = place_of(cursor.i - 1, cursor.j - 1);
        i_.store(cursor.i, std::memory_order_relaxed);
        j_.store(cursor.j, std::memory_order_relaxed);
        here_.store(here, std::memory_order_release);
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            std::atomic<Entry> const & of = entries_[k];
            Entry const entry = of.load(std::memory_order_acquire);
            if (entry.state == State::empty || !(entry.place() == here))
                continue;
            auto const is = [&](State state) {
                Entry const now = of.load(std::memory_order_acquire);
                return now.state == state && now.place() == here;
            };
            wait_for([&] { return !is(State::in_work); }, monitor_);
            return is(State::ready) ? &blocks_[k].trace : nullptr; // else it failed, and may be another one by now
        }
        return nullptr;
    }
    void end() { over_.store(true, std::memory_order_release); }

    // For other threads, until end(): sweep(place, block) is called for blocks on the way.
    template <class Sweep>
    void help(Sweep const & sweep)
    {
        while (!is_over()) {
            BlockPlace const here = here_.load(std::memory_order_acquire);
            std::size_t const k = take();
            if (k == none) {
                wait_for([&] { return is_over() || !(here_.load(std::memory_order_acquire) == here); }, monitor_);
                continue;
            }
            BlockPlace const place = entries_[k].load(std::memory_order_relaxed).place();
            auto const ends = [&](State state) { entries_[k].store(Entry{place, state}, std::memory_order_release); };
            try {
                sweep(place, blocks_[k]);
            } catch (std::bad_alloc const &) { // the walk does without
                return ends(State::empty);
            } catch (...) {
                ends(State::empty);
                throw;
            }
            ends(State::ready);
        }
    }

private:
    enum class State : std::uint32_t { empty, in_work, ready };
    // Which block is where, in one word.
    struct alignas(8) Entry {
        std::uint32_t row_cut = 0, col_cut : 30 = 0;
        State state : 2 = State::empty;

        Entry() = default;
        Entry(BlockPlace const & place, State its_state) :
            row_cut{place.row_cut}, col_cut{place.col_cut & ((1u << 30) - 1)}, state{its_state}
        {}
        BlockPlace place() const { return {row_cut, col_cut}; }
    };
    // A guess of the way, as the cell before which it has come.
    struct Way {
        std::uint64_t i, j;
    };
    static constexpr std::size_t none = SIZE_MAX;

    bool is_over() const { return over_.load(std::memory_order_acquire) || monitor_.stopped(); }
    BlockPlace place_of(std::uint64_t row, std::uint64_t col) const
    {
        return {static_cast<std::uint32_t>((row - region_.row_begin) / rows_),
                static_cast<std::uint32_t>((col - region_.col_begin) / cols_)};
    }

    // Where a block on the way is that nobody has, which is the caller's now; or none.
    std::size_t take()
    {
        if (find_room() == none)
            return none;
        std::lock_guard const lock{mutex_};
        std::size_t const room = find_room();
        return room == none ? none : take_next(room);
    }
    // Where no block is, or one that lies behind.
    std::size_t find_room() const
    {
        BlockPlace const here = here_.load(std::memory_order_acquire);
        auto const has_room = [&](std::atomic<Entry> const & of) {
            Entry const entry = of.load(std::memory_order_acquire);
            return entry.state == State::empty ||
                   (entry.state == State::ready && (entry.row_cut > here.row_cut || entry.col_cut > here.col_cut));
        };
        auto const found = std::find_if(entries_.begin(), entries_.end(), has_room);
        return found == entries_.end() ? none : static_cast<std::size_t>(found - entries_.begin());
    }
    std::size_t take_next(std::size_t room)
    {
        BlockPlace const here = here_.load(std::memory_order_acquire);
        std::uint64_t const i = i_.load(std::memory_order_relaxed), j = j_.load(std::memory_order_relaxed),
                            aside = std::min(rows_, cols_) / 8;
        std::array<Way, 3> ways{Way{i, j}, Way{i, j - std::min(aside, j - region_.col_begin)},
                                Way{i - std::min(aside, i - region_.row_begin), j}};
        for (std::size_t steps = 0; steps < entries_.size(); ++steps)
            for (Way & way : ways) {
                if (way.i <= region_.row_begin || way.j <= region_.col_begin)
                    continue;
                BlockPlace const place = place_of(way.i - 1, way.j - 1);
                if (!(place == here) && !is_taken(place)) {
                    entries_[room].store(Entry{place, State::in_work}, std::memory_order_release);
                    return room;
                }
                std::uint64_t const up = way.i - (region_.row_begin + place.row_cut * rows_),
                                    left = way.j - (region_.col_begin + place.col_cut * cols_),
                                    step = std::min(up, left);
                way = {way.i - step, way.j - step};
            }
        return none;
    }
    bool is_taken(BlockPlace const & place) const
    {
        return std::any_of(entries_.begin(), entries_.end(), [&](std::atomic<Entry> const & of) {
            Entry const entry = of.load(std::memory_order_relaxed);
            return entry.state != State::empty && entry.place() == place;
        });
    }

    std::vector<TracedBlock> & blocks_;
    std::vector<std::atomic<Entry>> entries_; // of the blocks
    Region const region_;
    std::uint64_t const rows_, cols_;
    // Where the walk is: only it writes, and it never goes back.
    alignas(64) std::atomic<std::uint64_t> i_, j_;
    std::atomic<BlockPlace> here_;
    std::atomic<bool> over_{false};
    alignas(64) std::mutex mutex_; // for those who take blocks
    Monitor & monitor_;
};

} // namespace nwgpu::cpu
