// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/wave_pair.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/aligned_buffer.hpp"
#include "base/ceil_div.hpp"
#include "base/error.hpp"
#include "cpu/scheme.hpp"
#include "cpu/wave_plan.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::int64_t cells_between_polls = 1 << 22;

template <class T>
class Waves {
public:
    Waves(PairView const & pair, Scoring const & scoring, KernelTable const & kernels, Request const & request,
          PairPlan const & plan, Monitor & monitor) :
        pair_{pair}, request_{request}, mode_{request.mode}, plan_{plan}, kernels_{kernels}, monitor_{monitor}
    {
        Diagonals const band = band_of(pair.m, pair.n, mode_);
        wave_.m = static_cast<std::int64_t>(pair.m);
        wave_.n = static_cast<std::int64_t>(pair.n);
        wave_.lower = band.lower;
        wave_.upper = band.upper;
        wave_.letters = scoring.size();
        wave_.match = scoring.match();
        wave_.mismatch = -scoring.mismatch();
        wave_.open = scoring.gap().open;
        wave_.extend = scoring.gap().extend;
        wave_.local = mode_.local;
        wave_.free_top = mode_.free_target_begin;
        wave_.free_left = mode_.free_query_begin;
        wave_.free_bottom = mode_.free_target_end;
        wave_.free_right = mode_.free_query_end;
        wave_.last_end = mode_.ties != Ties::first;
        load_letters(scoring);
        for (std::size_t k = 0; k < 6; ++k)
            arrays_[k].assign(pair.m + 1 + 2 * margin, wave_minus_infinity<T>);
        for (std::size_t k = 0; k < 3; ++k)
            wave_.h[k] = array(k);
        wave_.e = array(3);
        wave_.f[0] = array(4);
        wave_.f[1] = array(5);
        width_ = static_cast<std::int64_t>(widest(pair.m, pair.n, band));
        best_score_ = std::max<std::int64_t>(0, scoring.max_score());
    }

    PairResult align()
    {
        PairResult result;
        bool const needs_path = request_.output >= Output::span;
        std::int64_t const last = wave_.m + wave_.n;
        Snapshot origin;
        origin.s = -1;
        std::vector<Snapshot> kept;
        WaveBest row, column;
        wave_.row = &row;
        wave_.column = &column;
        if (needs_path && is_global() && !mode_.band)
            narrow_band(column);
        auto const trace_bytes = static_cast<std::uint64_t>((last + 1) * (width_ + wave_margin));
        bool const all = needs_path && trace_bytes <= plan_.max_trace_bytes;
        if (all)
            trace_from(origin.s, last, width_);
        else
            run(origin.s, last, needs_path ? plan_.cuts : 1, kept);
        wave_.row = wave_.column = nullptr;
        if (!find_end(row, column, result) || !needs_path)
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
    static constexpr std::size_t margin = wave_margin;

    // Global alignments without a band get one that is proven to hold all optimal paths.  With d = |n - m| and w more
    // diagonals on either side of those between the corners, a path that leaves has at least d + 2(w + 1) letters in
    // gaps and at most min(m, n) - (w + 1) aligned pairs; so it scores less than a path that is known if w is large
    // enough (docs/proofs.md, lemma 18).
    void narrow_band(WaveBest & corner)
    {
        std::int64_t const shorter = std::min(wave_.m, wave_.n), d = std::abs(wave_.n - wave_.m);
        std::int64_t const probe = 64 + shorter / 32, step = best_score_ + 2 * wave_.extend;
        if (shorter < 1024 || step == 0)
            return;
        set_band(probe);
        std::vector<Snapshot> none;
        run(-1, wave_.m + wave_.n, 1, none);
        std::int64_t const most = best_score_ * shorter - wave_.extend * d - corner.score;
        corner = {};
        for (auto & array : arrays_)
            std::fill(array.begin(), array.end(), wave_minus_infinity<T>);
        set_band(std::max<std::int64_t>(0, most) / step + 1);
    }
    void set_band(std::int64_t beside)
    {
        wave_.lower = std::max(-wave_.m, std::min<std::int64_t>(0, wave_.n - wave_.m) - beside);
        wave_.upper = std::min(wave_.n, std::max<std::int64_t>(0, wave_.n - wave_.m) + beside);
        width_ = static_cast<std::int64_t>(widest(pair_.m, pair_.n, {wave_.lower, wave_.upper}));
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
        wave_.query = query_.data() + margin;
        wave_.target = target_.data() + margin;
        wave_.matrix = matrix_.data();
    }

    bool is_global() const
    {
        return !wave_.local && !wave_.free_top && !wave_.free_left && !wave_.free_bottom && !wave_.free_right;
    }
    bool inside() const { return !cursor_.stopped && cursor_.i > 0 && cursor_.j > 0; }
    std::int64_t cursor_s() const { return static_cast<std::int64_t>(cursor_.i + cursor_.j); }

    void run_kernel(std::int64_t first, std::int64_t last)
    {
        wave_.first = first;
        wave_.last = last;
        kernels_.wave(wave_, plan_.width);
    }

    // Computes the antidiagonals after `from`, which is in the arrays, up to `last` in `parts` parts; keeps the last
    // antidiagonal of all but the last part.
    void run(std::int64_t from, std::int64_t last, std::uint64_t parts, std::vector<Snapshot> & kept)
    {
        wave_.trace = nullptr;
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
        wave_.stride = width + wave_margin;
        wave_.trace = trace_.grow(static_cast<std::size_t>(last - from) * static_cast<std::size_t>(wave_.stride));
        run_kernel(from + 1, last);
    }

    Snapshot snapshot(std::int64_t s)
    {
        auto const rows = wave_.rows(s);
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
                std::fill_n(to - margin, arrays_[0].size(), wave_minus_infinity<T>);
            else
                std::copy(from.entries[k].begin(), from.entries[k].end(), to + from.first);
            ++k;
        }
    }
    std::array<T *, 4> state(std::int64_t s)
    {
        auto const h = [&](std::int64_t k) { return static_cast<T *>(wave_.h[(k + 3) % 3]); };
        return {h(s), h(s - 1), static_cast<T *>(wave_.e), static_cast<T *>(wave_.f[(s + 2) % 2])};
    }

