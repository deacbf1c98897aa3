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

// Of a pairing without a list.
uint64_t count_pairs(nwgpu_sequences const & queries, nwgpu_sequences const & targets, Pairing pairing)
{
    uint64_t const rows = queries.raw().count(), columns = targets.raw().count();
    if (pairing == Pairing::zip) {
        if (rows != columns)
            throw Error{Status::invalid_argument, "NWGPU_PAIRING_ZIP needs equal numbers of queries and targets, not " +
                                                      std::to_string(rows) + " and " + std::to_string(columns)};
        return rows;
    }
    if (columns > 0 && rows > most_elements / columns)
        throw Error{Status::too_large, "more than 2^48 pairs"};
    return rows * columns;
}

Array<Pair> zip(uint64_t count, Team & team)
{
    Array<Pair> pairs(count);
    for_pieces(&team, count, [&](uint64_t begin, uint64_t end) {
        for (uint64_t p = begin; p < end; ++p)
            pairs[p] = {p, p};
    });
    return pairs;
}

Array<Pair> each_with_each(uint64_t queries, uint64_t targets, Team & team)
{
    Array<Pair> pairs(queries * targets);
    for_pieces(&team, pairs.size(), [&](uint64_t begin, uint64_t end) {
        Pair pair{begin / targets, begin % targets};
        for (uint64_t p = begin; p < end; ++p) {
            pairs[p] = pair;
            if (++pair.target == targets)
                pair = {pair.query + 1, 0};
        }
    });
    return pairs;
}

Array<Pair> listed(nwgpu_pair const * pairs, uint64_t count, Team & team)
{
    require_that(pairs || count == 0, "pairs is NULL, but pair_count is not 0");
    require_size(count, "pair_count");
    Array<Pair> result(count);
    for_pieces(&team, count, [&](uint64_t begin, uint64_t end) {
        for (uint64_t p = begin; p < end; ++p)
            result[p] = {pairs[p].query, pairs[p].target};
    });
    return result;
}

// Without `unlisted`, only those of a caller's list; all that is wrong with the others is found, too.
Array<Pair> to_pairs(nwgpu_sequences const & queries, nwgpu_sequences const & targets, nwgpu_pair const * pairs,
                     uint64_t count, Pairing pairing, bool unlisted, Team & team)
{
    if (pairing == Pairing::list)
        return listed(pairs, count, team);
    require_that(!pairs && count == 0, "pairs and pair_count need options.pairing NWGPU_PAIRING_LIST");
    uint64_t const all = count_pairs(queries, targets, pairing);
    if (!unlisted)
        return {};
    return pairing == Pairing::zip ? zip(all, team)
                                   : each_with_each(queries.raw().count(), targets.raw().count(), team);
}

Problem problem_of(nwgpu_sequences const & queries, nwgpu_sequences const & targets, std::span<Pair const> pairs)
{
    return {queries.raw(), targets.raw(), pairs, &queries.codes, &targets.codes};
}

// Aligns the pairs of `result`, or the best of them, as its request says.
void compute(nwgpu_context & context, nwgpu_sequences const & queries, nwgpu_sequences const & targets,
             nwgpu_control const * control, nwgpu_result & result, AlignOptions const & given = {})
{
    Control watch{control, context.call};
    watch.run([&] {
        Problem const problem = problem_of(queries, targets, result.pairs);
        if (!given.best) {
            result.value =
                context.aligner.align(problem, *result.scoring, result.request, watch.progress(), result.algorithm);
            return;
        }
        BestResult best = context.aligner.align_best(problem, given.pairing, *given.best, *result.scoring,
                                                     result.request, watch.progress(), result.algorithm);
        result.value = std::move(best.value);
        result.pairs = std::move(best.pairs);
        result.numbers = std::move(best.numbers);
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
            to_pairs(*queries, *targets, pairs, pair_count, given.pairing, !given.best, context->aligner.team());
        Problem const problem = problem_of(*queries, *targets, chosen);
        Scoring const & scheme = *scoring_of(*context, *scoring);
        Estimate const numbers = given.best
                                     ? context->aligner.estimate_best(problem, given.pairing, *given.best, scheme,
                                                                      given.request, context->algorithm)
                                     : context->aligner.estimate(problem, scheme, given.request, context->algorithm);
        nwgpu_estimate result{};
        result.pairs = given.pairing == Pairing::list ? chosen.size() : count_pairs(*queries, *targets, given.pairing);
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
        answer->pairs =
            to_pairs(*queries, *targets, pairs, pair_count, given.pairing, !given.best, context->aligner.team());
        answer->scoring = scoring_of(*context, *scoring);
        answer->request = given.request;
        answer->algorithm = context->algorithm;
        compute(*context, *queries, *targets, given.control, *answer, given);
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
