// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of a batch share with the host: the pairs of a chunk, in the memory of the device.
#pragma once

#include <array>
#include <cstdint>

#include "cuda/batch/couple.hpp"
#include "cuda/batch/ring.hpp"

namespace nwgpu::cuda::batch {

// Letters that can be read before the first and behind the last sequence of a chunk.
constexpr std::uint32_t letter_margin = 64;

constexpr int most_letters = 31; // that are different
// The scores of a chunk's letters: as sweeps read them (GroupArgs::scores), and as walks do.
struct Tables {
    std::array<std::uint32_t, (most_letters + 2) * 9> words; // one more may stand for none, see put_common_first()
    std::array<std::int8_t, 964> scores;                     // [letters][letters]
};
static_assert(most_letters * most_letters <= 964);

// One of a chunk.  No rows: it is not computed.
struct ChunkPair {
    std::uint32_t query = 0, target = 0; // where their letters begin, in the letters of the chunk
    std::uint32_t m : 24 = 0;
    std::uint32_t n : 24 = 0;
    std::uint32_t shape : 8 = 0; // GroupShape::index()

    // Of pairs like this one, whose sequences lie one behind the other, the k-th from here.
    __host__ __device__ ChunkPair behind(std::uint32_t k) const { return {query + k * m, target + k * n, m, n, shape}; }
    bool operator==(ChunkPair const &) const = default;
};
static_assert(sizeof(ChunkPair) == 16);

// Of a chunk's letters, in the order of its pairs.
struct LettersBefore {
    unsigned long long queries = 0, targets = 0;
};

// Positions of a global pair may not fit; nobody asks for them.
struct Answer {
    std::int32_t score = 0; // in units of the scheme; no_score: the band of a ring proved nothing
    std::uint16_t query_begin = 0, query_end = 0, target_begin = 0, target_end = 0;
    std::uint32_t runs = 0; // from gather_runs() on, those of earlier pairs included

    bool proven() const { return score != no_score; }
    // Of one that is not proven: what its band needs.
    __host__ __device__ void set_half_width(std::uint32_t width)
    {
        query_begin = static_cast<std::uint16_t>(width);
        query_end = static_cast<std::uint16_t>(width >> 16);
    }
    std::uint32_t half_width() const { return query_begin | static_cast<std::uint32_t>(query_end) << 16; }
};

// Where the pairs of each class lie among the sorted ones.
struct ClassTable {
    std::uint32_t first[class_count], count[class_count];
};

// Counters of a chunk, zero at its begin.
struct Counters {
    std::uint32_t tickets[kernel_count];
    std::uint32_t failed; // stored residues did not fit: a mistake of the plan
    std::uint32_t pad;
    unsigned long long stored, slots, runs;
};

struct Notes {
    std::uint8_t seen[256]; // 1: the code occurs
    Counters counters;
};

struct GroupArgs {
    std::uint8_t const * letters = nullptr; // numbers, LetterTable
    ChunkPair const * pairs = nullptr;
    std::uint32_t const * order = nullptr; // of pairs, class by class, long ones first
    ClassTable const * classes = nullptr;
    std::uint32_t const * scores = nullptr; // [letter_count + 1][words_of_letters()], the last of each is no letter
    Counters * counters = nullptr;
    Answer * answers = nullptr;
    char * stored = nullptr; // residues, or lines of couples
    unsigned long long stored_size = 0;
    unsigned long long * stored_at = nullptr; // [sorted pairs], or [couples]
    std::uint32_t letter_count = 0;
    int open = 0, extend = 0, zero = 0;
    int best = 0, worst = 0; // of rings: column scores
    bool free_query_begin = false, free_target_begin = false;
    bool one_query = false;           // in all pairs: the warps of a block share its profile
    int steps_of_warp = 1;            // after which it takes no more tickets
    int chain = 0;                    // the class of a launch that has a thread block for each of its pairs
    CoupleStrip strip;                // of a launch for couples
    std::uint32_t common_letters = 0; // of two targets: numbers below are common, this one is no letter

    __host__ __device__ std::uint32_t score_words() const { return (letter_count + 4) / 4; } // of a query letter
    __host__ __device__ std::uint32_t table_words() const { return (letter_count + 1) * score_words(); }
};

struct GroupKernel {
    void const * function = nullptr; // __global__ void (GroupArgs)
    std::uint32_t profile_bytes = 0; // of a warp, for each letter and for none
    std::uint32_t warps = 0;         // whose registers a multiprocessor has
    std::uint32_t column_bytes = 0;  // of a warp, behind the profiles
};

// bits: of residues, 0: none are stored.
GroupKernel group_kernel_global_affine(int height, int bits);
GroupKernel group_kernel_local_affine(int height, int bits);
GroupKernel group_kernel_local_ends(int height); // the best cell's place, of which nothing is stored
GroupKernel ring_kernel(int height, int bits);   // heights 0 and 2; bits 0 and 4
GroupKernel ring_chain_kernel(int bits);         // bits 0 and 4
GroupKernel group_chain_kernel(int bits);        // not local
GroupKernel couple_sweep();                      // local scores of couples of two queries
GroupKernel target_sweep(int rows, bool others); // the same of two targets, TargetStrips::rows
inline GroupKernel group_kernel(bool local, int height, int bits)
{
    return local ? group_kernel_local_affine(height, bits) : group_kernel_global_affine(height, bits);
}

// What a walk knows of the scheme.
struct WalkScheme {
    int open = 0, extend = 0, best = 0, worst = 0, drift = 0, zero = 0;
    bool local = false, free_query_begin = false, free_query_end = false, free_target_begin = false,
         free_target_end = false;
    bool uniform = true;
    bool letters_apart = true; // runs of = and X; else of M
};

struct PathArgs {
    std::uint8_t const * letters = nullptr;
    ChunkPair const * pairs = nullptr;
    std::uint32_t const * order = nullptr;
    std::int8_t const * scores = nullptr; // [letter_count][letter_count]
    Counters * counters = nullptr;
    Answer * answers = nullptr;
    char const * stored = nullptr;
    unsigned long long const * stored_at = nullptr;
    std::uint32_t * slots = nullptr;   // for the runs of each pair, as many as it may have
    std::uint32_t * slot_at = nullptr; // [pairs]: where its runs are
    std::uint32_t pair_count = 0, letter_count = 0;
    std::uint32_t spread = 1;         // threads per pair, of which one walks: fewer pairs per warp wait for each other
    bool path = false, cigar = false; // else ends alone
    WalkScheme scheme;
};

} // namespace nwgpu::cuda::batch
