// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/align_antidiagonals.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/aligned_buffer.hpp"
#include "base/ceil_div.hpp"
#include "base/error.hpp"
#include "cpu/kernels/scheme.hpp"
#include "cpu/pair/antidiagonals_plan.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::int64_t cells_between_polls = 1 << 22;

template <class T>
class Antidiagonals {
public:
    Antidiagonals(PairView const & pair, Scoring const & scoring, KernelTable const & kernels, Request const & request,
                  PairPlan const & plan, Monitor & monitor) :
        pair_{pair}, request_{request}, mode_{request.mode}, plan_{plan}, kernels_{kernels}, monitor_{monitor}
    {
        Diagonals const band = band_of(pair.m, pair.n, mode_);
        job_.m = static_cast<std::int64_t>(pair.m);
        job_.n = static_cast<std::int64_t>(pair.n);
        job_.lower = band.lower;
        job_.upper = band.upper;
        job_.letters = scoring.size();
        job_.match = scoring.match();
        job_.mismatch = -scoring.mismatch();
        job_.open = scoring.gap().open;
        job_.extend = scoring.gap().extend;
        job_.floored = mode_.begins_anywhere();
        job_.ends_anywhere = mode_.ends_anywhere();
        job_.free_top = mode_.free_target_begin;
        job_.free_left = mode_.free_query_begin;
        job_.free_bottom = mode_.free_target_end;
        job_.free_right = mode_.free_query_end;
        job_.last_end = mode_.ties != Ties::first;
        load_letters(scoring);
        for (std::size_t k = 0; k < 6; ++k)
            arrays_[k].assign(pair.m + 1 + 2 * margin, antidiagonal_minus_infinity<T>);
        for (std::size_t k = 0; k < 3; ++k)
            job_.h[k] = array(k);
        job_.e = array(3);
        job_.f[0] = array(4);
        job_.f[1] = array(5);
        width_ = static_cast<std::int64_t>(widest(pair.m, pair.n, band));
        best_score_ = std::max<std::int64_t>(0, scoring.max_score());
    }

    PairResult align()
    {
        PairResult result;
        bool const needs_path = request_.output >= Output::span;
        std::int64_t const last = job_.m + job_.n;
        Snapshot origin;
        origin.s = -1;
        std::vector<Snapshot> kept;
        AntidiagonalBest row, column;
        job_.row = &row;
        job_.column = &column;
        if ((needs_path || request_.min_score != no_min_score) && is_global() && !mode_.band)
            narrow_band(column);
        auto const trace_bytes = static_cast<std::uint64_t>((last + 1) * (width_ + antidiagonal_margin));
        bool const all = needs_path && trace_bytes <= plan_.max_trace_bytes;
        if (all)
            trace_from(origin.s, last, width_);
        else
            run(origin.s, last, needs_path ? plan_.cuts : 1, kept);
        job_.row = job_.column = nullptr;
        if (!find_end(row, column, result) || !needs_path || result.score < request_.min_score)
            return result;

        cursor_ = {result.span.query_end, result.span.target_end};
        if (all)
            walk();
        for (auto from = kept.rbegin(); from != kept.rend(); ++from)
            walk_from(*from);
        if (!all)
            walk_from(origin);
        path::finish(mode_, cursor_, cigar_, result);
        return result;
    }

private:
    using Snapshot = cpu::Snapshot<T>;
    static constexpr std::size_t margin = antidiagonal_margin;

    // Global alignments without a band get one that is proven to hold all optimal paths.  With d = |n - m| and w more
    // diagonals on either side of those between the corners, a path that leaves has at least d + 2(w + 1) letters in
    // gaps and at most min(m, n) - (w + 1) aligned pairs; so it scores less than a path that is known if w is large
    // enough (docs/proofs.md, lemma 18).
    void narrow_band(AntidiagonalBest & corner)
    {
        std::int64_t const shorter = std::min(job_.m, job_.n), d = std::abs(job_.n - job_.m);
        std::int64_t const probe = 64 + shorter / 32, step = best_score_ + 2 * job_.extend;
        if (shorter < 1024 || step == 0)
            return;
        // For paths that score no less than this.
        auto const diagonals_for = [&](std::int64_t score) {
            return std::max<std::int64_t>(0, best_score_ * shorter - job_.extend * d - score) / step + 1;
        };
        if (request_.min_score != no_min_score && diagonals_for(request_.min_score) <= probe)
            return set_band(diagonals_for(request_.min_score));
        set_band(probe);
        std::vector<Snapshot> none;
        run(-1, job_.m + job_.n, 1, none);
        std::int64_t const score = std::max<std::int64_t>(corner.score, request_.min_score);
        corner = {};
        for (auto & array : arrays_)
            std::fill(array.begin(), array.end(), antidiagonal_minus_infinity<T>);
        set_band(diagonals_for(score));
    }
    void set_band(std::int64_t beside)
    {
        job_.lower = std::max(-job_.m, std::min<std::int64_t>(0, job_.n - job_.m) - beside);
        job_.upper = std::min(job_.n, std::max<std::int64_t>(0, job_.n - job_.m) + beside);
        width_ = static_cast<std::int64_t>(widest(pair_.m, pair_.n, {job_.lower, job_.upper}));
    }

