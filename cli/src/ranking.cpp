// SPDX-License-Identifier: BSD-3-Clause
// MAPQ has the form that minimap2 gave it: 40 (1 - second / best) ln(best in matches), at most 60.
#include "ranking.hpp"

#include "failure.hpp"

#include <algorithm>
#include <cmath>

namespace cli {

namespace {

constexpr double most_mapq = 60, mapq_factor = 40;

// At least half of the shorter one's query letters are the other's, too: both cannot be where the query is from.
bool compete(Alignment const & a, Alignment const & b)
{
    std::uint64_t const begin = std::max(a.input_query_begin(), b.input_query_begin());
    std::uint64_t const end = std::min(a.input_query_end(), b.input_query_end());
    std::uint64_t const shorter = std::min(a.query_end - a.query_begin, b.query_end - b.query_begin);
    return end > begin && 2 * (end - begin) >= shorter;
}

} // namespace

Ranking::Ranking(LimitOptions const & limits, Scoring const & scoring) :
    limits_(limits), equal_(scoring.alphabet().dna()), unit_(scoring.best_pair())
{}

void Ranking::judge(Alignment & a, Counts & all) const
{
    if (a.failed())
        return;
    ++all.alignments;
    all.negative += a.score < 0;
    if (a.below_min_score() || (limits_.min_score && a.score < *limits_.min_score))
        a.verdict = Verdict::low_score;
    if (a.has_path && a.verdict == Verdict::good && limits_.min_coverage > 0 &&
        static_cast<double>(a.query_end - a.query_begin) < limits_.min_coverage * static_cast<double>(a.query.size()))
        a.verdict = Verdict::low_coverage;
    if (a.has_path && a.verdict == Verdict::good && limits_.min_identity > 0) {
        PathCounts const counts = count_path(a, equal_);
        if (static_cast<double>(counts.equal) < limits_.min_identity * static_cast<double>(counts.columns()) ||
            counts.columns() == 0)
            a.verdict = Verdict::low_identity;
    }
    all.rejected += a.verdict != Verdict::good;
}

void Ranking::add(Counts const & counts)
{
    counts_.alignments += counts.alignments;
    counts_.rejected += counts.rejected;
    counts_.negative += counts.negative;
}

int Ranking::mapq(std::int64_t best, std::int64_t second) const
{
    if (best <= 0 || unit_ <= 0)
        return 0;
    auto const score = static_cast<double>(best), other = static_cast<double>(std::max<std::int64_t>(second, 0));
    double const quality = mapq_factor * (1 - other / score) * std::log(score / unit_);
    return static_cast<int>(std::clamp(quality, 0.0, most_mapq));
}

void Ranking::rank(std::span<Alignment> alignments) const
{
    Alignment * best = nullptr;
    for (Alignment & a : alignments)
        if (a.placed() && (best == nullptr || a.score > best->score))
            best = &a;
    if (best == nullptr) { // one record says that the query has no place
        for (Alignment & a : alignments)
            a.redundant = &a != alignments.data();
        return;
    }
    std::optional<std::int64_t> second = best->second_score;
    for (Alignment & a : alignments) {
        if (&a == best)
            continue;
        a.redundant = !a.placed();
        a.secondary = a.placed();
        a.mapq = 0;
        if (a.placed() && compete(*best, a))
            second = std::max(second.value_or(a.score), a.score);
    }
    if (second)
        best->mapq = mapq(best->score, *second);
    else if (alignments.size() > 1) // others were tried, and none came near
        best->mapq = mapq(best->score, 0);
}

std::string Ranking::note() const
{
    if (counts_.rejected > 0)
        return text(counts_.rejected, " of ", counts_.alignments, " alignments are below the limits that were set");
    if (counts_.negative > 0 && unit_ > 0 && !limits_.min_score)
        return text(counts_.negative, " of ", counts_.alignments,
                    " alignments have a score below 0, which sequences of one origin seldom have (--min-score 0 "
                    "rejects them)");
    return "";
}

} // namespace cli
