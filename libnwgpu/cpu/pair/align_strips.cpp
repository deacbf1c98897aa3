// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/align_strips.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cpu/furthest/first_band.hpp"
#include "cpu/pair/last_row.hpp"
#include "cpu/pair/path_finder.hpp"
#include "cpu/pair/scores_between.hpp"
#include "cpu/pair/small_codes.hpp"
#include "cpu/pair/with_field.hpp"
#include "cpu/pair/word_band.hpp"
#include "path/band.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

namespace {

template <class Field>
class PairAligner {
public:
    PairAligner(Field const & field, PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                Request const & request, PairPlan const & plan, Monitor & monitor) :
        field_{field},
        pair_{pair},
        scheme_{scheme},
        kernels_{kernels},
        request_{request},
        mode_{request.mode},
        plan_{plan},
        monitor_{monitor}
    {}

    // `only_in_band`: nothing where a band would not save much.
    std::optional<PairResult> align(bool only_in_band)
    {
        bool const needs_path = request_.output >= Output::span;
        Grid grid;
        std::optional<std::int64_t> best;   // from a sweep that skipped cells
        std::optional<std::int64_t> proven; // the score, from a sweep that also kept the path's boundaries in `grid`
        if (!(plan_.try_band && find_band(needs_path, grid, proven))) {
            extent_ = {};
            best = find_extent();
            if (!best && !find_free_band() && only_in_band)
                return std::nullopt;
            if (best && (request_.output == Output::score || *best < request_.min_score)) {
                PairResult result;
                result.score = *best;
                return result;
            }
        }
        PairResult result;
        if (proven) {
            result.score = *proven;
            result.span.query_end = pair_.m;
            result.span.target_end = pair_.n;
            if (!needs_path || result.score < request_.min_score)
                return result;
        }
        fit_band(field_, needs_path && !proven); // the blocks of a path have the strips that kept their boundaries
        if (needs_path && (plan_.keep_diagonals || !extent_.everything()))
            field_.use_diagonals();
        PathFinder<Field> finder{field_,  pair_,         request_.style,  mode_.begins_anywhere(),
                                 extent_, plan_.threads, plan_.path_cuts, plan_.max_trace_bytes,
                                 monitor_};
        finder.look_ahead(plan_.blocks_ahead);
        if (proven) {
            finder.cursor = {pair_.m, pair_.n};
            finder.walk_grid(whole_, grid);
            path::finish(mode_, finder.cursor, finder.cigar, result);
            return result;
        }
        // Trace bits of a path that ends anywhere are computed when its end is known; others in the first sweep if that
        // is small.
        bool const trace_now = needs_path && (!mode_.ends_anywhere() || keeps_lanes(field_)) &&
                               (best ? plan_.threads == 1 : !plan_.keep_grid) && finder.fits_trace(whole_);
        bool const keep = !trace_now && (needs_path || (mode_.ends_anywhere() && request_.output == Output::end));

        Field sweeping = field_; // blocks of the path are smaller
        if (!trace_now && extent_.everything())
            sweeping.use_scan(plan_.strips_scan);
        Boundary<Cell> top = first_top(), left = first_left();
        SweepJob<Field> sweep = whole_job(top, left);
        fit_tiles(field_, sweep);
        RegionTrace trace;
        AlignedBuffer<std::uint8_t> bits;
        if (trace_now) {
            trace.bits = bits.grow(plan_trace(field_, whole_, extent_, trace));
            sweep.trace = &trace;
            sweep.tile_cols = UINT64_MAX;
            sweep.threads = 1;
        } else if (keep) {
            grid = new_grid(sweeping, narrowest_block(field_));
            sweep.keep = &grid;
        }
        Sweep<Field>{sweeping, sweep}.run();

        find_end(sweep, result);
        top = {}; // the path needs neither
        left = {};
        if (mode_.may_be_empty() && result.score <= 0) {
            result.score = 0;
            result.span = empty_span(pair_.m, pair_.n, mode_);
            return result;
        }
        if (mode_.ends_anywhere()) {
            if ((!keep && !trace_now) || result.score < request_.min_score)
                return result;
            path::Cursor const end = trace_now ? finder.best_end(trace, sweep.best)
                                               : finder.walk_from_best(whole_, grid, sweep.best, needs_path);
            result.span.query_end = end.i;
            result.span.target_end = end.j;
        }
        if (!needs_path || result.score < request_.min_score)
            return result;
        if (trace_now || !mode_.ends_anywhere())
            finder.cursor = {result.span.query_end, result.span.target_end};
        if (trace_now)
            finder.walk_trace(trace);
        else if (!mode_.ends_anywhere())
            finder.walk_grid(whole_, grid);
        path::finish(mode_, finder.cursor, finder.cigar, result);
        return result;
    }

