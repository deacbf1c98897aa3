// SPDX-License-Identifier: BSD-3-Clause
#include "places/deal.hpp"

#include <algorithm>
#include <utility>

namespace nwgpu::places {

namespace {

// A pair that takes more than this part of a place's work is dealt out alone, before the others.
constexpr double large_part = 1.0 / 8;
// What is left of the pairs is no share of its own where it is less than this part of the one before.
constexpr double rest_part = 1.0 / 8;

} // namespace

Deal::Deal(Piece const & piece, std::size_t places, Speed const & speed) :
    piece_{piece},
    speed_{speed},
    places_{static_cast<double>(places)},
    seconds_{total_seconds()},
    large_seconds_{std::max(speed.least_seconds, seconds_ / places_ * large_part)},
    left_{seconds_}
{
    for (std::uint64_t const p : piece.pairs)
        if (seconds_of(p) > large_seconds_)
            large_.push_back(p);
    std::stable_sort(large_.begin(), large_.end(), [&](auto a, auto b) { return seconds_of(a) < seconds_of(b); });
}

double Deal::seconds_of(std::uint64_t p) const
{
    PairView const pair = piece_.batch.view(p);
    double const m = static_cast<double>(pair.m), n = static_cast<double>(pair.n);
    return speed_.pair_seconds + speed_.letter_seconds * (m + n) + speed_.cell_seconds * m * n;
}

double Deal::total_seconds() const
{
    double sum = 0;
    for (std::uint64_t const p : piece_.pairs)
        sum += seconds_of(p);
    return sum;
}

// With the mutex.
Share Deal::next()
{
    if (stopped_)
        return {};
    if (!returned_.empty()) {
        Share share = std::move(returned_.back());
        returned_.pop_back();
        return share;
    }
    if (!large_.empty()) {
        Share share{large_.back()};
        large_.pop_back();
        left_ -= seconds_of(share[0]);
        return share;
    }
    double const rest = left_ / places_;
    double goal = speed_.part * rest;
    if (last_ == 0 && (1 - speed_.part) * rest < speed_.part * speed_.least_seconds)
        last_ = rest;
    if (last_ > 0)
        goal = last_;
    double const rest_worth = goal * rest_part; // less joins the share before it
    Share share;
    std::uint64_t letters = 0;
    auto const is_full = [&](double sum) {
        return !share.empty() && ((sum >= goal && left_ > rest_worth) || letters >= speed_.most_letters);
    };
    for (double sum = 0; next_ < piece_.pairs.size() && !is_full(sum); ++next_) {
        std::uint64_t const p = piece_.pairs[next_];
        double const seconds = seconds_of(p);
        if (seconds > large_seconds_)
            continue;
        share.push_back(p);
        PairView const pair = piece_.batch.view(p);
        letters += pair.m + pair.n;
        sum += seconds;
        left_ -= seconds;
    }
    return share;
}

Share Deal::take()
{
    std::lock_guard const lock{mutex_};
    Share share = next();
    taken_ += !share.empty();
    return share;
}

Share Deal::wait_and_take()
{
    std::unique_lock lock{mutex_};
    for (;;) {
        Share share = next();
        taken_ += !share.empty();
        if (!share.empty() || taken_ == 0 || stopped_)
            return share;
        changed_.wait(lock);
    }
}

void Deal::end(Share && left)
{
    std::lock_guard const lock{mutex_};
    if (!left.empty())
        returned_.push_back(std::move(left));
    --taken_;
    changed_.notify_all();
}

void Deal::stop()
{
    std::lock_guard const lock{mutex_};
    stopped_ = true;
    changed_.notify_all();
}

bool Deal::has_ended()
{
    std::lock_guard const lock{mutex_};
    return taken_ == 0 && (stopped_ || (returned_.empty() && large_.empty() && next_ == piece_.pairs.size()));
}

} // namespace nwgpu::places
