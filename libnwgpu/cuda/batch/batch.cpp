// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/batch.hpp"

#include <algorithm>
#include <optional>

#include "base/pieces.hpp"
#include "cuda/batch/slot.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr std::uint64_t slot_count = 4, block_pairs = 512;
constexpr std::uint64_t least_budget = 1 << 20; // of the device, below which pairs are left to others

struct Room {
    Limits limits; // of a chunk
    std::uint64_t slots = slot_count;
};

Room room_for(Piece const & piece, Work const & work, std::uint64_t device_budget)
{
    Limits const limits = limits_for(device_budget / (slot_count + 1), piece.max_host_bytes / slot_count, work);
    return {limits, slot_count};
}

// A single chunk takes no more than it needs.
Room room_for(Sums const & sums, Work const & work)
{
    return {{std::max<std::uint64_t>(sums.pairs, 1), sums.query_letters + sums.target_letters,
             sums.stored_bytes(work.bits()), sums.runs, sums.cells},
            1};
}

// Cuts a piece into chunks.
class Cutter {
public:
    Cutter(Piece const & piece, Work const & work, Team & team) : piece_{piece}, work_{work}, team_{team} {}

    bool done() const { return next_ == piece_.pairs.size(); }
    // As many pairs as the limits allow; none where the next one is too large for them.
    Chunk next(Limits const & limits)
    {
        Chunk chunk{next_, next_, {}};
        std::uint64_t const all = std::min<std::uint64_t>(piece_.pairs.size() - next_, limits.pairs),
                            blocks = ceil_div(all, block_pairs);
        auto const end_of = [&](std::uint64_t b) { return chunk.first + std::min((b + 1) * block_pairs, all); };
        std::vector<Sums> sums(blocks);
        for_each(&team_, blocks,
                 [&](std::uint64_t b) { sums[b] = sums_of(piece_, work_, chunk.first + b * block_pairs, end_of(b)); });
        auto const try_to_add = [&](Sums const & more, std::uint64_t end) {
            Sums sum = chunk.sums;
            sum.add(more);
            if (!limits.hold(sum, work_.bits()))
                return false;
            chunk.sums = sum;
            chunk.last = end;
            return true;
        };
        for (std::uint64_t b = 0; b < blocks; ++b)
            if (!try_to_add(sums[b], end_of(b))) {
                if (chunk.last == chunk.first || chunk.sums.suited < 64) // few large pairs: one by one
                    while (chunk.last < end_of(b) &&
                           try_to_add(sums_of(piece_, work_, chunk.last, chunk.last + 1), chunk.last + 1)) {
                    }
                break;
            }
        next_ = chunk.last;
        return chunk;
    }
    std::uint64_t skip() { return piece_.pairs[next_++]; }

private:
    Piece const & piece_;
    Work const & work_;
    Team & team_;
    std::uint64_t next_ = 0;
};

} // namespace

Needs needs_of(Piece const & piece, std::uint64_t device_budget)
{
    Needs needs;
    auto const work = make_work(piece.scoring, piece.request);
    for (std::uint64_t const p : piece.pairs)
        if (!work || !work->suits(piece.batch.view(p)))
            needs.rest.push_back(p);
    if (needs.rest.size() == piece.pairs.size())
        return needs;
    Room room = room_for(piece, *work, device_budget);
    if (Sums const sums = sums_of(piece, *work, 0, piece.pairs.size()); room.limits.hold(sums, work->bits()))
        room = room_for(sums, *work);
    needs.device_bytes = room.slots * device_bytes(room.limits);
    needs.host_bytes = room.slots * host_bytes(room.limits);
    return needs;
}

Aligner::Aligner(Device & device) : device_{device}
{
    for (std::uint64_t k = 0; k < slot_count; ++k)
        slots_.push_back(std::make_unique<Slot>(device));
}

Aligner::~Aligner() = default;

void Aligner::trim()
{
    for (auto const & slot : slots_)
        slot->trim();
}

// False: the device has less memory.
bool Aligner::reserve(std::uint64_t slots, Limits const & limits, Work const & work)
{
    try {
        for (std::uint64_t k = 0; k < slots; ++k)
            slots_[k]->reserve(limits, work);
        check(cudaStreamSynchronize(device_.stream()), "allocating device memory");
        return true;
    } catch (Error const & error) {
        if (error.status != Status::out_of_device_memory)
            throw;
        for (auto const & slot : slots_)
            slot->release();
        device_.trim();
        return false;
    }
}

