// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/band_batch.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "base/ceil_div.hpp"
#include "base/pieces.hpp"
#include "cpu/batch/lane_batch.hpp"
#include "cpu/batch/sampled_changes.hpp"
#include "cpu/furthest/furthest_time.hpp"

namespace nwgpu::cpu {

namespace {

// Sequences whose lengths agree but for so many letters may share a group.
constexpr std::uint64_t like_lengths = 128;
// Groups that are left out after one for which bands were no quicker.
constexpr int groups_left_out = 7;
// Bands are so many standard deviations wider than pairs need on average: some pair of a group needs more, or hardly
// any. Those cost their part of a group if they fill several by the end, and else, alone, several times as much.
constexpr double few_deviations = 2.25, many_deviations = 3;
constexpr std::size_t groups_of_open = 2;
constexpr std::uint64_t last_groups_per_thread = 2;

// Pairs that need more than this are not like most.
std::uint64_t most_like(std::uint64_t usual) { return usual * 3 / 2; }

bool takes_pair(PairView const & pair) { return std::max(pair.m, pair.n) <= BandBatch::most_letters; }

// Longer targets first; of those, in the order of the diagonals that the pairs end on.
constexpr int key_bits = 20;
std::uint32_t key_of(PairView const & pair)
{
    constexpr std::uint64_t classes = BandBatch::most_letters / like_lengths;
    static_assert(BandBatch::most_letters * 2 < 1 << 14 && classes < 1 << (key_bits - 14));
    return static_cast<std::uint32_t>((classes - pair.n / like_lengths) << 14 |
                                      (BandBatch::most_letters + pair.n - pair.m));
}

} // namespace

bool BandBatch::takes(Scheme const & scheme)
{
    return scheme.scoring().is_uniform() && scheme.reduced().lanes.block > 0 && Penalties::of(scheme.scoring()).count();
}

BandBatch::BandBatch(Scheme const & scheme, KernelTable const & kernels, Request const & request, bool forced,
                     Batch const & batch, std::span<std::uint64_t> pairs, Team * team) :
    scheme_{scheme},
    penalties_{Penalties::of(scheme.scoring())},
    kernels_{kernels},
    request_{request},
    forced_{forced},
    batch_{batch},
    pairs_{pairs},
    team_{team},
    least_at_end_{std::min(lanes(), least() * static_cast<std::size_t>(team ? team->size() : 1))},
    deviations_{pairs.size() < groups_of_open * least_at_end_ * lanes() ? many_deviations : few_deviations},
    answered_(pairs.size()),
    half_width_{forced ? 1 : first_half_width(pairs)}
{
    sort(team);
    under_way_ = ceil_div(entries_.size(), lanes());
}

// Those that it takes.
void BandBatch::sort(Team * team)
{
    Array<Entry> other(pairs_.size());
    entries_.resize(pairs_.size());
    std::uint64_t count = 0;
    for (std::uint64_t k = 0; k < pairs_.size(); ++k)
        if (PairView const pair = batch_.view(pairs_[k]); takes_pair(pair))
            entries_[count++] = {key_of(pair), static_cast<std::uint32_t>(k)};
    if (sort_by_key(team, entries_.data(), other.data(), count, key_bits, [](Entry const & e) { return e.key; }) ==
        other.data())
        entries_.swap(other);
    entries_.resize(count);
}

// What the costs of the first and last changes of some pairs tell of all, had each the greatest cost; or the usual one,
// with so many more changes as some pairs have by chance.
std::uint64_t BandBatch::first_half_width(std::span<std::uint64_t const> pairs) const
{
    SampledChanges const sampled = sample_changes(kernels_, batch_, pairs, takes_pair);
    if (sampled.pairs == 0)
        return 0;
    auto const half_width = [&](std::int64_t per_change) {
        return static_cast<std::uint64_t>(sampled.changes * per_change / (2 * penalties_.extend)) + 1;
    };
    std::uint64_t const usual = half_width(penalties_.of_both_changes() / 2);
    auto const changes = static_cast<double>(std::max<std::int64_t>(1, sampled.changes));
    std::uint64_t const wide =
        std::max(half_width(penalties_.step()),
                 widened(static_cast<double>(usual), static_cast<double>(usual) / std::sqrt(changes), usual));
    return suits(wide, usual, pairs.size(), sampled.columns) ? wide : 0;
}

// As wide as nearly all pairs need that are like most.
std::uint64_t BandBatch::widened(double mean, double deviation, std::uint64_t usual) const
{
    auto const wanted = static_cast<std::uint64_t>(std::lround(mean + deviations_ * deviation));
    return std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(1, most_like(usual)));
}

