// SPDX-License-Identifier: BSD-3-Clause
// Sequences on the device, as indices of the score table.
#pragma once

#include <cstdint>

#include "cuda/device/device.hpp"
#include "cuda/kernels/scheme.hpp"
#include "cuda/kernels/used_sequences.hpp"

namespace nwgpu::cuda {

// Copies codes to a device and numbers them there as the score table does, in the order of the device's stream.
void upload_letters(Device & device, std::uint8_t * to, std::uint8_t const * codes, std::uint64_t count,
                    LetterMap const & map);

class DeviceLetters {
public:
    DeviceLetters(Device & device, UsedSequences used, LetterMap const & map);
    std::uint8_t const * of(std::uint64_t sequence) const { return letters_.data() + used_.offset(sequence); }

private:
    UsedSequences const used_;
    DeviceArray<std::uint8_t> letters_;
};

} // namespace nwgpu::cuda
