// SPDX-License-Identifier: BSD-3-Clause
// One KernelTable per instruction set, and the choice among them.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/kernel_table.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "base/error.hpp"
#include "cpu/kernels/cpu_features.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/options.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

void diff_strip(DiffStrip const & strip);
void diff_tile(DiffScheme const & scheme, PathTile const & tile);
void score_strip(ScoreStrip & strip, int width, int rows_per_lane);
void strip_local(ScoreStrip & strip);
void strip_scan(ScoreStrip & strip);
void local_tile(ScoreScheme const & scheme, PathTile const & tile);
void batch_global(BatchGlobalGroup const & group);
void batch_local(BatchLocalGroup const & group);
void batch_extend(BatchExtendGroup const & group);
void batch_letters(BatchLetters const & letters, int lanes);
void antidiagonals(AntidiagonalJob const & job, int width);
void fronts(Fronts & fronts, int width);
void unit_fronts(Fronts & fronts, int width);
void bit_group(BitGroup const & group);
void bit_lanes(BitLanes const & job, int width);
void query_lanes(QueryLanes const & job);
bool letter_bits(LetterBits const & of, std::uint8_t const * letters, std::int64_t begin, std::int64_t end,
                 std::uint64_t * to, std::size_t plane, std::size_t step);
std::uint64_t equal_letters(std::uint8_t const * query, std::uint8_t const * target, std::uint64_t most);
void one_diagonal(OneDiagonal & job);
void separate_changes(SeparateChanges & job);
std::uint8_t translate(std::uint8_t const * letters, std::uint64_t n, std::uint8_t const * codes, std::uint8_t * out);
std::uint64_t to_two_bits(std::uint8_t const * letters, std::uint64_t blocks, FourLetters const & four,
                          std::uint8_t * to);

// Data, not a function: it would be compiled for this isa, and it is read on every CPU.
constexpr int lanes = hwy::HWY_NAMESPACE::MaxLanes(hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>{});
constexpr KernelTable table{nullptr,       lanes,        diff_strip,       diff_tile,   score_strip,  strip_local,
                            strip_scan,    local_tile,   batch_global,     batch_local, batch_extend, batch_letters,
                            antidiagonals, fronts,       unit_fronts,      bit_group,   bit_lanes,    letter_bits,
                            equal_letters, one_diagonal, separate_changes, translate,   to_two_bits,  query_lanes};

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace nwgpu::cpu {

namespace {

struct Isa {
    std::int64_t bit;
    std::string name;
    KernelTable table;
};

// Best first: lower bits are better sets.
std::vector<Isa> const & isas()
{
    static std::vector<Isa> const all = [] {
        std::vector<Isa> found;
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
        for (Isa & isa : found)
            isa.table.name = isa.name.c_str();
        return found;
    }();
    return all;
}

bool runs_here(Isa const & isa)
{
    static std::int64_t const supported = isas_of_this_cpu();
    return (supported & isa.bit) != 0;
}

} // namespace

std::vector<std::string> compiled_isas()
{
    std::vector<std::string> names;
    for (Isa const & isa : isas())
        names.push_back(isa.name);
    return names;
}

std::vector<std::string> available_isas()
{
    std::vector<std::string> names;
    for (Isa const & isa : isas())
        if (runs_here(isa))
            names.push_back(isa.name);
    return names;
}

KernelTable const & kernel_table(std::string const & name)
{
    for (Isa const & isa : isas())
        if (runs_here(isa) && (name.empty() || name == isa.name))
            return isa.table;
    throw Error{Status::unsupported, "the instruction set '" + name + "' is not in this build or not on this CPU"};
}

} // namespace nwgpu::cpu

#endif // HWY_ONCE
