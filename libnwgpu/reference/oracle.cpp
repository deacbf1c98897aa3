// SPDX-License-Identifier: BSD-3-Clause
// The oracle, written to be compared line by line with its definition in oracle.hpp.
#include "reference/oracle.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "model/cigar.hpp"

namespace nwgpu::reference {

namespace {

// No sum of costs (each <= 2^30) over fewer than 2^31 letters makes this overflow or reach a real score.
constexpr std::int64_t minus_infinity = std::numeric_limits<std::int64_t>::min() / 2;

struct Cell {
    std::int64_t H = minus_infinity, E = minus_infinity, F = minus_infinity;
};

struct Position {
    std::uint64_t i = 0, j = 0;
};

// The cells whose letters may not be aligned with each other, as i * (n + 1) + j.
using Forbidden = std::set<std::uint64_t>;

class Table {
public:
    Table(PairView const & pair, Scoring const & scoring, Mode const & mode, Forbidden const & forbidden) :
        pair_{pair},
        scoring_{scoring},
        mode_{mode},
        gap_{scoring.gap()},
        forbidden_{forbidden},
        cells_((pair.m + 1) * (pair.n + 1))
    {
        fill_borders();
        for (std::uint64_t i = 1; i <= pair_.m; ++i)
            for (std::uint64_t j = 1; j <= pair_.n; ++j)
                if (exists(i, j))
                    fill_cell(i, j);
    }

    std::int64_t score(Position at) const { return cell(at.i, at.j).H; }

    Position end() const
    {
        Position best{pair_.m, pair_.n};
        bool found = false;
        for (std::uint64_t j = 0; j <= pair_.n; ++j) {
            for (std::uint64_t i = 0; i <= pair_.m; ++i) {
                if (may_end({i, j}) && (!found || is_better(cell(i, j).H, score(best)))) {
                    best = {i, j};
                    found = true;
                }
            }
        }
        if (!found || score(best) < minus_infinity / 2)
            throw Error{Status::invalid_argument, "the band holds no path from an allowed begin to an allowed end"};
        return best;
    }

    // Adds the path that ends at `at` to `path` and returns where it begins.
    Position walk(Position at, CigarStyle style, CigarBuilder & path) const
    {
        enum class State { aligned, e_gap, f_gap } state = State::aligned;
        auto & [i, j] = at;
        while (true) {
            if (state == State::f_gap) {
                path.add(CigarOp::insertion);
                if (cell(i, j).F != cell(i - 1, j).F - gap_.extend)
                    state = State::aligned;
                --i;
            } else if (state == State::e_gap) {
                path.add(CigarOp::deletion);
                if (cell(i, j).E != cell(i, j - 1).E - gap_.extend)
                    state = State::aligned;
                --j;
            } else if (i == 0) {
                if (j > 0 && !free_top()) {
                    path.add(CigarOp::deletion, j);
                    j = 0;
                }
                return at;
            } else if (j == 0) {
                if (!free_left()) {
                    path.add(CigarOp::insertion, i);
                    i = 0;
                }
                return at;
            } else if (gaps_first() && cell(i, j).H == cell(i, j).E) {
                state = State::e_gap;
            } else if (gaps_first() && cell(i, j).H == cell(i, j).F) {
                state = State::f_gap;
            } else if (cell(i, j).H == diagonal(i, j)) {
                path.add(column_op(i, j, style));
                --i;
                --j;
            } else if (cell(i, j).H == cell(i, j).F) {
                state = State::f_gap;
            } else if (cell(i, j).H == cell(i, j).E) {
                state = State::e_gap;
            } else {
                return at;
            }
        }
    }

private:
    bool free_top() const { return mode_.begins_anywhere() || mode_.free_target_begin; }
    bool free_left() const { return mode_.begins_anywhere() || mode_.free_query_begin; }
    bool gaps_first() const { return mode_.ties == Ties::gaps_first; }
    bool exists(std::uint64_t i, std::uint64_t j) const { return !mode_.band || mode_.band->hold(i, j); }
    bool is_better(std::int64_t score, std::int64_t best) const
    {
        return mode_.ties == Ties::first ? score > best : score >= best;
    }

    Cell & cell(std::uint64_t i, std::uint64_t j) { return cells_[i * (pair_.n + 1) + j]; }
    Cell const & cell(std::uint64_t i, std::uint64_t j) const { return cells_[i * (pair_.n + 1) + j]; }

