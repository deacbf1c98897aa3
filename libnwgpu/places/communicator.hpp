// SPDX-License-Identifier: BSD-3-Clause
// How ranks send each other bytes; capi/ makes one from the caller's table of functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace nwgpu::places {

// Called by one thread at a time: the one that called the library.  Every member may throw Error communication.
class Communicator {
public:
    struct Waiting { // a message
        int from = 0;
        std::uint64_t bytes = 0;
    };

    virtual ~Communicator() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::uint64_t fingerprint() const = 0; // of what has to be equal on all ranks
    // Does not wait for the receiver.
    virtual void send(int to, std::span<std::byte const> bytes) = 0;
    // The next message that is there, of any rank; does not wait.
    virtual std::optional<Waiting> probe() = 0;
    // The message that probe() told of.
    virtual void receive(int from, std::span<std::byte> bytes) = 0;
};

} // namespace nwgpu::places
