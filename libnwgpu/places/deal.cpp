// SPDX-License-Identifier: BSD-3-Clause
#include "places/deal.hpp"

#include <algorithm>
#include <utility>

#include "base/pieces.hpp"

namespace nwgpu::places {

namespace {

constexpr std::uint64_t block_pairs = 1024;
// A pair that takes more than this part of a place's work is dealt out alone, before the others.
constexpr double large_part = 1.0 / 8;
// What is left of the pairs is no share of its own where it is less than this part of the one before.
constexpr double rest_part = 1.0 / 8;

} // namespace

Deal::Deal(Piece const & piece, std::size_t places, Speed const & speed, Team * team) :
    piece_{piece}, speed_{speed}, places_{places}, others_{piece.pairs}, blocks_{blocks_of(others_, team)}
{
    for (Block const & block : blocks_) {
        seconds_ += block.seconds;
        longest_ = std::max(longest_, block.longest);
    }
    left_ = seconds_;
    double const most = std::max(speed.least_seconds, seconds_ / static_cast<double>(places_) * large_part);
    if (longest_ <= most)
        return;
    short_.reserve(piece.pairs.size());
    for (std::uint64_t const p : piece.pairs)
        (seconds_of(p) > most ? large_ : short_).push_back(p);
    std::stable_sort(large_.begin(), large_.end(), [&](auto a, auto b) { return seconds_of(a) < seconds_of(b); });
    large_left_ = large_.size();
    others_ = short_;
    blocks_ = blocks_of(others_, team);
}

double Deal::seconds_of(std::uint64_t p) const
{
    PairView const pair = piece_.batch.view(p);
    double const m = static_cast<double>(pair.m), n = static_cast<double>(pair.n);
    return speed_.pair_seconds + speed_.letter_seconds * (m + n) + speed_.cell_seconds * m * n;
}

std::uint64_t Deal::letters_of(std::uint64_t p) const
{
    PairView const pair = piece_.batch.view(p);
    return pair.m + pair.n;
}

std::vector<Deal::Block> Deal::blocks_of(Share pairs, Team * team) const
{
    std::vector<Block> blocks(ceil_div(pairs.size(), block_pairs));
    for_pieces(
        team, pairs.size(),
        [&](std::uint64_t begin, std::uint64_t end) {
            Block block;
            for (std::uint64_t const p : pairs.subspan(begin, end - begin)) {
                double const seconds = seconds_of(p);
                block.seconds += seconds;
                block.longest = std::max(block.longest, seconds);
                block.letters += letters_of(p);
            }
            blocks[begin / block_pairs] = block;
        },
        block_pairs);
    return blocks;
}

// With the mutex.
Share Deal::next()
{
    if (stopped_)
        return {};
    if (returned_taken_ < returned_.size())
        return returned_[returned_taken_++];
    if (large_left_ > 0) {
        Share const share{&large_[--large_left_], 1};
        left_ -= seconds_of(share[0]);
        return share;
    }
    if (last_ == 0 && round_left_ == 0) {
        double const rest = left_ / static_cast<double>(places_);
        // Until a share has ended, places are as quick as predicted.
        double const pace = predicted_ > 0 ? measured_ / predicted_ : 1;
        if ((1 - speed_.part) * rest * pace < speed_.part * speed_.least_seconds)
            last_ = rest;
        goal_ = last_ > 0 ? last_ : speed_.part * rest;
        round_left_ = places_;
    }
    round_left_ -= round_left_ > 0 ? 1 : 0;
    double const goal = goal_;
    double const rest_worth = goal * rest_part; // less joins the share before it
    std::size_t const begin = next_;
    double sum = 0;
    std::uint64_t letters = 0;
    auto const is_full = [&] {
        return next_ > begin && ((sum >= goal && left_ - sum > rest_worth) || letters >= speed_.most_letters);
    };
    while (next_ < others_.size() && !is_full()) {
        if (Block const & block = blocks_[next_ / block_pairs];
            next_ % block_pairs == 0 && sum + block.seconds <= goal && letters + block.letters <= speed_.most_letters) {
            sum += block.seconds;
            letters += block.letters;
            next_ = std::min(next_ + block_pairs, others_.size());
        } else {
            sum += seconds_of(others_[next_]);
            letters += letters_of(others_[next_]);
            ++next_;
        }
    }
    left_ -= sum;
    Share const share = others_.subspan(begin, next_ - begin);
    if (!share.empty())
        given_.push_back({share.data(), sum});
    return share;
}

void Deal::took(Share const & share, double seconds)
{
    std::lock_guard const lock{mutex_};
    auto const found = std::ranges::find(given_, share.data(), &Given::pairs);
    if (found == given_.end())
        return;
    predicted_ += found->seconds;
    measured_ += seconds;
    given_.erase(found);
}

Share Deal::take()
{
    std::lock_guard const lock{mutex_};
    Share const share = next();
    taken_ += !share.empty();
    return share;
}

Share Deal::wait_and_take()
{
    std::unique_lock lock{mutex_};
    for (;;) {
        Share const share = next();
        taken_ += !share.empty();
        if (!share.empty() || taken_ == 0 || stopped_)
            return share;
        changed_.wait(lock);
    }
}

void Deal::end(std::vector<std::uint64_t> && left)
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
    bool const none_left = returned_taken_ == returned_.size() && large_left_ == 0 && next_ == others_.size();
    return taken_ == 0 && (stopped_ || none_left);
}

} // namespace nwgpu::places
