// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/align_furthest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/aligned_buffer.hpp"
#include "cpu/furthest/furthest_walk.hpp"
#include "cpu/furthest/unit_walk.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

// Points between two looks at the monitor.
constexpr std::uint64_t slice_points = 1 << 22;
// The first look at how far the fronts came, after so many mismatches or gaps.
constexpr std::int64_t first_steps = 2;
constexpr std::uint64_t points_per_front = 25;
// Fewer points than this take some microseconds.
constexpr std::uint64_t little_spent = 1 << 13;
// From so many on fronts tell about how many will be needed.
constexpr std::uint64_t points_per_guess = 800;

class FurthestPair {
public:
    FurthestPair(PairView const & pair, Penalties const & penalties, KernelTable const & kernels,
                 Request const & request, FurthestPlan const & plan, FurthestMemory & memory, Monitor & monitor) :
        pair_{pair},
        penalties_{penalties},
        kernels_{kernels},
        request_{request},
        plan_{plan},
        monitor_{monitor},
        numbers_{memory.numbers},
        cigar_{memory.cigar},
        seeds_{memory.seeds},
        bits_{memory.bits},
        kept_{kernels, penalties, plan.width, memory.kept, monitor}
    {}

    std::optional<PairResult> align()
    {
        bool const keeps = request_.output >= Output::span;
        Fronts fronts = make_fronts(numbers_);
        std::uint64_t points = plan_.first_points;
        if (plan_.decides)
            fronts.most = plan_.most_penalty;
        if (keeps)
            kept_.keep_first(fronts, room_of(points, plan_.most_penalty, penalties_));
        Stop stop = run(fronts, points, keeps);
        if (stop == Stop::bits) {
            if (auto answer = with_bits(most_for_bits(guess(fronts))))
                return answer;
            is_guessed_ = true;
            stop = run(fronts, points, keeps);
        }
        if (stop == Stop::points) { // now only what can be on the way to the end
            seen_ = fronts.s;
            std::optional<std::int64_t> const bound = upper_bound();
            if (!bound && !plan_.decides)
                return std::nullopt;
            fronts.most = bound.value_or(plan_.most_penalty);
            is_bounded_ = true;
            if (plan_.word_bits > 0 || is_worth_words(fronts.most, pair_.m, pair_.n, penalties_))
                fronts.words = seeds_.bound(pair_, penalties_, fronts.most,
                                            plan_.word_bits > 0 ? plan_.word_bits : SeedBound::usual_bits);
            if (!plan_.forced && expected_points(fronts) > static_cast<double>(plan_.most_points))
                return std::nullopt;
            std::uint64_t const all = fronts.words.count > 0 ? points_up_to_with_words(fronts.most, penalties_)
                                                             : points_up_to(fronts.most, penalties_);
            points = std::min(plan_.most_points - (plan_.first_points - points), all);
            if (keeps)
                kept_.keep_rest(fronts,
                                plan_.spacing > 0
                                    ? snapshot_room(points, fronts.most, penalties_, fronts.rings(), plan_.spacing)
                                    : room_for(points, fronts.most, penalties_, fronts.rings(), plan_.room));
            stop = run(fronts, points, keeps);
        }
        PairResult result;
        if (stop == Stop::too_high && plan_.decides) {
            result.score = too_low_score;
            return result;
        }
        if (stop != Stop::end)
            return std::nullopt;
        result.score = penalties_.score(pair_.m, pair_.n, fronts.s - 1);
        result.span.query_end = pair_.m;
        result.span.target_end = pair_.n;
        if (keeps)
            plan_.width == 16 ? walk<std::int16_t>(fronts, result) : walk<std::int32_t>(fronts, result);
        spent_ < little_spent ? monitor_.poll_short(pair_.cells()) : monitor_.poll(pair_.cells());
        return result;
    }

private:
    Fronts make_fronts(AlignedBuffer<std::uint8_t> & numbers) const
    {
        Fronts fronts = lay_out_fronts(pair_.m, pair_.n, penalties_, plan_);
        std::uint8_t * at = numbers.grow(bytes_of(fronts, plan_.width));
        auto const take = [&](std::int64_t rows) {
            return std::exchange(at, at + rows * fronts.stride * plan_.width / 8);
        };
        fronts.query = pair_.query;
        fronts.target = pair_.target;
        fronts.m_ring = take(fronts.ring);
        fronts.limits = take(1);
        if (fronts.gap_ring > 0) {
            fronts.e_ring = take(fronts.gap_ring);
            fronts.f_ring = take(fronts.gap_ring);
        }
        return fronts;
    }

