// SPDX-License-Identifier: BSD-3-Clause
// Calls of the library and the meaning of their statuses.  Where pairs compete (strands, best target), their scores
// are computed first and the path of the winner afterwards; of equal scores the first pair wins.
#include "engine.hpp"

#include "failure.hpp"
#include "interrupt.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace cli {

namespace {

void check(nwgpu_status status, nwgpu_error const & error)
{
    if (status == NWGPU_ERROR_CANCELLED)
        throw Interrupted();
    if (status != NWGPU_OK)
        throw Failure(error.message[0] != '\0' ? error.message : nwgpu_status_name(status));
}

void log_message(void * progress, std::int32_t level, char const * message)
{
    auto & to = *static_cast<Progress *>(progress);
    if (level == NWGPU_LOG_WARNING)
        to.warning(message);
    else
        to.detail(message);
}

std::int32_t report_progress(void * progress, std::uint64_t done, std::uint64_t total)
{
    static_cast<Progress *>(progress)->update(done, total);
    return interrupted();
}

void set_device(nwgpu_context_options & options, std::string const & device)
{
    if (device == "auto")
        options.backend = NWGPU_BACKEND_AUTO;
    else if (device == "cpu")
        options.backend = NWGPU_BACKEND_CPU;
    else if (device == "cuda" || device.starts_with("cuda:")) {
        options.backend = NWGPU_BACKEND_CUDA;
        char const * const begin = device.data() + std::min<std::size_t>(5, device.size());
        char const * const end = device.data() + device.size();
        auto const parsed = std::from_chars(begin, end, options.device);
        if (device != "cuda" && (parsed.ec != std::errc() || parsed.ptr != end || options.device < 0))
            throw Failure(text("--device ", device, ": the part after cuda: must be a device number"));
    } else {
        throw Failure(text("--device ", device, ": must be auto, cpu, cuda or cuda:N"));
    }
}

} // namespace

Alignment Rows::row(std::uint64_t i) const
{
    std::uint64_t const index = chosen_[i];
    nwgpu_pair const pair = batch_->pairs[nwgpu_result_pairs(result_.get())[index]];
    SequenceSet const & queries = *batch_->queries;
    Alignment row;
    row.query_name = queries.name(pair.query);
    row.target_name = batch_->targets->name(pair.target);
    row.quality = queries.quality(pair.query);
    row.query = queries.letters(pair.query);
    row.target = batch_->targets->letters(pair.target);
    row.target_index = pair.target;
    row.reverse = pair.query >= batch_->forward_count;
    row.query_number = batch_->first_query + pair.query % batch_->forward_count;
    row.status = std::binary_search(wrong_.begin(), wrong_.end(), i) ? NWGPU_ERROR_INTERNAL
                                                                     : nwgpu_result_statuses(result_.get())[index];
    row.score = nwgpu_result_scores(result_.get())[index];
    if (run_offsets_ != nullptr && row.ok()) {
        std::uint64_t const * const span = nwgpu_result_spans(result_.get()) + 4 * index;
        row.has_path = true;
        row.query_begin = span[0];
        row.query_end = span[1];
        row.target_begin = span[2];
        row.target_end = span[3];
        row.cigar = {runs_ + run_offsets_[index], run_offsets_[index + 1] - run_offsets_[index]};
    }
    return row;
}

std::string Rows::message(std::uint64_t i) const
{
    if (std::binary_search(wrong_.begin(), wrong_.end(), i))
        return "--verify: the CIGAR does not give the score; please report this";
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_result_pair_error(result_.get(), chosen_[i], &error);
    return error.message;
}

Engine::Engine(EngineOptions const & options, Scoring const & scoring, Progress & progress) :
    scoring_(scoring.values()),
    progress_(progress),
    algorithm_(options.algorithm),
    checkpoint_(options.checkpoint),
    verify_(options.verify)
{
    Mode const mode = make_mode(options.mode, options.free_ends);
    options_.struct_size = sizeof options_;
    options_.span = mode.span;
    options_.free_ends = mode.free_ends;
    if (!options.band.empty()) {
        options_.banded = 1;
        options_.band_lower = options.band[0];
        options_.band_upper = options.band[1];
        if (options_.band_lower > options_.band_upper)
            throw Failure("--band needs LOWER,UPPER with LOWER not above UPPER");
    }
    options_.top = options.top;
    if (options.top > 1 && (mode.span != NWGPU_SPAN_LOCAL || !options.band.empty()))
        throw Failure("--top goes with --mode local, without --band");
    options_.output = options.score_only ? NWGPU_OUTPUT_SCORE : NWGPU_OUTPUT_CIGAR;
    options_.cigar_style = options.cigar_style == "m" ? NWGPU_CIGAR_M : NWGPU_CIGAR_EQX;
    options_.progress = report_progress;
    options_.progress_user = &progress;
    options_.algorithm = algorithm_.empty() ? nullptr : algorithm_.c_str();
    options_.every_cell = options.every_cell;
    options_.checkpoint = checkpoint_.empty() ? nullptr : checkpoint_.c_str();
    options_.resume = options.resume;
    options_.checkpoint_seconds = options.checkpoint_seconds;
    options_.deadline_seconds = options.deadline_seconds;

    create_context(options, options.threads);
}

