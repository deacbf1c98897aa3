// SPDX-License-Identifier: BSD-3-Clause
// Section 7 of nwgpu.h: estimate, align, traceback.
#include <memory>
#include <numeric>

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

std::vector<Pair> to_pairs(nwgpu_sequences const & queries, nwgpu_sequences const & targets, nwgpu_pair const * pairs,
                           uint64_t count)
{
    if (!pairs) {
        require_that(count == 0, "pairs is NULL, but pair_count is not 0");
        return default_pairs(queries.raw().count(), targets.raw().count());
    }
    std::vector<Pair> result(count);
    for (uint64_t p = 0; p < count; ++p)
        result[p] = {pairs[p].query, pairs[p].target};
    return result;
}

Problem problem_of(nwgpu_sequences const & queries, nwgpu_sequences const & targets, std::span<Pair const> pairs)
{
    return {queries.raw(), targets.raw(), pairs, &queries.codes, &targets.codes};
}

} // namespace

nwgpu_status nwgpu_align_estimate(nwgpu_context * context, nwgpu_sequences const * queries,
                                  nwgpu_sequences const * targets, nwgpu_pair const * pairs, uint64_t pair_count,
                                  nwgpu_scoring const * scoring, nwgpu_align_options const * options,
                                  nwgpu_estimate * estimate, nwgpu_error * error)
{
    return guard(error, [&] {
        Aligner & aligner = require(context, "context").aligner;
        require(queries, "queries");
        require(targets, "targets");
        check_struct_size(require(estimate, "estimate").struct_size, "estimate");
        std::vector<Pair> const chosen = to_pairs(*queries, *targets, pairs, pair_count);
        AlignOptions const given = to_align_options(options);
        Estimate const numbers =
            aligner.estimate(problem_of(*queries, *targets, chosen), *scoring_of(*context, require(scoring, "scoring")),
                             given.request, given.algorithm);
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
        Aligner & aligner = require(context, "context").aligner;
        require(queries, "queries");
        require(targets, "targets");
        require(result, "result");
        auto const [request, progress, algorithm] = to_align_options(options);
        auto answer = std::make_unique<nwgpu_result>(nwgpu_result{{},
                                                                  to_pairs(*queries, *targets, pairs, pair_count),
                                                                  scoring_of(*context, require(scoring, "scoring")),
                                                                  request,
                                                                  algorithm});
        answer->value = aligner.align(problem_of(*queries, *targets, answer->pairs), *answer->scoring, request,
                                      progress, algorithm);
        answer->request.checkpoint = {}; // of this call alone
        *result = answer.release();
    });
}

nwgpu_status nwgpu_traceback(nwgpu_context * context, nwgpu_sequences const * queries, nwgpu_sequences const * targets,
                             nwgpu_result * result, uint64_t const * chosen, uint64_t count, nwgpu_error * error)
{
    return guard(error, [&] {
        Aligner & aligner = require(context, "context").aligner;
        require(queries, "queries");
        require(targets, "targets");
        std::vector<Pair> const & all = require(result, "result").pairs;
        require_that(chosen || count == 0, "chosen is NULL, but count is not 0");
        require_that(!chosen || result->request.top == 1, "with options.top above 1 chosen must be NULL");

        std::vector<uint64_t> where(chosen, chosen + count);
        if (!chosen) {
            where.resize(all.size());
            std::iota(where.begin(), where.end(), 0);
        }
        std::vector<Pair> pairs;
        for (uint64_t const p : where) {
            require_that(p < all.size(), "chosen names a pair that does not exist");
            pairs.push_back(all[p]);
        }
        Request request = result->request;
        request.output = Output::cigar;
        BatchResult const traced =
            aligner.align(problem_of(*queries, *targets, pairs), *result->scoring, request, {}, result->algorithm);
        replace_pairs(result->value, traced, where);
        result->request = request;
    });
}
