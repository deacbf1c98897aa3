// SPDX-License-Identifier: BSD-3-Clause
// The end of an alignment, and the path of the tie rule from there, from nothing but residues: H modulo 16 or 256 of
// each cell, with the drift and the zero of its scheme.  Why they are enough: docs/proofs.md, lemma 26.  One code for
// the kernel and for tests on the host (lanes.cuh).
#pragma once

#include <cstdint>

#include "cuda/batch/job.hpp"
#include "cuda/batch/lanes.cuh"
#include "cuda/batch/residues.hpp"
#include "model/cigar.hpp"

namespace nwgpu::cuda::batch {

struct Cell {
    std::uint32_t i = 0, j = 0;
};

// A pair as a walk sees it: cells count from 1, row and column 0 are the border.
template <int bits>
struct Matrix {
    static constexpr std::uint32_t mask = (1u << bits) - 1;

    WalkScheme const & scheme;
    Residues<bits> residues;
    std::uint8_t const *query, *target; // readable 40 letters before the first and 8 behind the last
    std::uint32_t m, n;
    std::int8_t const * scores; // [query][target], of schemes that are not uniform
    std::uint32_t letters;

    __host__ __device__ int border(std::uint32_t i, std::uint32_t j) const // H
    {
        bool const free = scheme.local || (i == 0 && scheme.free_target_begin) || (j == 0 && scheme.free_query_begin);
        return free || i + j == 0 ? 0 : -scheme.open - scheme.extend * static_cast<int>(i + j);
    }
    __host__ __device__ std::uint32_t operator()(std::uint32_t i, std::uint32_t j) const
    {
        if (i > 0 && j > 0)
            return residues(i - 1, j - 1);
        return static_cast<std::uint32_t>(border(i, j) + scheme.drift * static_cast<int>(i + j) + scheme.zero) & mask;
    }
    // How much H rises from a cell to a neighbour in its row or column, `lowest` at least.
    __host__ __device__ int rise(std::uint32_t to, std::uint32_t from, int drift, int lowest) const
    {
        return static_cast<int>((to - from - static_cast<std::uint32_t>(drift + lowest)) & mask) + lowest;
    }
};

struct LineBest {
    int score = 0;
    std::uint32_t at = 0;
};

// The highest H of the cells (0, j) .. (m, j), or (i, 0) .. (i, n), and the first that has it.
template <bool down, class L, int bits>
__host__ __device__ LineBest best_of_line(L const & lanes, Matrix<bits> const & matrix, std::uint32_t line)
{
    std::uint32_t const length = down ? matrix.m : matrix.n, each = (length + L::count - 1) / L::count;
    auto const cell = [&](std::uint32_t k) { return down ? matrix(k, line) : matrix(line, k); };
    int const lowest = -(matrix.scheme.open + matrix.scheme.extend);
    typename L::template Value<int> sum, most;
    typename L::template Value<std::uint32_t> at;
    lanes.each([&](int l) {
        std::uint32_t const first = static_cast<std::uint32_t>(l) * each, last = min(first + each, length);
        int h = 0, best = -(1 << 30);
        std::uint32_t where = 0, before = cell(min(first, length));
        for (std::uint32_t k = first + 1; k <= last; ++k) {
            std::uint32_t const next = cell(k);
            h += matrix.rise(next, before, matrix.scheme.drift, lowest);
            before = next;
            if (h > best) {
                best = h;
                where = k;
            }
        }
        sum[l] = h;
        most[l] = best;
        at[l] = where;
    });
    LineBest best{down ? matrix.border(0, line) : matrix.border(line, 0), 0};
    int h = best.score;
    for (int l = 0; l < L::count; ++l) {
        int const here = h + lanes.of(most, l);
        std::uint32_t const where = lanes.of(at, l);
        if (here > best.score)
            best = {here, where};
        h += lanes.of(sum, l);
    }
    return best;
}

// Of a pair whose ends are free: candidates in column-major order.
template <class L, int bits>
__host__ __device__ int find_end(L const & lanes, Matrix<bits> const & matrix, Cell & end)
{
    LineBest best{-(1 << 30), 0};
    end = {matrix.m, matrix.n};
    if (matrix.scheme.free_target_end) {
        best = best_of_line<false>(lanes, matrix, matrix.m);
        end.j = best.at;
    }
    if (matrix.scheme.free_query_end) {
        LineBest const other = best_of_line<true>(lanes, matrix, matrix.n);
        if (other.score > best.score || (other.score == best.score && end.j == matrix.n)) {
            best = other;
            end = {other.at, matrix.n};
        }
    }
    return best.score;
}

// Runs from the last to the first, written downwards from `top`, so that they lie in their order; null: only counted.
struct Runs {
    std::uint32_t * top = nullptr;
    std::uint32_t count = 0;
    CigarOp op = CigarOp::match;
    std::uint32_t length = 0;

