// SPDX-License-Identifier: BSD-3-Clause
// The lanes of a group in lockstep on the CPU.
#pragma once

#include <vector>

#include "cuda/batch/group_field.cuh"
#include "gpu/numbered.hpp"

namespace nwgpu::test {

// One pair in the first lanes of a warp, as kernels sweep it.
template <int rows, bool local, cuda::batch::BestCell asked>
struct HostSweep {
    using Field = cuda::batch::GroupField<rows, local, asked>;
    using P = cuda::batch::Profile<rows>;

    HostSweep(PairView const & view, Scoring const & scoring, Mode const & mode, int count) :
        scheme{cuda::batch::make_batch_scheme(scoring, mode).value()},
        numbered{view, scoring, scheme},
        lanes{count},
        steps{static_cast<int>(numbered.pair.n) + (static_cast<int>(numbered.pair.m) - 1) / rows},
        cells(static_cast<std::size_t>(count))
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
            cells[static_cast<std::size_t>(lane)].start(args, lane);
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
                after_step(t, lane, c);
            }
        }
    }

    cuda::batch::BatchScheme const scheme;
    Numbered const numbered;
    int const lanes, steps;
    cuda::batch::GroupArgs args;
    std::vector<Field> cells;
};

} // namespace nwgpu::test
