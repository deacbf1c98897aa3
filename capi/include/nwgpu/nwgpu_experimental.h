/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nwgpu_experimental.h - the published algorithms, for comparison and study.
 *
 * Each is written as its paper has it, and is slower than the engine or takes
 * more memory.  None is ever chosen but by name.  This part of the interface may
 * change with any release; the conventions are those of nwgpu.h.
 */
#ifndef NWGPU_NWGPU_EXPERIMENTAL_H
#define NWGPU_NWGPU_EXPERIMENTAL_H

#include <nwgpu/nwgpu.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nwgpu_algorithm_info {
    uint32_t struct_size;
    int32_t  backend;            /* NWGPU_BACKEND_CPU or _CUDA                 */
    int32_t  affine;             /* 0: linear gaps alone, gap_open 0           */
    int32_t  modes;              /* bit 1 << NWGPU_MODE_* of each that it has  */
    int32_t  output;             /* nwgpu_output: the highest level it gives   */
    /* All static, never NULL. */
    const char *name;            /* "gpu8-mlsp-diagdiag"                       */
    const char *paper;           /* letter of the paper and section            */
    const char *trace;           /* how the path is found: "none", "plain", "sparse" */
    const char *parameters;      /* "cols=128 side=16" with their usual values */
    const char *limits;
    const char *summary;         /* one line                                   */
} nwgpu_algorithm_info;
#define NWGPU_ALGORITHM_INFO_INIT \
    { sizeof(nwgpu_algorithm_info), 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL }

NWGPU_API void     nwgpu_algorithm_info_init(nwgpu_algorithm_info *info, uint64_t size);
NWGPU_API uint64_t nwgpu_algorithm_count(void);
/* Number `index`, in the order of the papers.  Errors: NOT_FOUND past the last. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_algorithm_describe(uint64_t index, nwgpu_algorithm_info *info, nwgpu_error *error);

/* From the next call on, the algorithm of that name computes in place of the
 * context's engine, whatever its backend: "NAME", or with parameters
 * "NAME:parameter=value,..." (nwgpu_algorithm_describe lists them); NULL: the
 * engine again.  Errors: NOT_FOUND, INVALID_ARGUMENT, BUSY.  Calls give
 * UNSUPPORTED for a mode, gap model or output outside the algorithm's limits, and
 * pairs that are too large for it their own status; progress is reported as
 * seldom as once per pair. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_context_set_algorithm(nwgpu_context *context, const char *algorithm,
                            nwgpu_error *error);

#ifdef __cplusplus
}
#endif
#endif /* NWGPU_NWGPU_EXPERIMENTAL_H */
