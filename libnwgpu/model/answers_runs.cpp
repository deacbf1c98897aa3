// SPDX-License-Identifier: BSD-3-Clause
// Where the runs of a piece lie: of pairs that are answered in order where they stay, of others in blocks until its
// end.
#include <algorithm>

#include "base/large_pages.hpp"
#include "base/pieces.hpp"
#include "model/answers.hpp"

namespace nwgpu {

namespace {

// CIGARs are copied in some parts for each thread, of so many pairs at least; fewer runs in less time than a thread
// needs to wake up.
constexpr std::uint64_t parts_per_thread = 4, least_part = 16, few_runs = 1 << 15;

// Of a page of memory.
constexpr std::uint64_t small_page_runs = 1024, large_page_runs = 512 * small_page_runs;

} // namespace

// Behind the runs of earlier pieces, if these are page-locked.
void Answers::begin_runs()
{
    base_ = run_count_;
    page_locked_ = run_memory_ && later_.empty() && run_memory_->has(result_.runs.data());
    if (page_locked_) {
        runs_ = std::move(result_.runs);
        base_ = 0;
    }
}

bool Answers::takes_in_order(std::uint64_t given) const
{
    return !several_ && output_ == Output::cigar && min_score_ == no_min_score && !is_one_pair() &&
           given == last_ - first_;
}

Answers::Place Answers::next_runs(std::uint64_t given, std::uint64_t first, std::uint64_t pairs, std::uint64_t runs)
{
    if (!takes_in_order(given))
        return {};
    std::lock_guard const lock{order_mutex_};
    if (first >= order_end_ || first != first_ + next_)
        return {};
    std::uint64_t const before = runs_.size(), needed = before + runs;
    next_ += pairs;
    if (std::max<std::uint64_t>(needed, 1) > runs_.capacity())
        grow_runs(needed);
    make_pages(needed);
    runs_.resize(needed);
    return {runs_.data() + before, page_locked_, true, base_ + before};
}

bool Answers::is_early(std::uint64_t given, std::uint64_t first)
{
    if (!takes_in_order(given))
        return false;
    std::lock_guard const lock{order_mutex_};
    return first < order_end_ && first > first_ + next_;
}

void Answers::end_order(std::uint64_t first)
{
    std::lock_guard const lock{order_mutex_};
    order_end_ = std::min(order_end_, first);
}

void Answers::take_back(Place const & place, std::uint64_t pairs, std::uint64_t runs)
{
    std::lock_guard const lock{order_mutex_};
    order_end_ = 0;
    if (place.offset + runs == base_ + runs_.size()) { // else others lie behind it
        next_ -= pairs;
        runs_.resize(runs_.size() - runs);
    }
}

void Answers::keep_next(Place const & place, std::uint64_t first, std::uint64_t pairs)
{
    std::lock_guard const lock{order_mutex_};
    ordered_.push_back({first, pairs, place.offset});
}

Answers::Place Answers::other_runs(std::uint64_t runs)
{
    Runs block{UninitializedAllocator<std::uint32_t>{run_memory_}};
    block.resize(std::max<std::uint64_t>(runs, 1));
    Place const place{block.data(), run_memory_ && run_memory_->has(block.data()), false, 0};
    std::lock_guard const lock{mutex_};
    others_lent_ = others_lent_ || place.page_locked;
    kept_.push_back(std::move(block));
    return place;
}

// Page-locked memory is for the whole call.
bool Answers::may_keep(std::uint64_t runs_of_call) const
{
    return run_memory_ && base_ == 0 && runs_of_call <= run_memory_->most_bytes() / sizeof(std::uint32_t);
}

// For as many as there will be, if other pairs have as many.  What a device may be about to write stays where it is.
void Answers::grow_runs(std::uint64_t needed)
{
    std::uint64_t const size = runs_.size();
    double const earlier = static_cast<double>(run_count_ - base_),
                 earlier_pairs = base_ == 0 ? static_cast<double>(first_) : 0,
                 per_pair = static_cast<double>(needed) / (earlier_pairs + static_cast<double>(next_)),
                 most_per_pair = static_cast<double>(most_runs_) / static_cast<double>(last_ - first_),
                 twice = 2 * static_cast<double>(runs_.capacity());
    auto const room_for = [&](std::uint64_t pairs) { // of this piece, or more
        double const more = static_cast<double>(pairs), expected = 33.0 / 32 * per_pair * (earlier_pairs + more);
        double const room = std::min(std::max(expected, twice), earlier + most_per_pair * more);
        return std::max(needed + 1, static_cast<std::uint64_t>(room));
    };
    std::uint64_t const of_call = room_for(result_.count() - first_);
    bool const keep = may_keep(of_call);
    Runs larger{UninitializedAllocator<std::uint32_t>{keep ? run_memory_ : nullptr}};
    larger.reserve(keep ? of_call : room_for(last_ - first_));
    outgrown_.reserve(outgrown_.size() + 1);
    std::uint64_t const first = outgrown_.empty() ? 0 : outgrown_.back().runs.size();
    outgrown_.push_back({std::exchange(runs_, std::move(larger)), first});
    page_locked_ = keep && run_memory_->has(runs_.data());
    runs_.resize(size);
    made_ = size;
}

// For so many.  All threads make new pages, each some of its own: who fills them would wait for each other.
void Answers::make_pages(std::uint64_t runs)
{
    if (runs <= made_ || page_locked_)
        return;
    std::uint64_t const size = runs_.size(), first = made_;
    made_ = std::min<std::uint64_t>(ceil_div(runs, large_page_runs) * large_page_runs, runs_.capacity());
    runs_.resize(made_);
    for_pieces(
        team_, made_ - first,
        [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t k = begin; k < end; k += small_page_runs)
                runs_[first + k] = 0;
        },
        large_page_runs);
    runs_.resize(size);
}

