// SPDX-License-Identifier: BSD-3-Clause
#include "model/answers.hpp"

#include <algorithm>

#include "base/pieces.hpp"

namespace nwgpu {

namespace {

// Blocks are shared by pairs with few runs; of more runs the vector itself is kept.
constexpr std::size_t largest_block = 16384, least_kept = 1024;
// Few runs: this part of a block at most, so that no more is lost where the next pair's do not fit its rest.
constexpr std::size_t few = 16;

AlignedSpan span_of(PairResult const & answer, Output output)
{
    if (output >= Output::span)
        return answer.span;
    if (output == Output::end)
        return {no_position, answer.span.query_end, no_position, answer.span.target_end};
    return {};
}

} // namespace

std::uint64_t Answers::bytes_per_pair(Request const & request)
{
    if (request.top > 1)
        return sizeof(PairResult) + sizeof(Status);
    // A block of its own: pointer, growth of their vector, the allocator's share.
    return request.output == Output::cigar ? sizeof(std::span<std::uint32_t const>) + 64 : 0;
}

Answers::Answers(BatchResult & result, std::uint64_t pairs, Request const & request, Team * team,
                 std::shared_ptr<KeptMemory> run_memory, GoOn const & go_on) :
    result_{result},
    team_{team},
    output_{request.output},
    several_{request.top > 1},
    min_score_{request.min_score},
    run_memory_{std::move(run_memory)}
{
    result_.lay_out(several_ ? 0 : pairs, output_, team, go_on);
}

void Answers::begin(std::uint64_t first, std::uint64_t last, std::uint64_t most_runs, int writers)
{
    first_ = first;
    last_ = last;
    if (several_) {
        statuses_.assign(last - first, not_aligned);
        answers_.resize(last - first);
    } else if (output_ == Output::cigar && !is_one_pair()) {
        places_.resize(last - first); // of those that are put
        std::uint64_t const parts = 4 * static_cast<std::uint64_t>(writers);
        block_runs_ = std::clamp<std::uint64_t>(most_runs / parts, 1, largest_block);
        most_runs_ = most_runs;
        begin_runs();
    }
}

void Answers::end()
{
    if (several_)
        append_entries();
    else
        for_pieces(team_, last_ - first_, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t p = first_ + begin; p < first_ + end; ++p)
                if (is_open(p)) // there is a status, and nothing else is written yet
                    clear(p);
        });
    if (!several_ && output_ == Output::cigar)
        lay_out_runs();
    answers_.clear();
    blocks_.clear();
    kept_.clear();
    ordered_.clear();
    next_ = in_order_ = made_ = 0;
    order_end_ = no_pair;
    others_lent_ = false;
}

// The alignments of each pair, one after the other.
void Answers::append_entries()
{
    std::uint64_t entries = result_.count(), runs = result_.runs.size();
    for (PairResult const & answer : answers_) {
        entries += 1 + answer.more.size();
        runs += answer.runs.size();
        for (PairResult const & other : answer.more)
            runs += other.runs.size();
    }
    result_.reserve(entries, output_);
    if (output_ == Output::cigar)
        result_.runs.reserve(runs);
    auto const append = [&](std::uint64_t pair, PairResult const & answer, Status status) {
        result_.pair.push_back(pair);
        result_.status.push_back(status);
        result_.score.push_back(answer.score);
        if (output_ > Output::score)
            result_.span.push_back(span_of(answer, output_));
        if (output_ == Output::cigar) {
            result_.runs.insert(result_.runs.end(), answer.runs.begin(), answer.runs.end());
            result_.run_offsets.push_back(result_.runs.size());
        }
    };
    for (std::uint64_t p = first_; p < last_; ++p) {
        PairResult answer = std::move(answers_[p - first_]); // whose memory ends with it
        append(p, answer, statuses_[p - first_]);
        for (PairResult const & other : answer.more)
            append(p, other, Status::ok);
    }
    run_count_ = result_.runs.size();
}

void Answers::finish()
{
    std::uint64_t offset = result_.runs.size();
    if (output_ == Output::cigar) {
        result_.runs.reserve(std::max<std::uint64_t>(run_count_, 1));
        result_.runs.resize(run_count_);
    }
    for (Runs & runs : later_) {
        for_pieces(team_, runs.size(), [&](std::uint64_t begin, std::uint64_t end) {
            std::copy(runs.begin() + begin, runs.begin() + end, result_.runs.begin() + offset + begin);
        });
        offset += runs.size();
        runs = Runs{};
    }
    result_.failures.sort();
}

