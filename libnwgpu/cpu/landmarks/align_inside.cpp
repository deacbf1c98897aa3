// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/align_inside.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "cpu/landmarks/landmarks.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/pair/pair_plan.hpp"

namespace nwgpu::cpu {

namespace {

// Which sequence lies within the other one, and which ends of the other one are free.
struct Inside {
    bool is_query, local, free_begin, free_end;

    // `least`: letters of the inner sequence.
    static std::optional<Inside> of(PairView const & pair, Scoring const & scoring, Request const & request,
                                    std::uint64_t least)
    {
        auto const inside = of_mode(pair, request);
        if (!inside || !scoring.is_uniform())
            return std::nullopt;
        Losses const losses = Losses::of(scoring);
        PairView const turned = inside->turned(pair);
        bool const counts = losses.match > 0 && losses.mismatch > 0 && losses.extend > 0;
        return counts && least <= turned.m && turned.m <= turned.n ? inside : std::nullopt;
    }
    // The inner sequence as the query; or, if that is turned, the pair again.
    PairView turned(PairView const & pair) const
    {
        return is_query ? pair : PairView{pair.target, pair.n, pair.query, pair.m};
    }
    PairResult turned(PairResult result) const
    {
        if (!is_query) {
            std::swap(result.span.query_begin, result.span.target_begin);
            std::swap(result.span.query_end, result.span.target_end);
        }
        return result;
    }
    CigarOp inner_gap() const { return is_query ? CigarOp::insertion : CigarOp::deletion; }
    // Of what lies before a cell that paths go through, or behind it.
    Mode begin_mode() const
    {
        return {.free_query_begin = !is_query && !local, .free_target_begin = is_query && !local, .extend_left = local};
    }
    Mode end_mode() const
    {
        return {.free_query_end = !is_query && !local, .free_target_end = is_query && !local, .extend = local};
    }

private:
    static std::optional<Inside> of_mode(PairView const & pair, Request const & request)
    {
        Mode const & mode = request.mode;
        if (!mode.has_usual_rules() || mode.is_extension() || request.top > 1 || request.every_cell ||
            !request.checkpoint.folder.empty())
            return std::nullopt;
        if (mode.local)
            return Inside{pair.m <= pair.n, true, true, true};
        bool const of_query = mode.free_query_begin || mode.free_query_end,
                   of_target = mode.free_target_begin || mode.free_target_end;
        if (of_query == of_target)
            return std::nullopt;
        return of_query ? Inside{false, false, mode.free_query_begin, mode.free_query_end}
                        : Inside{true, false, mode.free_target_begin, mode.free_target_end};
    }
};

// That of the first two words which lie on the same one, one behind the other.
template <class Iterator>
std::optional<std::int64_t> diagonal_of(Iterator word, Iterator end)
{
    std::int32_t before = Words::lost;
    for (; word != end; ++word) {
        if (*word == Words::lost || *word == Words::often)
            continue;
        if (*word == before)
            return before;
        before = *word;
    }
    return std::nullopt;
}

// Of the known path, where it is found by fronts.
std::uint64_t bytes_of_fronts(std::uint64_t inner)
{
    constexpr std::uint64_t of_a_letter = 512;
    return std::min(little_bytes, of_a_letter * inner);
}

class Aligner {
public:
    Aligner(PairView const & pair, Inside const & inside, Scheme const & scheme, KernelTable const & kernels,
            ApartSoFar & apart, FurthestMemory & memory, Monitor & monitor) :
        inside_{inside},
        pair_{inside.turned(pair)},
        scheme_{scheme},
        losses_{Losses::of(scheme.scoring())},
        kernels_{kernels},
        apart_{apart},
        memory_{memory},
        monitor_{monitor},
        landmarks_{losses_, inside.local, inside.inner_gap()}
    {}

    // With its path, in runs of equal and of different letters; ends that are too large for that are not computed.
    std::optional<PairResult> align(std::uint64_t most_cells_of_end)
    {
        SeedBound seeds;
        std::span<std::int32_t const> const diagonals = seeds.find(pair_);
        if (!find_known_path(diagonals))
            return std::nullopt;
        landmarks_.find(diagonals, known_.runs, outer_begin_);
        if (!landmarks_.find_crossed(inside_.free_begin, inside_.free_end))
            return std::nullopt;
        return put_together(most_cells_of_end);
    }

    // Whether the monitor knows that about so many cells are done as the pair has.
    bool is_counted() const { return is_counted_; }

private:
    // A rectangle of the matrix.
    struct Part {
        std::uint64_t inner, inner_end, outer, outer_end;