bool Answers::make_pages()
{
    std::unique_lock const lock{order_mutex_, std::try_to_lock};
    if (!lock)
        return false;
    constexpr std::uint64_t pages_at_a_time = 8;
    if (made_ >= runs_.capacity() || page_locked_)
        return false;
    make_pages(std::min<std::uint64_t>(made_ + pages_at_a_time * large_page_runs, runs_.capacity()));
    return true;
}

// From the first pair on; sorts the stretches.
std::uint64_t Answers::ordered_pairs()
{
    std::ranges::sort(ordered_, {}, &Stretch::first);
    std::uint64_t pairs = 0;
    for (Stretch const & stretch : ordered_)
        if (stretch.first == first_ + pairs)
            pairs += stretch.pairs;
    return pairs;
}

// To all pairs that are in order, as if they had gone another way, as those behind a gap must.
void Answers::give_places()
{
    for (Stretch const & stretch : ordered_) {
        std::uint64_t begin = stretch.offset;
        for (std::uint64_t p = stretch.first; p < stretch.first + stretch.pairs; ++p) {
            std::uint64_t const end = result_.run_offsets[p + 1];
            places_[p - first_] = {runs_.data() + (begin - base_), end - begin};
            begin = end;
        }
    }
}

// Of the pairs that are in order: all in one place.
void Answers::close_runs()
{
    in_order_ = ordered_pairs();
    std::uint64_t const size = (in_order_ > 0 ? result_.run_offsets[first_ + in_order_] : run_count_) - base_;
    bool const has_gap = !ordered_.empty() && ordered_.back().first > first_ + in_order_;
    if (!has_gap)
        runs_.resize(size);
    for (auto const & outgrown : outgrown_) {
        auto const & runs = outgrown.runs;
        std::uint64_t const begin = outgrown.first, end = std::min(runs.size(), runs_.size());
        for_pieces(team_, end - std::min(begin, end), [&](std::uint64_t from, std::uint64_t to) {
            std::copy(runs.begin() + begin + from, runs.begin() + begin + to, runs_.begin() + begin + from);
        });
    }
    outgrown_.clear();
    if (has_gap) {
        give_places();
        Runs in_order{runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(size)};
        kept_.push_back(std::exchange(runs_, std::move(in_order)));
        page_locked_ = false;
    }
}

void Answers::lay_out_runs()
{
    if (is_one_pair()) {
        run_count_ += runs_.size();
        result_.run_offsets[last_] = run_count_;
        base_ = first_ == 0 ? 0 : run_count_;
    } else {
        close_runs();
        copy_places();
    }
    if (base_ == 0)
        result_.runs = std::move(runs_);
    else
        later_.push_back(std::move(runs_));
    runs_ = {};
}

// For so many runs of the pairs up to the end of the piece.
void Answers::make_room(std::uint64_t runs)
{
    if (runs <= runs_.capacity())
        return;
    double const pieces = static_cast<double>(result_.count()) / static_cast<double>(last_);
    auto const of_call =
        last_ == result_.count() ? runs : static_cast<std::uint64_t>(33.0 / 32 * pieces * static_cast<double>(runs));
    bool const keep = (others_lent_ || page_locked_) && may_keep(of_call);
    if (keep && runs_.capacity() == 0)
        runs_ = Runs{UninitializedAllocator<std::uint32_t>{run_memory_}};
    runs_.reserve(keep ? of_call : runs);
}

// Offsets are sums of lengths: of the pieces, and then within each, whose runs go to their places at once.
void Answers::copy_places()
{
    std::uint64_t const first = first_ + in_order_, pairs = last_ - first;
    auto const place_of = [&](std::uint64_t k) {
        return result_.status[first + k] == Status::ok ? places_[in_order_ + k] : std::span<std::uint32_t const>{};
    };
    run_count_ = base_ + runs_.size();
    if (pairs == 0)
        return;
    std::uint64_t const threads = team_ ? static_cast<std::uint64_t>(team_->size()) : 1,
                        part = std::clamp(ceil_div(pairs, parts_per_thread * threads), least_part, piece_entries);
    std::vector<std::uint64_t> offsets(ceil_div(pairs, part));
    for_pieces(
        pairs > piece_entries ? team_ : nullptr, pairs,
        [&](std::uint64_t begin, std::uint64_t end) {
            std::uint64_t sum = 0;
            for (std::uint64_t k = begin; k < end; ++k)
                sum += place_of(k).size();
            offsets[begin / part] = sum;
        },
        part);
    std::uint64_t const first_run = run_count_;
    for (std::uint64_t & offset : offsets)
        run_count_ += std::exchange(offset, run_count_);
    make_room(run_count_ - base_);
    prefer_large_pages(runs_);
    runs_.resize(run_count_ - base_);
    for_pieces(
        run_count_ - first_run > few_runs ? team_ : nullptr, pairs,
        [&](std::uint64_t begin, std::uint64_t end) {
            std::uint64_t offset = offsets[begin / part];
            std::uint32_t * to = runs_.data() + (offset - base_);
            std::span<std::uint32_t const> together; // neighbours in memory are copied at once
            for (std::uint64_t k = begin; k < end; ++k) {
                std::span<std::uint32_t const> const place = place_of(k);
                offset += place.size();
                result_.run_offsets[first + k + 1] = offset;
                if (place.data() == together.data() + together.size()) {
                    together = {together.data(), together.size() + place.size()};
                } else {
                    to = std::ranges::copy(together, to).out;
                    together = place;
                }
            }
            std::ranges::copy(together, to);
        },
        part);
}

} // namespace nwgpu
