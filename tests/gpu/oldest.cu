// SPDX-License-Identifier: BSD-3-Clause
// Compiled for the oldest GPUs that the release supports, while CI's library is made for one kind only: whether the
// kernels need anything that those lack.
#include "cuda/batch/group_kernel.cuh"
#include "cuda/kernels/packed_field.cuh"
#include "cuda/kernels/plain_field.cuh"
#include "cuda/kernels/sweep_kernel.cuh"

namespace nwgpu::cuda {

extern void const * const kernels_for_oldest[];
void const * const kernels_for_oldest[] = {
    reinterpret_cast<void const *>(&sweep_kernel<PackedField<4, true, false>>),
    reinterpret_cast<void const *>(&sweep_kernel<PackedField<4, false, true>>),
    reinterpret_cast<void const *>(&sweep_kernel<PlainField<std::int64_t, true>>),
    reinterpret_cast<void const *>(&batch::sweep_groups<16, true, 4, false, false, 5>),
    reinterpret_cast<void const *>(&batch::sweep_groups<16, false, 8, false, false, 5>),
    reinterpret_cast<void const *>(&batch::sweep_groups<32, false, 4, false, true, 3>),
    reinterpret_cast<void const *>(&batch::sweep_groups<16, true, 0, true, false, 5>)};

} // namespace nwgpu::cuda