    __host__ __device__ void add(CigarOp next, std::uint32_t letters)
    {
        if (next != op) {
            flush();
            op = next;
        }
        length += letters;
    }
    __host__ __device__ void flush()
    {
        if (length > 0) {
            ++count;
            if (top)
                *(top - count) = cigar_run(op, length);
        }
        length = 0;
    }
};

namespace detail {

// Letters at .. at + 3.
__host__ __device__ inline std::uint32_t four_letters(std::uint8_t const * sequence, int at)
{
    auto const address = reinterpret_cast<std::uintptr_t>(sequence + at);
    auto const * const word = reinterpret_cast<std::uint32_t const *>(address & ~std::uintptr_t{3});
    unsigned const shift = 8 * (address & 3);
#ifdef __CUDA_ARCH__
    return __funnelshift_r(word[0], word[1], shift);
#else
    return static_cast<std::uint32_t>((std::uint64_t{word[1]} << 32 | word[0]) >> shift);
#endif
}

__host__ __device__ inline int lowest_bit(std::uint32_t bits) // -1: none
{
#ifdef __CUDA_ARCH__
    return __ffs(static_cast<int>(bits)) - 1;
#else
    return bits == 0 ? -1 : __builtin_ctz(bits);
#endif
}
__host__ __device__ inline int highest_bit(std::uint32_t bits) // not 0
{
#ifdef __CUDA_ARCH__
    return 31 - __clz(static_cast<int>(bits));
#else
    return 31 - __builtin_clz(bits);
#endif
}

// Of the lanes before the first end, the last hit: how many letters its gap has, or 0.
__host__ __device__ inline int longest(std::uint32_t hits, std::uint32_t ends)
{
    std::uint32_t const before = ends == 0 ? hits : hits & ((ends & (0u - ends)) - 1);
    return before == 0 ? 0 : highest_bit(before) + 1;
}

} // namespace detail

// From (i, j), whose column and row are not 0, until the path has its begin; the border's last gap is not among the
// runs.
template <class L, int bits>
__host__ __device__ void walk(L const & lanes, Matrix<bits> const & matrix, Cell & cell, Runs & runs)
{
    constexpr int cells = 32 / L::count, half = L::count / 2; // of a lane, on a diagonal; lanes for each kind of gap
    constexpr std::uint32_t half_mask = (1u << half) - 1;
    using Bits = typename L::template Value<std::uint32_t>;
    using Numbers = typename L::template Value<int>;
    WalkScheme const & s = matrix.scheme;
    int const step = 2 * s.drift, opened = s.open + s.extend, lowest = -(s.best + opened);
    std::uint32_t i = cell.i, j = cell.j, here = matrix(i, j); // residue of (i, j)

    // The gap of more letters than `known`, L::count cells at a time; `height` and `from`: of the last known cell.
    auto const further = [&](bool up, int known, int height, std::uint32_t from, int found) {
        std::uint32_t const most = up ? i : j;
        for (; known < static_cast<int>(most); known += L::count) {
            Bits next;
            Numbers sum;
            lanes.each([&](int l) {
                std::uint32_t const k = static_cast<std::uint32_t>(known + l + 1);
                next[l] = k <= most ? (up ? matrix(i - k, j) : matrix(i, j - k)) : 0;
            });
            Bits const before = lanes.from_before(next, from);
            lanes.each([&](int l) { sum[l] = matrix.rise(next[l], before[l], -s.drift, lowest); });
            lanes.add_up(sum);
            std::uint32_t const ends = lanes.vote([&](int l) {
                return known + l + 1 > static_cast<int>(most) || height + sum[l] < (known + l + 1) * s.extend;
            });
            std::uint32_t const hits =
                lanes.vote([&](int l) { return height + sum[l] == s.open + (known + l + 1) * s.extend; });
            if (int const letters = detail::longest(hits, ends); letters > 0)
                found = known + letters;
            if (ends != 0)
                break;
            height += lanes.of(sum, L::count - 1);
            from = lanes.of(next, L::count - 1);
        }
        return found;
    };

    while (i > 0 && j > 0) {
        // Most steps are here: 32 cells of the diagonal, the lane's first one at (i - cells * l, j - cells * l).
        Bits residues[cells], last;
        lanes.each([&](int l) {
#pragma unroll
            for (int c = 0; c < cells; ++c) {
                std::uint32_t const back = static_cast<std::uint32_t>(cells * l + c + 1);
                residues[c][l] = back <= i && back <= j ? matrix(i - back, j - back) : 0;
            }
        });
        lanes.each([&](int l) { last[l] = residues[cells - 1][l]; });
        Bits const before = lanes.from_before(last, here);
        Bits attained, equal, packed;
        lanes.each([&](int l) {
            int const row = static_cast<int>(i) - 1 - cells * l, col = static_cast<int>(j) - 1 - cells * l; // letters
            std::uint32_t own = before[l], good = 0, same = 0, kept = 0, query = 0, target = 0;
#pragma unroll
            for (int c = 0; c < cells; ++c) {
                if (c % 4 == 0) {
                    query = detail::four_letters(matrix.query, row - c - 3);
                    target = detail::four_letters(matrix.target, col - c - 3);
                }
                unsigned const shift = 24 - 8 * (c % 4);
                std::uint32_t const a = query >> shift & 255, b = target >> shift & 255;
                bool const inside = row >= c && col >= c;
                int const score = s.uniform ? (a == b ? s.best : s.worst)
                                  : inside  ? matrix.scores[a * matrix.letters + b]
                                            : 0;
                bool const attains =
                    inside && ((own - residues[c][l] - static_cast<std::uint32_t>(score + step)) & matrix.mask) == 0;
                good |= std::uint32_t{attains} << c;
                same |= std::uint32_t{a == b} << c;
                own = residues[c][l];
                if constexpr (cells * bits <= 32)
                    kept |= own << (bits * c);
            }
            attained[l] = good << (cells * l);
            equal[l] = same << (cells * l);
            packed[l] = kept;
        });
        std::uint32_t const good = lanes.any([&](int l) { return attained[l]; }),
                            same = lanes.any([&](int l) { return equal[l]; });
        int const go = good == ~0u ? 32 : detail::lowest_bit(~good);
        lanes.first([&] {
            if (!s.letters_apart) {
                if (go > 0)
                    runs.add(CigarOp::match, static_cast<std::uint32_t>(go));
                return;
            }
            for (int k = 0; k < go;) {
                std::uint32_t const rest = same >> k;
                int const run = detail::lowest_bit(rest & 1 ? ~rest : rest),
                          letters = run < 0 ? go - k : min(run, go - k);
                runs.add(rest & 1 ? CigarOp::equal : CigarOp::different, static_cast<std::uint32_t>(letters));
                k += letters;
            }
        });
        i -= static_cast<std::uint32_t>(go);
        j -= static_cast<std::uint32_t>(go);
        if (go > 0) {
            if constexpr (cells * bits <= 32)
                here = lanes.of(packed, (go - 1) / cells) >> (bits * ((go - 1) % cells)) & matrix.mask;
            else
                here = matrix(i, j);
        }
        if (go == 32 || i == 0 || j == 0)
            continue;

        // A gap: half of the lanes look up, the others left.
        Bits next;
        Numbers sum;
        lanes.each([&](int l) {
            bool const up = l < half;
            std::uint32_t const k = static_cast<std::uint32_t>(l % half + 1);
            next[l] = k <= (up ? i : j) ? (up ? matrix(i - k, j) : matrix(i, j - k)) : 0;
        });
        Bits const from = lanes.from_before(next, here, half);
        lanes.each([&](int l) { sum[l] = matrix.rise(next[l], from[l], -s.drift, lowest); });
        lanes.add_up(sum, half);
        std::uint32_t const ends = lanes.vote([&](int l) {
            int const k = l % half + 1;
            return k > static_cast<int>(l < half ? i : j) || sum[l] < k * s.extend;
        });
        std::uint32_t const hits = lanes.vote([&](int l) { return sum[l] == s.open + (l % half + 1) * s.extend; });
        int found = detail::longest(hits & half_mask, ends & half_mask);
        if ((ends & half_mask) == 0)
            found = further(true, half, lanes.of(sum, half - 1), lanes.of(next, half - 1), found);
        if (found > 0) {
            lanes.first([&] { runs.add(CigarOp::insertion, static_cast<std::uint32_t>(found)); });
            i -= static_cast<std::uint32_t>(found);
        } else {
            found = detail::longest(hits >> half, ends >> half);
            if (ends >> half == 0)
                found = further(false, half, lanes.of(sum, L::count - 1), lanes.of(next, L::count - 1), found);
            if (found == 0)
                break; // local: the path begins here
            lanes.first([&] { runs.add(CigarOp::deletion, static_cast<std::uint32_t>(found)); });
            j -= static_cast<std::uint32_t>(found);
        }
        here = matrix(i, j);
    }
    cell = {i, j};
}

// What a path needs beyond its last letters of both sequences, and where it begins.
__host__ __device__ inline Cell finish(WalkScheme const & scheme, Cell cell, Runs & runs)
{
    if (!scheme.local && !scheme.free_query_begin && cell.i > 0) {
        runs.add(CigarOp::insertion, cell.i);
        cell.i = 0;
    }
    if (!scheme.local && !scheme.free_target_begin && cell.j > 0) {
        runs.add(CigarOp::deletion, cell.j);
        cell.j = 0;
    }
    runs.flush();
    return cell;
}

} // namespace nwgpu::cuda::batch
