// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/kernels/cpu_features.hpp"

#include "cpu/kernels/isas.hpp" // before Highway

#include <hwy/targets.h>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace nwgpu::cpu {

#if HWY_ARCH_X86

// Highway's own answer lies in its shared library, which measures the clock when it is loaded: 5 ms of every process.
// The groups are those of hwy/targets.cc; the compiler's runtime also asks whether the system saves the registers.
std::int64_t isas_of_this_cpu()
{
    auto const has = [](unsigned leaf, unsigned ecx_bit) {
        unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
        return __get_cpuid(leaf, &eax, &ebx, &ecx, &edx) != 0 && (ecx >> ecx_bit & 1) != 0;
    };
    std::int64_t targets = HWY_EMU128 | HWY_SCALAR | HWY_ENABLED_BASELINE;
    if (__builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") &&
        __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes"))
        targets |= HWY_SSE4;
    bool const lzcnt = has(0x80000001, 5), f16c = has(1, 29); // no names for these in all compilers
    if ((targets & HWY_SSE4) && __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && lzcnt &&
        f16c)
        targets |= HWY_AVX2;
    if ((targets & HWY_AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd"))
        targets |= HWY_AVX3;
    return targets;
}

#else

// Not Highway's own answer: 1.0.3 denies NEON, the baseline of ARM, to processors without AES, which is not used.
static_assert(HWY_TARGETS == HWY_STATIC_TARGET, "kernels for the baseline alone");
std::int64_t isas_of_this_cpu() { return HWY_ENABLED_BASELINE; }

#endif

} // namespace nwgpu::cpu
