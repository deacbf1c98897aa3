// SPDX-License-Identifier: BSD-3-Clause
// What a call takes and, under a limit of memory, whether it can be made, and what its engine may have.
#include <algorithm>
#include <string>

#include "align/frame.hpp"
#include "base/ceil_div.hpp"
#include "base/pieces.hpp"

namespace nwgpu {

namespace {

// What the caller keeps of a pair: two indices, and its number in an earlier call.
constexpr std::uint64_t caller_bytes_per_pair = sizeof(Pair) + sizeof(std::uint64_t);
constexpr std::uint64_t small_objects = 4096;
// A pair is long if its CIGAR may take more than this part of what is left for CIGARs and engine.
constexpr std::uint64_t long_part = 8;

} // namespace

std::uint64_t call_bytes(std::uint64_t code_bytes, std::uint64_t pairs, Request const & request)
{
    // Arrays of several alignments per pair grow.
    std::uint64_t const copies = request.top > 1 ? 2 : 1;
    return code_bytes + pairs * (caller_bytes_per_pair + copies * BatchResult::bytes_per_entry(request.output)) +
           Failures::most_text_bytes + small_objects;
}

void check_call(std::uint64_t bytes, std::uint64_t pairs, std::uint64_t limit)
{
    if (limit != 0 && bytes > limit)
        throw Error{Status::memory_limit, "a call of " + std::to_string(pairs) + " pairs needs more than " +
                                              std::to_string(bytes) + " bytes, the limit is " + std::to_string(limit)};
}

Frame::Short Frame::short_pairs(std::uint64_t most_letters) const
{
    std::vector<Short> parts(ceil_div(count_, few_pairs));
    auto const look = [&](std::uint64_t p, std::uint64_t end) {
        for (Short & part = parts[p / few_pairs]; p < end; ++p) {
            PairView const pair = batch_.view(p);
            if (pair.m + pair.n > most_letters || !is_for_engine(p))
                continue;
            part.runs += most_runs(p);
            if (pair.m + pair.n > part.letters) {
                part.letters = pair.m + pair.n;
                part.longest = p;
            }
        }
    };
    for_pieces(&team_, count_, look, few_pairs);
    Short all;
    for (Short const & part : parts) {
        std::uint64_t const runs = all.runs + part.runs;
        if (part.letters > all.letters)
            all = part;
        all.runs = runs;
    }
    return all;
}

std::uint64_t Frame::shortest_pair() const
{
    std::uint64_t shortest = no_pair, least = UINT64_MAX;
    for (std::uint64_t p = 0; p < count_; ++p) {
        PairView const pair = batch_.view(p);
        if (pair.m + pair.n < least && is_for_engine(p)) {
            shortest = p;
            least = pair.m + pair.n;
        }
    }
    return shortest;
}

// By the engine, with so many bytes; empty: it is not.
std::string Frame::why_refused(std::uint64_t p, std::uint64_t bytes)
{
    try {
        backend_.check_memory({batch_, {&p, 1}, scoring_, request_, std::max<std::uint64_t>(bytes, 1)});
    } catch (Error const & error) {
        if (error.status == Status::memory_limit) // else it is the pair's
            return error.what();
    }
    return {};
}

// What the engine can have of the rest: all but the answers of a piece.
std::uint64_t Frame::for_engine(std::uint64_t rest) const
{
    std::uint64_t const answers = count_ == 1 ? bytes_per_pair() : rest / part_for_answers;
    std::uint64_t const share = rest - std::min(rest, answers);
    return std::max<std::uint64_t>(1, request_.top > 1 ? share / 2 : share);
}

// Pairs that are not long are aligned for sure: the CIGARs that they may have, and the work on the longest of them,
// find room, or the call is refused.  The engine may want more than there is for some of them; then fewer are not long.
void Frame::check_limit()
{
    if (limit_ == 0)
        return;
    auto const count_invalid = [&](std::uint64_t p, std::uint64_t end) {
        std::uint64_t sum = 0;
        for (; p < end; ++p)
            sum += !batch_.is_valid(p);
        return sum;
    };
    std::uint64_t const invalid = sums_before(&team_, count_, count_invalid, few_pairs).back();
    fixed_bytes_ = call_bytes(batch_.queries.bytes() + batch_.targets.bytes(), count_, request_) +
                   invalid * Failures::bytes_per_pair;
    check_call(fixed_bytes_, count_, limit_);
    std::uint64_t const there = limit_ - fixed_bytes_;
    for (short_letters_ = there / (long_part * bytes_per_kept_run); short_letters_ > 0; short_letters_ /= 2) {
        Short const all = short_pairs(short_letters_);
        runs_to_come_ = all.runs;
        std::uint64_t const runs = all.runs * bytes_per_kept_run;
        check_call(fixed_bytes_ + runs, count_, limit_);
        if (all.longest == no_pair)
            break;
        if (why_refused(all.longest, for_engine(there - runs)).empty())
            return;
    }
    short_letters_ = runs_to_come_ = 0;
    std::uint64_t const shortest = shortest_pair();
    if (shortest == no_pair)
        return;
    if (std::string const why = why_refused(shortest, for_engine(there)); !why.empty())
        throw Error{Status::memory_limit, "a call of " + std::to_string(count_) + " pairs needs more than " +
                                              std::to_string(fixed_bytes_) + " bytes, the limit is " +
                                              std::to_string(limit_) + "; of the rest, " + why};
}

// What a piece may take.
std::uint64_t Frame::left(Answers const & answers) const
{
    std::uint64_t const taken =
        fixed_bytes_ + answers.failure_bytes() + bytes_per_kept_run * (answers.run_count() + runs_to_come_);
    return limit_ - std::min(limit_, taken);
}

} // namespace nwgpu
