// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/probe.hpp"

#include <algorithm>
#include <utility>

#include <time.h>

#include "cpu/align_one.hpp"
#include "cpu/pair/align_antidiagonals.hpp"
#include "cpu/pair/align_strips.hpp"

namespace nwgpu::cpu {

namespace {

// The last beginning is aligned before so much time has gone by: of a pair that takes long, this share of its time.
constexpr double share_of_time = 0.005, least_seconds = 8e-3, most_seconds = 50e-3;
constexpr std::uint64_t least_letters = 1024; // of the first one

struct Measured {
    double letters = 0, seconds = 0; // no letters: it was not computed in a way whose time depends on them
    Work::Way way{};
    std::int64_t score = 0;

    bool in_band() const { return way == Work::Way::band; }
};

Growth growth_of(Measured const & fewer, Measured const & more)
{
    double const per_letter = more.seconds / more.letters;
    Growth growth{per_letter, 0, more.way, more.letters};
    if (fewer.letters > 0) {
        growth.per_letters_squared =
            std::clamp((per_letter - fewer.seconds / fewer.letters) / (more.letters - fewer.letters), 0.0,
                       per_letter / more.letters);
        growth.per_letter = per_letter - growth.per_letters_squared * more.letters;
    }
    return growth;
}

class Beginnings {
public:
    Beginnings(Work const & work, PairView const & pair, Means const & means, Monitor & monitor) :
        work_{work},
        request_{work.piece().request},
        pair_{pair},
        of_pair_{means},
        means_{1, means.max_bytes},
        monitor_{monitor},
        longer_{std::max(pair.m, pair.n)}
    {}

    // Throws Error memory_limit.
    std::optional<Growth> growth()
    {
        if (request_.top > 1 || !request_.checkpoint.folder.empty())
            return std::nullopt;
        Measured fewer, more; // letters, the last two
        double spent = 0;     // on those that were not computed so, as short ones of similar sequences may not be
        double limit = least_seconds;
        std::uint64_t length = 0;
        // One beginning does not tell how time grows; in a band a shorter one is aligned afterwards.
        auto const is_alone = [&] { return more.letters > 0 && fewer.letters == 0 && !more.in_band(); };
        for (std::uint64_t next = least_letters; length < longer_ && (more.seconds + spent < limit || is_alone());
             next *= 2) {
            length = std::min(next, longer_);
            if (!ends_in_band(beginning(length)))
                return std::nullopt;
            Measured now = measure(length);
            if (now.letters > 0 && more.letters == 0) // with new memory
                now = measure(length);
            if (now.letters == 0)
                spent += std::exchange(now.seconds, 0);
            fewer = std::exchange(more, now);
            if (more.letters > 0 && fewer.letters > 0)
                limit = std::clamp(share_of_time * growth_of(fewer, more).seconds(all_letters()), least_seconds,
                                   most_seconds);
        }
        if (more.letters == 0)
            return std::nullopt;
        // Fronts suit short beginnings of pairs for which a band is quicker.
        if (length < longer_ && !needs_antidiagonals(request_.mode) &&
            (more.in_band() ? !fewer.in_band() : more.way == Work::Way::fronts && !suits_fronts(more)))
            if (auto const growth = growth_in_band(length, more))
                return growth;
        return growth_of(fewer, more);
    }

private:
    double all_letters() const { return static_cast<double>(pair_.m + pair_.n); }
    // Of the longer sequence so many letters, of the other one in proportion.
    PairView beginning(std::uint64_t length) const
    {
        auto const of = [&](std::uint64_t letters) {
            return std::max<std::uint64_t>(
                1, static_cast<std::uint64_t>(static_cast<double>(letters) * static_cast<double>(length) /
                                              static_cast<double>(longer_)));
        };
        return {pair_.query, of(pair_.m), pair_.target, of(pair_.n)};
    }
    bool ends_in_band(PairView const & pair) const
    {
        Mode const & mode = request_.mode;
        auto const last = static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m);
        return !mode.band || !mode.global() || (mode.band->lower <= last && last <= mode.band->upper);
    }

    template <class Align>
    Measured measure(std::uint64_t length, Align const & align)
    {
        PairView const pair = beginning(length);
        Measured measured;
        double const begin = thread_seconds();
        std::optional<PairResult> const result = align(pair, measured.way);
        measured.seconds = thread_seconds() - begin;
        if (result) {
            measured.letters = static_cast<double>(pair.m + pair.n);
            measured.score = result->score;
        }
        return measured;
    }
    Measured measure(std::uint64_t length)
    {
        return measure(length, [&](PairView const & pair, Work::Way & way) {
            return needs_antidiagonals(request_.mode)
                       ? align_one(pair, work_.scheme(), work_.kernels(), request_, work_.plan(pair, means_), memory_,
                                   monitor_)
                       : work_.align_if_similar(pair, means_, true, memory_, monitor_, way);
        });
    }
    // `last`: of the same length.
    std::optional<Growth> growth_in_band(std::uint64_t length, Measured const & last)
    {
        auto const align = [&](PairView const & pair, Work::Way & way) {
            way = Work::Way::band;
            return align_in_band(pair, work_.scheme(), work_.kernels(), request_, work_.plan(pair, means_), monitor_);
        };
        Measured const fewer = measure(length / 2, align), more = last.in_band() ? last : measure(length, align);
        return fewer.letters > 0 && more.letters > 0 ? std::optional{growth_of(fewer, more)} : std::nullopt;
    }

    // Whether all of the pair has no higher penalty than fronts are planned for, in proportion.
    bool suits_fronts(Measured const & measured) const
    {
        if (measured.score < request_.min_score)
            return true;
        Penalties const penalties = Penalties::of(work_.scheme().scoring());
        FurthestPlan plan = work_.plan(pair_, of_pair_).furthest;
        if (work_.memory() == 0)
            if (auto const before = plan_before_strips(pair_.m, pair_.n, penalties, work_.kernels(), request_,
                                                       of_pair_.threads, work_.tuning()))
                plan = *before;
        auto const equal = static_cast<double>(penalties.match) * measured.letters,
                   penalty = (equal - 2 * static_cast<double>(measured.score)) / static_cast<double>(penalties.unit);
        return plan.tried && penalty * all_letters() / measured.letters <= static_cast<double>(plan.most_penalty);
    }

    Work const & work_;
    Request const & request_;
    PairView const & pair_;
    Means const of_pair_, means_;
    Monitor & monitor_;
    std::uint64_t const longer_;
    FurthestMemory memory_;
};

} // namespace

double thread_seconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::optional<Growth> probe(Work const & work, PairView const & pair, Means const & means, Monitor & monitor)
{
    try {
        return Beginnings{work, pair, means, monitor}.growth();
    } catch (Error const & error) {
        if (error.status == Status::memory_limit)
            return std::nullopt;
        throw;
    }
}

} // namespace nwgpu::cpu
