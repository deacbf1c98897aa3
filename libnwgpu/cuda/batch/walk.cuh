// SPDX-License-Identifier: BSD-3-Clause
// The end of an alignment, and the path of the tie rule from there, from nothing but residues: H modulo 16 or 256 of
// each cell, with the drift and the zero of its scheme.  Why they are enough: docs/proofs.md, lemma 26.  What a ring
// does not have attains no score (lemma 28); a walk that asks for what a chain has not stored is given up.  A thread
// per pair; tests on the host run the same code.  Reads of several cells are begun together wherever the next cells are
// known before their numbers are, since a read takes as long as hundreds of instructions.
#pragma once

#include <bit>
#include <cstdint>

#include "cuda/batch/job.hpp"
#include "cuda/batch/residues.hpp"
#include "model/cigar.hpp"

namespace nwgpu::cuda::batch {

struct Cell {
    std::uint32_t i = 0, j = 0;
};

// A pair as a walk sees it: cells count from 1, row and column 0 are the border.
template <int bits, bool chains = false>
struct Matrix {
    static constexpr std::uint32_t mask = (1u << bits) - 1;

    WalkScheme const & scheme;
    Residues<bits, chains> residues;
    std::uint8_t const *query, *target; // readable 16 letters before the first and 8 behind the last
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

// The highest H of the cells (0, j) .. (m, j), or (i, 0) .. (i, n), and the first that has it; i or j is not 0.
template <bool down, int bits, bool chains>
__host__ __device__ LineBest best_of_line(Matrix<bits, chains> const & matrix, std::uint32_t line)
{
    constexpr std::uint32_t at_once = 8;
    std::uint32_t const length = down ? matrix.m : matrix.n;
    int const lowest = -(matrix.scheme.open + matrix.scheme.extend);
    LineBest best{down ? matrix.border(0, line) : matrix.border(line, 0), 0};
    int h = best.score;
    std::uint32_t before = down ? matrix(0, line) : matrix(line, 0);
    for (std::uint32_t k = 0; k < length; k += at_once) {
        std::uint32_t next[at_once];
#pragma unroll
        for (std::uint32_t c = 0; c < at_once; ++c)
            next[c] = k + c >= length ? 0 : down ? matrix.residues(k + c, line - 1) : matrix.residues(line - 1, k + c);
#pragma unroll
        for (std::uint32_t c = 0; c < at_once; ++c) {
            h += matrix.rise(next[c], before, matrix.scheme.drift, lowest);
            before = next[c];
            if (k + c < length && h > best.score)
                best = {h, k + c + 1};
        }
    }
    return best;
}

// Of a pair whose ends are free: candidates in column-major order.
template <int bits, bool chains>
__host__ __device__ int find_end(Matrix<bits, chains> const & matrix, Cell & end)
{
    LineBest best{-(1 << 30), 0};
    end = {matrix.m, matrix.n};
    if (matrix.scheme.free_target_end) {
        best = best_of_line<false>(matrix, matrix.m);
        end.j = best.at;
    }
    if (matrix.scheme.free_query_end) {
        LineBest const other = best_of_line<true>(matrix, matrix.n);
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
        if (letters > 0 && next != op) {
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

// Zero bytes before the first other one, from the most significant byte on; 4: all are zero.
__host__ __device__ inline std::uint32_t bytes_from_the_top(std::uint32_t bytes)
{
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__clz(static_cast<int>(bytes))) / 8;
#else
    return static_cast<std::uint32_t>(std::countl_zero(bytes)) / 8;
#endif
}

// Ones from the least significant bit on, before the first zero.
__host__ __device__ inline std::uint32_t ones_from_the_end(std::uint32_t bits)
{
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__ffs(static_cast<int>(~bits))) - 1;
#else
    return static_cast<std::uint32_t>(std::countr_one(bits));
#endif
}

// Nobody knows, since not all cells are stored.
constexpr std::uint32_t unknown = UINT32_MAX;

// How many letters the insertion (up) or deletion has that ends in (i, j), whose residue is `here`; 0: there is none.
// It is the longest one that attains the score.
template <bool up, int bits, bool chains>
__host__ __device__ std::uint32_t gap_letters(Matrix<bits, chains> const & matrix, std::uint32_t i, std::uint32_t j,
                                              std::uint32_t here)
{
    constexpr std::uint32_t at_once = 4;
    WalkScheme const & s = matrix.scheme;
    int const lowest = -(s.best + s.open + s.extend);
    std::uint32_t const first = up ? matrix.residues.first_row(j) : matrix.residues.first_column(i),
                        most = (up ? i : j) - first;
    std::uint32_t found = 0;
    int height = 0; // of the last cell over (i, j)
    for (std::uint32_t known = 0; known < most; known += at_once) {
        std::uint32_t next[at_once];
#pragma unroll
        for (std::uint32_t c = 0; c < at_once; ++c) {
            std::uint32_t const k = known + c + 1;
            next[c] = k <= most ? (up ? matrix(i - k, j) : matrix(i, j - k)) : 0;
        }
#pragma unroll
        for (std::uint32_t c = 0; c < at_once; ++c) {
            auto const k = static_cast<int>(known + c + 1);
            height += matrix.rise(next[c], here, -s.drift, lowest);
            here = next[c];
            if (k > static_cast<int>(most))
                break;
            if (height < k * s.extend)
                return found;
            if (height == s.open + k * s.extend)
                found = known + c + 1;
        }
    }
    return matrix.residues.has_all() || first == 0 ? found : unknown;
}

} // namespace detail

// Where a walk is.
template <int bits, bool chains>
struct Walker {
    Matrix<bits, chains> const & matrix;
    Runs & runs;
    std::uint32_t i, j, here; // residue of (i, j)
    bool lost = false;        // what is asked for is not stored

