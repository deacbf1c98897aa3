// SPDX-License-Identifier: BSD-3-Clause
// What the SIMD kernels compute and how they are called: plain data.  They are compiled once per instruction set.
// A strip is `rows` query letters against `cols` target letters, computed from its top and left boundary; the
// boundaries are replaced in place by the bottom and right ones.  Lane k of a vector owns `rows_per_lane` neighbouring
// rows and runs k columns behind lane 0, so that all lanes of a step lie on a 45 degree wavefront:
//              columns ->
//     lane 0   # # # # j . .        step j: lane k computes its rows_per_lane cells of column j - k
//     lane 1   # # # j-1 . .
//     lane 2   # # j-2 . . .
// Lanes are stored in reverse: physical position p holds lane (used lanes - 1) - p, so that the last lane is at
// position 0, and the letters of a step lie in memory order.  (The lanes of strip_scan are all in the same column.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/kernels/kept_lanes.hpp"
#include "model/two_bits.hpp"

namespace nwgpu::cpu {

// Where a kernel puts its trace bits: bit planes, one bit per lane, [step][row of lane][plane].
//   diagonal   H == H(i-1, j-1) + s                 vertical    H == F
//   horizontal H == E (local only)
//   e_opens    E(i, j+1) > E(i, j) - extend         f_opens     F(i+1, j) > F(i, j) - extend
enum TracePlane { plane_diagonal, plane_vertical, plane_e_opens, plane_f_opens, plane_horizontal };

struct TraceLayout {
    int rows_per_lane = 0;
    int planes = 0;      // 4, or 5 with plane_horizontal
    int plane_bytes = 0; // (lanes + 7) / 8
    int last_lane = 0;   // used lanes - 1

    std::size_t step_bytes() const { return static_cast<std::size_t>(rows_per_lane) * planes * plane_bytes; }
    std::size_t bytes(std::uint64_t cols) const { return (cols + last_lane) * step_bytes() + 8; }

