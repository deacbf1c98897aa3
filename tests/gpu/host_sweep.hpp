// SPDX-License-Identifier: BSD-3-Clause
// The lanes of a group in lockstep on the CPU.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "cuda/batch/best_cell.cuh"
#include "gpu/numbered.hpp"

namespace nwgpu::test {

// One pair in the first lanes of a warp, as kernels sweep it.
template <int rows, bool local, cuda::batch::BestCell asked>
struct HostSweep {
    using Field = cuda::batch::GroupField<rows, local, asked>;
    using P = cuda::batch::Profile<rows>;
    using Column = cuda::batch::KeptColumn<rows>;

    HostSweep(PairView const & view, Scoring const & scoring, Mode const & mode, int count) :
        scheme{cuda::batch::make_batch_scheme(scoring, mode).value()},
        numbered{view, scoring, scheme},
        lanes{count},
        steps{static_cast<int>(numbered.pair.n) + (static_cast<int>(numbered.pair.m) - 1) / rows},
        cells(static_cast<std::size_t>(count)),
        columns(Column::warp_bytes / 16)
    {
        args.letter_count = static_cast<std::uint32_t>(numbered.table.letters);
        args.open = scheme.open;
        args.extend = scheme.extend;
        args.zero = scheme.zero;
        args.free_query_begin = mode.free_query_begin;
        args.free_target_begin = mode.free_target_begin;
    }
    // `after_step` is told of each step and lane.
    template <class AfterStep>
    void run(AfterStep const & after_step)
    {
        cuda::batch::ChunkPair const & pair = numbered.pair;
        std::vector<uint4> profile(static_cast<std::size_t>(P::letter_bytes) * (args.letter_count + 1) / 16);
        auto const lane_profile = [&](int lane) { return reinterpret_cast<char *>(profile.data()) + lane * 16; };
        for (int lane = 0; lane < lanes; ++lane) {
            Field::build_profile(lane_profile(lane), numbered.words.data(), args.letter_count, args.score_words(),
                                 numbered.letters.data() + pair.query, pair.m, lane);
            cells[static_cast<std::size_t>(lane)].start(args);
        }
        auto const constants = Field::constants(args);
        cuda::Halves top = Field::top(args, 1);
        std::vector<cuda::Halves> hands(static_cast<std::size_t>(lanes));
        for (int t = 0; t < steps; ++t) {
            for (int lane = 0; lane < lanes; ++lane)
                hands[static_cast<std::size_t>(lane)] =
                    lane == 0 ? top : cells[static_cast<std::size_t>(lane - 1)].hand;
            if (!local && args.free_target_begin)
                top += cuda::both(args.extend);
            for (int lane = 0; lane < lanes; ++lane) {
                Field & c = cells[static_cast<std::size_t>(lane)];
                if (!local && (t == 2 * lane || t == 2 * lane + 1))
                    c.start_half(args, lane, t - 2 * lane);
                auto const letter = [&](int col) {
                    return (col >= 0 && col < pair.n ? numbered.letters[pair.target + static_cast<unsigned>(col)]
                                                     : args.letter_count) *
                           static_cast<unsigned>(P::letter_bytes);
                };
                c.step(constants, hands[static_cast<std::size_t>(lane)], lane_profile(lane) + letter(t - 2 * lane),
                       lane_profile(lane) + letter(t - 2 * lane - 1), static_cast<std::uint32_t>(t));
                if (asked == cuda::batch::BestCell::place && c.rises)
                    Column::put(column(lane), c.H);
                after_step(t, lane, c);
            }
        }
    }
    // Of a local pair, after all steps: from the columns that lanes keep,
    cuda::batch::Answer best_cell()
    {
        static_assert(asked == cuda::batch::BestCell::place);
        cuda::batch::Answer answer;
        for (int lane = 0; lane < lanes; ++lane) {
            Field const & c = cells[static_cast<std::size_t>(lane)];
            int const score = static_cast<int>(c.best & 0xffff) - args.zero;
            EXPECT_EQ(c.best >> 16, c.best & 0xffff);
            if (score == 0)
                continue;
            auto const place = Column::find(column(lane), c.best & 0xffff);
            int const block = 2 * lane + place.half, end = static_cast<int>(c.best_step) - block + 1;
            if (score > answer.score || (score == answer.score && end < answer.target_end)) {
                answer.score = score;
                answer.query_end = static_cast<std::uint16_t>(block * rows + place.row + 1);
                answer.target_end = static_cast<std::uint16_t>(end);
            }
        }
        return answer;
    }
    // or from residues.
    template <int bits>
    cuda::batch::Answer best_cell(cuda::batch::Residues<bits, false> const & residues)
    {
        cuda::batch::BestOfLane best;
        for (int lane = 0; lane < lanes; ++lane)
            if (auto const cell = cuda::batch::best_of_lane(cells[static_cast<std::size_t>(lane)], lane,
                                                            static_cast<std::uint32_t>(args.zero));
                cell.key > best.key)
                best = cell;
        cuda::batch::Answer answer;
        cuda::batch::put_best_cell<rows>(best, residues, static_cast<int>(numbered.pair.m), args, answer);
        return answer;
    }

    cuda::batch::BatchScheme const scheme;
    Numbered const numbered;
    int const lanes, steps;
    cuda::batch::GroupArgs args;
    std::vector<Field> cells;
    std::vector<uint4> columns; // of all lanes

private:
    char * column(int lane) { return reinterpret_cast<char *>(columns.data()) + lane * 16; }
};

} // namespace nwgpu::test
