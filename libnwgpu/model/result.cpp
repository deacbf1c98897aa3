// SPDX-License-Identifier: BSD-3-Clause
// Putting results of some pairs into the result of all.
#include "model/result.hpp"

#include <numeric>

namespace nwgpu {

void BatchResult::reset(std::uint64_t pairs)
{
    status.assign(pairs, Status::ok);
    score.assign(pairs, 0);
    span.assign(pairs, AlignedSpan{});
    runs.clear();
    run_offsets.assign(pairs + 1, 0);
    pair.resize(pairs);
    std::iota(pair.begin(), pair.end(), 0);
    message.clear();
}

void BatchResult::fail(std::uint64_t pair, Status why, std::string const & what)
{
    status[pair] = why;
    score[pair] = 0;
    span[pair] = AlignedSpan{};
    message[pair] = what;
}

std::vector<std::uint64_t> BatchResult::first_entries() const
{
    std::vector<std::uint64_t> first;
    for (std::uint64_t e = 0; e < count(); ++e)
        if (pair[e] == first.size())
            first.push_back(e);
    first.push_back(count());
    return first;
}

namespace {

// Writes the entries of a result one after the other.
class Appender {
public:
    explicit Appender(BatchResult & result) : result_{result} { result.reset(0); }

    void add(std::uint64_t pair, Status status, std::int64_t score, AlignedSpan const & span,
             std::span<std::uint32_t const> runs)
    {
        result_.pair.push_back(pair);
        result_.status.push_back(status);
        result_.score.push_back(score);
        result_.span.push_back(span);
        result_.runs.insert(result_.runs.end(), runs.begin(), runs.end());
        result_.run_offsets.push_back(result_.runs.size());
    }
    // Entry e of `from`, as one of `pair`.
    void add(std::uint64_t pair, BatchResult const & from, std::uint64_t e)
    {
        std::uint64_t const begin = from.run_offsets[e], end = from.run_offsets[e + 1];
        add(pair, from.status[e], from.score[e], from.span[e], std::span{from.runs}.subspan(begin, end - begin));
    }

private:
    BatchResult & result_;
};

} // namespace

void replace_pairs(BatchResult & whole, BatchResult const & part, std::span<std::uint64_t const> where)
{
    std::vector<std::uint64_t> const first_of_whole = whole.first_entries(), first_of_part = part.first_entries();
    // The pair of `part` that replaces a pair of `whole`, or no_pair.
    std::vector<std::uint64_t> source(first_of_whole.size() - 1, no_pair);
    for (std::uint64_t k = 0; k < where.size(); ++k)
        source[where[k]] = k;

    BatchResult merged;
    Appender appender{merged};
    merged.runs.reserve(whole.runs.size() + part.runs.size());
    merged.message = std::move(whole.message);
    for (std::uint64_t p = 0; p < source.size(); ++p) {
        bool const kept = source[p] == no_pair;
        BatchResult const & from = kept ? whole : part;
        std::uint64_t const index = kept ? p : source[p];
        auto const & first = kept ? first_of_whole : first_of_part;
        for (std::uint64_t e = first[index]; e < first[index + 1]; ++e)
            appender.add(p, from, e);
        if (kept)
            continue;
        merged.message.erase(p);
        if (auto const found = part.message.find(index); found != part.message.end())
            merged.message[p] = found->second;
    }
    whole = std::move(merged);
}

namespace {

AlignedSpan span_of(PairResult const & answer, Output output)
{
    if (output >= Output::span)
        return answer.span;
    if (output == Output::end)
        return {no_position, answer.span.query_end, no_position, answer.span.target_end};
    return {};
}

// Puts the alignments after the best of each pair behind it.
void add_others(std::vector<PairResult> const & results, Request const & request, BatchResult & result)
{
    BatchResult all;
    Appender appender{all};
    all.message = std::move(result.message);
    for (std::uint64_t p = 0; p < results.size(); ++p) {
        appender.add(p, result, p);
        if (result.status[p] != Status::ok)
            continue;
        for (PairResult const & other : results[p].more)
            appender.add(p, Status::ok, other.score, span_of(other, request.output),
                         request.output == Output::cigar ? other.runs : std::vector<std::uint32_t>{});
    }
    result = std::move(all);
}

} // namespace

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
        result.span[p] = span_of(pair, request.output);
        if (request.output == Output::cigar)
            result.runs.insert(result.runs.end(), pair.runs.begin(), pair.runs.end());
        result.run_offsets[p + 1] = result.runs.size();
    }
    if (request.top > 1)
        add_others(results, request, result);
}

} // namespace nwgpu
