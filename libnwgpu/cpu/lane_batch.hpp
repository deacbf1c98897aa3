// SPDX-License-Identifier: BSD-3-Clause
// Many short pairs: one pair per SIMD lane, groups of pairs of similar lengths.  Called by engine.cpp, one group per
// thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.hpp"
#include "cpu/kernels.hpp"
#include "cpu/scheme.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Which pairs may share a group, and how many (docs/proofs.md, lemmas 11 and 12).
class LaneRules {
public:
    LaneRules(Scheme const & scheme, KernelTable const & kernels, Request const & request);

    bool takes(PairView const & pair) const;
    // Of a group whose longest sequences are these: bits of a lane, number of lanes, and whether it stays within the
    // caches.
    int width(std::uint64_t rows, std::uint64_t cols) const;
    int lanes(std::uint64_t rows, std::uint64_t cols) const { return lanes8_ * 8 / width(rows, cols); }
    bool fits(std::uint64_t rows, std::uint64_t cols) const;
    // What stands for 0 in a local lane, so that all lower values fit.
    std::int64_t local_floor(int width) const;

private:
    std::int64_t top_score(std::uint64_t rows, std::uint64_t cols) const
    {
        return static_cast<std::int64_t>(std::min(rows, cols)) * scheme_.reduced().match;
    }

    Scheme const & scheme_;
    Request const & request_;
    int lanes8_ = 0; // 0: this scheme or mode has no lane kernel
};

// Workspace and work of one thread.
class LaneBatch {
public:
    static constexpr std::uint64_t max_bytes = 32 << 20; // upper bound of the workspace

    LaneBatch(Scheme const & scheme, KernelTable const & kernels, Request const & request);

    // At most LaneRules::lanes() pairs, each of them taken by the rules; results[k] belongs to pairs[k].
    void align(std::span<PairView const> pairs, std::span<PairResult * const> results);

private:
    static constexpr std::size_t max_lanes = 64;

    void load_letters(std::span<PairView const> pairs);
    void describe(LaneGroup & group, std::uint64_t planes);
    void align_global(std::span<PairView const> pairs, std::span<PairResult * const> results);
    void align_local(std::span<PairView const> pairs, std::span<PairResult * const> results);
    void walk(PairView const & pair, std::size_t lane, std::size_t planes, PairResult & result);

    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    LaneRules const rules_;
    int width_ = 8;
    std::uint64_t lanes_ = 0, rows_ = 0, cols_ = 0;
    AlignedBuffer<std::uint8_t> query_, target_, trace_, state_;
    alignas(64) std::int32_t rows_of_[max_lanes], cols_of_[max_lanes];
    alignas(64) std::int32_t score_[max_lanes], end_row_[max_lanes], end_col_[max_lanes];
    CigarBuilder cigar_;
};

} // namespace nwgpu::cpu
