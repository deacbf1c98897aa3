/* SPDX-License-Identifier: BSD-3-Clause
 * The public header stands alone, may be included twice and is plain C99.  Compiled only. */
#include <nwgpu/nwgpu.h>
#include <nwgpu/nwgpu.h>

/* The sizes that version 0 of the ABI has on 64-bit machines; a change needs a new NWGPU_ABI_VERSION. */
#define SIZE_IS(type, size) typedef char type##_has_size_##size[sizeof(type) == (size) ? 1 : -1]
#if UINTPTR_MAX > 0xffffffff
SIZE_IS(nwgpu_error, 280);
SIZE_IS(nwgpu_context_options, 64);
SIZE_IS(nwgpu_scoring, 40);
SIZE_IS(nwgpu_align_options, 112);
SIZE_IS(nwgpu_algorithm, 72);
SIZE_IS(nwgpu_pair, 16);
SIZE_IS(nwgpu_estimate, 560);
#endif

nwgpu_error header_twice_error(void);
nwgpu_error header_twice_error(void)
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    return error;
}
