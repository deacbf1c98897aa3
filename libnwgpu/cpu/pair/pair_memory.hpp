// SPDX-License-Identifier: BSD-3-Clause
// How many bytes the steps allocate by which a pair is computed (align_strips.cpp, path_finder.hpp, top_region.hpp):
// upper bounds, from which a plan is made.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/allocated.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/pair/path_finder.hpp"

namespace nwgpu::cpu {

struct Lengths {
    std::uint64_t rows = 0, cols = 0;
};

template <class Field>
class PairMemory {
public:
    // `several`: local alignments, whose paths are always found from trace bits.
    PairMemory(Field const & field, PairPlan const & plan, bool several) :
        field_{field},
        traced_{several ? field.traced() : path_field(field)},
        plan_{plan},
        lanes_{!several && keeps_lanes(field)}
    {}

    // A sweep of a region, beside what it keeps; `profile`: of a thread.
    std::uint64_t sweep(Lengths const & region, std::uint64_t profile) const
    {
        return borders(region) + strips(field_, region.rows, plan_.threads, profile);
    }

    // Whether a path can be walked in a whole region at once, and the bytes that this takes, but for boundaries.
    bool can_trace(std::uint64_t cols) const { return lanes_ || cols <= traced_.max_cols(); }
    double trace(Lengths const & region) const { return trace_bytes(traced_, region.rows, region.cols); }
    std::uint64_t trace_layout(Lengths const & region) const
    {
        std::uint64_t const parts = ceil_div(region.rows, traced_.strip_rows()) *
                                    ceil_div(region.cols, std::min(region.cols, traced_.max_cols()));
        return allocated(parts * sizeof(RegionTrace::Part));
    }
    // The least that a path must be able to trace at once.
    std::uint64_t least_trace() const
    {
        return static_cast<std::uint64_t>(trace({field_.strip_rows(), narrowest_block(field_)}));
    }

    // The grid of a whole region, and the largest of its blocks.
    Grid::Size grid(Lengths const & region, std::uint64_t cuts, std::uint64_t narrowest) const
    {
        return Grid::size(field_.kept_code(), cuts_of_rows(region, cuts), cuts_of_cols(region, cuts, narrowest),
                          region.rows, region.cols);
    }
    Lengths block(Lengths const & region, std::uint64_t cuts, std::uint64_t narrowest, std::uint64_t at_once = 1) const
    {
        std::uint64_t const rows =
            strips_apart(ceil_div(region.rows, field_.strip_rows()), cuts, at_once) * field_.strip_rows();
        return {std::min(region.rows, rows), std::min(region.cols, std::max(narrowest, ceil_div(region.cols, cuts)))};
    }

    // PathFinder::trace_block().
    std::uint64_t traced_block(Lengths const & block, std::uint64_t alignment) const
    {
        auto const bytes =
            static_cast<std::uint64_t>(std::min(trace(block), static_cast<double>(plan_.max_trace_bytes)));
        return sizeof(TracedBlock) + allocated(bytes + alignment) + borders(block) + trace_layout(block) +
               strips(traced_, block.rows, 1, traced_.profile_size());
    }

    // PathFinder::walk_region() in a region of at most so many rows and columns, but for the trace.
    std::uint64_t walk(Lengths const & region) const
    {
        std::uint64_t const strip_rows = field_.strip_rows(), narrowest = narrowest_block(field_);
        std::uint64_t const bytes =
            borders(region) + trace_layout(region) + strips(traced_, region.rows, 1, traced_.profile_size());
        // A part of the region, which has other strips, may have more to trace than all of it.
        bool const fits = can_trace(region.cols) && 1.5 * trace(region) <= static_cast<double>(plan_.max_trace_bytes);
        if (fits || (region.rows <= strip_rows && region.cols <= narrowest))
            return bytes;
        return bytes + grid(region, plan_.path_cuts, narrowest).all +
               strips(field_, region.rows, plan_.threads, field_.profile_size()) +
               walk(block(region, plan_.path_cuts, narrowest));
    }

    // TopRegion: what it holds; what it takes to make it, and to compute blocks again.
    std::uint64_t top_region(Lengths const & region) const
    {
        std::uint64_t const rows = cuts_of_rows(region, plan_.cuts),
                            cols = cuts_of_cols(region, plan_.cuts, plan_.block_cols);
        return Grid::size(field_.kept_code(), rows + 1, cols + 1, region.rows, region.cols).all +
               allocated(rows * cols * (sizeof(TileBest) + 1), 2);
    }
    std::uint64_t make_top_region(Lengths const & region) const
    {
        std::uint64_t const parts =
            ceil_div(region.rows, field_.strip_rows()) * (cuts_of_cols(region, plan_.cuts, plan_.block_cols) + 1);
        return masked_sweep(region) + allocated(parts * sizeof(TileBest));
    }
    std::uint64_t update_top_region(Lengths const & region) const
    {
        Lengths const part = block(region, plan_.cuts, plan_.block_cols);
        return borders(part) + masked_sweep(part);
    }

    static std::uint64_t borders(Lengths const & region)
    {
        return allocated(2 * sizeof(typename Field::Cell) * (region.rows + region.cols), 4);
    }

private:
    std::uint64_t cuts_of_rows(Lengths const & region, std::uint64_t cuts) const
    {
        return std::min(cuts, ceil_div(region.rows, field_.strip_rows()));
    }
    std::uint64_t cuts_of_cols(Lengths const & region, std::uint64_t cuts, std::uint64_t narrowest) const
    {
        return std::min(cuts, ceil_div(region.cols, narrowest));
    }
    // What a sweep has for each strip and thread.
    static std::uint64_t strips(Field const & field, std::uint64_t rows, int threads, std::uint64_t profile)
    {
        std::uint64_t const count = ceil_div(rows, field.strip_rows()),
                            profiles = std::min(static_cast<std::uint64_t>(threads), count);
        return allocated(count * sizeof(StripState) + alignof(StripState)) + allocated(profiles * (profile + 64));
    }
    // With the masks of MaskedField.
    std::uint64_t masked_sweep(Lengths const & region) const
    {
        auto const threads = static_cast<std::uint64_t>(plan_.threads);
        return sweep(region, field_.profile_size()) +
               allocated(threads * field_.strip_rows() * sizeof(std::uint64_t), threads);
    }

    Field const & field_;
    Field const traced_;
    PairPlan const & plan_;
    bool const lanes_;
};

} // namespace nwgpu::cpu
