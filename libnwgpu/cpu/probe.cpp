// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/probe.hpp"

#include <algorithm>

#include <time.h>

#include "cpu/align_one.hpp"
#include "cpu/pair/align_antidiagonals.hpp"

namespace nwgpu::cpu {

namespace {

constexpr double probe_seconds = 8e-3; // the last alignment of a beginning begins before
constexpr std::uint64_t least_letters = 4096;

bool ends_in_band(Mode const & mode, PairView const & pair)
{
    auto const last = static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m);
    return !mode.band || !mode.global() || (mode.band->lower <= last && last <= mode.band->upper);
}

// Whether it was computed in a way whose time depends on the letters.
bool align_beginning(Work const & work, PairView const & beginning, Means const & means, FurthestMemory & memory,
                     Monitor & monitor, bool & in_band)
{
    Request const & request = work.piece().request;
    if (!needs_antidiagonals(request.mode))
        return work.align_if_similar(beginning, means, true, memory, monitor, in_band).has_value();
    align_one(beginning, work.scheme(), work.kernels(), request, work.plan(beginning, means), memory, monitor);
    return true;
}

// Throws Error memory_limit.
std::optional<Growth> measured_growth(Work const & work, PairView const & pair, Means const & means, Monitor & monitor)
{
    Request const & request = work.piece().request;
    if (request.top > 1 || !request.checkpoint.folder.empty())
        return std::nullopt;
    Means const alone{1, means.max_bytes};
    FurthestMemory memory;
    double letters = 0, seconds = 0, fewer_letters = 0, fewer_seconds = 0; // the last two
    double spent = 0; // on beginnings that were not computed so, as short ones of similar sequences may not be
    bool last_in_band = false;
    std::uint64_t const longer = std::max(pair.m, pair.n);
    for (std::uint64_t all = 0, part = least_letters; all < longer && seconds + spent < probe_seconds; part *= 2) {
        all = std::min(part, longer);
        auto const of = [&](std::uint64_t length) { // in proportion
            return std::max<std::uint64_t>(
                1, static_cast<std::uint64_t>(static_cast<double>(length) * static_cast<double>(all) /
                                              static_cast<double>(longer)));
        };
        PairView const beginning{pair.query, of(pair.m), pair.target, of(pair.n)};
        if (!ends_in_band(request.mode, beginning))
            return std::nullopt;
        double begin = thread_seconds();
        bool is_similar = true, in_band = false;
        if (letters == 0) { // with new memory
            is_similar = align_beginning(work, beginning, alone, memory, monitor, in_band);
            if (is_similar)
                begin = thread_seconds();
        }
        is_similar = is_similar && align_beginning(work, beginning, alone, memory, monitor, in_band);
        double const took = thread_seconds() - begin;
        if (!is_similar) {
            spent += took;
            letters = seconds = 0;
            continue;
        }
        fewer_letters = letters;
        fewer_seconds = seconds;
        letters = static_cast<double>(beginning.m + beginning.n);
        seconds = took;
        last_in_band = in_band;
    }
    if (letters == 0)
        return std::nullopt;
    Growth growth{seconds / letters, 0, last_in_band};
    if (fewer_letters > 0) {
        double const fewer = fewer_seconds / fewer_letters, most = seconds / letters;
        growth.per_letters_squared = std::clamp((most - fewer) / (letters - fewer_letters), 0.0, most / letters);
        growth.per_letter = most - growth.per_letters_squared * letters;
    }
    return growth;
}

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
        return measured_growth(work, pair, means, monitor);
    } catch (Error const & error) {
        if (error.status == Status::memory_limit)
            return std::nullopt;
        throw;
    }
}

} // namespace nwgpu::cpu