    std::int64_t gap_cost(std::uint64_t length) const
    {
        return gap_.open + static_cast<std::int64_t>(length) * gap_.extend;
    }

    std::int64_t diagonal(std::uint64_t i, std::uint64_t j) const
    {
        if (forbidden_.contains(i * (pair_.n + 1) + j))
            return minus_infinity;
        return cell(i - 1, j - 1).H + scoring_.score(pair_.query[i - 1], pair_.target[j - 1]);
    }

    void fill_borders()
    {
        // A border cell that is not free is reached from the origin.
        bool const origin = exists(0, 0);
        if (origin)
            cell(0, 0).H = 0;
        for (std::uint64_t j = 1; j <= pair_.n && (origin || free_top()); ++j) {
            if (!exists(0, j))
                continue;
            cell(0, j).E = -gap_cost(j);
            cell(0, j).H = free_top() ? 0 : -gap_cost(j);
        }
        for (std::uint64_t i = 1; i <= pair_.m && (origin || free_left()); ++i) {
            if (!exists(i, 0))
                continue;
            cell(i, 0).F = -gap_cost(i);
            cell(i, 0).H = free_left() ? 0 : -gap_cost(i);
        }
    }

    void fill_cell(std::uint64_t i, std::uint64_t j)
    {
        Cell const & left = cell(i, j - 1);
        Cell const & up = cell(i - 1, j);
        Cell & here = cell(i, j);
        here.E = std::max(left.E - gap_.extend, left.H - gap_.open - gap_.extend);
        here.F = std::max(up.F - gap_.extend, up.H - gap_.open - gap_.extend);
        here.H = std::max({diagonal(i, j), here.F, here.E});
        if (mode_.begins_anywhere())
            here.H = std::max<std::int64_t>(here.H, 0);
    }

    bool may_end(Position at) const
    {
        if (!exists(at.i, at.j))
            return false;
        bool const last_row = at.i == pair_.m;
        bool const last_column = at.j == pair_.n;
        return mode_.ends_anywhere() || (last_row && last_column) || (mode_.free_query_end && last_column) ||
               (mode_.free_target_end && last_row);
    }

    CigarOp column_op(std::uint64_t i, std::uint64_t j, CigarStyle style) const
    {
        if (style == CigarStyle::m)
            return CigarOp::match;
        return pair_.query[i - 1] == pair_.target[j - 1] ? CigarOp::equal : CigarOp::different;
    }

    PairView pair_;
    Scoring const & scoring_;
    Mode mode_;
    GapCost gap_;
    Forbidden const & forbidden_;
    std::vector<Cell> cells_; // row by row
};

PairResult align(PairView const & pair, Scoring const & scoring, Mode const & mode, CigarStyle style,
                 Forbidden const & forbidden)
{
    Table const table{pair, scoring, mode, forbidden};
    Position const end = table.end();
    if (mode.may_be_empty() && table.score(end) == 0)
        return {0, empty_span(pair.m, pair.n, mode), {}, {}};
    CigarBuilder path;
    Position const begin = table.walk(end, style, path);

    PairResult result;
    result.score = table.score(end);
    result.span = {begin.i, end.i, begin.j, end.j};
    path.finish(result.runs);
    return result;
}

} // namespace

PairResult align(PairView const & pair, Scoring const & scoring, Mode const & mode, CigarStyle style)
{
    return align(pair, scoring, mode, style, {});
}

std::vector<PairResult> align_top(PairView const & pair, Scoring const & scoring, std::uint32_t top, CigarStyle style)
{
    Forbidden forbidden;
    std::vector<PairResult> results;
    while (results.size() < top) {
        PairResult const next = align(pair, scoring, Mode{.local = true}, style, forbidden);
        if (next.score == 0 && !results.empty())
            break;
        results.push_back(next);
        std::uint64_t i = next.span.query_begin, j = next.span.target_begin;
        for (std::uint32_t const run : next.runs)
            for (std::uint32_t k = 0; k < run_length(run); ++k) {
                CigarOp const op = run_op(run);
                i += op != CigarOp::deletion;
                j += op != CigarOp::insertion;
                if (op != CigarOp::deletion && op != CigarOp::insertion)
                    forbidden.insert(i * (pair.n + 1) + j);
            }
        if (next.score == 0)
            break;
    }
    return results;
}

} // namespace nwgpu::reference