    bool bit(std::uint8_t const * trace, std::uint64_t row, std::uint64_t col, TracePlane plane) const
    {
        auto const [byte, place] = at(row, col, plane);
        return trace[byte] >> place & 1;
    }
    void set(std::uint8_t * trace, std::uint64_t row, std::uint64_t col, TracePlane plane) const
    {
        auto const [byte, place] = at(row, col, plane);
        trace[byte] = static_cast<std::uint8_t>(trace[byte] | 1 << place);
    }

private:
    struct Place {
        std::size_t byte;
        unsigned bit;
    };
    Place at(std::uint64_t row, std::uint64_t col, TracePlane plane) const
    {
        auto const lane = static_cast<unsigned>(row) / static_cast<unsigned>(rows_per_lane);
        auto const r = static_cast<unsigned>(row) % static_cast<unsigned>(rows_per_lane);
        unsigned const position = static_cast<unsigned>(last_lane) - lane;
        return {(col + lane) * step_bytes() + (r * planes + plane) * plane_bytes + position / 8, position % 8};
    }
};

// A matrix as kernels read it: [letters][stride] scores, already biased as the kernel wants them.
struct ProfileTable {
    int letters = 0;                        // 0: uniform scores, no matrix
    int stride = 0;                         // 32 or more
    std::int8_t const * scores = nullptr;   // [target letter][query letter]
    std::int8_t const * by_query = nullptr; // [query letter][target letter]
};

// Workspace for the profile of one strip: `profile_front` bytes that unused lanes read, then one row per letter.
constexpr std::size_t profile_rows = 64 * 16; // most lanes x most rows per lane
constexpr std::size_t profile_front = profile_rows;
constexpr std::size_t profile_stride = profile_rows + 64; // a multiple of 8
constexpr std::size_t profile_bytes(int letters) { return profile_front + (letters + 1) * profile_stride; }

// Of strip_scan: the rows that a lane has at most, the most letters, and the workspace for the profile: a row per
// letter, and one for the query's letters in the order of the lanes.
constexpr int most_scan_rows = 64, most_scan_letters = 31;
constexpr std::size_t scan_page = 64 * most_scan_rows; // bytes of a row, at most
constexpr std::size_t scan_profile_bytes(int letters) { return static_cast<std::size_t>(letters + 2) * scan_page; }
constexpr std::size_t most_scan_cols = 1 << 13;

// Differences in 8 bits (global and free ends), after Suzuki & Kasahara 2018 (doi:10.1186/s12859-018-2014-8):
// They are those of scores with a drift, H'(i,j) = H(i,j) + extend (i + j) and E', F' likewise, for which going on with
// a gap costs nothing:
//   u(i,j) = H'(i,j) - H'(i-1,j)                       v(i,j) = H'(i,j) - H'(i,j-1)
//   a(i,j) = E'(i,j+1) - H'(i-1,j)                     b(i,j) = F'(i+1,j) - H'(i,j-1)
// with t = max(s + 2 extend, a(i,j-1)) and z = H'(i,j) - H'(i-1,j-1) = max(t, b(i-1,j)), and so
//   u(i,j) = z - v(i-1,j)                              a(i,j) = max(a(i,j-1), t - open) - v(i-1,j)
//   v(i,j) = z - u(i,j-1)                              b(i,j) = max(b(i-1,j), t - open) - u(i,j-1)
// (E and F are opened from t, not from z: docs/proofs.md, lemma 7.)  Boundaries hold u + open and v + open, and how
// much E or F is above one that is opened from H, in bytes.  Exact when Scheme::fits_diff says so (lemma 9).
struct DiffScheme {
    std::uint8_t open = 0, open_extend = 0;
    std::int8_t match = 0, mismatch = 0; // uniform: scores + 2 extend
    ProfileTable table;                  // scores + 2 extend
};

// Letters below this can be compared by a lookup.
constexpr std::uint8_t most_small_codes = 16;

// What a strip leaves for the path (kept_lanes.hpp); diagonals: beside lanes.
enum class Keeps { nothing, lanes, diagonals };

// Where the score of two letters comes from: a comparison, a lookup of the exclusive or of small codes, or the profile.
enum class Letters { any, small, of_matrix };

struct DiffStrip {
    DiffScheme const * scheme = nullptr;
    std::uint8_t const * query = nullptr;  // [rows], with 63 readable letters behind them
    std::uint8_t const * target = nullptr; // [cols], with `lanes` readable letters on both sides
    std::uint64_t rows = 0;                // 1 .. lanes * max_rows_per_lane
    std::uint64_t cols = 0;                // >= 1
    std::uint8_t * top_v = nullptr;        // [cols]: v + open
    std::uint8_t * top_y = nullptr;        // F'(i+1,j) - H'(i,j) + open
    std::uint8_t * left_u = nullptr;       // [rows]: u + open
    std::uint8_t * left_x = nullptr;       // E'(i,j+1) - H'(i,j) + open
    std::int8_t * profile = nullptr;       // workspace of profile_bytes(), unused when uniform
    std::uint8_t * kept = nullptr;         // KeptLayout::bytes(), or null
    bool small_codes = false;              // letters are below most_small_codes
    std::uint8_t * diagonals = nullptr;    // KeptLayout::cell_bytes() beside `kept`, or null
};

struct StripShape {
    int lanes = 0, rows_per_lane = 0;
};

// With a matrix: rows per lane that fill most lanes.
constexpr int rows_of_lookup(int lanes, std::uint64_t rows)
{
    for (int r : {10, 13})
        if (rows <= static_cast<std::uint64_t>(r) * static_cast<std::uint64_t>(lanes))
            return r;
    return 16;
}

// How a strip of differences is computed.  With a matrix: vectors no longer than the rows need, since the more rows
// share a lane's lookup the better.
constexpr StripShape diff_shape(int all_lanes, bool matrix, std::uint64_t rows)
{
    StripShape shape{all_lanes, 16};
    if (matrix) {
        while (shape.lanes > 16 && rows <= static_cast<std::uint64_t>(shape.lanes) / 2 * 16)
            shape.lanes /= 2;
        shape.rows_per_lane = shape.lanes == 16 && rows <= 64 ? 4 : rows_of_lookup(shape.lanes, rows);
        return shape;
    }
    for (int r : {4, 8})
        if (rows <= static_cast<std::uint64_t>(r) * static_cast<std::uint64_t>(all_lanes))
            return {all_lanes, r};
    return shape;
}

constexpr int diff_period = 32; // steps, at most (KeptLayout)

// How batch_global keeps scores within 8 bits (docs/proofs.md, lemma 11).
struct LaneRange {
    int block = 0; // rows and columns of a block, a multiple of batch_columns; 0: this scheme does not fit
    int zero = 0;  // what stands for the score of a block's corner
};

// How the 8-bit local kernel keeps scores within 8 bits (docs/proofs.md, lemma 8).
struct LocalRange {
    int rows = 16;     // that have a base together
    int interval = 0;  // steps between two changes of base; 0: this scheme does not fit
    int reference = 0; // what H of a lane's first row becomes then
    int middle = 0;    // from one change to the next that H rises by no more than 127 above this, falls by 128 below it
};

// Scores in 16, 32 or 64 bits (local, and schemes beyond 8-bit differences), relative to a base of the strip:
//   t = max(H(i-1,j-1) + s, E(i,j), floor)     H(i,j) = max(t, F(i,j))
//   E(i,j+1) = max(E(i,j) - extend, H(i,j) - open - extend)
//   F(i+1,j) = max(F(i,j) - extend, t      - open - extend)
// (opening from an H that came from F never beats extending F, so F's chain through the rows is short; the 8-bit local
// kernel opens E from t as well).  Inside, all values drift upwards by `extend` per column, which saves E its
// subtraction.  The caller has proven that no value of the strip leaves the width (Scheme::max_cols).
struct ScoreScheme {
    std::int64_t open = 0, extend = 0;
    std::int64_t match = 0, mismatch = 0;  // uniform scores, mismatch <= 0
    int letters = 0;                       // 0: uniform
    std::int32_t const * scores = nullptr; // [letters][letters], row = query letter
    ProfileTable table;                    // scores + extend; for 8 and 16 bits
    ProfileTable scan_table;               // scores + 2 extend
    LocalRange local, scan;
    LaneRange lanes; // of reduced schemes
};

struct ScoreStrip {
    ScoreScheme const * scheme = nullptr;
    std::uint8_t const * query = nullptr;
    std::uint8_t const * target = nullptr;
    std::uint64_t rows = 0;
    std::uint64_t cols = 0;
    std::int64_t base = 0;           // what relative scores are relative to
    std::int64_t floor = 0;          // 0 where paths begin anywhere, else lower than any score
    std::int64_t corner = 0;         // H left of top_h[0]
    std::int64_t * top_h = nullptr;  // [cols]
    std::int64_t * top_f = nullptr;  // F of the row below the boundary
    std::int64_t * left_h = nullptr; // [rows]
    std::int64_t * left_e = nullptr; // E of the column right of the boundary
    std::int8_t * profile = nullptr;
    std::uint8_t * trace = nullptr; // TraceLayout::bytes(cols), or null; 8 bits: KeptLayout::bytes()
    // Out, unless there are trace bits: the best score of the strip and the first column that has it.  That of
    // strip_scan may miss an H that comes from the strip above, and count one of the column to the left with a gap
    // behind it: it is right for all strips and tiles together.
    std::int64_t best = 0;
    std::uint64_t best_col = 0;
    std::uint64_t best_row = 0;         // 8 bits: the first row of the lane in which that column has it first
    bool small_codes = false;           // letters are below most_small_codes; only read with 8 bits
    std::uint8_t * diagonals = nullptr; // 8 bits, beside what the lanes keep: KeptLayout::cell_bytes(), or null
};

// How a local strip is computed in 8 bits.  Few rows leave lanes of a long vector empty, and shorter vectors can be
// more at a time.
constexpr StripShape local_shape(int all_lanes, bool matrix, std::uint64_t rows)
{
    int const half = all_lanes / 2 > 16 ? all_lanes / 2 : 16;
    int const lanes = rows <= 16 * static_cast<std::uint64_t>(half) ? half : all_lanes;
    return {lanes, matrix ? rows_of_lookup(lanes, rows) : 16};
}

// Antidiagonals s = i + j of the matrix, or of a band or cone of it, one after another, in absolute scores of type T
// (std::int32_t or std::int64_t).  Arrays are indexed by the row i, from -antidiagonal_margin to m +
// antidiagonal_margin; those of s lie in h[s % 3], f[s % 2] and e, and cells that do not exist are minus infinity.
constexpr std::int64_t antidiagonal_margin = 64;

enum AntidiagonalBit : std::uint8_t {
    antidiagonal_diagonal = 1,
    antidiagonal_f = 2,
    antidiagonal_e = 4,
    antidiagonal_e_opens = 8,
    antidiagonal_f_opens = 16
};

// Of several equal cells the first in column-major order, or the last.
struct AntidiagonalBest {
    std::int64_t score = INT64_MIN;
    std::int64_t i = 0, j = 0;
};

struct AntidiagonalJob {
    std::int64_t m = 0, n = 0;
    std::int64_t lower = 0, upper = 0; // the band; -m, n without one
    std::int64_t first = 0, last = 0;  // antidiagonals to compute
    // A path that ends in row cone_row of antidiagonal cone_end needs no other rows than those from
    // cone_row - (cone_end - s) to cone_row.
    std::int64_t cone_row = INT64_MAX / 4, cone_end = INT64_MAX / 2;
    void const * query = nullptr;                // T [m]: letter codes; with a matrix times `letters`
    void const * target = nullptr;               // T [n], reversed; both with antidiagonal_margin zeros on either side
    std::int64_t letters = 0;                    // 0: match and mismatch
    void const * matrix = nullptr;               // T [letters][letters]
    std::int64_t match = 0, mismatch = 0;        // scores
    std::int64_t open = 0, extend = 0;           // costs
    bool floored = false, ends_anywhere = false; // no cell is below 0; a path ends in any cell
    bool free_top = false, free_left = false, free_bottom = false, free_right = false;
    bool last_end = false;
    void * h[3] = {};
    void * e = nullptr;
    void * f[2] = {};
    std::uint8_t * trace = nullptr; // [last - first + 1][stride], from the first row of each; NULL: none
    std::int64_t stride = 0;        // the widest antidiagonal and antidiagonal_margin
    // Ends so far, NULL where they are not asked for: in the last row without the corner (or anywhere); the corner
    // and the last column.  Only those that the mode allows.
    AntidiagonalBest * row = nullptr;
    AntidiagonalBest * column = nullptr;