void Engine::create_context(EngineOptions const & options, std::int32_t threads)
{
    nwgpu_context_options context{};
    context.struct_size = sizeof context;
    context.cpu_threads = threads;
    context.max_device_bytes = options.max_device_memory;
    context.max_host_bytes = options.max_memory;
    context.log = context_ ? nullptr : log_message; // the CPU's says all that it has to say when it is made
    context.log_user = &progress_;
    set_device(context, options.device);

    nwgpu_context * created = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_status const status = nwgpu_context_create(&context, &created, &error);
    if (status == NWGPU_ERROR_NO_DEVICE || status == NWGPU_ERROR_UNSUPPORTED)
        throw Failure(text("--device ", options.device, ": ", error.message, " (`nwgpu doctor` tells more)"));
    check(status, error);
    context_.reset(created);
}

void Engine::leave_cores(EngineOptions const & options, std::uint64_t query_length, std::uint64_t target_length)
{
    constexpr std::uint64_t cells_while_reading = 12; // a letter: what one thread aligns
    constexpr std::int32_t cores = 2;
    std::uint64_t const all = static_cast<std::uint64_t>(threads());
    bool const reading_lasts =
        query_length * target_length < cells_while_reading * all * (query_length + target_length);
    if (options.threads == 0 && all >= 8 && on_cpu() && reading_lasts)
        create_context(options, threads() - cores);
}

std::string Engine::backend() const
{
    if (!algorithm_.empty())
        return text("algorithm ", algorithm_);
    return text(nwgpu_context_backend_name(context_.get()), " with ", threads(), " threads");
}

bool Engine::on_cpu() const { return std::string_view(nwgpu_context_backend_name(context_.get())).starts_with("cpu"); }

std::uint64_t Engine::batch_letters() const
{
    constexpr std::uint64_t least = std::uint64_t{1} << 20, most = std::uint64_t{8} << 20;
    if (!on_cpu())
        return most;
    return std::clamp(static_cast<std::uint64_t>(threads()) * least, least, most);
}

nwgpu_sequences const * Engine::load(Loaded & loaded, std::shared_ptr<SequenceSet const> const & set)
{
    if (loaded.set == set)
        return loaded.handle.get();
    nwgpu_sequences * handle = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    check(nwgpu_sequences_create(context_.get(), set->bytes(), set->offsets(), set->size(), &handle, &error), error);
    loaded.handle.reset(handle);
    loaded.set = set;
    return handle;
}

nwgpu_estimate Engine::estimate(Batch const & batch)
{
    nwgpu_estimate estimate{};
    estimate.struct_size = sizeof estimate;
    nwgpu_error error = NWGPU_ERROR_INIT;
    check(nwgpu_align_estimate(context_.get(), load(queries_, batch.queries), load(targets_, batch.targets),
                               batch.pairs.data(), batch.pairs.size(), &scoring_, &options_, &estimate, &error),
          error);
    return estimate;
}

Rows Engine::align(Batch const & batch)
{
    if (interrupted())
        throw Interrupted();
    bool const compete = batch.group_size > 1;
    if (compete && options_.top > 1)
        throw Failure("--top goes with neither --both-strands nor --pair best");
    nwgpu_align_options options = options_;
    if (compete)
        options.output = NWGPU_OUTPUT_SCORE;
    if (options.deadline_seconds > 0) {
        std::chrono::duration<double> const gone = std::chrono::steady_clock::now() - begin_;
        options.deadline_seconds -= gone.count();
        if (options.deadline_seconds <= 0)
            throw Interrupted();
    }

    Rows rows;
    rows.batch_ = &batch;
    nwgpu_result * result = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_sequences const * const queries = load(queries_, batch.queries);
    nwgpu_sequences const * const targets = load(targets_, batch.targets);
    check(nwgpu_align(context_.get(), queries, targets, batch.pairs.data(), batch.pairs.size(), &scoring_, &options,
                      &result, &error),
          error);
    rows.result_.reset(result);
    choose(rows);
    if (options_.output == NWGPU_OUTPUT_SCORE)
        return rows;
    if (compete)
        check(
            nwgpu_traceback(context_.get(), queries, targets, result, rows.chosen_.data(), rows.chosen_.size(), &error),
            error);
    check(nwgpu_result_cigars(result, &rows.runs_, &rows.run_offsets_, &error), error);
    if (verify_)
        verify(rows);
    return rows;
}

// A failed pair loses against any other; where all fail, the first one stands for the group.
void Engine::choose(Rows & rows)
{
    nwgpu_status const * const statuses = nwgpu_result_statuses(rows.result_.get());
    std::int64_t const * const scores = nwgpu_result_scores(rows.result_.get());
    std::uint64_t const group = rows.batch_->group_size, count = nwgpu_result_count(rows.result_.get());
    rows.chosen_.reserve(count / group);
    for (std::uint64_t begin = 0; begin < count; begin += group) {
        std::uint64_t best = begin;
        for (std::uint64_t i = begin + 1; i < begin + group; ++i)
            if (statuses[i] == NWGPU_OK && (statuses[best] != NWGPU_OK || scores[i] > scores[best]))
                best = i;
        rows.chosen_.push_back(best);
    }
}

void Engine::verify(Rows & rows) const
{
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
        Alignment const row = rows.row(i);
        if (!row.has_path)
            continue;
        std::int64_t score = 0;
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_status const status = nwgpu_cigar_score(
            row.query.data() + row.query_begin, row.query_end - row.query_begin, row.target.data() + row.target_begin,
            row.target_end - row.target_begin, &scoring_, row.cigar.data(), row.cigar.size(), &score, &error);
        if (status != NWGPU_OK || score != row.score)
            rows.wrong_.push_back(i);
    }
}

} // namespace cli
