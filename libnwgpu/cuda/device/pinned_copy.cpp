// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/device/pinned_copy.hpp"

#include <algorithm>
#include <cstring>

#include "base/pieces.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t piece_bytes = 16 << 20, fill_bytes = 1 << 20; // on their way; that a thread copies at a time

// For each piece: fill(first byte, size, page-locked memory) while the one before is on its way, start(...), and
// done(...) when it has arrived, while the next one is on its way.
template <class Fill, class Start, class Done>
void in_pieces(Device & device, std::uint64_t bytes, Monitor & monitor, Fill const & fill, Start const & start,
               Done const & done)
{
    std::byte * buffers[2];
    for (int k = 0; k < 2; ++k)
        buffers[k] = static_cast<std::byte *>(device.copy_buffer(k).grow(std::min(bytes, piece_bytes)));
    auto const size = [&](std::uint64_t at) { return std::min(bytes - at, piece_bytes); };
    int which = 0;
    if (bytes > 0) {
        fill(std::uint64_t{0}, size(0), buffers[0]);
        start(std::uint64_t{0}, size(0), buffers[0]);
    }
    for (std::uint64_t at = 0; at < bytes; at += piece_bytes, which = 1 - which) {
        std::uint64_t const next = at + piece_bytes;
        if (next < bytes)
            fill(next, size(next), buffers[1 - which]);
        check(cudaStreamSynchronize(device.stream()), "running on the device");
        monitor.poll(0);
        monitor.throw_if_stopped();
        if (next < bytes)
            start(next, size(next), buffers[1 - which]);
        done(at, size(at), buffers[which]);
    }
}

} // namespace

bool is_page_locked(void const * memory)
{
    cudaPointerAttributes attributes{};
    bool const known = cudaPointerGetAttributes(&attributes, memory) == cudaSuccess;
    cudaGetLastError();
    return known && attributes.type == cudaMemoryTypeHost;
}

checkpoint::Bytes fetch(Device & device, void const * from, std::uint64_t bytes, Monitor & monitor)
{
    checkpoint::Bytes all(bytes);
    in_pieces(
        device, bytes, monitor, [](auto...) {},
        [&](std::uint64_t at, std::uint64_t size, std::byte * buffer) {
            device.start_download(buffer, static_cast<std::byte const *>(from) + at, size);
        },
        [&](std::uint64_t at, std::uint64_t size, std::byte const * buffer) {
            std::memcpy(all.data() + at, buffer, size);
        });
    return all;
}

void send(Device & device, void * to, void const * from, std::uint64_t bytes, Monitor & monitor)
{
    in_pieces(
        device, bytes, monitor,
        [&](std::uint64_t at, std::uint64_t size, std::byte * buffer) {
            for_pieces(
                &monitor.team(), size,
                [&](std::uint64_t begin, std::uint64_t end) {
                    std::memcpy(buffer + begin, static_cast<std::byte const *>(from) + at + begin, end - begin);
                },
                fill_bytes);
        },
        [&](std::uint64_t at, std::uint64_t size, std::byte const * buffer) {
            device.upload(static_cast<std::byte *>(to) + at, buffer, size);
        },
        [](auto...) {});
}

} // namespace nwgpu::cuda