    // Rows of antidiagonal s; none if first > last, which is first - 1 then.
    struct Rows {
        std::int64_t first, last;
    };
    Rows rows(std::int64_t s) const
    {
        auto const half_up = [](std::int64_t x) { return x >= 0 ? (x + 1) / 2 : -(-x / 2); };
        std::int64_t low = half_up(s - upper), high = -half_up(lower - s);
        low = low > 0 ? low : 0;
        low = low > s - n ? low : s - n;
        low = low > cone_row - (cone_end - s) ? low : cone_row - (cone_end - s);
        low = low < m + 1 ? low : m + 1;
        high = high < m ? high : m;
        high = high < s ? high : s;
        high = high < cone_row ? high : cone_row;
        return {low, high >= low ? high : low - 1};
    }
};

// H, E and F of cells that do not exist (docs/proofs.md, lemma 16).
template <class T>
constexpr T antidiagonal_minus_infinity = sizeof(T) == 4 ? T(-1'000'000'000) : static_cast<T>(INT64_MIN / 2);

struct BatchGlobalGroup; // kernels/lane_groups.hpp, and
struct BatchLocalGroup;
struct BatchExtendGroup;
struct BatchLetters;
struct Fronts;   // furthest/fronts.hpp
struct BitGroup; // furthest/bit_group.hpp
struct BitLanes; // batch/bit_lanes.hpp, and
struct LetterBits;
struct QueryLanes;      // batch/query_lanes.hpp
struct OneDiagonal;     // furthest/one_diagonal.hpp
struct SeparateChanges; // furthest/separate_changes.hpp

struct KernelTable {
    char const * name = nullptr; // of the instruction set: "avx3", ...
    int lanes = 0;               // of 8 bits; 16-bit kernels have half as many, and so on
    void (*diff_strip)(DiffStrip const & strip) = nullptr;
    void (*diff_tile)(DiffScheme const & scheme, PathTile const & tile) = nullptr;
    void (*score_strip)(ScoreStrip & strip, int width, int rows_per_lane) = nullptr; // 4 or 16; 4 beyond 16 bits
    void (*strip_local)(ScoreStrip & strip) = nullptr;                               // 8 bits
    void (*strip_scan)(ScoreStrip & strip) = nullptr; // 8 bits, with a matrix; up to lanes * most_scan_rows rows
    void (*local_tile)(ScoreScheme const & scheme, PathTile const & tile) = nullptr;
    void (*batch_global)(BatchGlobalGroup const & group) = nullptr;
    void (*batch_local)(BatchLocalGroup const & group) = nullptr;
    void (*batch_extend)(BatchExtendGroup const & group) = nullptr;
    void (*batch_letters)(BatchLetters const & letters, int lanes) = nullptr; // all lanes of 8 bits, or half of them
    void (*antidiagonals)(AntidiagonalJob const & job, int width) = nullptr;  // 32 or 64 bits
    void (*fronts)(Fronts & fronts, int width) = nullptr;                     // 16 or 32 bits
    void (*unit_fronts)(Fronts & fronts, int width) = nullptr;                // the same, of unit costs
    void (*bit_group)(BitGroup const & group) = nullptr;
    void (*bit_lanes)(BitLanes const & job, int width) = nullptr; // 16, 32 or 64 bits
    bool (*letter_bits)(LetterBits const & of, std::uint8_t const * letters, std::int64_t begin, std::int64_t end,
                        std::uint64_t * to, std::size_t plane, std::size_t step) = nullptr;
    // n at most; reads up to 63 letters behind them.
    std::uint64_t (*equal_letters)(std::uint8_t const * query, std::uint8_t const * target, std::uint64_t n) = nullptr;
    void (*one_diagonal)(OneDiagonal & job) = nullptr;
    void (*separate_changes)(SeparateChanges & job) = nullptr;
    std::uint8_t (*translate)(std::uint8_t const * letters, std::uint64_t n, std::uint8_t const * codes,
                              std::uint8_t * out) = nullptr; // as Translate of model/batch.hpp
    ToTwoBits to_two_bits = nullptr;
    void (*query_lanes)(QueryLanes const & job) = nullptr;
};

} // namespace nwgpu::cpu
