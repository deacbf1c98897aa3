// SPDX-License-Identifier: BSD-3-Clause
#include "places/rows_call.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/rest_of_limit.hpp"
#include "path/end.hpp"
#include "places/task.hpp"

namespace nwgpu::places {

namespace {

constexpr std::chrono::microseconds look_again{125}; // for the last messages of a call
constexpr std::chrono::milliseconds between_reports{20};
// A call that has ended does not wait longer for a rank, which then gets no more.
constexpr std::chrono::seconds most_wait{2};
// Of letters on their way: in the message while it is made, and where MPI keeps it for each rank.  Of lines: going in
// and out, in messages, and where MPI keeps them.
constexpr std::uint64_t copies_of_letters = 3, copies_of_lines = 4;
// Of slabs of all shares on rank 0: as messages, as slabs, and while they are written.
constexpr std::uint64_t copies_of_slabs = 3;
// Of the memory of a call: all slabs of a round, once.
constexpr std::uint64_t part_for_slabs = 16;

std::uint64_t max_slab_bytes(std::uint64_t max_host_bytes, std::size_t shares)
{
    return max_host_bytes == 0 ? UINT64_MAX : std::max<std::uint64_t>(1, max_host_bytes / part_for_slabs / shares);
}

bool is_lack_of_memory(Status status)
{
    return status == Status::memory_limit || status == Status::out_of_host_memory ||
           status == Status::out_of_device_memory;
}

} // namespace

RowsCall::RowsCall(World & world, std::uint64_t number, Roster & roster, Monitor & monitor, std::int64_t known_score) :
    world_{world},
    number_{number},
    roster_{roster},
    monitor_{monitor},
    known_score_{known_score},
    reported_{std::chrono::steady_clock::now()}
{}

std::uint64_t RowsCall::message_bytes(PairView const & pair, RowDeal const & deal)
{
    return (copies_of_letters + deal.parts.size()) * (pair.m + pair.n) + copies_of_lines * sizeof(RowEntry) * pair.n;
}

std::optional<PairResult> RowsCall::run(RowEngine & engine, Piece const & piece, RowDeal const & deal,
                                        SavedRows * saved)
{
    request_ = &piece.request;
    saved_ = saved;
    pair_ = piece.batch.view(piece.pairs[0]);
    gap_ = piece.scoring.gap();
    for (RowPart const & rows : deal.parts) {
        auto share =
            std::find_if(shares_.begin(), shares_.end(), [&](Share const & one) { return one.rank == rows.rank; });
        if (share == shares_.end())
            share = shares_.insert(share, {rows.rank, {}});
        parts_.push_back({rows, share->parts.size()});
        share->parts.push_back(parts_.size() - 1);
    }
    sweep(engine, piece, deal);
    monitor_.throw_if_stopped();
    if (failure_)
        throw Error{*failure_};
    if (goes_alone_)
        return std::nullopt;
    if (in_saved_)
        try {
            WalkedRows const walked = saved_->walk(engine, *in_saved_, monitor_);
            cigar_.add(walked.runs);
            path::finish(request_->mode, walked.begin, cigar_, result_);
        } catch (Error const & error) {
            if (!is_lack_of_memory(error.status))
                throw;
            return std::nullopt;
        } catch (std::bad_alloc const &) {
            return std::nullopt;
        }
    return std::move(result_);
}

// And walk, as far as these rows go.
void RowsCall::sweep(RowEngine & engine, Piece const & piece, RowDeal const & deal)
{
    try {
        for (std::size_t k = 1; k < shares_.size(); ++k)
            start(shares_[k], task_of(shares_[k], piece, deal));
        RowWorker::Above above;
        if (parts_[0].rows.row > 0) {
            saved_->unpack_bottom();
            above = [this](std::uint64_t begin, std::span<RowEntry> to) { saved_->bottom(begin, to); };
        }
        RowWorker own{engine, task_of(shares_[0], piece, deal), monitor_.team(), std::move(above)};
        while (!is_done_ && !failure_ && !goes_alone_ && !monitor_.stopped())
            look(own);
    } catch (std::system_error const &) { // no thread for it
        goes_alone_ = true;
    } catch (std::bad_alloc const &) {
        goes_alone_ = true;
    } catch (...) { // the others must not wait for what does not come
        try {
            stop();
        } catch (...) { // the first error is told
        }
        throw;
    }
    stop();
}

RowTask RowsCall::task_of(Share const & share, Piece const & piece, RowDeal const & deal) const
{
    bool const is_saved = saved_ && parts_.back().rows.row + parts_.back().rows.rows < pair_.m;
    std::uint64_t const slab_bytes = is_saved ? max_slab_bytes(piece.max_host_bytes, shares_.size()) : 0,
                        slabs = piece.max_host_bytes == 0 ? 0 : copies_of_slabs * slab_bytes * shares_.size();
    RowPart const & first = parts_[share.parts.front()].rows;
    RowPart const & last = parts_[share.parts.back()].rows;
    RowTask task{{pair_.query + first.row, last.row + last.rows - first.row, pair_.target, pair_.n},
                 first.row,
                 pair_.m,
                 deal.panel_cols,
                 piece.scoring,
                 piece.request,
                 rest_of_limit(piece.max_host_bytes, message_bytes(pair_, deal) + slabs),
                 slab_bytes,
                 known_score_};
    for (std::size_t const k : share.parts)
        task.parts.push_back({parts_[k].rows.row - first.row, parts_[k].rows.rows});
    return task;
}

// On another rank.
void RowsCall::start(Share & share, RowTask const & task)
{
    std::vector<RowNeighbours> neighbours;
    for (std::size_t const k : share.parts)
        neighbours.push_back(
            {k > 0 ? parts_[k - 1].rows.rank : -1, k + 1 < parts_.size() ? parts_[k + 1].rows.rank : -1});
    ByteWriter job;
    put_row_job(job, task, neighbours);
    share.has_ended = false;
    world_.send(share.rank, Kind::rows, number_, job);
}

// What is due now; sleeps where nothing is.
void RowsCall::look(RowWorker & own)
{
    bool idle = true;
    if (for_own_)
        own.ask(*std::exchange(for_own_, std::nullopt));
    for (; auto const line = own.take_line(); idle = false)
        if (std::size_t const below = shares_[0].parts[line->part] + 1; below < parts_.size())
            world_.send(parts_[below].rows.rank, Kind::line, number_, line->bytes);
    for (; auto const answer = own.take_answer(); idle = false)
        take(shares_[0], ByteReader{answer->bytes()});
    for (; auto answer = own.take_slabs(); idle = false)
        take_slabs(shares_[0], std::move(*answer));
    for (; auto message = world_.next(); idle = false)
        if (message->kind == Kind::line && message->call == number_)
            own.put_line(std::move(*message));
        else if (Share * const share = share_of(*message))
            take(*share, message->reader());
    save_slabs();
    // The other shares are a few panels behind: this one stands for all of them.
    std::uint64_t const done = own.cells_done(),
                        rows = parts_.back().rows.row + parts_.back().rows.rows - parts_[0].rows.row;
    std::uint64_t own_rows = 0;
    for (std::size_t const k : shares_[0].parts)
        own_rows += parts_[k].rows.rows;
    monitor_.poll(static_cast<std::uint64_t>(static_cast<double>(done - own_done_) * static_cast<double>(rows) /
                                             static_cast<double>(own_rows)));
    own_done_ = done;
    if (auto const now = std::chrono::steady_clock::now(); now - reported_ >= between_reports) {
        reported_ = now;
        monitor_.report(0);
    }
    if (idle)
        own.rest();
}

// Null: the message is not for this call.
RowsCall::Share * RowsCall::share_of(Message const & message)
{
    auto const share =
        std::find_if(shares_.begin() + 1, shares_.end(), [&](Share const & one) { return one.rank == message.from; });
    if (message.kind == Kind::answer && message.call == number_ && share != shares_.end())
        return &*share;
    roster_.take(message);
    if (message.kind == Kind::gone && share != shares_.end() && !share->has_ended)
        goes_alone_ = share->has_ended = true;
    return nullptr;
}

void RowsCall::take(Share & share, ByteReader reader)
{
    try {
        switch (get_row_answer(reader)) {
        case RowAnswer::swept: {
            if (share.is_swept)
                throw_damage();
            std::vector<SweptRows> const swept = get_swept(reader, share.parts.size());
            for (std::size_t const k : share.parts)
                parts_[k].swept = swept[parts_[k].number];
            share.is_swept = true;
            if (std::all_of(shares_.begin(), shares_.end(), [](Share const & one) { return one.is_swept; }))
                all_swept();
            return;
        }
        case RowAnswer::walked:
            if (parts_[asked_].rows.rank != share.rank)
                throw_damage();
            return take_walk(get_walked(reader));
        case RowAnswer::slabs:
            return take_slabs(share, get_slabs(reader));
        case RowAnswer::ended:
            share.has_ended = true;
            return;
        }
        throw_damage();
    } catch (Error const & error) {
        std::string const who = world_.size() > 1 ? world_.name_of(share.rank) + ": " : "";
        if (is_lack_of_memory(error.status)) {
            goes_alone_ = true;
            lack_ = who + error.what();
        }
        if (error.status == Status::device_lost && share.rank > 0)
            roster_.lose(share.rank);
        if (!goes_alone_ && !failure_)
            failure_ = Error{error.status, who + error.what(), no_pair, error.cuda_code};
    }
}

void RowsCall::take_slabs(Share const & share, PartSlabs && answer)
{
    if (answer.part >= share.parts.size())
        throw_damage();
    parts_[share.parts[answer.part]].slabs = std::move(answer.slabs);
}

void RowsCall::all_swept()
{
    RowPart const & last = parts_.back().rows;
    if (last.row + last.rows < pair_.m)
        ask_for_slabs();
    else
        find_end();
}

// All at once, so that they are made side by side.
void RowsCall::ask_for_slabs()
{
    RowEnd above = saved_->best();
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        RowQuestion question;
        question.slabs = true;
        question.above = above;
        ask(k, question);
        if (goes_before(parts_[k].swept.anywhere, above))
            above = parts_[k].swept.anywhere;
    }
}