    T * array(std::size_t k) { return arrays_[k].data() + margin; }

    void load_letters(Scoring const & scoring)
    {
        T const factor = scoring.is_uniform() ? T{1} : static_cast<T>(scoring.size());
        query_.assign(pair_.m + 2 * margin, T{0});
        target_.assign(pair_.n + 2 * margin, T{0});
        for (std::uint64_t i = 0; i < pair_.m; ++i)
            query_[margin + i] = static_cast<T>(pair_.query[i] * factor);
        for (std::uint64_t j = 0; j < pair_.n; ++j)
            target_[margin + j] = static_cast<T>(pair_.target[pair_.n - 1 - j]);
        matrix_.assign(scoring.scores().begin(), scoring.scores().end());
        job_.query = query_.data() + margin;
        job_.target = target_.data() + margin;
        job_.matrix = matrix_.data();
    }

    bool is_global() const
    {
        return !mode_.may_be_empty() && !job_.free_top && !job_.free_left && !job_.free_bottom && !job_.free_right;
    }
    bool inside() const { return !cursor_.stopped && cursor_.i > 0 && cursor_.j > 0; }
    std::int64_t cursor_s() const { return static_cast<std::int64_t>(cursor_.i + cursor_.j); }

    void run_kernel(std::int64_t first, std::int64_t last)
    {
        job_.first = first;
        job_.last = last;
        kernels_.antidiagonals(job_, plan_.width);
    }

    // Computes the antidiagonals after `from`, which is in the arrays, up to `last` in `parts` parts; keeps the last
    // antidiagonal of all but the last part.
    void run(std::int64_t from, std::int64_t last, std::uint64_t parts, std::vector<Snapshot> & kept)
    {
        job_.trace = nullptr;
        std::int64_t const step = std::max<std::int64_t>(1, cells_between_polls / width_);
        std::int64_t const apart = static_cast<std::int64_t>(ceil_div(static_cast<std::uint64_t>(last - from), parts));
        kept.reserve(parts - 1);
        for (std::int64_t s = from; s < last;) {
            std::int64_t const stop = std::min(last, from + ((s - from) / apart + 1) * apart);
            std::int64_t const next = std::min(stop, s + step);
            run_kernel(s + 1, next);
            monitor_.poll(static_cast<std::uint64_t>((next - s) * width_));
            monitor_.throw_if_stopped();
            s = next;
            if (s == stop && s < last)
                kept.push_back(snapshot(s));
        }
    }

    // The antidiagonals after `from`, which is in the arrays, up to `last` with all trace bits.
    void trace_from(std::int64_t from, std::int64_t last, std::int64_t width)
    {
        job_.stride = width + antidiagonal_margin;
        job_.trace = trace_.grow(static_cast<std::size_t>(last - from) * static_cast<std::size_t>(job_.stride));
        run_kernel(from + 1, last);
    }

    Snapshot snapshot(std::int64_t s)
    {
        auto const rows = job_.rows(s);
        Snapshot result;
        result.s = s;
        result.first = rows.first - 1;
        std::size_t k = 0;
        for (T const * const from : state(s))
            result.entries[k++].assign(from + rows.first - 1, from + rows.last + 2);
        return result;
    }
    void restore(Snapshot const & from)
    {
        std::size_t k = 0;
        for (T * const to : state(from.s)) {
            if (from.s < 0)
                std::fill_n(to - margin, arrays_[0].size(), antidiagonal_minus_infinity<T>);
            else
                std::copy(from.entries[k].begin(), from.entries[k].end(), to + from.first);
            ++k;
        }
    }
    std::array<T *, 4> state(std::int64_t s)
    {
        auto const h = [&](std::int64_t k) { return static_cast<T *>(job_.h[(k + 3) % 3]); };
        return {h(s), h(s - 1), static_cast<T *>(job_.e), static_cast<T *>(job_.f[(s + 2) % 2])};
    }

