// SPDX-License-Identifier: BSD-3-Clause
// Many short pairs: one pair per SIMD lane, groups of pairs of similar lengths.  Called by engine.cpp, one group per
// thread at a time.
#pragma once

#include <cstdint>
#include <span>

#include "base/aligned_buffer.hpp"
#include "cpu/kernels.hpp"
#include "cpu/scheme.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Which pairs may share a group, and how many.
class LaneRules {
public:
    LaneRules(Scheme const & scheme, KernelTable const & kernels, Request const & request);

    int lanes() const { return lanes_; } // 0: this scheme or mode has no lane kernel
    bool takes(PairView const & pair) const;
    // A group of this size stays within the caches.
    bool fits(std::uint64_t rows, std::uint64_t cols) const;

private:
    Scheme const & scheme_;
    Request const & request_;
    int lanes_ = 0;
};

// Workspace and work of one thread.
class LaneBatch {
public:
    static constexpr std::uint64_t max_bytes = 32 << 20; // upper bound of the workspace

    LaneBatch(Scheme const & scheme, KernelTable const & kernels, Request const & request);

    // At most LaneRules::lanes() pairs, each of them taken by the rules; results[k] belongs to pairs[k].
    void align(std::span<PairView const> pairs, std::span<PairResult * const> results);

private:
    void load_letters(std::span<PairView const> pairs);
    void align_diff(std::span<PairView const> pairs, std::span<PairResult * const> results);
    void align_local(std::span<PairView const> pairs, std::span<PairResult * const> results);
    void walk(PairView const & pair, int lane, int planes, PairResult & result);

    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    std::uint64_t lanes_, rows_ = 0, cols_ = 0;
    AlignedBuffer<std::uint8_t> query_, target_, trace_, right_, bottom_, state8_;
    AlignedBuffer<std::int16_t> state16_;
};

} // namespace nwgpu::cpu
