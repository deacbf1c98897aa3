// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/few_changes.hpp"

#include <algorithm>

#include "base/equal_letters.hpp"
#include "cpu/furthest/path_of_changes.hpp"
#include "cpu/furthest/separate_changes.hpp"

namespace nwgpu::cpu {

namespace {

struct Letters {
    PairView const & pair;
    KernelTable const & kernels;

    // Equal ones from these places on, `most` at most.
    std::uint64_t equal(std::uint64_t i, std::uint64_t j, std::uint64_t most) const
    {
        return kernels.equal_letters(pair.query + i, pair.target + j, most);
    }
};

// With two gaps, one of each kind, a path costs more than so many mismatches, or as much.
// `first`: where they differ first.
bool few_mismatches(Letters const & letters, Penalties const & penalties, PathOfChanges & path, std::int64_t & penalty,
                    std::uint64_t & first)
{
    std::uint64_t const n = letters.pair.n;
    std::int64_t const most = 2 * (penalties.open + penalties.extend);
    penalty = 0;
    for (std::uint64_t j = 0;; ++j) {
        std::uint64_t const equal = letters.equal(j, j, n - j);
        path.equal(equal);
        j += equal;
        if (penalty == 0)
            first = j;
        if (j == n)
            return true;
        penalty += penalties.mismatch;
        if (penalty > most)
            return false;
        path.mismatch();
    }
}

// The gap lies as near to the begin as it can.
bool one_gap(Letters const & letters, Penalties const & penalties, PathOfChanges & path, std::int64_t & penalty,
             std::uint64_t & first)
{
    auto const [query, m, target, n] =
        std::tuple{letters.pair.query, letters.pair.m, letters.pair.target, letters.pair.n};
    std::uint64_t const shorter = std::min(m, n), before = letters.equal(0, 0, shorter), behind = shorter - before;
    first = before;
    if (letters.equal(m - behind, n - behind, behind) < behind)
        return false;
    std::uint64_t const more = equal_letters_before(query + (m - behind), target + (n - behind), before),
                        gap = std::max(m, n) - shorter;
    path.equal(before - more);
    path.gap(m > n ? CigarOp::insertion : CigarOp::deletion, gap);
    path.equal(behind + more);
    penalty = penalties.open + static_cast<std::int64_t>(gap) * penalties.extend;
    return true;
}

// Sorts them by their begins, and makes one of those that overlap.
void unite(Array<SeparateChanges::Together> & all)
{
    std::ranges::sort(all, {}, &SeparateChanges::Together::at);
    std::size_t count = 0;
    for (SeparateChanges::Together const & one : all)
        if (count > 0 && one.at <= all[count - 1].until)
            all[count - 1].until = std::max(all[count - 1].until, one.until);
        else
            all[count++] = one;
    all.resize(count);
}

// Places that could not be proven in a turn are told together in the next one.
bool find_in_turns(SeparateChanges & job, KernelTable const & kernels, ApartSoFar const & apart)
{
    constexpr int most_turns = 8;
    auto & together = job.memory->together;
    together.clear();
    for (int turn = 0; turn < most_turns; ++turn) {
        std::size_t const before = together.size();
        kernels.separate_changes(job);
        if (job.count >= 0)
            return true;
        if (together.size() <= before || apart.is_stopped())
            return false;
        unite(together);
    }
    return false;
}

bool are_apart(Letters const & letters, Penalties const & penalties, ApartSoFar & apart, PathOfChanges & path,
               std::int64_t & penalty, std::uint64_t first)
{
    PairView const & pair = letters.pair;
    SeparateChanges found;
    found.sequences = {pair.query, pair.target, static_cast<std::int64_t>(pair.m), static_cast<std::int64_t>(pair.n)};
    found.costs = penalties;
    found.limits = apart.limits();
    found.equal = static_cast<std::int64_t>(first);
    apart.lend_room(found.sequences.m, found);
    found.points = found.limits.points_per_letter * found.sequences.n;
    if (!find_in_turns(found, letters.kernels, apart))
        return false;
    path.follow(found);
    penalty = found.penalty;
    return true;
}

} // namespace

bool align_few_changes(PairView const & pair, Penalties const & penalties, KernelTable const & kernels,
                       Request const & request, ApartSoFar & apart, PairResult & result)
{
    PathOfChanges path{request, result};
    std::int64_t penalty = 0;
    std::uint64_t first = 0;
    bool const found = pair.m == pair.n ? few_mismatches({pair, kernels}, penalties, path, penalty, first)
                                        : one_gap({pair, kernels}, penalties, path, penalty, first);
    if (!found) {
        if (!penalties.count() || static_cast<std::int64_t>(pair.m) < apart.limits().letters || !apart.is_worth_a_try())
            return false;
        bool const are = are_apart({pair, kernels}, penalties, apart, path, penalty, first);
        apart.note(are);
        if (!are)
            return false;
    }
    result.score = penalties.score(pair.m, pair.n, penalty);
    bool const whole = request.output >= Output::span;
    result.span = {whole ? 0 : no_position, pair.m, whole ? 0 : no_position, pair.n};
    return true;
}

} // namespace nwgpu::cpu
