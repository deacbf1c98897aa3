// SPDX-License-Identifier: BSD-3-Clause
// Sections 9 and 10 of nwgpu.h: getters of a result, CIGAR helpers.
#include <algorithm>

#include "guard.hpp"
#include "handles.hpp"
#include "model/cigar.hpp"
#include "reference/oracle.hpp"
#include "structs.hpp"

using namespace nwgpu;
using namespace nwgpu::capi;

// The arrays of BatchResult are handed out as they are.
static_assert(sizeof(Status) == sizeof(nwgpu_status));
static_assert(sizeof(AlignedSpan) == 4 * sizeof(uint64_t));

namespace {

// What a getter returns for an array without entries, and for NULL: an address that can be read.
template <typename Value>
Value const * readable(Value const * array)
{
    static constexpr Value nothing{};
    return array ? array : &nothing;
}

// One sequence as codes; throws Error invalid_sequence.
struct Coded {
    Coded(uint8_t const * bytes, uint64_t length, Scoring const & scoring, std::string const & name) :
        offsets{0, length}, sequences{{{bytes, length}, offsets}, scoring}
    {
        if (sequences.first_invalid(0) != UINT64_MAX)
            throw Error{Status::invalid_sequence, name + ": " + sequences.why_invalid(0)};
    }

    uint64_t offsets[2];
    CodedSequences sequences;
};

} // namespace

uint64_t nwgpu_result_count(nwgpu_result const * result) { return result ? result->value.count() : 0; }

uint64_t const * nwgpu_result_pairs(nwgpu_result const * result)
{
    if (!result)
        return readable<uint64_t>(nullptr);
    return readable(result->numbers.empty() ? result->value.pair.data() : result->numbers.data());
}

uint64_t nwgpu_result_failed(nwgpu_result const * result)
{
    if (!result)
        return 0;
    return static_cast<uint64_t>(
        std::ranges::count_if(result->value.status, [](Status status) { return status != Status::ok; }));
}

nwgpu_status const * nwgpu_result_statuses(nwgpu_result const * result)
{
    return readable(result ? reinterpret_cast<nwgpu_status const *>(result->value.status.data()) : nullptr);
}

void nwgpu_result_pair_error(nwgpu_result const * result, uint64_t entry, nwgpu_error * error)
{
    guard(error, [&] {
        if (entry >= nwgpu_result_count(result))
            throw Error{Status::not_found, "there is no entry " + std::to_string(entry)};
        BatchResult const & value = result->value;
        if (value.status[entry] == Status::ok)
            return;
        if (value.status[entry] == Status::below_min_score)
            throw Error{Status::below_min_score, "the best score is below min_score",
                        nwgpu_result_pairs(result)[entry]};
        throw Error{value.status[entry], value.failures.message(value.pair[entry]), nwgpu_result_pairs(result)[entry]};
    });
}

int64_t const * nwgpu_result_scores(nwgpu_result const * result)
{
    return readable(result ? result->value.score.data() : nullptr);
}

uint64_t const * nwgpu_result_spans(nwgpu_result const * result)
{
    if (!result || result->request.output == Output::score)
        return nullptr;
    return readable(reinterpret_cast<uint64_t const *>(result->value.span.data()));
}

nwgpu_status nwgpu_result_cigars(nwgpu_result const * result, uint32_t const ** runs, uint64_t const ** offsets,
                                 nwgpu_error * error)
{
    return guard(error, [&] {
        require(result, "result");
        require(runs, "runs");
        require(offsets, "offsets");
        if (result->request.output != Output::cigar)
            throw Error{Status::no_trace, "no CIGARs were asked for"};
        *runs = readable(result->value.runs.data());
        *offsets = readable(result->value.run_offsets.data());
    });
}

void nwgpu_result_destroy(nwgpu_result * result) { delete result; }

uint64_t nwgpu_cigar_to_text(uint32_t const * runs, uint64_t run_count, char * text, uint64_t size)
{
    std::uint64_t const room = text && size > 0 ? size - 1 : 0;
    uint64_t const length = nwgpu::write_cigar({runs, runs ? run_count : 0}, {text, room});
    if (text && size > 0)
        text[std::min<uint64_t>(length, room)] = '\0';
    return length;
}

nwgpu_status nwgpu_cigar_score(uint8_t const * query, uint64_t query_length, uint8_t const * target,
                               uint64_t target_length, nwgpu_scoring const * scoring, uint32_t const * runs,
                               uint64_t run_count, int64_t * score, nwgpu_error * error)
{
    return guard(error, [&] {
        require_size(query_length, "query_length");
        require_size(target_length, "target_length");
        require_size(run_count, "run_count");
        require_that(query || query_length == 0, "query is NULL");
        require_that(target || target_length == 0, "target is NULL");
        require_that(runs || run_count == 0, "runs is NULL");
        require(score, "score");
        Scoring const scheme = to_scoring(require(scoring, "scoring"));
        Coded const coded_query{query, query_length, scheme, "query"};
        Coded const coded_target{target, target_length, scheme, "target"};
        PairView const pair{coded_query.sequences.codes(0), query_length, coded_target.sequences.codes(0),
                            target_length};
        *score = reference::cigar_score(pair, scheme, {runs, run_count});
    });
}
