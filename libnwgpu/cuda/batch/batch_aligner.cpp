// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/batch_aligner.hpp"

#include <algorithm>
#include <span>

#include "cuda/batch/couples.hpp"
#include "cuda/batch/probe.hpp"
#include "cuda/batch/second_round.hpp"
#include "cuda/batch/slot.hpp"
#include "cuda/device/with_device.hpp"

namespace nwgpu::cuda::batch {

// What a run leaves.
struct Left {
    std::vector<std::uint64_t> to_others; // pairs, ascending
    std::vector<Unproven> unproven;
};

namespace {

constexpr std::uint64_t slot_count = 6;
// Bytes of residues that hold those of any pair that suits.
constexpr std::uint64_t least_stored = 128 << 20, least_stored_of_chains = 1 << 30;
constexpr std::uint64_t least_budget = 1 << 20;  // of the device, below which pairs are left to others
constexpr std::uint64_t bytes_per_unproven = 72; // of the lists that lead to the second round

struct Room {
    Limits limits; // of a chunk
    std::uint64_t slots = slot_count;
};

Room room_for(Piece const & piece, BatchWork const & work, std::uint64_t device_budget)
{
    // Under a limit rather few slots than small chunks.
    std::uint64_t const on_host = piece.max_host_bytes == 0 ? slot_count : piece.max_host_bytes / least_host_bytes,
                        slots = std::clamp(std::min(on_host, device_budget / least_device_bytes), std::uint64_t{1},
                                           slot_count);
    return {limits_for(device_budget / (slots + 1), piece.max_host_bytes / slots, work), slots};
}

// A single chunk takes no more than it needs.
Room room_for(Sums const & sums, BatchWork const & work)
{
    return {{std::max<std::uint64_t>(sums.pairs, 1), sums.query_letters + sums.target_letters,
             sums.stored_bytes(work.bits()), sums.runs, sums.cells},
            1};
}

// One round of a call: chunks on their way through the slots, one behind the other.
class Run {
public:
    Run(Piece const & piece, BatchWork const & work, Room const & room, KeptOfCall const & kept, Cutter & cutter,
        std::span<std::unique_ptr<Slot> const> slots, Monitor & monitor, Answers & answers) :
        piece_{piece},
        work_{work},
        limits_{room.limits},
        kept_{kept},
        cutter_{cutter},
        slots_{slots},
        monitor_{monitor},
        answers_{answers}
    {}

    Left align()
    {
        Team::Awake const awake{monitor_.team()};
        while (has_more() || published_ < staged_)
            if (!advance()) {
                if (published_ > 0)
                    answers_.make_pages();
                monitor_.poll(0);
                monitor_.throw_if_stopped();
            }
        std::sort(left_.to_others.begin(), left_.to_others.end());
        return std::move(left_);
    }

private:
    Slot & slot(std::uint64_t chunk) const { return *slots_[chunk % slots_.size()]; }
    // Of the chunks between two stages, the first one can go on.
    bool can_go_on(std::uint64_t chunk, std::uint64_t before) const
    {
        return chunk < before && (!slot(chunk).busy() || slot(chunk).is_ready());
    }

    bool has_more() const { return !cutter_.done() && !gives_up_; }
    // False while chunks before it, which other devices have, may still get their places.
    bool has_its_turn(Slot const & its) const
    {
        return !piece_.queue || !its.busy() || !answers_.is_early(piece_.pairs.size(), piece_.pairs[its.chunk().first]);
    }

    // The device first: it never waits for the host to describe a chunk or to put answers into their places.  False:
    // there is nothing to do for the host.
    bool advance()
    {
        if (sweep())
            return true;
        if (can_go_on(fetched_, swept_) && has_its_turn(slot(fetched_))) {
            if (Slot & its = slot(fetched_++); its.busy())
                attempt(its, [&] { its.fetch(piece_, answers_); });
        } else if (has_more() && staged_ - published_ < slots_.size() && cutter_.may_cut()) {
            stage();
        } else if (can_go_on(published_, fetched_)) {
            cutter_.end(slot(published_).chunk());
            if (Slot & its = slot(published_++); its.busy()) {
                std::uint64_t cells = its.chunk().sums.all_cells;
                std::uint64_t const before = left_.unproven.size();
                its.publish(piece_, monitor_.team(), answers_, left_.unproven);
                for (std::uint64_t k = before; k < left_.unproven.size(); ++k)
                    cells -= piece_.batch.view(left_.unproven[k].pair).cells();
                monitor_.poll(cells);
            }
            monitor_.throw_if_stopped();
        } else {
            return false;
        }
        return true;
    }

