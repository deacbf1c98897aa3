// SPDX-License-Identifier: BSD-3-Clause
#include "places/task.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace nwgpu::places {

namespace {

void put_scoring(ByteWriter & to, Scoring const & scoring)
{
    to.put(std::int64_t{scoring.size()});
    to.put(scoring.gap());
    to.put(scoring.codes());
    to.put(scoring.is_uniform() ? scoring.match() : 0);
    to.put(scoring.is_uniform() ? scoring.mismatch() : 0);
    // Without codes every byte is its own code, 255 included.
    to.put(std::int64_t{scoring.any_byte() && scoring.letters_are_codes()});
    to.put_all(std::span{scoring.scores()});
}

Scoring get_scoring(ByteReader & from)
{
    auto const size = from.get<std::int64_t>();
    if (size < 0 || size > max_matrix_size)
        throw_damage();
    auto const gap = from.get<GapCost>();
    auto const codes = from.get<LetterCodes>();
    auto const match = from.get<std::int64_t>(), mismatch = from.get<std::int64_t>();
    bool const plain = from.get<std::int64_t>() != 0;
    if (size == 0)
        return Scoring::uniform(match, mismatch, gap, plain ? nullptr : &codes);
    return Scoring::matrix(from.get_all<std::int32_t>(static_cast<std::uint64_t>(size * size)), static_cast<int>(size),
                           codes, gap);
}

// All but the checkpoint, whose folder is rank 0's.
void put_request(ByteWriter & to, Request const & request)
{
    Mode const & mode = request.mode;
    for (bool const flag :
         {mode.local, mode.free_query_begin, mode.free_query_end, mode.free_target_begin, mode.free_target_end,
          mode.extend, mode.extend_left, mode.band.has_value(), request.every_cell})
        to.put(static_cast<std::uint8_t>(flag));
    to.put(static_cast<std::uint8_t>(mode.ties));
    to.put(mode.band.value_or(Diagonals{}));
    to.put(request.output);
    to.put(request.style);
    to.put(request.top);
    to.put(request.min_score);
}

Request get_request(ByteReader & from)
{
    Request request;
    Mode & mode = request.mode;
    bool has_band = false;
    for (bool * const flag : {&mode.local, &mode.free_query_begin, &mode.free_query_end, &mode.free_target_begin,
                              &mode.free_target_end, &mode.extend, &mode.extend_left, &has_band, &request.every_cell})
        *flag = from.get<std::uint8_t>() != 0;
    mode.ties = static_cast<Ties>(from.get<std::uint8_t>());
    auto const band = from.get<Diagonals>();
    if (has_band)
        mode.band = band;
    request.output = from.get<Output>();
    request.style = from.get<CigarStyle>();
    request.top = from.get<std::uint32_t>();
    request.min_score = from.get<std::int64_t>();
    return request;
}

// Gives each sequence that is asked for a number, in the order of asking.
class Chosen {
public:
    explicit Chosen(CodedSequences const & of) : of_{of} {}
    std::uint64_t number(std::uint64_t sequence)
    {
        if (!sequences_.empty() && sequences_.back() == sequence)
            return sequences_.size() - 1;
        auto const [found, is_new] = numbers_.try_emplace(sequence, sequences_.size());
        if (is_new)
            sequences_.push_back(sequence);
        return found->second;
    }
    void put(ByteWriter & to) const
    {
        to.put(std::uint64_t{sequences_.size()});
        std::uint64_t offset = 0;
        to.put(offset);
        for (std::uint64_t const i : sequences_)
            to.put(offset += of_.length(i));
        to.reserve(to.bytes().size() + offset);
        for (std::uint64_t const i : sequences_)
            to.put_all(std::span{of_.letters(i), of_.length(i)});
    }

private:
    CodedSequences const & of_;
    std::unordered_map<std::uint64_t, std::uint64_t> numbers_;
    std::vector<std::uint64_t> sequences_;
};

constexpr std::uint64_t no_failure = 0;

} // namespace

void throw_damage() { throw Error{Status::communication, "a message of another rank has wrong contents"}; }

void put_question(ByteWriter & to, Scoring const & scoring, Request const & request)
{
    put_scoring(to, scoring);
    put_request(to, request);
}

std::pair<Scoring, Request> get_question(ByteReader & from)
{
    Scoring scoring = get_scoring(from);
    return {std::move(scoring), get_request(from)};
}

void put_task(ByteWriter & to, Piece const & piece, std::span<std::uint64_t const> share)
{
    put_question(to, piece.scoring, piece.request);
    Chosen queries{piece.batch.queries}, targets{piece.batch.targets};
    to.put(std::uint64_t{share.size()});
    for (std::uint64_t const p : share) {
        Pair const pair = piece.batch.pairs[p];
        to.put(Pair{queries.number(pair.query), targets.number(pair.target)});
    }
    queries.put(to);
    targets.put(to);
}