    enum class Stop { end, points, bits, hopeless, too_high };

    // To the end, or as far as it goes with so many points, which are counted down, or to the highest penalty, or until
    // it would take too long.
    Stop run(Fronts & fronts, std::uint64_t & points, bool keeps)
    {
        std::int64_t const step = penalties_.step();
        // As long as little time was spent, four changes tell nothing for sure.
        std::int64_t const few = 4 * step + 1,
                           first_look =
                               points_up_to(few, penalties_) + points_per_front * static_cast<std::uint64_t>(few) <
                                       plan_.free_points
                                   ? few
                                   : first_steps * step;
        while (fronts.s <= plan_.most_penalty) {
            std::int64_t const before = fronts.s,
                               look = std::min(plan_.most_penalty + 1,
                                               std::max({first_look, before + std::max(before / 2, step), seen_}));
            std::uint64_t const slice = std::min(points, slice_points);
            fronts.points = static_cast<std::int64_t>(slice);
            bool enough = true; // points for the next front
            while (enough && !fronts.done && fronts.s < look) {
                fronts.until = keeps ? kept_.prepare(fronts, look) : look;
                (penalties_.unit_costs() ? kernels_.unit_fronts : kernels_.fronts)(fronts, plan_.width);
                enough = fronts.s == fronts.until;
            }
            std::uint64_t const used = slice - static_cast<std::uint64_t>(fronts.points);
            points -= used;
            if (fronts.done)
                return Stop::end;
            if (fronts.is_over)
                return Stop::too_high;
            spent_ += used + points_per_front * static_cast<std::uint64_t>(fronts.s - before);
            if (spent_ >= little_spent)
                monitor_.poll(0);
            monitor_.throw_if_stopped();
            if (keeps && !is_bounded_ && !is_guessed_ && spent_ >= points_per_guess && may_use_bits(guess(fronts)))
                return Stop::bits;
            if (!plan_.forced && !plan_.decides && !is_bounded_ &&
                is_hopeless(static_cast<double>(fronts.s), step, fronts.rows + fronts.columns))
                return Stop::hopeless;
            if (used == 0) // the next front has more
                return Stop::points;
        }
        return Stop::too_high;
    }

    // In proportion, the end will have too high a penalty.  As long as little time was spent, only what is sure counts:
    // where c changes are seen, (sqrt(c) - 1)^2 or more are expected, but for one case in forty.
    bool is_hopeless(double penalty, std::int64_t step, std::int64_t letters) const
    {
        double const changes = penalty / static_cast<double>(step);
        double const least = 1 - 1 / std::sqrt(changes), sure = spent_ < 4 * plan_.free_points ? least * least : 1;
        return sure * penalty * static_cast<double>(pair_.m + pair_.n) >
               static_cast<double>(plan_.most_penalty) * static_cast<double>(std::max<std::int64_t>(1, letters));
    }

    // Of the whole pair, in proportion.
    std::int64_t guess(Fronts const & fronts) const
    {
        return fronts.s * static_cast<std::int64_t>(pair_.m + pair_.n) /
               std::max<std::int64_t>(1, fronts.rows + fronts.columns);
    }

    // What a band of bits is made for: few have a penalty so much higher than the guess.
    std::int64_t most_for_bits(std::int64_t guess) const
    {
        auto const apart = static_cast<std::int64_t>(std::max(pair_.m, pair_.n) - std::min(pair_.m, pair_.n));
        return std::max(apart, guess + guess / 3);
    }

