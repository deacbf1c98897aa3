// SPDX-License-Identifier: BSD-3-Clause
// Putting results of some pairs into the result of all.
#include "model/result.hpp"

namespace nwgpu {

void BatchResult::reset(std::uint64_t pairs)
{
    status.assign(pairs, Status::ok);
    score.assign(pairs, 0);
    span.assign(pairs, AlignedSpan{});
    runs.clear();
    run_offsets.assign(pairs + 1, 0);
    message.clear();
}

void BatchResult::fail(std::uint64_t pair, Status why, std::string const & what)
{
    status[pair] = why;
    score[pair] = 0;
    span[pair] = AlignedSpan{};
    message[pair] = what;
}

void replace_pairs(BatchResult & whole, BatchResult const & part, std::span<std::uint64_t const> where)
{
    // The pair of `part` that replaces a pair of `whole`, or no_pair.
    std::vector<std::uint64_t> source(whole.count(), no_pair);
    for (std::uint64_t k = 0; k < where.size(); ++k)
        source[where[k]] = k;

    std::vector<std::uint32_t> runs;
    std::vector<std::uint64_t> offsets{0};
    runs.reserve(whole.runs.size() + part.runs.size());
    offsets.reserve(whole.count() + 1);
    for (std::uint64_t p = 0; p < whole.count(); ++p) {
        std::uint64_t const k = source[p];
        BatchResult const & from = k == no_pair ? whole : part;
        std::uint64_t const index = k == no_pair ? p : k;
        runs.insert(runs.end(), from.runs.begin() + static_cast<std::ptrdiff_t>(from.run_offsets[index]),
                    from.runs.begin() + static_cast<std::ptrdiff_t>(from.run_offsets[index + 1]));
        offsets.push_back(runs.size());
        if (k == no_pair)
            continue;
        whole.status[p] = part.status[k];
        whole.score[p] = part.score[k];
        whole.span[p] = part.span[k];
        whole.message.erase(p);
        if (auto const found = part.message.find(k); found != part.message.end())
            whole.message[p] = found->second;
    }
    whole.runs = std::move(runs);
    whole.run_offsets = std::move(offsets);
}

void collect(std::vector<PairResult> const & results, Request const & request, BatchResult & result)
{
    std::uint64_t total = 0;
    for (PairResult const & pair : results)
        total += pair.runs.size();
    if (request.output == Output::cigar)
        result.runs.reserve(total);
    for (std::uint64_t p = 0; p < results.size(); ++p) {
        result.run_offsets[p + 1] = result.runs.size();
        if (result.status[p] != Status::ok)
            continue;
        PairResult const & pair = results[p];
        result.score[p] = pair.score;
        if (request.output >= Output::span)
            result.span[p] = pair.span;
        else if (request.output == Output::end)
            result.span[p] = {no_position, pair.span.query_end, no_position, pair.span.target_end};
        if (request.output == Output::cigar)
            result.runs.insert(result.runs.end(), pair.runs.begin(), pair.runs.end());
        result.run_offsets[p + 1] = result.runs.size();
    }
}

} // namespace nwgpu
