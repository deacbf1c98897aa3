/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of a call: pointers between structs are set here, where cgo's rules do not matter.
 */
#ifndef NWGPU_GO_CALL_H
#define NWGPU_GO_CALL_H

#include <nwgpu/nwgpu.h>

/* A handle or a call as a number: of a pointer cgo looks at each call at what it points to, which takes longer than
 * the work of small calls. */
typedef uintptr_t nwgpu_go_handle;

/* Where the library notes how far it is; Go looks from time to time. */
struct nwgpu_go_progress { uint64_t done, total; };

/* What a call is told and what it gives, in one piece of C's memory. */
typedef struct nwgpu_go_call {
    nwgpu_scoring       scoring;
    nwgpu_align_options options;
    nwgpu_band          band;       /* struct_size 0: none, and so below */
    nwgpu_top           top;
    nwgpu_best          best;
    nwgpu_checkpoint    checkpoint;
    int64_t             min_score;
    int32_t             has_min_score;
    int32_t             has_progress;
    struct nwgpu_go_progress progress;
    nwgpu_error         error;
    nwgpu_go_handle     sequences;
    nwgpu_go_handle     result;
    uint64_t            count;
    const uint64_t     *pairs;
    const nwgpu_status *statuses;
    const int64_t      *scores;
    const uint64_t     *spans;
    const uint32_t     *runs;
    const uint64_t     *offsets;
} nwgpu_go_call;

static inline int32_t nwgpu_go_note(void *user, uint64_t done, uint64_t total)
{
    struct nwgpu_go_progress *progress = user;
    __atomic_store_n(&progress->total, total, __ATOMIC_RELAXED);
    __atomic_store_n(&progress->done, done, __ATOMIC_RELEASE);
    return 0;
}

static inline void nwgpu_go_look(nwgpu_go_call *call, const nwgpu_result *result)
{
    call->result = (nwgpu_go_handle)result;
    call->count = nwgpu_result_count(result);
    call->pairs = nwgpu_result_pairs(result);
    call->statuses = nwgpu_result_statuses(result);
    call->scores = nwgpu_result_scores(result);
    call->spans = nwgpu_result_spans(result);
    if (nwgpu_result_cigars(result, &call->runs, &call->offsets, NULL) != NWGPU_OK)
        call->runs = NULL;
}

static inline nwgpu_status nwgpu_go_sequences(nwgpu_go_handle context, const uint8_t *letters, const uint64_t *offsets,
    uint64_t count, int32_t view, nwgpu_go_handle handle)
{
    nwgpu_go_call *call = (nwgpu_go_call *)handle;
    nwgpu_sequences *made = NULL;
    nwgpu_status status = (view ? nwgpu_sequences_create_view : nwgpu_sequences_create)(
        (nwgpu_context *)context, letters, offsets, count, &made, &call->error);
    call->sequences = (nwgpu_go_handle)made;
    return status;
}

static inline void nwgpu_go_sequences_destroy(nwgpu_go_handle sequences)
{
    nwgpu_sequences_destroy((nwgpu_sequences *)sequences);
}

static inline uint64_t nwgpu_go_result_failed(nwgpu_go_handle result)
{
    return nwgpu_result_failed((const nwgpu_result *)result);
}

static inline void nwgpu_go_result_error(nwgpu_go_handle result, uint64_t entry, nwgpu_error *error)
{
    nwgpu_result_pair_error((const nwgpu_result *)result, entry, error);
}

static inline void nwgpu_go_result_destroy(nwgpu_go_handle result)
{
    nwgpu_result_destroy((nwgpu_result *)result);
}

static inline nwgpu_align_options nwgpu_go_options(nwgpu_go_call *call, nwgpu_control *control)
{
    nwgpu_align_options options = call->options;
    if (call->has_progress) {
        nwgpu_control_init(control, sizeof *control);
        control->progress = nwgpu_go_note;
        control->progress_user = &call->progress;
        options.control = control;
    }
    options.band = call->band.struct_size ? &call->band : NULL;
    options.top = call->top.struct_size ? &call->top : NULL;
    options.best = call->best.struct_size ? &call->best : NULL;
    options.checkpoint = call->checkpoint.struct_size ? &call->checkpoint : NULL;
    options.min_score = call->has_min_score ? &call->min_score : NULL;
    return options;
}

static inline nwgpu_status nwgpu_go_align(nwgpu_go_handle context, nwgpu_go_handle queries, nwgpu_go_handle targets,
    const nwgpu_pair *pairs, uint64_t pair_count, nwgpu_go_handle handle)
{
    nwgpu_go_call *call = (nwgpu_go_call *)handle;
    nwgpu_result *result = NULL;
    nwgpu_control control;
    nwgpu_align_options options = nwgpu_go_options(call, &control);
    nwgpu_status status = nwgpu_align((nwgpu_context *)context, (nwgpu_sequences *)queries,
        (nwgpu_sequences *)targets, pairs, pair_count, &call->scoring, &options, &result, &call->error);
    if (status == NWGPU_OK)
        nwgpu_go_look(call, result);
    return status;
}

static inline nwgpu_status nwgpu_go_estimate(nwgpu_go_handle context, nwgpu_go_handle queries, nwgpu_go_handle targets,
    const nwgpu_pair *pairs, uint64_t pair_count, nwgpu_go_handle handle, nwgpu_estimate *estimate)
{
    nwgpu_go_call *call = (nwgpu_go_call *)handle;
    nwgpu_control control;
    nwgpu_align_options options = nwgpu_go_options(call, &control);
    nwgpu_estimate_init(estimate, sizeof *estimate);
    return nwgpu_align_estimate((nwgpu_context *)context, (nwgpu_sequences *)queries, (nwgpu_sequences *)targets,
                                pairs, pair_count, &call->scoring, &options, estimate, &call->error);
}

static inline nwgpu_status nwgpu_go_traceback(nwgpu_go_handle context, nwgpu_go_handle queries, nwgpu_go_handle targets,
    nwgpu_go_handle of, const uint64_t *chosen, uint64_t count, nwgpu_go_handle handle)
{
    nwgpu_go_call *call = (nwgpu_go_call *)handle;
    nwgpu_result *result = NULL;
    nwgpu_status status = nwgpu_traceback((nwgpu_context *)context, (nwgpu_sequences *)queries,
        (nwgpu_sequences *)targets, (nwgpu_result *)of, chosen, count, NULL, &result, &call->error);
    if (status == NWGPU_OK)
        nwgpu_go_look(call, result);
    return status;
}

#endif
