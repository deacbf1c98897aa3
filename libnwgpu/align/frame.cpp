// SPDX-License-Identifier: BSD-3-Clause
#include "align/frame.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>

#include "align/lengths.hpp"
#include "backend/invalid_letters.hpp"
#include "base/pieces.hpp"
#include "path/empty.hpp"
#include "path/most_runs.hpp"
#include "path/most_score.hpp"
#include "path/user_band.hpp"

namespace nwgpu {

namespace {

// Below this many letters in a pair, 64 bits hold every sum of costs (each at most 2^30) with room to spare.
constexpr std::uint64_t max_letters = std::uint64_t{1} << 31;

// Lists of an engine, per pair: for the size of pieces, not a bound.
constexpr std::uint64_t engine_bytes_per_pair = 64;

} // namespace

Frame::Frame(Backend & backend, Team & team, Batch const & batch, Scoring const & scoring, Request const & request,
             std::uint64_t max_host_bytes) :
    backend_{backend},
    team_{team},
    batch_{batch},
    scoring_{scoring},
    request_{request.simplified()},
    limit_{max_host_bytes},
    count_{batch.pairs.size()}
{}

bool Frame::is_below(PairView const & pair) const
{
    return request_.min_score != no_min_score && request_.checkpoint.folder.empty() &&
           path::most_score(pair.m, pair.n, scoring_, request_.mode) < request_.min_score;
}

bool Frame::is_for_engine(std::uint64_t p) const
{
    PairView const pair = batch_.view(p);
    return pair.m > 0 && pair.n > 0 && pair.m + pair.n < max_letters && batch_.is_valid(p) && !is_below(pair) &&
           path::holds_path(pair.m, pair.n, request_.mode);
}

std::uint64_t Frame::cells(GoOn const & go_on) const
{
    std::atomic<std::uint64_t> all{0};
    auto const add = [&](std::uint64_t p, std::uint64_t end) {
        std::uint64_t sum = 0;
        for (; p < end; ++p)
            sum += is_for_engine(p) ? batch_.view(p).cells() : 0;
        all += sum;
    };
    for_pieces_while(go_on, &team_, count_, add, few_pairs);
    return all;
}

std::uint64_t Frame::most_runs(std::uint64_t p) const
{
    if (request_.output != Output::cigar || count_ == 1) // an engine counts the runs of a single pair as its own
        return 0;
    PairView const pair = batch_.view(p);
    return path::most_runs(pair.m, pair.n, request_.mode.band.has_value());
}

// While a piece is worked on, beside the result's arrays.
std::uint64_t Frame::bytes_per_pair() const
{
    return sizeof(std::uint64_t) + Answers::bytes_per_pair(request_) + Failures::bytes_per_pair;
}

// The same, in blocks, and then in one piece.
double Frame::bytes_per_run() const { return Answers::bytes_per_run + sizeof(std::uint32_t); }

// Under a limit of all pairs, long ones too: what is estimated is sure.
Estimate Frame::estimate()
{
    check_limit();
    chosen_.clear();
    double runs = 0;
    for (std::uint64_t p = 0; p < count_; ++p)
        if (is_for_engine(p)) {
            chosen_.push_back(p);
            runs += static_cast<double>(most_runs(p));
        }
    pairs_ = chosen_;
    std::uint64_t most = 0; // that align() may give the engine: with less, no pair takes more
    if (limit_ != 0) {
        std::uint64_t const needed =
            fixed_bytes_ + static_cast<std::uint64_t>(runs * static_cast<double>(bytes_per_kept_run));
        check_call(needed, count_, limit_);
        backend_.check_memory({batch_, pairs_, scoring_, request_, for_engine(limit_ - needed)});
        most = std::max<std::uint64_t>(1, limit_ - fixed_bytes_);
    }
    Estimate estimate = backend_.estimate({batch_, pairs_, scoring_, request_, most});
    estimate.host_bytes += call_bytes(batch_.queries.bytes() + batch_.targets.bytes(), count_, request_) +
                           std::min(count_, most_pairs_at_once()) * bytes_per_pair() +
                           (count_ - pairs_.size()) * Failures::bytes_per_pair +
                           static_cast<std::uint64_t>(runs * bytes_per_run());
    if (limit_ != 0)
        estimate.host_bytes = std::min(estimate.host_bytes, limit_);
    return estimate;
}

BatchResult Frame::align(Progress const & progress, GoOn const & go_on)
{
    check_limit();
    ResultMemory const memory = limit_ == 0 ? backend_.result_memory() : ResultMemory{};
    std::optional<Team::Awake> awake; // beside a device, which lends memory, threads have many short turns
    if (memory.arrays && memory.has_short_turns)
        awake.emplace(team_);
    BatchResult result{memory.arrays};
    chosen_ = Array<std::uint64_t>(UninitializedAllocator<std::uint64_t>{memory.arrays});
    Answers answers{result, count_, request_, &team_, memory.runs, go_on};
    Monitor monitor{progress, progress ? cells(go_on) : 0, team_};
    std::uint64_t next = 0;
    do // without pairs, too: the engine may refuse the call
        next = align_piece(next, monitor, answers);
    while (next < count_);
    answers.finish();
    return result;
}

// Whether the lengths of all sequences say so, if all are valid: they are fewer numbers than pairs have, and lie one
// after the other.  Also sets how many runs any pair may have.
bool Frame::are_all_for_engine()
{
    if (request_.min_score != no_min_score || request_.mode.band ||
        batch_.queries.count() + batch_.targets.count() > 2 * count_)
        return false;
    auto const [queries, targets] = lengths_of(batch_.queries, batch_.targets, team_);
    if (queries.shortest == 0 || targets.shortest == 0 || queries.longest + targets.longest >= max_letters)
        return false;
    most_runs_ =
        request_.output == Output::cigar && count_ > 1 ? path::most_runs(queries.longest, targets.longest, false) : 0;
    return true;
}

// Without a limit: the pairs of the piece that begins with `first`; returns where it ends.
std::uint64_t Frame::choose(std::uint64_t first, Answers const & answers)
{
    std::uint64_t const last = std::min(count_, first + most_pairs_at_once());
    if (first == 0)
        all_for_engine_ = count_ > 1 && are_all_for_engine();
    // Letters, until codes are made of them, count as valid.
    bool const are_valid = scoring_.any_byte() || (batch_.queries.are_letters() && batch_.targets.are_letters());
    pairs_ = all_for_engine_ && are_valid ? answers.pairs(first, last) : std::span<std::uint64_t const>{};
    if (pairs_.empty())
        choose_each(first, last);
    else
        runs_ = most_runs_ * (last - first);
    return last;
}

void Frame::choose_each(std::uint64_t first, std::uint64_t last)
{
    struct Part {
        std::uint64_t pairs = 0, runs = 0;
    };
    std::uint64_t const pieces = ceil_div(last - first, few_pairs);
    Part only;
    std::vector<Part> several(pieces > 1 ? pieces : 0); // memory of a call with few pairs would take its time
    std::span<Part> const parts{pieces > 1 ? several.data() : &only, pieces};
    chosen_.resize(last - first);
    auto const choose = [&](std::uint64_t begin, std::uint64_t end) {
        Part part;
        for (std::uint64_t p = first + begin; p < first + end; ++p)
            if (is_for_engine(p)) {
                chosen_[begin + part.pairs++] = p;
                part.runs += most_runs(p);
            }
        parts[begin / few_pairs] = part;
    };
    for_pieces(&team_, last - first, choose, few_pairs);
    std::uint64_t all = 0;
    runs_ = 0;
    for (std::uint64_t k = 0; k < parts.size(); ++k) { // close the gaps of those that are not
        std::uint64_t const * const from = chosen_.data() + k * few_pairs;
        if (all < k * few_pairs)
            std::copy(from, from + parts[k].pairs, chosen_.data() + all);
        all += parts[k].pairs;
        runs_ += parts[k].runs;
    }
    chosen_.resize(all);
    pairs_ = chosen_;
}

// Under a limit: as many as fit `room`, but one.
std::uint64_t Frame::choose(std::uint64_t first, std::uint64_t room)
{
    chosen_.clear();
    runs_ = 0;
    double const per_pair = static_cast<double>(bytes_per_pair() + engine_bytes_per_pair);
    std::uint64_t const last = std::min(
        {count_, first + most_pairs, first + 1 + static_cast<std::uint64_t>(static_cast<double>(room) / per_pair)});
    chosen_.reserve(last - first);
    std::uint64_t p = first;
    for (; p < last; ++p) {
        if (!is_for_engine(p))
            continue;
        std::uint64_t const runs = runs_ + most_runs(p);
        if (!chosen_.empty() &&
            static_cast<double>(p + 1 - first) * per_pair + static_cast<double>(runs) * bytes_per_run() >
                static_cast<double>(room))
            break;
        runs_ = runs;
        chosen_.push_back(p);
    }
    pairs_ = chosen_;
    return p;
}

std::uint64_t Frame::align_piece(std::uint64_t first, Monitor & monitor, Answers & answers)
{
    std::uint64_t const there = limit_ == 0 ? 0 : left(answers);
    std::uint64_t const last = limit_ == 0 ? choose(first, answers) : choose(first, there / part_for_answers);
    // A GPU's engine may leave pairs to all threads of the call.
    answers.begin(first, last, runs_, std::max(backend_.threads(), team_.size()) + 2);
    if (pairs_.size() < last - first) {
        AnswerWriter writer{&answers};
        for (std::uint64_t p = first, k = 0; p < last; ++p)
            if (k < pairs_.size() && pairs_[k] == p)
                ++k;
            else
                answer_here(p, answers, writer);
    }
    std::uint64_t memory = 0;
    if (limit_ != 0) {
        // An engine counts the runs of one pair as its own.
        double const runs = pairs_.size() > 1 ? static_cast<double>(runs_) * bytes_per_run() : 0;
        std::uint64_t const own = (last - first) * bytes_per_pair() + static_cast<std::uint64_t>(runs);
        memory = there - std::min(there, own);
        if (request_.top > 1) // answers grow with the alignments, and are put together
            memory /= 2;
    }
    if (limit_ != 0 && memory == 0)
        for (std::uint64_t const p : pairs_)
            answers.fail(p, Status::memory_limit,
                         "the answers of other pairs leave nothing of the limit of " + std::to_string(limit_) +
                             " bytes");
    else if (!pairs_.empty() || first == 0)
        backend_.align({batch_, pairs_, scoring_, request_, memory}, monitor, answers);
    monitor.throw_if_stopped();
    answers.end();
    if (short_letters_ > 0)
        for (std::uint64_t const p : pairs_)
            if (PairView const pair = batch_.view(p); pair.m + pair.n <= short_letters_)
                runs_to_come_ -= most_runs(p);
    return last;
}

void Frame::answer_here(std::uint64_t p, Answers & answers, AnswerWriter & writer) const
{
    if (fail_if_invalid(batch_, p, scoring_, answers))
        return;
    PairView const view = batch_.view(p);
    if (view.m + view.n >= max_letters)
        return writer.fail(p, Status::too_large, "the pair has 2^31 letters or more");
    try {
        PairResult answer;
        if (view.m == 0 || view.n == 0) {
            answer = path::align_empty(view, scoring_, request_.mode);
        } else { // a band without a path, or a score that is too low
            path::check_band(view.m, view.n, request_.mode);
            answer.score = too_low_score;
        }
        writer.put(p, answer);
    } catch (Error const & error) {
        writer.fail(p, error.status, error.what());
    }
}

} // namespace nwgpu