    // Of the best path in a band, which may be less than the pair's; `keep`: also boundaries, for a path.
    std::int64_t score_in_band(std::uint64_t half_width, Grid * keep = nullptr)
    {
        extent_ = path::band_around(pair_, half_width);
        Field field = field_;
        fit_band(field, false);
        Boundary<Cell> top = first_top(), left = first_left();
        SweepJob<Field> sweep = whole_job(top, left);
        fit_tiles(field, sweep);
        if (keep) { // cuts of columns cost time, which is lost where the band is too narrow, and save less: so few
            *keep = new_grid(field, 4 * narrowest_block(field));
            sweep.keep = keep;
        }
        Sweep<Field>{field, sweep}.run();
        return sweep.end_score;
    }

private:
    using Cell = typename Field::Cell;

    SweepJob<Field> whole_job(Boundary<Cell> & top, Boundary<Cell> & left) const
    {
        SweepJob<Field> sweep;
        sweep.pair = pair_;
        sweep.region = whole_;
        sweep.extent = extent_;
        sweep.top = top.view();
        sweep.left = left.view();
        sweep.use(plan_);
        sweep.monitor = &monitor_;
        return sweep;
    }

    std::int64_t gap(std::uint64_t length) const { return path::gap_score(scheme_.scoring().gap(), length); }
    bool free_top() const { return mode_.begins_anywhere() || mode_.free_target_begin; }
    bool free_left() const { return mode_.begins_anywhere() || mode_.free_query_begin; }
    Boundary<Cell> first_top() const
    {
        Boundary<Cell> top(pair_.n);
        field_.gap_line(top.view(), pair_.n, free_top(), 0);
        return top;
    }
    Boundary<Cell> first_left() const
    {
        Boundary<Cell> left(pair_.m);
        field_.gap_line(left.view(), pair_.m, free_left(), 0);
        return left;
    }

    // A path's score proves how wide a band must be to hold every optimal path: of one through words in common, or else
    // the best in a narrow band, in two tries.  False when the band would not save much.  If the narrow band is wide
    // enough itself, `proven` is the pair's score, and a path is found from the boundaries in `grid`, without a second
    // sweep.  Only paths of scores from request.min_score on count: a lower score than this may be less than the
    // pair's.
    bool find_band(bool needs_path, Grid & grid, std::optional<std::int64_t> & proven)
    {
        path::BandProof const proof{pair_, scheme_.scoring()};
        std::uint64_t const longer = std::max(pair_.m, pair_.n), shorter = std::min(pair_.m, pair_.n);
        std::uint64_t const worth = longer / 3; // half-width beyond which the full matrix is as quick
        std::uint64_t narrow = first_half_width(shorter);
        if (request_.min_score > no_min_score) {
            if (auto const half_width = proof.half_width(request_.min_score))
                narrow = std::min(narrow, *half_width);
        } else if (!plan_.force_band && !may_prove_band(pair_, scheme_.scoring(), worth)) {
            return false;
        }
        auto const use = [&](Band const & band) { // where it saves much
            bool const saves = band.width() < path::band_around(pair_, worth).width();
            if (saves)
                extent_ = band;
            return saves;
        };
        auto const of_words = score_of_words();
        std::int64_t const known = std::max(of_words.value_or(no_min_score), request_.min_score);
        if (auto const half_width = of_words ? proof.half_width(known) : std::nullopt)
            if (use(narrowed(path::band_around(pair_, *half_width), known)))
                return true;
        for (std::uint64_t const probe : {narrow, shorter / 24}) {
            if (!plan_.force_band && !is_worth_trying(probe, field_.strip_rows(), longer))
                return false;
            bool const keeps = needs_path && plan_.keep_grid && probe == narrow; // the second seldom is wide enough
            Grid kept;
            std::int64_t const score = score_in_band(probe, keeps ? &kept : nullptr);
            auto const half_width = proof.half_width(std::max(score, known));
            Band const tried = path::band_around(pair_, probe);
            Band band = half_width ? path::band_around(pair_, *half_width) : Band{};
            if (half_width && !tried.holds(band))
                band = narrowed(band, std::max(score, known));
            if (half_width && tried.holds(band) && (!needs_path || keeps || score < request_.min_score)) {
                proven = score;
                grid = std::move(kept);
                return true;
            }
            if (half_width && use(band))
                return true;
            if (!half_width || longer - shorter > worth)
                return false;
        }
        return false;
    }