// Those that are there, each after those above it.
void RowsCall::save_slabs()
{
    for (; parts_saved_ < parts_.size() && parts_[parts_saved_].slabs; ++parts_saved_)
        saved_->save(*std::exchange(parts_[parts_saved_].slabs, std::nullopt));
    is_done_ = is_done_ || parts_saved_ == parts_.size();
}

// All shares: their ranks wait for the next call then.
void RowsCall::stop()
{
    auto const until = std::chrono::steady_clock::now() + most_wait;
    for (Share const & share : shares_)
        if (!share.has_ended)
            world_.send(share.rank, Kind::stop, number_, {});
    auto const all_ended = [&] {
        return std::all_of(shares_.begin(), shares_.end(), [](Share const & one) { return one.has_ended; });
    };
    while (!all_ended() && std::chrono::steady_clock::now() < until) {
        auto const message = world_.next();
        if (!message) {
            std::this_thread::sleep_for(look_again);
            continue;
        }
        Share * const share = share_of(*message);
        if (!share)
            continue;
        ByteReader reader = message->reader();
        try {
            share->has_ended = get_row_answer(reader) == RowAnswer::ended;
        } catch (Error const &) { // why it was stopped is known
        }
    }
    for (Share const & share : shares_)
        if (!share.has_ended)
            roster_.wait_for(share.rank, number_, Roster::Work::rows, 1);
}

Estimate estimate_by_rows(Estimate whole, PairView const & pair, RowDeal const & deal, std::string const & places)
{
    if (whole.alone)
        return whole;
    std::map<int, std::uint64_t> rows; // of each place
    for (RowPart const & part : deal.parts)
        rows[part.rank] += part.rows;
    whole.seconds *= static_cast<double>(rows.begin()->second) / static_cast<double>(pair.m);
    whole.host_bytes += RowsCall::message_bytes(pair, deal);
    std::string text = "rows of the pair dealt out to " + std::to_string(rows.size()) + " " + places + ":";
    for (auto const & [rank, sum] : rows)
        text.append(" ").append(std::to_string(sum));
    if (deal.parts.size() > rows.size())
        text += ", in " + std::to_string(deal.parts.size() / rows.size()) + " rounds";
    whole.plan = text + "; panels of " + std::to_string(deal.panel_cols) + " columns; " + whole.plan;
    return whole;
}

} // namespace nwgpu::places