    // Walks from the cursor while it is beyond the antidiagonal that was kept.
    void walk_from(Snapshot const & from)
    {
        while (inside() && cursor_s() > from.s) {
            std::int64_t const last = cursor_s(), width = std::min(width_, last - from.s + 1);
            job_.cone_row = static_cast<std::int64_t>(cursor_.i);
            job_.cone_end = last;
            restore(from);
            if (last - from.s == 1 ||
                static_cast<std::uint64_t>((last - from.s) * (width + antidiagonal_margin)) <= plan_.max_trace_bytes) {
                trace_from(from.s, last, width);
                walk();
                continue;
            }
            std::vector<Snapshot> kept;
            run(from.s, last, plan_.cuts, kept);
            for (auto part = kept.rbegin(); part != kept.rend(); ++part)
                walk_from(*part);
        }
    }

    // Walks over the trace bits of the last run.
    void walk()
    {
        bool const gaps_first = mode_.ties == Ties::gaps_first;
        auto & [i, j, state, stopped] = cursor_;
        while (inside() && cursor_s() >= job_.first) {
            std::int64_t const s = cursor_s();
            std::uint8_t const bits =
                job_.trace[(s - job_.first) * job_.stride + static_cast<std::int64_t>(i) - job_.rows(s).first];
            if ((state == path::State::pending_insertion && bits & antidiagonal_f_opens) ||
                (state == path::State::pending_deletion && bits & antidiagonal_e_opens))
                state = path::State::h;
            if (state == path::State::h) {
                bool const gap = bits & (antidiagonal_e | antidiagonal_f);
                if (bits & antidiagonal_diagonal && !(gaps_first && gap)) {
                    cigar_.add(column_op());
                    --i;
                    --j;
                    continue;
                }
                if (!gap) {
                    stopped = true;
                    return;
                }
                bool const deletion = gaps_first ? bits & antidiagonal_e : !(bits & antidiagonal_f);
                state = deletion ? path::State::pending_deletion : path::State::pending_insertion;
            }
            if (state == path::State::pending_insertion) {
                cigar_.add(CigarOp::insertion);
                --i;
            } else {
                cigar_.add(CigarOp::deletion);
                --j;
            }
        }
    }

    CigarOp column_op() const
    {
        if (request_.style == CigarStyle::m)
            return CigarOp::match;
        return pair_.query[cursor_.i - 1] == pair_.target[cursor_.j - 1] ? CigarOp::equal : CigarOp::different;
    }

    // False for an alignment that is empty because nothing scores above 0.
    bool find_end(AntidiagonalBest const & row, AntidiagonalBest const & column, PairResult & result) const
    {
        // All of the row lies before the column.
        bool const from_row = job_.last_end ? row.score > column.score : row.score >= column.score;
        AntidiagonalBest const & best = mode_.ends_anywhere() || from_row ? row : column;
        if (mode_.may_be_empty() && best.score <= 0) {
            result.span = empty_span(pair_.m, pair_.n, mode_);
            return false;
        }
        result.score = best.score;
        result.span.query_end = static_cast<std::uint64_t>(best.i);
        result.span.target_end = static_cast<std::uint64_t>(best.j);
        return true;
    }

    PairView const pair_;
    Request const & request_;
    Mode const & mode_;
    PairPlan const & plan_;
    KernelTable const & kernels_;
    Monitor & monitor_;
    AntidiagonalJob job_;
    std::int64_t width_ = 0, best_score_ = 0;
    std::vector<T> query_, target_, matrix_, arrays_[6];
    AlignedBuffer<std::uint8_t> trace_;
    path::Cursor cursor_;
    CigarBuilder cigar_;
};

} // namespace

bool needs_antidiagonals(Mode const & mode)
{
    if (mode.ties == Ties::last_end && !mode.band)
        return mode.ends_anywhere();
    return !mode.has_usual_rules();
}

PairResult align_antidiagonals(PairView const & pair, Scoring const & scoring, KernelTable const & kernels,
                               Request const & request, PairPlan const & plan, Monitor & monitor)
{
    if (plan.width == 32)
        return Antidiagonals<std::int32_t>{pair, scoring, kernels, request, plan, monitor}.align();
    return Antidiagonals<std::int64_t>{pair, scoring, kernels, request, plan, monitor}.align();
}

} // namespace nwgpu::cpu
