// SPDX-License-Identifier: BSD-3-Clause
// Which instruction sets the kernels are compiled for.  Included first by every file of kernels, before Highway.
#pragma once

// AVX-512 (Skylake), AVX2, SSE4, NEON and a baseline; Highway's other x86 targets would only add to the size.  SVE
// (bits 24 to 27) has vectors of no fixed size, of which there are no arrays: the kernels keep a strip's rows in such.
#define NWGPU_OTHER_TARGETS                                                                                            \
    ((1LL << 3) | (1LL << 4) | (1LL << 5) | (1LL << 6) | (1LL << 7) | (1LL << 12) | (15LL << 24))
#ifdef NWGPU_FEW_TARGETS // AVX2 and the baseline, for builds with sanitizers
#define HWY_DISABLED_TARGETS (NWGPU_OTHER_TARGETS | (1LL << 8) | (1LL << 11))
#else
#define HWY_DISABLED_TARGETS NWGPU_OTHER_TARGETS
#endif
// Highway avoids its portable baseline with GCC before 12.3 because of a bug in an operation that is not used here.
#define HWY_BROKEN_EMU128 0