    __host__ __device__ bool is_inside() const { return i > 0 && j > 0; }

    // Of a uniform scheme: the diagonal attains H wherever letters are equal, so no cell is read there; before the
    // first pair of different letters, one is.  True: the walk may go on along the diagonal.
    __host__ __device__ bool follow_equal_letters()
    {
        WalkScheme const & s = matrix.scheme;
        constexpr std::uint32_t at_once = 8;
        std::uint32_t different =
            detail::bytes_from_the_top(detail::four_letters(matrix.query, static_cast<int>(i) - 4) ^
                                       detail::four_letters(matrix.target, static_cast<int>(j) - 4));
        if (different == 4)
            different += detail::bytes_from_the_top(detail::four_letters(matrix.query, static_cast<int>(i) - 8) ^
                                                    detail::four_letters(matrix.target, static_cast<int>(j) - 8));
        std::uint32_t const equal = min(different, min(i, j));
        if (equal > 0) {
            runs.add(s.letters_apart ? CigarOp::equal : CigarOp::match, equal);
            i -= equal;
            j -= equal;
            here = (here - equal * static_cast<std::uint32_t>(s.best + 2 * s.drift)) & Matrix<bits, chains>::mask;
        }
        if (equal == at_once || !is_inside())
            return true;
        if (bool const all = matrix.residues.has_all();
            !matrix.residues.has(i - 1, j - 1) || (!all && !matrix.residues.has(i, j))) {
            lost = !all;
            return false;
        }
        std::uint32_t const before = matrix(i - 1, j - 1);
        if (((here - before - static_cast<std::uint32_t>(s.worst + 2 * s.drift)) & Matrix<bits, chains>::mask) != 0)
            return false;
        runs.add(s.letters_apart ? CigarOp::different : CigarOp::match, 1);
        --i;
        --j;
        here = before;
        return true;
    }

    // The same of other schemes, whose cells are all read.
    __host__ __device__ bool follow_diagonal()
    {
        WalkScheme const & s = matrix.scheme;
        constexpr std::uint32_t at_once = 8;
        // Of (i - 1, j - 1), (i - 2, j - 2) ...: the first `inner` of them are not on the border, the next one is.
        std::uint32_t const inner = min(i, j) - 1, edge = inner < at_once ? matrix(i - 1 - inner, j - 1 - inner) : 0,
                            rises = static_cast<std::uint32_t>(2 * s.drift);
        std::uint32_t before[at_once], query[2], target[2]; // letters: the next four, and the four before these
#pragma unroll
        for (std::uint32_t c = 0; c < at_once; ++c)
            before[c] = c < inner ? matrix.residues(i - 2 - c, j - 2 - c) : edge;
#pragma unroll
        for (int w = 0; w < 2; ++w) {
            query[w] = detail::four_letters(matrix.query, static_cast<int>(i) - 4 * (w + 1));
            target[w] = detail::four_letters(matrix.target, static_cast<int>(j) - 4 * (w + 1));
        }
        std::uint32_t attain = 0, equal = 0; // a bit for each cell
#pragma unroll
        for (std::uint32_t c = 0; c < at_once; ++c) {
            std::uint32_t const a = query[c / 4] >> (24 - c % 4 * 8) & 0xff,
                                b = target[c / 4] >> (24 - c % 4 * 8) & 0xff;
            bool const is_there = c <= inner;
            auto const score = static_cast<std::uint32_t>(matrix.scores[is_there ? a * matrix.letters + b : 0]);
            std::uint32_t const rise = (c == 0 ? here : before[c - 1]) - before[c] - score - rises;
            attain |= (is_there && (rise & Matrix<bits, chains>::mask) == 0 ? 1u : 0u) << c;
            equal |= (a == b ? 1u : 0u) << c;
        }
        std::uint32_t const count = detail::ones_from_the_end(attain);
        for (std::uint32_t done = 0; done < count;) {
            std::uint32_t const rest = equal >> done, first = rest & 1;
            std::uint32_t const run =
                s.letters_apart ? min(detail::ones_from_the_end(first != 0 ? rest : ~rest), count - done) : count;
            runs.add(!s.letters_apart ? CigarOp::match : first != 0 ? CigarOp::equal : CigarOp::different, run);
            done += run;
        }
#pragma unroll
        for (std::uint32_t c = 0; c < at_once; ++c)
            here = c < count ? before[c] : here;
        i -= count;
        j -= count;
        return count == min(at_once, inner + 1);
    }

    // False: there is none.
    __host__ __device__ bool follow_gap()
    {
        std::uint32_t const up = detail::gap_letters<true>(matrix, i, j, here);
        lost = up == detail::unknown;
        if (lost)
            return false;
        if (up > 0) {
            runs.add(CigarOp::insertion, up);
            i -= up;
        } else {
            std::uint32_t const left = detail::gap_letters<false>(matrix, i, j, here);
            lost = left == detail::unknown;
            if (left == 0 || lost)
                return false;
            runs.add(CigarOp::deletion, left);
            j -= left;
        }
        here = matrix(i, j);
        return true;
    }
};

// From (i, j), whose column and row are not 0, until the path has its begin; the border's last gap is not among the
// runs.  False: the path leaves what is stored.
template <int bits, bool chains>
__host__ __device__ bool walk(Matrix<bits, chains> const & matrix, Cell & cell, Runs & runs)
{
    Walker<bits, chains> at{matrix, runs, cell.i, cell.j, matrix(cell.i, cell.j)};
    while (at.is_inside()) {
        if (matrix.scheme.uniform ? at.follow_equal_letters() : at.follow_diagonal())
            continue;
        if (at.lost || !at.follow_gap())
            break; // local: the path begins here
    }
    cell = {at.i, at.j};
    return !at.lost;
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
