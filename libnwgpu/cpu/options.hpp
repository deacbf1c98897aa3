// SPDX-License-Identifier: BSD-3-Clause
// What a CPU engine is made with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/team.hpp"

namespace nwgpu::cpu {

// What tests may force; zero means: decide.
struct Tuning {
    int score_width = 0; // 8 (differences), 16, 32, 64; one that is not proven is an error of the pair
    // A path through more trace than this uses a grid of kept boundaries, or, of a group of lanes, is found when its
    // score and end are known.
    std::uint64_t max_trace_bytes = 0;
    std::uint64_t tile_cols = 0;   // widest tile of a sweep
    int band = 0;                  // proven band of global alignments: -1 never, 1 for pairs of any size
    int skip = 0;                  // cells of local alignments: -1 never, 1 of pairs of any size
    int lanes = 0;                 // pairs in the lanes of a batch: -1 never, 1 for any number of pairs
    int bits = 0;                  // pairs of unit costs as bits in lanes: -1 never, 1 for any number of them
    int bands = 0;                 // pairs in lanes, in proven bands: -1 never, 1 for any number of them
    std::uint64_t slab_strips = 0; // between two checkpoints
    std::uint64_t most_slabs = 0;  // saved by one call, which then ends as if it was cancelled
    int scan = 0; // strips of scores with a matrix that are computed at once: -1 never, n for pairs of any size
    // Of a matrix that another engine has swept (top/align_top.hpp): tiles that are kept open, and their narrowest
    // blocks.
    std::uint64_t open_tiles = 0, block_cols = 0;
    std::int64_t furthest = 0; // furthest-reaching points: -1 never, n: so many of them, however different a pair is

    bool operator==(Tuning const &) const = default;
};

struct EngineOptions {
    int threads = 0; // 0: all that the process may use
    std::string isa; // empty: the best there is
    Tuning tuning;
    std::shared_ptr<Team> team = nullptr; // shared with other engines; null: one of its own, of so many threads
};

// Instruction sets that this build has and this CPU can run, best first.  x86 has "avx3", "avx2", "sse4" and "sse2", or
// "emu128" with Highway 1.0.3; ARM has "neon" alone.
std::vector<std::string> available_isas();
// All that this build has.
std::vector<std::string> compiled_isas();

} // namespace nwgpu::cpu