Task get_task(ByteReader & from)
{
    auto [scoring, request] = get_question(from);
    Task task{{}, {}, {}, std::move(scoring), std::move(request)};
    task.pairs = from.get_all<Pair>(from.get<std::uint64_t>());
    for (int side = 0; side < 2; ++side) {
        auto const count = from.get<std::uint64_t>();
        std::vector<std::uint64_t> & offsets = task.offsets[side];
        offsets = from.get_all<std::uint64_t>(count + 1);
        if (offsets[0] != 0 || !std::is_sorted(offsets.begin(), offsets.end()))
            throw_damage();
        task.letters[side] = from.get_all<std::uint8_t>(offsets.back());
    }
    return task;
}

void put_answers(ByteWriter & to, BatchResult const & result, Request const & request)
{
    put_success(to);
    std::uint64_t const entries = result.count();
    to.put(entries);
    to.put_all(std::span<std::uint64_t const>{result.pair.data(), entries});
    to.put_all(std::span<Status const>{result.status.data(), entries});
    to.put_all(std::span<std::int64_t const>{result.score.data(), entries});
    if (request.output > Output::score)
        to.put_all(std::span<AlignedSpan const>{result.span.data(), entries});
    if (request.output == Output::cigar) {
        to.put_all(std::span<std::uint64_t const>{result.run_offsets.data(), entries + 1});
        to.put_all(std::span<std::uint32_t const>{result.runs.data(), result.runs.size()});
    }
    for (std::uint64_t k = 0; k < entries; ++k)
        if (result.status[k] != Status::ok)
            to.put_text(result.failures.message(result.pair[k]));
}

void put_failure(ByteWriter & to, Error const & error)
{
    to.put(static_cast<std::uint64_t>(error.status));
    to.put(std::int64_t{error.cuda_code});
    to.put_text(error.what());
}

void put_success(ByteWriter & to) { to.put(no_failure); }

void take_failure(ByteReader & from)
{
    if (auto const failure = from.get<std::uint64_t>(); failure != no_failure) {
        auto const code = static_cast<int>(from.get<std::int64_t>());
        throw Error{static_cast<Status>(failure), from.get_text(), no_pair, code};
    }
}

void take_answers(ByteReader & from, std::span<std::uint64_t const> share, Request const & request, Answers & answers)
{
    take_failure(from);
    auto const entries = from.get<std::uint64_t>();
    auto const pairs = from.get_all<std::uint64_t>(entries);
    auto const statuses = from.get_all<Status>(entries);
    auto const scores = from.get_all<std::int64_t>(entries);
    std::vector<AlignedSpan> spans(entries);
    if (request.output > Output::score)
        from.copy_to(std::span{spans});
    std::vector<std::uint64_t> offsets(entries + 1);
    std::span<std::uint32_t> runs;
    if (request.output == Output::cigar) {
        from.copy_to(std::span{offsets});
        std::span<std::byte const> const bytes = from.take(offsets.back(), sizeof(std::uint32_t));
        runs = {answers.new_block(std::max<std::uint64_t>(1, offsets.back())), offsets.back()};
        if (!bytes.empty())
            std::memcpy(runs.data(), bytes.data(), bytes.size());
    }
    AnswerWriter writer{&answers};
    for (std::uint64_t k = 0; k < entries;) {
        if (pairs[k] >= share.size() || offsets[k] > offsets[k + 1] || offsets[k + 1] > runs.size())
            throw_damage();
        std::uint64_t const p = share[pairs[k]];
        if (statuses[k] != Status::ok) {
            std::string const why = from.get_text();
            PairResult below;
            below.score = too_low_score;
            if (statuses[k] == Status::below_min_score)
                writer.put(p, below);
            else
                writer.fail(p, statuses[k], why);
            ++k;
            continue;
        }
        auto const runs_of = [&](std::uint64_t e) { return runs.subspan(offsets[e], offsets[e + 1] - offsets[e]); };
        if (request.top == 1) {
            writer.put(p, scores[k], spans[k], runs_of(k));
            ++k;
            continue;
        }
        PairResult answer;
        for (std::uint64_t const first = k; k < entries && pairs[k] == pairs[first]; ++k) {
            auto const own = runs_of(k);
            PairResult one{scores[k], spans[k], Runs(own.begin(), own.end()), {}};
            if (k == first)
                answer = std::move(one);
            else
                answer.more.push_back(std::move(one));
        }
        writer.put(p, answer);
    }
}

} // namespace nwgpu::places
