// SPDX-License-Identifier: BSD-3-Clause
// Which instruction sets the kernels are compiled for.  Included first by every file of kernels, before Highway.
#pragma once

// Of the targets that only newer versions of Highway (1.1) know: SSE2 is the baseline of x86 there, and NEON is two
// targets, of which the kernels, which use no AES, take the one without it: it runs everywhere.
#define NWGPU_SSE2 (1LL << 14)
#define NWGPU_NEON_WITHOUT_AES (1LL << 29)
#define NWGPU_NEON (HWY_BASELINE_TARGETS & NWGPU_NEON_WITHOUT_AES ? NWGPU_NEON_WITHOUT_AES : HWY_NEON)

// AVX-512 (Skylake), AVX2, SSE4, and one baseline: NEON, SSE2 or a portable one.  What else a version of Highway has
// would only add to the size; SVE has vectors of no fixed size, of which there are no arrays: the kernels keep a
// strip's rows in such.
#ifndef NWGPU_ISAS // CMake may ask for some of them
#define NWGPU_ISAS (HWY_AVX3 | HWY_AVX2 | HWY_SSE4)
#endif
#define HWY_DISABLED_TARGETS (~(NWGPU_ISAS | NWGPU_SSE2 | (NWGPU_NEON) | HWY_EMU128 | HWY_SCALAR))
// Highway avoids its portable baseline with GCC before 12.3 because of a bug in an operation that is not used here.
#define HWY_BROKEN_EMU128 0
