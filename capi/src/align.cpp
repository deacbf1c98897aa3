// SPDX-License-Identifier: BSD-3-Clause
// Section 8 of nwgpu.h: estimate, align, traceback.
#include <memory>

#include "base/pieces.hpp"
#include "control.hpp"
#include "guard.hpp"
#include "handles.hpp"
#include "structs.hpp"

using namespace nwgpu;
using namespace nwgpu::capi;

namespace {

// Most calls of a context have the scoring of the call before: a matrix is not checked and copied again.
std::shared_ptr<Scoring const> scoring_of(nwgpu_context & context, nwgpu_scoring const & scoring)
{
    if (!context.scoring || !is_same(*context.scoring, scoring))
        context.scoring = std::make_shared<Scoring const>(to_scoring(scoring));
    return context.scoring;
}

Array<Pair> zip(uint64_t queries, uint64_t targets, Team & team)
{
    if (queries != targets)
        throw Error{Status::invalid_argument, "NWGPU_PAIRING_ZIP needs equal numbers of queries and targets, not " +
                                                  std::to_string(queries) + " and " + std::to_string(targets)};
    Array<Pair> pairs(queries);
    for_pieces(&team, queries, [&](uint64_t begin, uint64_t end) {
        for (uint64_t p = begin; p < end; ++p)
            pairs[p] = {p, p};
    });
    return pairs;
}

Array<Pair> each_with_each(uint64_t queries, uint64_t targets)
{
    if (targets > 0 && queries > most_elements / targets)
        throw Error{Status::too_large, "more than 2^48 pairs"};
    Array<Pair> pairs;
    pairs.reserve(queries * targets);
    for (uint64_t query = 0; query < queries; ++query)
        for (uint64_t target = 0; target < targets; ++target)
            pairs.push_back({query, target});
    return pairs;
}

Array<Pair> listed(nwgpu_pair const * pairs, uint64_t count)
{
    require_that(pairs || count == 0, "pairs is NULL, but pair_count is not 0");
    require_size(count, "pair_count");
    Array<Pair> result(count);
    for (uint64_t p = 0; p < count; ++p)
        result[p] = {pairs[p].query, pairs[p].target};
    return result;
}

Array<Pair> to_pairs(nwgpu_sequences const & queries, nwgpu_sequences const & targets, nwgpu_pair const * pairs,
                     uint64_t count, int32_t pairing, Team & team)
{
    if (pairing == NWGPU_PAIRING_LIST)
        return listed(pairs, count);
    require_that(!pairs && count == 0, "pairs and pair_count need options.pairing NWGPU_PAIRING_LIST");
    uint64_t const rows = queries.raw().count(), columns = targets.raw().count();
    return pairing == NWGPU_PAIRING_ZIP ? zip(rows, columns, team) : each_with_each(rows, columns);
}

Problem problem_of(nwgpu_sequences const & queries, nwgpu_sequences const & targets, std::span<Pair const> pairs)
{
    return {queries.raw(), targets.raw(), pairs, &queries.codes, &targets.codes};
}

// Aligns the pairs of `result` as its request says.
void compute(nwgpu_context & context, nwgpu_sequences const & queries, nwgpu_sequences const & targets,
             nwgpu_control const * control, nwgpu_result & result)
{
    Control watch{control, context.call};
    watch.run([&] {
        result.value = context.aligner.align(problem_of(queries, targets, result.pairs), *result.scoring,
                                             result.request, watch.progress(), result.algorithm);
    });
    result.request.checkpoint = {}; // of this call alone
    result.queries = queries.fingerprint;
    result.targets = targets.fingerprint;
}

// The pairs of chosen entries of `from`, one entry per pair, and their numbers in the call that first had them.
void choose(nwgpu_result const & from, uint64_t const * chosen, uint64_t count, nwgpu_result & result)
{
    result.pairs.resize(count);
    result.numbers.resize(count);
    for (uint64_t k = 0; k < count; ++k) {
        uint64_t const entry = chosen[k];
        if (entry >= from.value.count())
            throw Error{Status::invalid_argument, "chosen[" + std::to_string(k) + "] is " + std::to_string(entry) +
                                                      ", but there are " + std::to_string(from.value.count()) +
                                                      " entries"};
        result.pairs[k] = from.pairs[entry];
        result.numbers[k] = nwgpu_result_pairs(&from)[entry];
    }
}

} // namespace

