// SPDX-License-Identifier: BSD-3-Clause
// The letters of a group of pairs, one pair per lane, as lane kernels read them, and walks beside trace bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/equal_letters.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "model/batch.hpp"
#include "model/cigar_style.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

struct LaneLetters {
    static constexpr std::size_t most_lanes = 64;

    std::uint64_t rows = 0, cols = 0;                   // of the longest sequences
    std::uint8_t query_padding = 0, target_padding = 0; // stand beyond the ends of the others
    // Out: lengths, [most_lanes], 0 where there is no pair; letters, [rows or cols, rounded up to 16][lanes].
    std::int32_t *rows_of = nullptr, *cols_of = nullptr;
    std::uint8_t *query = nullptr, *target = nullptr;
};

inline void load_letters(KernelTable const & kernels, std::span<PairView const> pairs, int lanes,
                         LaneLetters const & to)
{
    std::uint8_t const * queries[LaneLetters::most_lanes] = {};
    std::uint8_t const * targets[LaneLetters::most_lanes] = {};
    std::fill_n(to.rows_of, LaneLetters::most_lanes, 0);
    std::fill_n(to.cols_of, LaneLetters::most_lanes, 0);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        queries[k] = pairs[k].query;
        targets[k] = pairs[k].target;
        to.rows_of[k] = static_cast<std::int32_t>(pairs[k].m);
        to.cols_of[k] = static_cast<std::int32_t>(pairs[k].n);
    }
    kernels.batch_letters({queries, to.rows_of, to.rows, to.query_padding, to.query}, lanes);
    kernels.batch_letters({targets, to.cols_of, to.cols, to.target_padding, to.target}, lanes);
}

// Trace bits of one lane, as path::walk reads them, until it asks for one that is not kept.
class LaneBits {
public:
    // `is_outside` becomes true then.
    LaneBits(LaneGroup const & group, PairView const & pair, std::uint64_t lanes, std::size_t lane,
             std::uint64_t planes, bool & is_outside) :
        group_{group},
        pair_{pair},
        trace_{group.trace + lane / 8},
        plane_bytes_{(lanes + 7) / 8},
        cell_bytes_{planes * plane_bytes_},
        shift_{static_cast<int>(lane % 8)},
        is_outside_{is_outside}
    {}

    // As path::walk asks for it.  The diagonal attains H wherever letters are equal, since schemes here are uniform
    // (docs/proofs.md, lemma 2): few bits are read, each of which lies in a line of the cache of its own.  Letters are
    // compared 64 at a time, since a branch for each of them would often be mispredicted.
    std::uint64_t add_diagonals(std::uint64_t i, std::uint64_t j, std::uint64_t most, CigarStyle style,
                                CigarBuilder & cigar) const
    {
        CigarOp const same = op_of_equal(style), other = op_of_different(style);
        std::uint64_t n = 0;
        while (n < most) {
            std::uint64_t const left = std::min<std::uint64_t>(most - n, 64), end = n + left;
            std::uint64_t equal = equal_letters(pair_.query + i - end, pair_.target + j - end, static_cast<int>(left));
            equal <<= 64 - left; // the next letters are the upper bits
            for (;;) {
                auto const run = static_cast<std::uint64_t>(std::countl_one(equal));
                if (run > 0)
                    cigar.add(same, run);
                n += run;
                if (n == end)
                    break;
                if (!bit(i - n, j - n, plane_diagonal))
                    return n;
                cigar.add(other);
                if (++n == end)
                    break;
                equal = equal << run << 1;
            }
        }
        return n;
    }
    bool vertical(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_vertical); }
    // Local only.
    bool horizontal(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_horizontal); }
    bool e_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_e_opens); }
    bool f_opens(std::uint64_t i, std::uint64_t j) const { return bit(i, j, plane_f_opens); }

private:
    bool bit(std::uint64_t i, std::uint64_t j, TracePlane plane) const
    {
        if (group_.kept_row(i - 1, j - 1) >= group_.kept_rows) {
            is_outside_ = true;
            return false;
        }
        return trace_[group_.kept_at(i - 1, j - 1, cell_bytes_) + plane * plane_bytes_] >> shift_ & 1;
    }

    LaneGroup const & group_;
    PairView const & pair_;
    std::uint8_t const * const trace_;
    std::uint64_t const plane_bytes_, cell_bytes_;
    int const shift_;
    bool & is_outside_;
};

} // namespace nwgpu::cpu