        std::uint64_t inner_letters() const { return inner_end - inner; }
        std::uint64_t cells() const { return inner_letters() * (outer_end - outer); }
    };

    bool find_known_path(std::span<std::int32_t const> diagonals);
    std::optional<PairResult> put_together(std::uint64_t most_cells_of_end) const;
    Part part_before(Landmark const & landmark) const;
    Part part_behind(Landmark const & landmark) const;
    // Of the outer sequence, that paths use at most which lose no more.
    std::uint64_t outer_letters(std::uint64_t inner, std::int64_t loss) const
    {
        return inner + static_cast<std::uint64_t>(loss / losses_.extend) + 1;
    }
    PairResult align_end(Part const & part, Mode const & mode, std::int64_t known_loss) const;
    std::int64_t loss_of(PairResult const & result, Part const & part) const
    {
        return losses_.match * static_cast<std::int64_t>(part.inner_letters()) - result.score;
    }
    void add_known(std::uint64_t begin, std::uint64_t end, CigarBuilder & cigar) const;

    Inside const inside_;
    PairView const pair_; // the inner sequence is the query
    Scheme const & scheme_;
    Losses const losses_;
    KernelTable const & kernels_;
    ApartSoFar & apart_;
    FurthestMemory & memory_;
    Monitor & monitor_;
    std::uint64_t outer_begin_ = 0, outer_end_ = 0; // of the known path
    PairResult known_;
    bool is_counted_ = false; // as progress
    Landmarks landmarks_;
};

bool Aligner::find_known_path(std::span<std::int32_t const> diagonals)
{
    auto const longer = static_cast<std::int64_t>(pair_.n - pair_.m);
    auto const begin = inside_.free_begin ? diagonal_of(diagonals.begin(), diagonals.end()) : 0,
               end = inside_.free_end ? diagonal_of(diagonals.rbegin(), diagonals.rend()) : longer;
    if (!begin || !end || *begin < 0 || *end > longer || *begin >= *end + static_cast<std::int64_t>(pair_.m))
        return false;
    outer_begin_ = static_cast<std::uint64_t>(*begin);
    outer_end_ = static_cast<std::uint64_t>(*end + static_cast<std::int64_t>(pair_.m));
    PairView const part =
        inside_.turned({pair_.query, pair_.m, pair_.target + outer_begin_, outer_end_ - outer_begin_});
    Request const request{.mode = {}, .output = Output::cigar};
    Penalties const penalties = Penalties::of(scheme_.scoring());
    if (align_few_changes(part, penalties, kernels_, request, apart_, known_))
        return true;
    FurthestPlan const plan =
        plan_furthest_within(bytes_of_fronts(part.m), part.m, part.n, penalties, kernels_, request, 1, Tuning{});
    auto path = plan.tried && !plan.cut ? align_furthest(part, penalties, kernels_, request, plan, memory_, monitor_)
                                        : std::nullopt;
    is_counted_ = true;
    if (path)
        known_ = *std::move(path);
    else
        memory_.trim();
    return path.has_value();
}

// Up to the middle of the landmark's letters.
Aligner::Part Aligner::part_before(Landmark const & landmark) const
{
    std::uint64_t const inner = landmark.word * Landmark::letters + Landmark::letters / 2,
                        outer = static_cast<std::uint64_t>(static_cast<std::int64_t>(inner) + landmark.diagonal);
    return {0, inner, outer - std::min(outer, outer_letters(inner, landmark.loss)), outer};
}

Aligner::Part Aligner::part_behind(Landmark const & landmark) const
{
    Part const before = part_before(landmark);
    std::uint64_t const letters = pair_.m - before.inner_end,
                        outer = outer_letters(letters, landmarks_.loss() - landmark.loss);
    return {before.inner_end, pair_.m, before.outer_end, std::min(pair_.n, before.outer_end + outer)};
}

PairResult Aligner::align_end(Part const & part, Mode const & mode, std::int64_t known_loss) const
{
    PairView const pair = inside_.turned(
        {pair_.query + part.inner, part.inner_letters(), pair_.target + part.outer, part.outer_end - part.outer});
    Request const request{.mode = mode, .output = Output::cigar};
    PairPlan const plan = plan_pair(pair.m, pair.n, scheme_, kernels_, request, 1, 0, Tuning{});
    PairResult result = inside_.turned(align_strips(pair, scheme_, kernels_, request, plan, monitor_));
    if (loss_of(result, part) > known_loss)
        throw Error{Status::internal, "the best alignment of an end scores less than another one"};
    return result;
}

// The known path's runs between two places in the inner sequence: its ends, or among equal letters.
void Aligner::add_known(std::uint64_t begin, std::uint64_t end, CigarBuilder & cigar) const
{
    std::uint64_t behind = pair_.m; // the inner letters of the run
    for (auto run = known_.runs.rbegin(); run != known_.runs.rend(); ++run) {
        CigarOp const op = run_op(*run);
        bool const is_aligned = op == CigarOp::equal || op == CigarOp::different;
        std::uint64_t const from = is_aligned || op == inside_.inner_gap() ? behind - run_length(*run) : behind;
        if (from < behind && from < end && begin < behind)
            cigar.add(op, std::min(behind, end) - std::max(from, begin));
        else if (from == behind && begin <= from && from <= end)
            cigar.add(op, run_length(*run));
        behind = from;
    }
}

std::optional<PairResult> Aligner::put_together(std::uint64_t most_cells_of_end) const
{
    // Where the known path loses nothing there is no other one as good.
    std::int64_t const before = inside_.free_begin ? landmarks_.first().loss : 0,
                       behind = inside_.free_end ? landmarks_.loss() - landmarks_.last().loss : 0;
    Part const begin = part_before(landmarks_.first()), end = part_behind(landmarks_.last());
    if ((before > 0 && begin.cells() > most_cells_of_end) || (behind > 0 && end.cells() > most_cells_of_end))
        return std::nullopt;
    PairResult result;
    result.span = {0, pair_.m, outer_begin_, outer_end_};
    std::int64_t loss = landmarks_.loss() - before - behind;
    CigarBuilder cigar; // from the end on
    if (behind > 0) {
        PairResult const its = align_end(end, inside_.end_mode(), behind);
        loss += loss_of(its, end);
        result.span.query_end = end.inner + its.span.query_end;
        result.span.target_end = end.outer + its.span.target_end;
        cigar.add(its.runs);
    }
    add_known(before > 0 ? begin.inner_end : 0, behind > 0 ? end.inner : pair_.m, cigar);
    if (before > 0) {
        PairResult const its = align_end(begin, inside_.begin_mode(), before);
        loss += loss_of(its, begin);
        result.span.query_begin = its.span.query_begin;
        result.span.target_begin = begin.outer + its.span.target_begin;
        cigar.add(its.runs);
    }
    cigar.finish(result.runs);
    result.score = losses_.match * static_cast<std::int64_t>(pair_.m) - loss;
    return inside_.turned(std::move(result));
}

// What was asked for.
PairResult fitted(PairResult result, Request const & request)
{
    if (request.output < Output::span) {
        result.span.query_begin = result.span.target_begin = no_position;
        result.runs.clear();
    } else if (request.style == CigarStyle::m) {
        CigarBuilder cigar;
        for (auto run = result.runs.rbegin(); run != result.runs.rend(); ++run) {
            CigarOp const op = run_op(*run);
            cigar.add(op == CigarOp::equal || op == CigarOp::different ? CigarOp::match : op, run_length(*run));
        }
        result.runs.clear();
        cigar.finish(result.runs);
    }
    return result;
}

} // namespace

std::optional<PairResult> InsideSoFar::align(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                             Request const & request, FurthestMemory & memory, Monitor & monitor)
try {
    auto const inside = Inside::of(pair, scheme.scoring(), request, limits_.inner);
    if (!inside || !tries_.is_worth_a_try())
        return std::nullopt;
    if (!apart_)
        apart_.emplace(SeparateChanges::Limits{}, &monitor);
    Aligner aligner{pair, *inside, scheme, kernels, *apart_, memory, monitor};
    auto answer = aligner.align(std::min(limits_.cells_of_end, pair.cells() / limits_.parts));
    tries_.note(answer.has_value());
    if (!answer)
        return std::nullopt;
    monitor.poll(aligner.is_counted() ? 0 : pair.cells());
    return fitted(*std::move(answer), request);
} catch (std::bad_alloc const &) { // other ways may take less
    return std::nullopt;
}

std::uint64_t InsideSoFar::bytes(PairView const & pair, Scoring const & scoring, Request const & request)
{
    Limits const limits;
    auto const inside = Inside::of(pair, scoring, request, limits.inner);
    if (!inside)
        return 0;
    constexpr std::uint64_t of_a_letter = 24, // landmarks, changes and runs
        others = 1 << 18;
    std::uint64_t const inner = inside->turned(pair).m,
                        of_end = std::min(limits.cells_of_end, pair.cells() / limits.parts);
    return bytes_of_fronts(inner) + SeedBound::bytes_for(inner) + of_a_letter * inner + of_end + others;
}

} // namespace nwgpu::cpu
