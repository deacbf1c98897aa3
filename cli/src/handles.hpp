// SPDX-License-Identifier: BSD-3-Clause
// Owning handles of nwgpu.h.
#pragma once

#include <nwgpu/nwgpu.h>

#include <memory>

namespace cli {

template <auto destroy>
struct Destroy {
    template <typename Handle>
    void operator()(Handle * handle) const
    {
        destroy(handle);
    }
};
using ContextHandle = std::unique_ptr<nwgpu_context, Destroy<nwgpu_context_destroy>>;
using MatrixHandle = std::unique_ptr<nwgpu_matrix, Destroy<nwgpu_matrix_destroy>>;
using SequencesHandle = std::unique_ptr<nwgpu_sequences, Destroy<nwgpu_sequences_destroy>>;
using ResultHandle = std::unique_ptr<nwgpu_result, Destroy<nwgpu_result_destroy>>;

} // namespace cli
