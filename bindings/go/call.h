/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of a call: pointers between structs are set here, where cgo's rules do not matter.
 */
#ifndef NWGPU_GO_CALL_H
#define NWGPU_GO_CALL_H

#include <nwgpu/nwgpu.h>

/* What a call is told and what it gives, in one piece of Go's memory: cgo lets no pointer to Go's memory lie in it, so
 * pointers between the structs are set on C's stack. */
typedef struct nwgpu_go_call {
    nwgpu_scoring       scoring;
    nwgpu_align_options options;
    nwgpu_band          band;       /* struct_size 0: none, and so below */
    nwgpu_top           top;
    nwgpu_checkpoint    checkpoint;
    int64_t             min_score;
    int32_t             has_min_score;
    struct nwgpu_go_progress *progress; /* in C's memory, or NULL */
    nwgpu_error         error;
    nwgpu_result       *result;
    uint64_t            count;
    const uint64_t     *pairs;
    const nwgpu_status *statuses;
    const int64_t      *scores;
    const uint64_t     *spans;
    const uint32_t     *runs;
    const uint64_t     *offsets;
} nwgpu_go_call;

/* Where the library notes how far it is; Go looks from time to time. */
struct nwgpu_go_progress { uint64_t done, total; };

static inline int32_t nwgpu_go_note(void *user, uint64_t done, uint64_t total)
{
    struct nwgpu_go_progress *progress = user;
    __atomic_store_n(&progress->total, total, __ATOMIC_RELAXED);
    __atomic_store_n(&progress->done, done, __ATOMIC_RELEASE);
    return 0;
}

static inline void nwgpu_go_control(nwgpu_control *control, struct nwgpu_go_progress *progress)
{
    nwgpu_control_init(control, sizeof *control);
    control->progress = progress ? nwgpu_go_note : NULL;
    control->progress_user = progress;
}

static inline void nwgpu_go_look(nwgpu_go_call *call)
{
    nwgpu_error none = NWGPU_ERROR_INIT;
    const nwgpu_result *result = call->result;
    call->count = nwgpu_result_count(result);
    call->pairs = nwgpu_result_pairs(result);
    call->statuses = nwgpu_result_statuses(result);
    call->scores = nwgpu_result_scores(result);
    call->spans = nwgpu_result_spans(result);
    if (nwgpu_result_cigars(result, &call->runs, &call->offsets, &none) != NWGPU_OK)
        call->runs = NULL;
}

static inline nwgpu_align_options nwgpu_go_options(const nwgpu_go_call *call, const nwgpu_control *control)
{
    nwgpu_align_options options = call->options;
    options.band = call->band.struct_size ? &call->band : NULL;
    options.top = call->top.struct_size ? &call->top : NULL;
    options.checkpoint = call->checkpoint.struct_size ? &call->checkpoint : NULL;
    options.control = call->progress ? control : NULL;
    options.min_score = call->has_min_score ? &call->min_score : NULL;
    return options;
}

static inline nwgpu_status nwgpu_go_align(nwgpu_context *context, const nwgpu_sequences *queries,
    const nwgpu_sequences *targets, const nwgpu_pair *pairs, uint64_t pair_count, nwgpu_go_call *call)
{
    nwgpu_control control;
    nwgpu_align_options options;
    nwgpu_status status;
    nwgpu_go_control(&control, call->progress);
    options = nwgpu_go_options(call, &control);
    status = nwgpu_align(context, queries, targets, pairs, pair_count, &call->scoring, &options, &call->result,
                         &call->error);
    if (status == NWGPU_OK)
        nwgpu_go_look(call);
    return status;
}

static inline nwgpu_status nwgpu_go_estimate(nwgpu_context *context, const nwgpu_sequences *queries,
    const nwgpu_sequences *targets, const nwgpu_pair *pairs, uint64_t pair_count, nwgpu_go_call *call,
    nwgpu_estimate *estimate)
{
    nwgpu_align_options options = nwgpu_go_options(call, NULL);
    nwgpu_estimate_init(estimate, sizeof *estimate);
    return nwgpu_align_estimate(context, queries, targets, pairs, pair_count, &call->scoring, &options, estimate,
                                &call->error);
}

static inline nwgpu_status nwgpu_go_traceback(nwgpu_context *context, const nwgpu_sequences *queries,
    const nwgpu_sequences *targets, const nwgpu_result *result, const uint64_t *chosen, uint64_t count,
    nwgpu_go_call *call)
{
    nwgpu_status status = nwgpu_traceback(context, queries, targets, result, chosen, count, NULL, &call->result,
                                          &call->error);
    if (status == NWGPU_OK)
        nwgpu_go_look(call);
    return status;
}

#endif
