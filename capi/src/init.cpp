// SPDX-License-Identifier: BSD-3-Clause
// The initializers of nwgpu.h as functions, for languages that see no macros.
#include <algorithm>
#include <cstring>

#include "structs.hpp"

using nwgpu::capi::most_size;

namespace {

// The caller's struct may be shorter or longer than ours.
template <typename Struct>
void init(Struct * given, uint64_t size, Struct defaults) noexcept
{
    if (!given || size < sizeof defaults.struct_size)
        return;
    size = std::min<uint64_t>(size, most_size);
    defaults.struct_size = static_cast<uint32_t>(size);
    std::memset(static_cast<void *>(given), 0, size);
    std::memcpy(static_cast<void *>(given), &defaults, std::min<uint64_t>(size, sizeof defaults));
}

} // namespace

void nwgpu_error_init(nwgpu_error * error, uint64_t size) { init(error, size, nwgpu_error NWGPU_ERROR_INIT); }

void nwgpu_context_options_init(nwgpu_context_options * options, uint64_t size)
{
    init(options, size, nwgpu_context_options NWGPU_CONTEXT_OPTIONS_INIT);
}

void nwgpu_scoring_init(nwgpu_scoring * scoring, uint64_t size)
{
    init(scoring, size, nwgpu_scoring NWGPU_SCORING_INIT);
}

void nwgpu_band_init(nwgpu_band * band, uint64_t size) { init(band, size, nwgpu_band NWGPU_BAND_INIT); }

void nwgpu_checkpoint_init(nwgpu_checkpoint * checkpoint, uint64_t size)
{
    init(checkpoint, size, nwgpu_checkpoint NWGPU_CHECKPOINT_INIT);
}

void nwgpu_top_init(nwgpu_top * top, uint64_t size) { init(top, size, nwgpu_top NWGPU_TOP_INIT); }

void nwgpu_control_init(nwgpu_control * control, uint64_t size)
{
    init(control, size, nwgpu_control NWGPU_CONTROL_INIT);
}

void nwgpu_align_options_init(nwgpu_align_options * options, uint64_t size)
{
    init(options, size, nwgpu_align_options NWGPU_ALIGN_OPTIONS_INIT);
}

void nwgpu_estimate_init(nwgpu_estimate * estimate, uint64_t size)
{
    init(estimate, size, nwgpu_estimate NWGPU_ESTIMATE_INIT);
}

void nwgpu_device_info_init(nwgpu_device_info * info, uint64_t size)
{
    init(info, size, nwgpu_device_info NWGPU_DEVICE_INFO_INIT);
}

void nwgpu_matrix_info_init(nwgpu_matrix_info * info, uint64_t size)
{
    init(info, size, nwgpu_matrix_info NWGPU_MATRIX_INFO_INIT);
}

void nwgpu_algorithm_info_init(nwgpu_algorithm_info * info, uint64_t size)
{
    init(info, size, nwgpu_algorithm_info NWGPU_ALGORITHM_INFO_INIT);
}
