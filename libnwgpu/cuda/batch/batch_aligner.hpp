// SPDX-License-Identifier: BSD-3-Clause
// Many pairs at a time, short enough that the lanes of a group hold all rows of a pair, or in a band: chunk by chunk,
// with the copies of one beside the work on others.  Pairs whose band proves nothing take part in a second round.
//
//     host, all threads    describe and stage  ................................................  answers into their
//     places a stream, per slot                       up, letters │ sort, sweep, ends, paths │ down
//
// The letters that a chunk has decide its profiles, so the host waits for them before the sweep; the number of its runs
// decides how much is copied back.  Meanwhile other slots are at work.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backend/monitor.hpp"
#include "cuda/batch/chunk.hpp"
#include "cuda/batch/kept_letters.hpp"
#include "cuda/device/device.hpp"

namespace nwgpu::cuda::batch {

struct Left;
class Slot;

// Whether pairs may be computed in batches: all else that may be forced is one pair's.
inline bool are_allowed(Tuning tuning)
{
    tuning.batch = std::min(tuning.batch, 0);
    tuning.couple_cells = 0;
    return tuning.forces_nothing();
}

// Upper bounds of what the pairs of a piece that suit take, and what the others are.
struct Needs {
    std::uint64_t device_bytes = 0, host_bytes = 0;
    std::vector<std::uint64_t> rest;
    std::optional<std::uint64_t> unsure; // the largest pair that is one of the others if its band proves nothing
};
Needs needs_of(Piece const & piece, std::uint64_t device_budget, BatchWork work);

class BatchAligner {
public:
    BatchAligner(Device & device, ToTwoBits to_two_bits);
    ~BatchAligner();
    BatchAligner(BatchAligner const &) = delete;

    // Answers the pairs that suit it; returns the others, ascending.  The device is current.
    std::vector<std::uint64_t> align(Piece const & piece, Tuning const & tuning, Monitor & monitor, Answers & answers);
    void trim();
    KeptLetters const & kept() const { return kept_; } // spare memory of the device

private:
    void find_kept(Piece const & piece, BatchWork const & work);
    void send_scattered(Piece const & piece, Sums const & first, Monitor & monitor);
    Left run(Piece const & piece, BatchWork const & work, Monitor & monitor, Answers & answers); // one round
    bool reserve(std::uint64_t slots, Limits const & limits, BatchWork const & work);

    Device & device_;
    KeptLetters kept_;
    KeptOfCall kept_of_call_;
    // Several: the last warps of a sweep leave room for the next one, which has another stream.
    std::array<Owner<cudaStream_t, cudaStreamDestroy>, 3> sweep_streams_;
    std::vector<std::unique_ptr<Slot>> slots_;
};

} // namespace nwgpu::cuda::batch
