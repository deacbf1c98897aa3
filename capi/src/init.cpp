// SPDX-License-Identifier: BSD-3-Clause
// The initializers of nwgpu.h as functions, for languages that see no macros.
#include <algorithm>
#include <cstring>

#include "structs.hpp"

using nwgpu::capi::most_size;

namespace {

// The caller's struct may be shorter or longer than ours.
template <typename Struct>
void init(Struct * given, uint64_t size, Struct const & defaults) noexcept
{
    if (!given || size < sizeof defaults.struct_size)
        return;
    size = std::min<uint64_t>(size, most_size);
    std::memset(static_cast<void *>(given), 0, size);
    std::memcpy(static_cast<void *>(given), &defaults, std::min<uint64_t>(size, sizeof defaults));
    given->struct_size = static_cast<uint32_t>(size);
}

} // namespace

void nwgpu_error_init(nwgpu_error * error, uint64_t size)
{
    static constexpr nwgpu_error defaults = NWGPU_ERROR_INIT;
    init(error, size, defaults);
}

void nwgpu_context_options_init(nwgpu_context_options * options, uint64_t size)
{
    static constexpr nwgpu_context_options defaults = NWGPU_CONTEXT_OPTIONS_INIT;
    init(options, size, defaults);
}

void nwgpu_communicator_init(nwgpu_communicator * communicator, uint64_t size)
{
    static constexpr nwgpu_communicator defaults = NWGPU_COMMUNICATOR_INIT;
    init(communicator, size, defaults);
}

void nwgpu_scoring_init(nwgpu_scoring * scoring, uint64_t size)
{
    static constexpr nwgpu_scoring defaults = NWGPU_SCORING_INIT;
    init(scoring, size, defaults);
}

void nwgpu_band_init(nwgpu_band * band, uint64_t size)
{
    static constexpr nwgpu_band defaults = NWGPU_BAND_INIT;
    init(band, size, defaults);
}

void nwgpu_checkpoint_init(nwgpu_checkpoint * checkpoint, uint64_t size)
{
    static constexpr nwgpu_checkpoint defaults = NWGPU_CHECKPOINT_INIT;
    init(checkpoint, size, defaults);
}

void nwgpu_top_init(nwgpu_top * top, uint64_t size)
{
    static constexpr nwgpu_top defaults = NWGPU_TOP_INIT;
    init(top, size, defaults);
}

void nwgpu_best_init(nwgpu_best * best, uint64_t size)
{
    static constexpr nwgpu_best defaults = NWGPU_BEST_INIT;
    init(best, size, defaults);
}

void nwgpu_control_init(nwgpu_control * control, uint64_t size)
{
    static constexpr nwgpu_control defaults = NWGPU_CONTROL_INIT;
    init(control, size, defaults);
}

void nwgpu_align_options_init(nwgpu_align_options * options, uint64_t size)
{
    static constexpr nwgpu_align_options defaults = NWGPU_ALIGN_OPTIONS_INIT;
    init(options, size, defaults);
}

void nwgpu_estimate_init(nwgpu_estimate * estimate, uint64_t size)
{
    static constexpr nwgpu_estimate defaults = NWGPU_ESTIMATE_INIT;
    init(estimate, size, defaults);
}

void nwgpu_device_info_init(nwgpu_device_info * info, uint64_t size)
{
    static constexpr nwgpu_device_info defaults = NWGPU_DEVICE_INFO_INIT;
    init(info, size, defaults);
}

void nwgpu_matrix_info_init(nwgpu_matrix_info * info, uint64_t size)
{
    static constexpr nwgpu_matrix_info defaults = NWGPU_MATRIX_INFO_INIT;
    init(info, size, defaults);
}

void nwgpu_algorithm_info_init(nwgpu_algorithm_info * info, uint64_t size)
{
    static constexpr nwgpu_algorithm_info defaults = NWGPU_ALGORITHM_INFO_INIT;
    init(info, size, defaults);
}
