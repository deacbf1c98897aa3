// SPDX-License-Identifier: BSD-3-Clause
// What the device does with a chunk beside its sweep, for host code.  All of it in the order of a stream.
#pragma once

#include <array>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "cuda/batch/job.hpp"

namespace nwgpu::cuda::batch {

// Copies letters that are kept on the device, sequence by sequence, to where the chunk has its own, and says there
// where each pair has them.
constexpr std::uint32_t place_pairs = 256; // of a block
struct PlaceArgs {
    struct Side {
        std::uint8_t const * kept = nullptr; // null: this side is in its place
        std::uint32_t first = 0;             // what pairs name the first of these letters
        std::uint32_t at = 0;                // where the chunk has its own, in `letters`
    };
    ChunkPair * pairs = nullptr;
    std::uint32_t count = 0;
    LettersBefore const * before = nullptr; // of each block of pairs
    std::uint8_t * letters = nullptr;
    Side queries, targets;
};
void place_letters(cudaStream_t stream, PlaceArgs const & args);

// The letters of a chunk: seen[code] becomes 1 for the codes that occur.  Before and behind both sides the margins are
// cleared, which are read, for nothing.
struct NoteArgs {
    std::uint8_t * letters = nullptr;
    std::uint64_t queries = 0, queries_end = 0, targets = 0, targets_end = 0; // positions there
    std::uint8_t * seen = nullptr;
};
void note_letters(cudaStream_t stream, NoteArgs const & args);
void number_letters(cudaStream_t stream, std::uint8_t * letters, std::uint64_t count,
                    std::array<std::uint8_t, 256> const & number);

// Scores, by a kernel: a copy would wait behind the letters of later chunks.
void put_tables(cudaStream_t stream, Tables * to, Tables const & tables);

// Sorts the pairs by class, and those with many steps first.  Also clears the answers.
struct OrderArgs {
    ChunkPair * pairs = nullptr;
    std::uint32_t count = 0;
    std::uint32_t query_shift = 0, target_shift = 0;                           // added to where letters begin
    std::uint32_t *keys = nullptr, *sorted_keys = nullptr, *indices = nullptr; // [count]
    std::uint32_t * order = nullptr;                                           // [count], the result
    ClassTable * classes = nullptr;                                            // the result
    void * work = nullptr;
    std::size_t work_bytes = 0;
    bool are_alike = false; // they are in that order
    bool in_rows = false;   // they are not there yet: ChunkPair::behind(), from the first one
    ChunkPair front;
    Answer * answers = nullptr;
};
std::size_t order_work_bytes(std::uint32_t count);
void order_pairs(cudaStream_t stream, OrderArgs const & args);

// Which pairs of rings are proven (Answer).
struct ProveArgs {
    std::uint32_t count = 0;
    ChunkPair const * pairs = nullptr;
    Answer * answers = nullptr;
    BandRule rule;
};
void prove_bands(cudaStream_t stream, ProveArgs const & args);

void find_paths(cudaStream_t stream, PathArgs const & args, int bits, bool chains); // whether there are any

// Runs of the pairs, one after the other.  Answer::runs becomes the number of runs up to the pair's last one,
// Counters::runs that of all.
constexpr std::uint32_t gather_pairs = 128; // of a block
struct GatherArgs {
    std::uint32_t pair_count = 0;
    Answer * answers = nullptr;
    std::uint32_t const *slots = nullptr, *slot_at = nullptr;
    Counters * counters = nullptr;
    std::uint32_t * block_runs = nullptr; // [blocks], workspace
    std::uint32_t * runs = nullptr;       // the result
};
void gather_runs(cudaStream_t stream, GatherArgs const & args);

} // namespace nwgpu::cuda::batch
