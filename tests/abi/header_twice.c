/* SPDX-License-Identifier: BSD-3-Clause
 * The public header stands alone, may be included twice and is plain C99.  Compiled only. */
#include <nwgpu/nwgpu.h>
#include <nwgpu/nwgpu.h>
#include <nwgpu/nwgpu_experimental.h>
#include <nwgpu/nwgpu_experimental.h>

/* The sizes of ABI 1 on 64-bit machines.  A struct may grow: then its size here does, never least_size in
 * capi/src/structs.hpp. */
#define SIZE_IS(type, size) typedef char type##_has_size_##size[sizeof(type) == (size) ? 1 : -1]
#if UINTPTR_MAX > 0xffffffff
SIZE_IS(nwgpu_error, 272);
SIZE_IS(nwgpu_communicator, 56);
SIZE_IS(nwgpu_context_options, 88);
SIZE_IS(nwgpu_scoring, 40);
SIZE_IS(nwgpu_band, 24);
SIZE_IS(nwgpu_checkpoint, 24);
SIZE_IS(nwgpu_top, 16);
SIZE_IS(nwgpu_best, 16);
SIZE_IS(nwgpu_control, 32);
SIZE_IS(nwgpu_align_options, 80);
SIZE_IS(nwgpu_estimate, 560);
SIZE_IS(nwgpu_device_info, 256);
SIZE_IS(nwgpu_matrix_info, 16);
SIZE_IS(nwgpu_algorithm_info, 72);
SIZE_IS(nwgpu_pair, 16);
#endif

nwgpu_error header_twice_error(void);
nwgpu_error header_twice_error(void)
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    return error;
}