void Answers::fail_letter(std::uint64_t pair, Failures::Side side, std::uint8_t letter, std::uint64_t position)
{
    std::lock_guard const lock{mutex_};
    status_of(pair) = Status::invalid_sequence;
    clear(pair);
    result_.failures.add_letter(pair, side, letter, position);
}

void Answers::fail(std::uint64_t pair, Status why, std::string const & what)
{
    std::lock_guard const lock{mutex_};
    if (rescue_ && rescue_(pair, why, what))
        return;
    status_of(pair) = why;
    clear(pair);
    result_.failures.add(pair, why, what);
}

void Answers::put_below_min_score(std::uint64_t pair)
{
    status_of(pair) = Status::below_min_score;
    clear(pair);
}

// Nothing but a status.
void Answers::clear(std::uint64_t pair)
{
    if (several_) {
        answers_[pair - first_] = {};
        return;
    }
    result_.score[pair] = 0;
    if (output_ > Output::score)
        result_.span[pair] = {};
    if (is_one_pair())
        runs_.clear();
    else if (output_ == Output::cigar)
        places_[pair - first_] = {};
}

std::uint32_t * Answers::new_block(std::size_t runs)
{
    auto block = std::make_unique_for_overwrite<std::uint32_t[]>(runs);
    std::lock_guard const lock{mutex_};
    blocks_.push_back(std::move(block));
    return blocks_.back().get();
}

void Answers::keep(Runs && runs)
{
    std::lock_guard const lock{mutex_};
    kept_.push_back(std::move(runs));
}

void AnswerWriter::put(std::uint64_t pair, PairResult & answer)
{
    if (!answers_)
        return;
    Answers & to = *answers_;
    if (answer.score < to.min_score_)
        return to.put_below_min_score(pair);
    to.status_of(pair) = Status::ok;
    if (to.several_) {
        to.answers_[pair - to.first_] = std::move(answer);
        return;
    }
    to.result_.score[pair] = answer.score;
    if (to.output_ > Output::score)
        to.result_.span[pair] = span_of(answer, to.output_);
    if (to.output_ != Output::cigar)
        return;
    if (to.is_one_pair())
        to.runs_ = std::move(answer.runs);
    else
        to.places_[pair - to.first_] = store(answer.runs);
}

void AnswerWriter::put_next(std::uint64_t pair, std::int64_t score, AlignedSpan const & span, std::uint64_t end)
{
    BatchResult & result = answers_->result_;
    result.status[pair] = Status::ok;
    result.score[pair] = score;
    result.span[pair] = span;
    result.run_offsets[pair + 1] = end;
}

void AnswerWriter::put(std::uint64_t pair, std::int64_t score, AlignedSpan const & span,
                       std::span<std::uint32_t const> runs)
{
    if (!answers_)
        return;
    Answers & to = *answers_;
    if (score < to.min_score_)
        return to.put_below_min_score(pair);
    to.result_.status[pair] = Status::ok;
    to.result_.score[pair] = score;
    if (to.output_ > Output::score)
        to.result_.span[pair] = span;
    if (to.output_ != Output::cigar)
        return;
    if (to.is_one_pair())
        to.runs_.assign(runs.begin(), runs.end());
    else
        to.places_[pair - to.first_] = runs;
}

std::span<std::uint32_t const> AnswerWriter::store(Runs & runs)
{
    std::size_t const count = runs.size();
    if (count == 0)
        return {};
    if (count >= least_kept) {
        std::span<std::uint32_t const> const place{runs};
        answers_->keep(std::move(runs));
        return place;
    }
    if (count > left_) {
        bool const shared = count <= answers_->block_runs_ / few;
        std::uint32_t * const block = answers_->new_block(shared ? answers_->block_runs_ : count);
        if (!shared) {
            std::ranges::copy(runs, block);
            return {block, count};
        }
        free_ = block;
        left_ = answers_->block_runs_;
    }
    std::uint32_t * const place = free_;
    std::ranges::copy(runs, place);
    free_ += count;
    left_ -= count;
    return {place, count};
}

} // namespace nwgpu
