// SPDX-License-Identifier: BSD-3-Clause
// The published CUDA algorithms of a build without CUDA: they are listed, and cannot be run.
#include "published/parts/task.hpp"

namespace nwgpu::published {

std::unique_ptr<Machine> make_cuda_machine(Choice const & choice, cuda::EngineOptions const &)
{
    throw Error{Status::unsupported,
                "algorithm " + std::string{choice.algorithm->name} + " needs a GPU: " + cuda::why_none()};
}

} // namespace nwgpu::published