    // The next chunk, if its letters are there.
    bool sweep()
    {
        bool const goes_on = can_go_on(swept_, staged_);
        if (goes_on)
            if (Slot & its = slot(swept_++); its.busy() && !its.sweep(piece_))
                leave_all_that_suit(its);
        return goes_on;
    }
    void stage()
    {
        Slot & its = slot(staged_);
        // The first and the last chunks are small: nothing is beside the begin of the one and the end of the other. The
        // letters of a chunk travel while the one before is computed, and are as quick if they are half as many more.
        std::uint64_t const more = candidates_ + ceil_div(candidates_, std::uint64_t{2});
        candidates_ = std::min({limits_.pairs, more, cutter_.left()});
        ChunkPair * const pairs = its.room_for_pairs(candidates_);
        gives_up_ = !pairs && piece_.queue;
        if (gives_up_) // others may have the memory
            return;
        Chunk chunk = pairs ? cutter_.next(limits_, candidates_, pairs) : cutter_.rest();
        candidates_ = chunk.fits ? std::max<std::uint64_t>(chunk.count(), 1) : 1;
        if (!chunk.fits)
            leave(chunk, [](std::uint64_t) { return true; });
        else if (chunk.sums.suited < chunk.sums.pairs)
            leave(chunk, [&](std::uint64_t k) { return !suits(k); });
        if (chunk.sums.suited == 0)
            return forget(chunk);
        attempt(its, [&] { its.stage(piece_, work_, std::move(chunk), kept_, monitor_.team(), [this] { sweep(); }); });
        ++staged_;
    }

    bool suits(std::uint64_t position) const
    {
        return work_.class_of(piece_.batch.view(piece_.pairs[position]), position) >= 0;
    }

    template <class Which>
    void leave(Chunk const & chunk, Which const & which)
    {
        for (std::uint64_t k = chunk.first; k < chunk.last; ++k)
            if (which(k))
                left_.to_others.push_back(piece_.pairs[k]);
    }
    void leave_all_that_suit(Slot & its)
    {
        leave(its.chunk(), [&](std::uint64_t k) { return suits(k); });
        has_no_place(its.chunk());
        its.drop();
    }
    // Nobody waits for it.
    void forget(Chunk const & chunk)
    {
        has_no_place(chunk);
        cutter_.end(chunk);
        monitor_.throw_if_stopped();
    }
    // Among the answers of several engines.
    void has_no_place(Chunk const & chunk)
    {
        if (piece_.queue && chunk.count() > 0)
            answers_.end_order(piece_.pairs[chunk.first]);
    }

    // Page-locked memory may be scarce: then the chunk is left to others.
    template <class Stage>
    void attempt(Slot & its, Stage const & stage)
    {
        try {
            stage();
        } catch (Error const & error) {
            if (error.status != Status::out_of_host_memory)
                throw;
            leave_all_that_suit(its);
        }
    }

