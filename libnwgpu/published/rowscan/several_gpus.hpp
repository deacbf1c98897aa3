// SPDX-License-Identifier: BSD-3-Clause
// Paper B, 13.3.4: overlapping shares of the target on several GPUs of this machine.
#pragma once

#include <vector>

#include "published/parts/task.hpp"

namespace nwgpu::published {

// GPUs of the numbers options.device, options.device + 1, ..., beginning again at 0; options.stream and limits of
// device memory are those of each, the stream that of the first.  Throws Error no_device where there are fewer.
std::unique_ptr<Machine> make_several_gpus(Choice const & choice, cuda::EngineOptions const & options);

} // namespace nwgpu::published
