// SPDX-License-Identifier: BSD-3-Clause
// One KernelTable per instruction set, and the choice among them.
#include "cpu/targets.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernel_table.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "base/error.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernel_table.hpp"
#include "cpu/kernels.hpp"
#include "cpu/supported.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

void diff_strip(DiffStrip const & strip);
void diff_tile(DiffScheme const & scheme, LaneTile const & tile);
void score_strip(ScoreStrip & strip, int width, int rows_per_lane);
void local_strip(ScoreStrip & strip);
void scan_strip(ScoreStrip & strip);
void local_tile(ScoreScheme const & scheme, LaneTile const & tile);
void lane_global(LaneGlobalGroup const & group);
void lane_local(LaneLocalGroup const & group);
void lane_letters(LaneLetters const & letters, int lanes);
void wave(Wave const & wave, int width);
std::uint8_t translate(std::uint8_t const * letters, std::uint64_t n, std::uint8_t const * codes, std::uint8_t * out);

// Data, not a function: it would be compiled for this target, and it is read on every CPU.
constexpr int lanes = hwy::HWY_NAMESPACE::MaxLanes(hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>{});
constexpr KernelTable table{nullptr,    lanes,       diff_strip, diff_tile,    score_strip, local_strip, scan_strip,
                            local_tile, lane_global, lane_local, lane_letters, wave,        translate};

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace nwgpu::cpu {

namespace {

struct Target {
    std::int64_t bit;
    std::string name;
    KernelTable table;
};

// Best first: lower bits are better targets.
std::vector<Target> const & targets()
{
    static std::vector<Target> const all = [] {
        std::vector<Target> found;
#if HWY_TARGETS & HWY_AVX3
        found.push_back({HWY_AVX3, "avx3", N_AVX3::table});
#endif
#if HWY_TARGETS & HWY_AVX2
        found.push_back({HWY_AVX2, "avx2", N_AVX2::table});
#endif
#if HWY_TARGETS & HWY_SSE4
        found.push_back({HWY_SSE4, "sse4", N_SSE4::table});
#endif
#if HWY_TARGETS & NWGPU_SSE2
        found.push_back({HWY_SSE2, "sse2", N_SSE2::table});
#endif
#if HWY_TARGETS & NWGPU_NEON_WITHOUT_AES
        found.push_back({HWY_NEON_WITHOUT_AES, "neon", N_NEON_WITHOUT_AES::table});
#endif
#if HWY_TARGETS & HWY_NEON
        found.push_back({HWY_NEON, "neon", N_NEON::table});
#endif
#if HWY_TARGETS & HWY_EMU128
        found.push_back({HWY_EMU128, "emu128", N_EMU128::table});
#endif
        for (Target & target : found)
            target.table.name = target.name.c_str();
        return found;
    }();
    return all;
}

bool runs_here(Target const & target)
{
    static std::int64_t const supported = supported_targets();
    return (supported & target.bit) != 0;
}

} // namespace

std::vector<std::string> compiled_isas()
{
    std::vector<std::string> names;
    for (Target const & target : targets())
        names.push_back(target.name);
    return names;
}

std::vector<std::string> available_isas()
{
    std::vector<std::string> names;
    for (Target const & target : targets())
        if (runs_here(target))
            names.push_back(target.name);
    return names;
}

KernelTable const & kernel_table(std::string const & name)
{
    for (Target const & target : targets())
        if (runs_here(target) && (name.empty() || name == target.name))
            return target.table;
    throw Error{Status::unsupported, "the instruction set '" + name + "' is not in this build or not on this CPU"};
}

} // namespace nwgpu::cpu

#endif // HWY_ONCE