    Piece const & piece_;
    BatchWork const & work_;
    Limits const limits_;
    KeptOfCall const kept_;
    Cutter & cutter_;
    std::span<std::unique_ptr<Slot> const> const slots_;
    Monitor & monitor_;
    Answers & answers_;
    Left left_;
    bool gives_up_ = false;
    std::uint64_t candidates_ = first_pairs / 3 * 2 + 2;
    std::uint64_t staged_ = 0, swept_ = 0, fetched_ = 0, published_ = 0; // chunks
};

// Where no batch is possible: all pairs of the piece; of a queue none, since it has taken none.
std::vector<std::uint64_t> all_left(Piece const & piece)
{
    if (piece.queue)
        return {};
    return {piece.pairs.begin(), piece.pairs.end()};
}

} // namespace

Needs needs_of(Piece const & piece, std::uint64_t device_budget, BatchWork work)
{
    Needs needs;
    work.long_couples = work.likely_couples;
    for (std::uint64_t const p : piece.pairs)
        if (!work.suits(piece.batch.view(p)))
            needs.rest.push_back(p);
    if (needs.rest.size() == piece.pairs.size())
        return needs;
    std::uint64_t const kept = sides_to_keep(piece.batch, most_kept(device_budget)).bytes;
    // Of a single chunk, what the more demanding round takes.
    Sums first = sums_of(piece, work, 0, piece.pairs.size());
    work.may_couple = work.may_couple && (work.one_query || piece.max_host_bytes == 0) &&
                      (work.likely_couples || first.all_cells >= least_couple_cells);
    if (!work.may_couple)
        first.lines = 0;
    Room room = room_for(piece, work, device_budget - kept);
    std::vector<Unproven> all;
    std::uint64_t most_cells = 0;
    if (first.has_rings())
        for (std::uint64_t const p : piece.pairs)
            if (PairView const pair = piece.batch.view(p); work.suits(pair)) {
                all.push_back({p, work.most_half_width(pair)});
                if (all.back().half_width != UINT32_MAX && pair.cells() >= most_cells) {
                    most_cells = pair.cells();
                    needs.unsure = p;
                }
            }
    std::uint64_t const lists = all.size() * bytes_per_unproven;
    std::vector<std::uint64_t> none;
    SecondRound const second{piece.batch, work, std::move(all), none};
    Sums const most = first.has_rings() ? sums_of(second.piece(piece), second.work, 0, second.pairs.size()) : first;
    if (room.limits.hold(first, work.bits()) && room.limits.hold(most, work.bits())) {
        room = room_for(first, work);
        Room const other = room_for(most, work);
        if (device_bytes(other.limits) > device_bytes(room.limits))
            room = other;
    }
    needs.device_bytes = kept + room.slots * device_bytes(room.limits);
    needs.host_bytes = room.slots * host_bytes(room.limits) + lists +
                       (work.may_couple && !work.one_query ? piece.pairs.size() * sizeof(std::uint64_t) : 0); // Couples
    return needs;
}

BatchAligner::BatchAligner(Device & device, ToTwoBits to_two_bits) :
    device_{device},
    kept_{{[&device](std::uint64_t bytes) { return device.allocate_spare(bytes); },
           [&device](void * memory, std::uint64_t bytes) { device.release_spare(memory, bytes); }}}
{
    for (Stream & stream : sweep_streams_)
        stream = make_stream(true);
    for (std::uint64_t k = 0; k < slot_count; ++k)
        slots_.push_back(std::make_unique<Slot>(device, sweep_streams_[k % sweep_streams_.size()].get(), to_two_bits));
    device.set_give_up([this] { return kept_.give_up(); });
}

BatchAligner::~BatchAligner()
{
    device_.set_give_up({});
    with_device(device_.index(), [&] { kept_.clear(); });
}

void BatchAligner::trim()
{
    for (auto const & slot : slots_)
        slot->trim();
    kept_.clear();
}

// False: the device has less memory.
bool BatchAligner::reserve(std::uint64_t slots, Limits const & limits, BatchWork const & work)
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

std::vector<std::uint64_t> BatchAligner::align(Piece const & piece, Tuning const & tuning, Monitor & monitor,
                                               Answers & answers)
{
    kept_.free_those_gone();
    std::uint64_t const least_cells = tuning.couple_cells == 0 ? least_couple_cells : tuning.couple_cells;
    auto work = work_for(piece, tuning.batch, &monitor.team(), least_cells, device_.shared_bytes_per_block());
    if (!work || piece.pairs.empty())
        return all_left(piece);
    // Whatever happens, the device is done with its memory before that is given back.
    struct End {
        BatchAligner & aligner;
        ~End()
        {
            for (auto const & slot : aligner.slots_)
                slot->drop();
            for (auto const & slot : aligner.slots_)
                slot->release();
            aligner.kept_of_call_ = {};
            aligner.kept_.end_uses();
        }
    } const end{*this};

    Couples const couples = find_couples(piece, *work, least_cells, monitor.team());
    work->may_couple = !couples.empty() || work->is_lone();
    work->couples = couples.stretches;
    std::span<std::uint64_t const> const order{couples.empty() ? piece.pairs : std::span{couples.pairs}};
    Piece const in_order{piece.batch, order, piece.scoring, piece.request, piece.max_host_bytes, piece.queue};
    find_kept(in_order, *work);
    Left left = run(in_order, *work, monitor, answers);
    if (!left.unproven.empty()) {
        SecondRound second{piece.batch, *work, std::move(left.unproven), left.to_others};
        for (auto const & slot : slots_)
            slot->release();
        Piece const its = second.piece(piece);
        Left const rest = its.pairs.empty() ? Left{} : run(its, second.work, monitor, answers);
        left.to_others.insert(left.to_others.end(), rest.to_others.begin(), rest.to_others.end());
        for (Unproven const & pair : rest.unproven)
            left.to_others.push_back(pair.pair);
        std::sort(left.to_others.begin(), left.to_others.end());
    }
    return std::move(left.to_others);
}

Left BatchAligner::run(Piece const & piece, BatchWork const & work, Monitor & monitor, Answers & answers)
{
    Cutter cutter{piece, work, monitor.team()};
    Room room;
    Sums sums;
    // Others may be quicker to take it: then there is no room for letters that stay, nor for as large chunks.
    for (std::uint64_t budget = device_.budget() - device_.used() - kept_.bytes_in_use();;) {
        room = room_for(piece, work, budget);
        ChunkPair * const pairs = slots_[0]->room_for_pairs(first_pairs);
        if (room.limits.pairs == 0 || budget < least_budget || !pairs)
            return {all_left(piece), {}};
        Chunk const first = cutter.look(room.limits, first_pairs, pairs);
        if (first.fits && first.last == piece.pairs.size())
            room = room_for(first.sums, work);
        else if (first.sums.suited > first_pairs / 2) // later ones are hardly much larger; else they are cut smaller
            room.limits.stored =
                std::min(room.limits.stored, std::max(work.has_chains ? least_stored_of_chains : least_stored,
                                                      first.sums.stored_bytes(work.bits()) / 2 * 3 *
                                                          ceil_div(room.limits.pairs, first.sums.suited)));
        sums = first.sums;
        if (reserve(room.slots, room.limits, work))
            break;
        if (kept_.bytes() == 0)
            budget /= 2;
        kept_of_call_ = {};
        kept_.clear();
    }
    send_scattered(piece, sums, monitor);
    return Run{piece, work, room, kept_of_call_, cutter, {slots_.data(), room.slots}, monitor, answers}.align();
}

} // namespace nwgpu::cuda::batch
