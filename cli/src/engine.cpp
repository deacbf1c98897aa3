// SPDX-License-Identifier: BSD-3-Clause
// Calls of the library and the meaning of their statuses.  Where pairs compete (strands, best target), their scores
// are computed first and the path of the winner afterwards; of equal scores the first pair wins.
#include "engine.hpp"

#include "engine_context.hpp"
#include "failure.hpp"
#include "interrupt.hpp"

#include <algorithm>
#include <cstdint>

namespace cli {

namespace {

std::int32_t report_progress(void * progress, std::uint64_t done, std::uint64_t total)
{
    static_cast<Progress *>(progress)->update(done, total);
    return interrupted();
}

// Of paths whose scores have been reported already.
std::int32_t look_for_interrupt(void *, std::uint64_t, std::uint64_t) { return interrupted(); }

// Of a set, the sequences from the first to the last one that a batch names.
struct Part {
    std::shared_ptr<SequenceSet const> const & set;
    bool const own; // the batch's, and no other's
    std::uint64_t first = UINT64_MAX, last = 0;

    void add(std::uint64_t i)
    {
        first = std::min(first, i);
        last = std::max(last, i);
    }
    // Whether the call looks at them alone, and not at the set, of which others know the codes.
    bool is_alone() const { return own || last - first < set->size() / 2; }
    std::shared_ptr<nwgpu::Sequences const> view(nwgpu::Context & context) const
    {
        return std::make_shared<nwgpu::Sequences const>(
            nwgpu::Sequences::view(context, set->bytes(), set->offsets().subspan(first, last - first + 2)));
    }
};

} // namespace

Engine::Engine(EngineOptions const & options, std::optional<std::int64_t> min_score, Scoring const & scoring,
               Progress & progress) :
    scoring_(scoring),
    progress_(progress),
    algorithm_(options.algorithm),
    checkpoint_(options.checkpoint),
    deadline_seconds_(options.deadline_seconds),
    verify_(options.verify),
    max_memory_(options.max_memory),
    min_score_(min_score),
    context_(make_context(for_workers(options), options.threads, progress, true)),
    host_threads_(count_threads(options)),
    places_(count_places(options))
{
    Mode const mode = make_mode(options.mode, options.free_ends);
    options_.mode = mode.mode;
    options_.free_ends = mode.free_ends;
    if (!options.band.empty()) {
        band_.lower = options.band[0];
        band_.upper = options.band[1];
        if (band_.lower > band_.upper)
            throw Failure("--band needs LOWER,UPPER with LOWER not above UPPER");
        options_.band = &band_;
    }
    if (options.top > 1) {
        if (mode.mode != NWGPU_MODE_LOCAL || !options.band.empty())
            throw Failure("--top goes with --mode local, without --band");
        top_.alignments = options.top;
        options_.top = &top_;
    }
    if (!checkpoint_.empty()) {
        saved_.folder = checkpoint_.c_str();
        saved_.resume = options.resume;
        saved_.seconds = options.checkpoint_seconds;
        options_.checkpoint = &saved_;
    }
    options_.output = options.score_only ? NWGPU_OUTPUT_SCORE : NWGPU_OUTPUT_CIGAR;
    options_.cigar_style = options.cigar_style == "m" ? NWGPU_CIGAR_M : NWGPU_CIGAR_EQX;
    options_.pairing = NWGPU_PAIRING_LIST;
    options_.every_cell = options.every_cell;
    options_.min_score = min_score_ ? &*min_score_ : nullptr;
}

std::string Engine::backend() const
{
    if (!algorithm_.empty())
        return text("algorithm ", algorithm_);
    return text(context_.backend_name(), " with ", threads(), " threads");
}

Engine::SequencesPtr Engine::load(Loaded & loaded, std::shared_ptr<SequenceSet const> const & set)
{
    if (loaded.set != set) {
        loaded = {set, std::make_shared<nwgpu::Sequences const>(
                           nwgpu::Sequences::view(context_, set->bytes(), set->offsets()))};
    }
    return loaded.sequences;
}

nwgpu_control Engine::control(ProgressFunction * report) const
{
    nwgpu_control control = NWGPU_CONTROL_INIT;
    control.progress = report;
    control.progress_user = &progress_;
    if (deadline_seconds_ > 0) {
        std::chrono::duration<double> const gone = std::chrono::steady_clock::now() - begin_;
        control.deadline_seconds = deadline_seconds_ - gone.count();
        if (control.deadline_seconds <= 0)
            throw Interrupted();
    }
    return control;
}

nwgpu_scoring const & Engine::scoring(Batch const & batch) const
{
    return batch.queries->ambiguous() || batch.targets->ambiguous() ? scoring_.values() : scoring_.unambiguous();
}

nwgpu_estimate Engine::estimate(Batch const & batch)
{
    return context_.estimate(*load(queries_, batch.queries), *load(targets_, batch.targets), scoring(batch), options_,
                             batch.pairs);
}

template <typename Call>
auto Engine::interruptibly(Call const & call) const
{
    if (interrupted())
        throw Interrupted();
    try {
        return call();
    } catch (nwgpu::Error const & error) {
        if (error.status() == NWGPU_ERROR_CANCELLED || error.status() == NWGPU_ERROR_DEADLINE)
            throw Interrupted();
        throw;
    }
}

std::vector<std::optional<std::int64_t>> Engine::scores(Batch const & batch)
{
    return interruptibly([&] {
        nwgpu_control const watch = control(report_progress);
        nwgpu_align_options options = options_;
        options.control = &watch;
        options.output = NWGPU_OUTPUT_SCORE;
        options.min_score = nullptr;
        nwgpu::Result const result = context_.align(*load(queries_, batch.queries), *load(targets_, batch.targets),
                                                    scoring(batch), options, batch.pairs);
        std::vector<std::optional<std::int64_t>> scores(result.count());
        for (std::uint64_t i = 0; i < result.count(); ++i)
            if (result.statuses()[i] == NWGPU_OK)
                scores[i] = result.scores()[i];
        return scores;
    });
}

Rows Engine::align(Batch const & batch)
{
    if (batch.group_size > 1 && options_.top != nullptr)
        throw Failure("--top goes with neither --both-strands nor --pair best");
    Rows rows;
    rows.batch_ = &batch;
    interruptibly([&] {
        compute(rows, {context_, *load(queries_, batch.queries), *load(targets_, batch.targets), batch.pairs,
                       report_progress});
    });
    if (verify_)
        verify(rows);
    return rows;
}

Rows Engine::align(Batch const & batch, int k)
{
    if (batch.group_size > 1 && options_.top != nullptr)
        throw Failure("--top goes with neither --both-strands nor --pair best");
    Rows rows;
    rows.batch_ = &batch;
    std::uint64_t most_cells = 0, cells = 0;
    Part queries{batch.queries, batch.own_queries}, targets{batch.targets, batch.own_targets};
    for (nwgpu_pair const & pair : batch.pairs) {
        queries.add(pair.query);
        targets.add(pair.target);
        std::uint64_t const of_pair = batch.queries->length(pair.query) * batch.targets->length(pair.target);
        most_cells = std::max(most_cells, of_pair);
        cells += of_pair;
    }
    interruptibly([&] {
        std::optional<nwgpu::Context> & own = workers_[static_cast<std::size_t>(k)];
        if (!own)
            own = make_context(given_, 1, progress_, false);
        std::unique_lock lock(mutex_, std::defer_lock);
        bool const is_long = most_cells > most_worker_cells || cells > most_batch_cells_;
        bool const keeps_queries = !queries.is_alone(), keeps_targets = !targets.is_alone();
        if (is_long || keeps_queries || keeps_targets)
            lock.lock();
        SequencesPtr const first = keeps_queries ? load(queries_, batch.queries) : queries.view(*own);
        SequencesPtr const second = keeps_targets ? load(targets_, batch.targets) : targets.view(*own);
        // The first call of all makes the codes of a set.
        if (lock && !is_long && (!keeps_queries || queries_.coded) && (!keeps_targets || targets_.coded))
            lock.unlock();
        std::uint64_t const query = keeps_queries ? 0 : queries.first, target = keeps_targets ? 0 : targets.first;
        std::vector<nwgpu_pair> pairs = batch.pairs;
        for (nwgpu_pair & pair : pairs)
            pair = {pair.query - query, pair.target - target};
        compute(rows, {is_long ? context_ : *own, *first, *second, pairs, look_for_interrupt});
        if (lock) {
            queries_.coded |= keeps_queries;
            targets_.coded |= keeps_targets;
        }
    });
    if (verify_)
        verify(rows);
    return rows;
}

void Engine::compute(Rows & rows, With const & with) const
{
    Batch const & batch = *rows.batch_;
    bool const compete = batch.group_size > 1, paths = options_.output == NWGPU_OUTPUT_CIGAR;
    nwgpu_control const watch = control(with.report);
    nwgpu_align_options options = options_;
    options.control = &watch;
    if (compete) {
        options.output = NWGPU_OUTPUT_SCORE;
        options.min_score = nullptr; // the mapping quality follows from the scores that lose
    }
    rows.result_ = with.context.align(with.queries, with.targets, scoring(batch), options, with.pairs);
    if (compete)
        choose(rows);
    if (compete && paths) {
        nwgpu_control const watch_paths = control(look_for_interrupt);
        rows.result_ = with.context.traceback(with.queries, with.targets, rows.result_, rows.chosen_, &watch_paths);
        rows.chosen_.clear();
    }
    if (paths)
        rows.cigars_ = rows.result_.cigars();
}

// A failed pair loses against any other; where all fail, the first one stands for the group.
void Engine::choose(Rows & rows) const
{
    auto const statuses = rows.result_.statuses();
    auto const scores = rows.result_.scores();
    std::uint64_t const group = rows.batch_->group_size, count = rows.result_.count();
    rows.chosen_.reserve(count / group);
    for (std::uint64_t begin = 0; begin < count; begin += group) {
        std::uint64_t best = begin;
        std::int64_t second = Rows::no_score;
        for (std::uint64_t i = begin + 1; i < begin + group; ++i) {
            if (statuses[i] != NWGPU_OK)
                continue;
            bool const first = statuses[best] != NWGPU_OK, wins = first || scores[i] > scores[best];
            if (!first)
                second = std::max(second, wins ? scores[best] : scores[i]);
            if (wins)
                best = i;
        }
        rows.chosen_.push_back(best);
        rows.seconds_.push_back(second);
    }
}

void Engine::verify(Rows & rows) const
{
    for (std::uint64_t i = 0; i < rows.size(); ++i)
        if (Alignment const row = rows.row(i); row.has_path && !holds(row))
            rows.wrong_.push_back(i);
}

// Whether the CIGAR of a row fits its letters and gives its score.
bool Engine::holds(Alignment const & row) const
{
    auto const query = row.query.subspan(row.query_begin, row.query_end - row.query_begin);
    auto const target = row.target.subspan(row.target_begin, row.target_end - row.target_begin);
    try {
        return nwgpu::cigar_score(query, target, scoring_.values(), row.cigar) == row.score;
    } catch (nwgpu::Error const &) {
        return false;
    }
}

int serve(EngineOptions const & options, ReportOptions const & report)
{
    leave_interrupts_to_others();
    Progress progress(report);
    make_context(options, options.threads, progress, true).serve();
    return exit_ok;
}

} // namespace cli