    // By words, where that takes no more memory than there is.
    Band narrowed(Band const & band, std::int64_t score) const
    {
        if (word_band_bytes(pair_.m, pair_.n) > plan_.spare_bytes)
            return band;
        return word_band(pair_, mode_, scheme_.scoring(), score, band).value_or(band);
    }

    std::optional<std::int64_t> score_of_words() const
    {
        if (plan_.force_band || path::common_words_bytes(pair_.m, pair_.n) > plan_.spare_bytes)
            return std::nullopt;
        return score_by_words(pair_, scheme_, kernels_, plan_.threads, monitor_);
    }

    // Where a local alignment is known to score so much that most cells cannot lead to as much: its score, and
    // extent_ becomes those cells that may, up to the end of the path.
    std::optional<std::int64_t> find_extent()
    {
        if constexpr (!Field::relative) {
            std::int64_t const known = std::max(plan_.known, request_.min_score);
            if (!plan_.may_skip || !(plan_.force_skip || Skipping::pays(pair_, scheme_.scoring(), known)))
                return std::nullopt;
            Boundary<Cell> top = first_top(), left = first_left();
            SweepJob<Field> sweep = whole_job(top, left);
            Skipping skipping{pair_, scheme_.scoring(), known, plan_.skip_cols};
            sweep.skipping = &skipping;
            Sweep<Field>{field_, sweep}.run();
            if (sweep.best.score < plan_.known && request_.min_score <= plan_.known)
                throw Error{Status::internal, "a local alignment scores less than a part of it"};
            extent_ = {stretches_of_path(skipping.strips, pair_, scheme_.scoring(), field_.strip_rows(), sweep.best),
                       field_.strip_rows()};
            return sweep.best.score;
        }
        return std::nullopt;
    }

    // The same where the ends of one sequence are free: the band that such a score proves.
    bool find_free_band()
    {
        if constexpr (Field::relative) {
            std::int64_t const known = std::max(plan_.known, request_.min_score);
            if (!plan_.may_skip || known <= 0)
                return false;
            Band const band = plan_.band.value_or(
                path::band_around(pair_, path::free_ends_half_width(pair_, mode_, scheme_.scoring(), known)));
            if (!plan_.force_skip && !free_band_pays(pair_, band, field_.strip_rows()))
                return false;
            extent_ = band;
            return true;
        }
        return false;
    }

    void fit_band(Field & field, bool needs_path) const
    {
        if constexpr (Field::relative)
            if (!extent_.everything())
                field.fit_band(extent_.width(), needs_path, plan_.threads);
    }

    // In a band, tiles so narrow that threads find work, and no more threads than do.
    void fit_tiles(Field const & field, SweepJob<Field> & sweep) const
    {
        if constexpr (Field::relative)
            if (plan_.threads > 1 && !extent_.everything()) {
                std::uint64_t const width = extent_.width();
                sweep.tile_cols = std::min(sweep.tile_cols, field.band_tile_cols(width, plan_.threads));
                double const most = std::ceil(field.threads_in_band(width, sweep.tile_cols)) + 1;
                sweep.threads = static_cast<int>(std::min<double>(plan_.threads, most));
            }
    }