nwgpu_status nwgpu_align_estimate(nwgpu_context * context, nwgpu_sequences const * queries,
                                  nwgpu_sequences const * targets, nwgpu_pair const * pairs, uint64_t pair_count,
                                  nwgpu_scoring const * scoring, nwgpu_align_options const * options,
                                  nwgpu_estimate * estimate, nwgpu_error * error)
{
    return guard(error, [&] {
        Call const call{require(context, "context").call};
        require(queries, "queries");
        require(targets, "targets");
        require(scoring, "scoring");
        check_struct_size(require(estimate, "estimate"), "estimate");
        AlignOptions const given = to_align_options(options);
        Array<Pair> const chosen =
            to_pairs(*queries, *targets, pairs, pair_count, given.pairing, context->aligner.team());
        Estimate const numbers = context->aligner.estimate(
            problem_of(*queries, *targets, chosen), *scoring_of(*context, *scoring), given.request, context->algorithm);
        nwgpu_estimate result{};
        result.pairs = chosen.size();
        result.cells = numbers.cells;
        result.host_bytes = numbers.host_bytes;
        result.device_bytes = numbers.device_bytes;
        result.seconds = numbers.seconds;
        copy_text(numbers.plan, result.plan, sizeof result.plan);
        write_struct(*estimate, result);
    });
}

nwgpu_status nwgpu_align(nwgpu_context * context, nwgpu_sequences const * queries, nwgpu_sequences const * targets,
                         nwgpu_pair const * pairs, uint64_t pair_count, nwgpu_scoring const * scoring,
                         nwgpu_align_options const * options, nwgpu_result ** result, nwgpu_error * error)
{
    return guard(error, [&] {
        Call const call{require(context, "context").call};
        require(queries, "queries");
        require(targets, "targets");
        require(scoring, "scoring");
        require(result, "result");
        AlignOptions const given = to_align_options(options);
        auto answer = std::make_unique<nwgpu_result>();
        answer->pairs = to_pairs(*queries, *targets, pairs, pair_count, given.pairing, context->aligner.team());
        answer->scoring = scoring_of(*context, *scoring);
        answer->request = given.request;
        answer->algorithm = context->algorithm;
        compute(*context, *queries, *targets, given.control, *answer);
        *result = answer.release();
    });
}

nwgpu_status nwgpu_traceback(nwgpu_context * context, nwgpu_sequences const * queries, nwgpu_sequences const * targets,
                             nwgpu_result const * result, uint64_t const * chosen, uint64_t count,
                             nwgpu_control const * control, nwgpu_result ** traced, nwgpu_error * error)
{
    return guard(error, [&] {
        Call const call{require(context, "context").call};
        require(queries, "queries");
        require(targets, "targets");
        nwgpu_result const & from = require(result, "result");
        require(traced, "traced");
        require_that(chosen || count == 0, "chosen is NULL, but count is not 0");
        require_size(count, "count");
        require_that(!chosen || from.request.top == 1, "with options.top above 1 chosen must be NULL");
        require_that(queries->fingerprint == from.queries, "queries are not those of the result");
        require_that(targets->fingerprint == from.targets, "targets are not those of the result");

        auto answer = std::make_unique<nwgpu_result>();
        if (chosen) {
            choose(from, chosen, count, *answer);
        } else {
            answer->pairs = from.pairs;
            answer->numbers = from.numbers;
        }
        answer->scoring = from.scoring;
        answer->request = from.request;
        answer->request.output = Output::cigar;
        answer->algorithm = from.algorithm;
        compute(*context, *queries, *targets, control, *answer);
        *traced = answer.release();
    });
}
