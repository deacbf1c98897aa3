// SPDX-License-Identifier: BSD-3-Clause
// A path through the rows of a pair that all places have saved: the tiles on its way lie between saved boundaries, and
// are swept again from these.
#pragma once

#include "backend/backend.hpp"
#include "backend/row_share.hpp"
#include "cuda/device/device.hpp"
#include "cuda/options.hpp"

namespace nwgpu::cuda {

// RowEngine::walk_saved().  The device is current.
WalkedRows walk_saved(Device & device, Tuning tuning, Piece const & piece, checkpoint::Folder & folder,
                      path::Cursor const & from, Monitor & monitor);

} // namespace nwgpu::cuda