// Whether bands of this half-width are quicker for so many pairs, which usually need the other one.
bool BandBatch::suits(std::uint64_t half_width, std::uint64_t usual, std::size_t pairs, std::uint64_t columns) const
{
    std::int64_t const penalty =
        2 * (static_cast<std::int64_t>(usual) * penalties_.extend + penalties_.open); // of sequences of one length
    return forced_ || are_bands_quicker({columns, half_width, BandGroup::kept_for(half_width, penalties_),
                                         kernels_.lanes, std::min(pairs, lanes()),
                                         columns <= LaneRules::usual_letters &&
                                             LaneRules{scheme_, kernels_, request_, 0, false}.fits(columns, columns),
                                         request_.output >= Output::span},
                                        penalty, penalties_);
}

void BandBatch::work(BandMemory & memory, AnswerWriter & writer, Monitor & monitor)
{
    struct End { // of what others wait for, whatever happens
        BandBatch & batch;
        std::atomic<std::uint64_t> & count;
        ~End()
        {
            --count;
            batch.ring();
        }
    };
    ++in_work_;
    End const end_of_work{*this, in_work_};
    BandGroup group{scheme_, kernels_, request_, memory};
    std::uint64_t const groups = ceil_div(entries_.size(), lanes()),
                        last = last_groups_per_thread * static_cast<std::uint64_t>(team_ ? team_->size() : 1);
    for (std::uint64_t k = next_++; k < groups; k = next_++) {
        End const end_of_turn{*this, under_way_};
        try {
            std::span const entries{entries_};
            if (groups - k <= last) // one that begins last of all would keep the others waiting
                if (auto open = take_open(); !open.empty() && !monitor.stopped())
                    second_turn(group, open, writer, monitor);
            if (!monitor.stopped())
                first_turn(group, entries.subspan(k * lanes(), std::min(lanes(), entries.size() - k * lanes())), writer,
                           monitor);
        } catch (std::bad_alloc const &) { // alone they take less
        }
    }
    try {
        for (auto open = take_open(); !open.empty() && !monitor.stopped(); open = take_open())
            second_turn(group, open, writer, monitor);
    } catch (std::bad_alloc const &) {
    }
}

// As wide as the groups before would have needed.
void BandBatch::first_turn(BandGroup & group, std::span<Entry const> entries, AnswerWriter & writer, Monitor & monitor)
{
    if (left_out_ > 0 && left_out_-- > 0)
        return;
    BandGroup::Member members[BandGroup::most_lanes];
    std::uint64_t pairs[BandGroup::most_lanes];
    for (std::size_t k = 0; k < entries.size(); ++k) {
        pairs[k] = pairs_[entries[k].index];
        members[k] = {pairs[k], entries[k].index};
    }
    std::uint64_t half_width = half_width_;
    if (half_width == 0)
        half_width = first_half_width({pairs, entries.size()});
    if (half_width == 0)
        return;
    for (std::span<BandGroup::Member const> left{members, entries.size()}; !left.empty();) {
        left = left.subspan(group.fill(batch_, left, half_width));
        if (group.count() < least()) // in their lengths
            continue;
        auto const outcomes = group.compute(writer, answered_, monitor);
        keep_open(outcomes);
        if (!forced_)
            learn(outcomes, group.columns());
    }
}

// Most pairs are alike; a few may be much more different.
void BandBatch::learn(std::span<BandGroup::Outcome const> outcomes, std::uint64_t columns)
{
    std::uint64_t needed[BandGroup::most_lanes];
    std::span<std::uint64_t> const all{needed, outcomes.size()};
    std::ranges::transform(outcomes, needed, &BandGroup::Outcome::half_width);
    std::ranges::sort(all);
    std::uint64_t const usual = all[all.size() / 2], most = most_like(usual);
    double count = 0, sum = 0, squares = 0;
    for (std::uint64_t const one : all.first(std::ranges::upper_bound(all, most) - all.begin())) {
        auto const width = static_cast<double>(one);
        ++count;
        sum += width;
        squares += width * width;
    }
    double const mean = sum / count;
    std::uint64_t const half_width = widened(mean, std::sqrt(std::max(0.0, squares / count - mean * mean)), usual);
    bool const is_quicker = suits(half_width, usual, lanes(), columns);
    half_width_ = is_quicker ? half_width : 0;
    if (!is_quicker)
        left_out_ = groups_left_out;
}