    // Walks from the cursor while it is beyond the antidiagonal that was kept.
    void walk_from(Snapshot const & from)
    {
        while (inside() && cursor_s() > from.s) {
            std::int64_t const last = cursor_s(), width = std::min(width_, last - from.s + 1);
            wave_.cone_row = static_cast<std::int64_t>(cursor_.i);
            wave_.cone_end = last;
            restore(from);
            if (last - from.s == 1 ||
                static_cast<std::uint64_t>((last - from.s) * (width + wave_margin)) <= plan_.max_trace_bytes) {
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
        while (inside() && cursor_s() >= wave_.first) {
            std::int64_t const s = cursor_s();
            std::uint8_t const bits =
                wave_.trace[(s - wave_.first) * wave_.stride + static_cast<std::int64_t>(i) - wave_.rows(s).first];
            if ((state == path::State::pending_insertion && bits & wave_f_opens) ||
                (state == path::State::pending_deletion && bits & wave_e_opens))
                state = path::State::h;
            if (state == path::State::h) {
                bool const gap = bits & (wave_e | wave_f);
                if (bits & wave_diagonal && !(gaps_first && gap)) {
                    cigar_.add(column_op());
                    --i;
                    --j;
                    continue;
                }
                if (!gap) {
                    stopped = true;
                    return;
                }
                bool const deletion = gaps_first ? bits & wave_e : !(bits & wave_f);
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

    // False for a local alignment that is empty.
    bool find_end(WaveBest const & row, WaveBest const & column, PairResult & result) const
    {
        // All of the row lies before the column.
        bool const from_row = wave_.last_end ? row.score > column.score : row.score >= column.score;
        WaveBest const & best = mode_.local || from_row ? row : column;
        if (mode_.local && wave_.upper >= wave_.lower && wave_.upper >= -wave_.m && wave_.lower <= wave_.n &&
            best.score <= 0) {
            result.span = {0, 0, 0, 0};
            return false;
        }
        if (best.score < wave_minus_infinity<T> / 2)
            throw Error{Status::invalid_argument, "the band holds no path from an allowed begin to an allowed end"};
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
    Wave wave_;
    std::int64_t width_ = 0, best_score_ = 0;
    std::vector<T> query_, target_, matrix_, arrays_[6];
    AlignedBuffer<std::uint8_t> trace_;
    path::Cursor cursor_;
    CigarBuilder cigar_;
};

} // namespace

bool needs_waves(Mode const & mode)
{
    if (mode.ties == Ties::last_end && !mode.band)
        return mode.local;
    return !mode.is_plain();
}

PairResult align_waves(PairView const & pair, Scoring const & scoring, KernelTable const & kernels,
                       Request const & request, PairPlan const & plan, Monitor & monitor)
{
    if (plan.width == 32)
        return Waves<std::int32_t>{pair, scoring, kernels, request, plan, monitor}.align();
    return Waves<std::int64_t>{pair, scoring, kernels, request, plan, monitor}.align();
}

} // namespace nwgpu::cpu