    // For a sweep with the field, which is fitted to the band.
    Grid new_grid(Field const & field, std::uint64_t narrowest) const
    {
        GridShape shape;
        if (plan_.keep_grid)
            shape = extent_.everything() ? grid_shape(field, whole_, plan_.cuts, narrowest)
                                         : banded_grid_shape(field, whole_, extent_, plan_.line_bytes, narrowest);
        return {field.kept_code(), shape, whole_, field.strip_rows(), extent_};
    }

    // Score and, unless it may be anywhere, the end: the best candidate in column-major order.
    void find_end(SweepJob<Field> const & sweep, PairResult & result) const
    {
        if (mode_.ends_anywhere()) {
            result.score = sweep.best.score;
            return;
        }
        result.span.query_end = pair_.m;
        result.span.target_end = pair_.n;
        if (mode_.global() && !extent_.everything()) {
            result.score = sweep.end_score;
            return;
        }
        path::BestEnd best{result, mode_.ties};
        // The last row, then the last column; without free ends only their common corner counts.
        std::uint64_t column = 0; // the first one that was computed
        std::int64_t first = free_left() ? 0 : gap(pair_.m);
        if constexpr (Field::relative)
            if (!extent_.everything()) {
                column = extent_.columns((pair_.m - 1) / field_.strip_rows() * field_.strip_rows(), pair_.m, 0, pair_.n)
                             .first;
                first = sweep.end_score - field_.sum(sweep.top.first + column, pair_.n - column);
            }
        std::int64_t const corner = consider_last_row(field_, sweep.top, pair_, mode_, first, best, column);
        if (mode_.free_query_end && !extent_.everything()) {
            consider_last_column(field_, sweep.left, pair_, extent_, corner, best);
        } else if (mode_.free_query_end) {
            std::int64_t score = mode_.free_target_begin ? 0 : gap(pair_.n);
            best.consider(score, 0, pair_.n);
            for (std::uint64_t i = 1; i < pair_.m; ++i) {
                score = field_.next_score(score, sweep.left.first[i - 1]);
                best.consider(score, i, pair_.n);
            }
        }
        best.consider(corner, pair_.m, pair_.n);
    }

    Field field_;
    PairView const pair_;
    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    Mode const mode_;
    PairPlan const & plan_;
    Monitor & monitor_;
    Region const whole_{0, pair_.m, 0, pair_.n};
    Extent extent_;
};

// What `work` returns for the aligner of a plan.
template <class Work>
auto with_aligner(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
                  PairPlan const & plan, Monitor & monitor, Work const & work)
{
    SmallCodes const small = plan.number_letters ? SmallCodes{pair} : SmallCodes{};
    return with_field(plan, scheme, kernels, request.mode, [&](auto field) {
        if (small.made())
            field.use_small_codes();
        return work(PairAligner{field, small.made() ? small.pair() : pair, scheme, kernels, request, plan, monitor});
    });
}

} // namespace

PairResult align_strips(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                        Request const & request, PairPlan const & plan, Monitor & monitor)
{
    return with_aligner(pair, scheme, kernels, request, plan, monitor,
                        [](auto aligner) { return *aligner.align(false); });
}

std::optional<PairResult> align_in_band(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                        Request const & request, PairPlan const & plan, Monitor & monitor)
{
    if (!plan.try_band && !plan.may_skip)
        return std::nullopt;
    return with_aligner(pair, scheme, kernels, request, plan, monitor,
                        [](auto aligner) { return aligner.align(true); });
}

std::int64_t score_in_band(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                           PairPlan const & plan, std::uint64_t half_width, Monitor & monitor)
{
    return with_aligner(pair, scheme, kernels, Request{}, plan, monitor,
                        [&](auto aligner) { return aligner.score_in_band(half_width); });
}

} // namespace nwgpu::cpu