std::vector<std::uint64_t> Aligner::align(Piece const & piece, Monitor & monitor, Answers & answers)
{
    std::vector<std::uint64_t> rest;
    auto const leave_all = [&] { rest.assign(piece.pairs.begin(), piece.pairs.end()); };
    auto const work = make_work(piece.scoring, piece.request);
    if (!work) {
        leave_all();
        return rest;
    }
    // Whatever happens, the device is done with its memory before that is given back.
    struct Release {
        Aligner & aligner;
        ~Release()
        {
            for (auto const & slot : aligner.slots_) {
                try {
                    slot->wait();
                } catch (Error const &) {
                }
                slot->drop();
                slot->release();
            }
        }
    } const release{*this};

    Team & team = monitor.team();
    Room room;
    Chunk first;
    std::optional<Cutter> cut;
    for (std::uint64_t budget = device_.budget() - device_.used();; budget /= 2) { // others may be quicker to take it
        room = room_for(piece, *work, budget);
        if (room.limits.pairs == 0 || budget < least_budget) {
            leave_all();
            return rest;
        }
        cut.emplace(piece, *work, team);
        first = cut->next(room.limits);
        if (cut->done())
            room = room_for(first.sums, *work);
        else if (first.sums.pairs == room.limits.pairs) // others are hardly much larger; else they are cut smaller
            room.limits.stored = std::min(room.limits.stored, first.sums.stored_bytes(work->bits()) / 2 * 3);
        if (reserve(room.slots, room.limits, *work))
            break;
    }
    Cutter & cutter = *cut;
    auto const & [limits, slots] = room;

    auto const leave = [&](Chunk const & chunk, bool those_that_suit) {
        for (std::uint64_t k = chunk.first; k < chunk.last; ++k)
            if (std::uint64_t const p = piece.pairs[k]; work->suits(piece.batch.view(p)) == those_that_suit)
                rest.push_back(p);
    };
    auto const next_chunk = [&] { // with pairs that suit, or without any
        for (Chunk chunk = first.last > first.first ? first : cutter.next(limits);; chunk = cutter.next(limits)) {
            first = {};
            if (chunk.last == chunk.first) {
                if (cutter.done())
                    return chunk;
                rest.push_back(cutter.skip());
            } else if (chunk.sums.suited > 0) {
                if (chunk.sums.suited < chunk.sums.pairs)
                    leave(chunk, false);
                return chunk;
            } else {
                leave(chunk, false);
            }
        }
    };
    // Page-locked memory may be scarce: then the chunk is left to others.
    auto const attempt = [&](Slot & its, Chunk const & chunk, auto const & stage) {
        try {
            stage();
        } catch (Error const & error) {
            if (error.status != Status::out_of_host_memory)
                throw;
            leave(chunk, true);
            its.drop();
        }
    };
    // Chunk c is staged while the one before is swept, what the one before that has found comes back, and the answers
    // of the one before that go to their places.
    auto const slot = [&](std::uint64_t c) -> Slot & { return *slots_[c % slots]; };
    std::uint64_t staged = 0, swept = 0, fetched = 0, published = 0;
    for (bool more = true; more || published < staged;) {
        if (more && staged - published < slots) {
            Chunk const chunk = next_chunk();
            more = chunk.last > chunk.first;
            if (more) {
                Slot & its = slot(staged++);
                attempt(its, chunk, [&] { its.stage(piece, *work, chunk, team); });
            }
        }
        if (swept < staged && (swept + 1 < staged || !more || slots == 1)) {
            Slot & its = slot(swept++);
            if (its.busy() && !its.sweep(piece)) {
                leave(its.chunk(), true);
                its.drop();
            }
        }
        if (fetched < swept && (fetched + 1 < swept || swept == staged)) {
            if (Slot & its = slot(fetched++); its.busy())
                attempt(its, its.chunk(), [&] { its.fetch(); });
        }
        if (published < fetched && (published + 1 < fetched || fetched == staged)) {
            Slot & its = slot(published++);
            if (its.busy()) {
                std::uint64_t const cells = its.chunk().sums.cells;
                its.publish(piece, team, answers);
                monitor.poll(cells);
            }
            monitor.throw_if_stopped();
        }
    }
    std::sort(rest.begin(), rest.end());
    return rest;
}

} // namespace nwgpu::cuda::batch