    // Whether a band of bits takes less time.
    bool may_use_bits(std::int64_t guess) const
    {
        int const lanes = kernels_.lanes;
        std::int64_t const most = most_for_bits(guess);
        return plan_.bit_bytes > 0 && most <= plan_.most_penalty &&
               BitBand::bytes_for(pair_.m, pair_.n, most, lanes) <= plan_.bit_bytes &&
               are_bits_quicker(guess, BitBand::steps(pair_.m, pair_.n, most, lanes));
    }

    // Nothing if the penalty is higher.
    std::optional<PairResult> with_bits(std::int64_t most)
    {
        if (!bits_.compute(pair_, most, kernels_))
            return std::nullopt;
        PairResult result;
        path::Cursor cursor;
        cigar_.clear();
        std::int64_t const distance = bits_.walk(request_.style, cigar_, cursor.i, cursor.j);
        if (distance > most)
            return std::nullopt;
        result.score = penalties_.score(pair_.m, pair_.n, distance);
        result.span.query_end = pair_.m;
        result.span.target_end = pair_.n;
        path::finish(request_.mode, cursor, cigar_, result);
        monitor_.poll(pair_.cells());
        return result;
    }

    // From here on.
    double expected_points(Fronts const & fronts) const
    {
        auto const most = static_cast<double>(fronts.most),
                   all = static_cast<double>(points_up_to(fronts.most, penalties_));
        if (fronts.words.count == 0)
            return all;
        return std::min(all, points_with_words(most, most - static_cast<double>(fronts.words.rest(0)),
                                               static_cast<double>(pair_.m), penalties_));
    }

    // The penalty of a path that is found along few diagonals; nothing if it is too high.
    std::optional<std::int64_t> upper_bound()
    {
        AlignedBuffer<std::uint8_t> numbers;
        Fronts fronts = make_fronts(numbers);
        fronts.lag = plan_.lag;
        std::uint64_t points = plan_.most_points;
        if (run(fronts, points, false) != Stop::end)
            return std::nullopt;
        return fronts.s - 1;
    }

    template <class T>
    void walk(Fronts const & fronts, PairResult & result)
    {
        path::Cursor cursor;
        cigar_.clear(); // memory may have ended on another path
        kept_.finish(fronts);
        if (penalties_.unit_costs())
            UnitWalk<T>{pair_, kept_}.walk(request_.style, cigar_, cursor.i, cursor.j);
        else
            FurthestWalk<T>{pair_, penalties_, kept_}.walk(request_.style, cigar_, cursor.i, cursor.j);
        path::finish(request_.mode, cursor, cigar_, result);
    }

    PairView const & pair_;
    Penalties const & penalties_;
    KernelTable const & kernels_;
    Request const & request_;
    FurthestPlan const & plan_;
    Monitor & monitor_;
    std::uint64_t spent_ = 0; // in points
    bool is_guessed_ = false; // by a band of bits, in vain
    bool is_bounded_ = false; // the penalty is known not to be too high
    std::int64_t seen_ = 0;   // that so many fronts give hope is known
    AlignedBuffer<std::uint8_t> & numbers_;
    CigarBuilder & cigar_;
    SeedBound & seeds_;
    BitBand & bits_;
    KeptFronts kept_;
};

} // namespace

void FurthestMemory::trim(std::uint64_t most)
{
    if (numbers.bytes() + kept.bytes() + cigar.bytes() + seeds.bytes() + bits.bytes() > most)
        *this = {};
}

std::optional<PairResult> align_furthest(PairView const & pair, Penalties const & penalties,
                                         KernelTable const & kernels, Request const & request,
                                         FurthestPlan const & plan, FurthestMemory & memory, Monitor & monitor)
{
    return FurthestPair{pair, penalties, kernels, request, plan, memory, monitor}.align();
}

} // namespace nwgpu::cpu