// For a second turn.
void BandBatch::keep_open(std::span<BandGroup::Outcome const> outcomes)
{
    std::unique_lock lock{mutex_, std::defer_lock};
    for (BandGroup::Outcome const & outcome : outcomes) {
        if (outcome.what != BandGroup::Outcome::unproven)
            continue;
        if (!lock.owns_lock())
            lock.lock();
        open_.push_back({outcome.entry, outcome.half_width});
        ++opened_;
        is_sorted_ = false;
    }
}

// Those of the narrowest bands, as many as there are lanes; none: there are too few, or groups are under way that may
// add some.
std::vector<BandBatch::Open> BandBatch::take_open()
{
    std::lock_guard const lock{mutex_};
    if (open_.size() < (under_way_ > 0 ? lanes() : least_at_end_))
        return {};
    if (!std::exchange(is_sorted_, true))
        std::ranges::sort(open_, [](Open const & a, Open const & b) {
            return a.half_width != b.half_width ? a.half_width > b.half_width : a.index > b.index;
        });
    std::size_t const left = open_.size() - std::min(open_.size(), lanes());
    std::vector<Open> taken{open_.begin() + static_cast<std::ptrdiff_t>(left), open_.end()};
    open_.resize(left);
    return taken;
}

void BandBatch::second_turn(BandGroup & group, std::vector<Open> & open, AnswerWriter & writer, Monitor & monitor)
{
    BandGroup::Member members[BandGroup::most_lanes];
    std::ranges::transform(open, members, [&](Open const & pair) {
        return BandGroup::Member{pairs_[pair.index], pair.index};
    });
    std::uint64_t const most = open.front().half_width;
    if (!suits(most, most, open.size(), batch_.view(members[0].pair).n))
        return;
    std::size_t const taken = group.fill(batch_, {members, open.size()}, most);
    if (group.count() >= least())
        group.compute(writer, answered_, monitor);
    std::lock_guard const lock{mutex_};
    open_.insert(open_.end(), open.begin() + static_cast<std::ptrdiff_t>(taken), open.end());
    is_sorted_ = is_sorted_ && taken == open.size();
}

// With as many as groups under way add if they are like those before.
bool BandBatch::are_too_few() const
{
    std::uint64_t const groups = ceil_div(entries_.size(), lanes()), under_way = under_way_;
    return open_.size() + opened_ * under_way / std::max<std::uint64_t>(1, groups - under_way) < least_at_end_;
}

// For those in take_lone(), who come when all groups have begun.
void BandBatch::ring()
{
    if (team_ && next_ * lanes() >= entries_.size())
        team_->look_again();
}

std::optional<std::uint64_t> BandBatch::take_lone(Monitor & monitor)
{
    std::optional<std::uint64_t> taken;
    auto const is_long = [&](Open const & open) { // shorter ones may go in lanes of another kind
        PairView const pair = batch_.view(pairs_[open.index]);
        return std::max(pair.m, pair.n) > LaneRules::usual_letters;
    };
    auto const is_over = [&] {
        bool const is_last = under_way_ == 0 && in_work_ == 0; // looked at first: pairs are added before
        std::lock_guard const lock{mutex_};
        if (is_last || are_too_few())
            if (auto const found = std::ranges::find_if(open_, is_long); found != open_.end()) {
                answered_[found->index] = 1;
                taken = pairs_[found->index];
                open_.erase(found);
            }
        return taken || is_last;
    };
    if (team_)
        team_->help_until([&] {
            monitor.report_if_due();
            return monitor.stopped() || is_over();
        });
    return taken;
}

std::size_t BandBatch::keep_others()
{
    std::uint64_t count = 0;
    for (std::uint64_t k = 0; k < pairs_.size(); ++k)
        if (answered_[k] == 0)
            pairs_[count++] = pairs_[k];
    return count;
}

} // namespace nwgpu::cpu
