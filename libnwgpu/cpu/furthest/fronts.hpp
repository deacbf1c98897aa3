// SPDX-License-Identifier: BSD-3-Clause
// Furthest-reaching points as the kernel computes them (fronts.cpp): plain data.  After Ukkonen (1985) and Myers
// (1986), with affine gaps after Marco-Sola et al. (2021, doi:10.1093/bioinformatics/btaa777).
//
// Penalties take the place of scores (penalties.hpp): columns of equal letters cost nothing, a mismatch x, a gap of k
// letters o + k g.  Diagonal k holds the cells (i, j) with j - i = k.  The front of penalty s says for each diagonal
// how far s leads on it: to the largest j with D(i, j) <= s, and so to every cell before (docs/proofs.md, lemma 23).
//
//   E(s, k) = max(M(s - o - g, k - 1), E(s - g, k - 1)) + 1        a deletion: one letter of the target
//   F(s, k) = max(M(s - o - g, k + 1), F(s - g, k + 1))            an insertion: one letter of the query
//   M(s, k) = max(M(s - x, k) + 1, E(s, k), F(s, k), M(s - 1, k)), and on over equal letters, to the end of the
//   diagonal
#pragma once

#include <cstdint>

namespace nwgpu::cpu {

// One front that was kept for the path.
struct KeptFront {
    // [high - low + 1]: `base` and the target letters before the furthest cell; of unit costs perhaps some letters more
    // than the diagonal has.
    void const * reach = nullptr;
    std::int64_t low = 0, high = -1;
    std::int64_t rows = 0, columns = 0; // as those of Fronts; not of unit costs
};

// The query cut into words of equal lengths, and what the rest of a path costs at least (seed_bound.hpp): a word that
// occurs on no diagonal that matters is lost; one that occurs once, where a front has passed, is lost to all cells that
// are reached later (docs/proofs.md, lemma 29).
struct Words {
    static constexpr std::int32_t lost = INT32_MIN, often = INT32_MAX;

    std::int64_t count = 0;                      // 0: nothing is known
    int bits = 0;                                // a word has 2^bits letters
    std::int32_t const * diagonals = nullptr;    // [count]: where it occurs
    std::int32_t const * costs = nullptr;        // [count + more]: of the lost ones from this one on
    std::int32_t const * often_before = nullptr; // [count + more]: so many before this one occur often
    std::int64_t one = 0, two = 0;               // costs of a lost word, and of two, at least
    std::int64_t total = 0;                      // penalty of the whole path, at most
    std::int64_t passed = 0;                     // state: words before this one are lost, passed, or occur often

    static constexpr std::int64_t more =
        4; // numbers of fronts are up to 8 letters beyond the end, words have 4 or more

    // From a row on.
    std::int64_t rest(std::int64_t row) const
    {
        std::int64_t const word = (row + (std::int64_t{1} << bits) - 1) >> bits;
        if (word >= passed)
            return costs[word];
        std::int64_t const behind = passed - word - (often_before[passed] - often_before[word]);
        std::int64_t const cost = behind / 2 * two + behind % 2 * one + costs[passed];
        return cost > costs[word] ? cost : costs[word];
    }
};

struct Fronts {
    // The problem.  64 letters can be read beyond the ends.
    std::uint8_t const * query = nullptr;
    std::uint8_t const * target = nullptr;
    std::int64_t m = 0, n = 0;
    std::int64_t mismatch = 0, open = 0, extend = 0; // x, o and g

    // Where numbers lie, of 16 or 32 bits, diagonal `first` at entry 0: rings of fronts, as many as a power of two.
    // There is room for `front_block` more than can be reached on either side.
    std::int64_t first = 0, stride = 0;         // diagonals
    std::int64_t ring = 0, gap_ring = 0;        // fronts
    void * m_ring = nullptr;                    // [ring][stride]; more than x and o + g fronts
    void *e_ring = nullptr, *f_ring = nullptr;  // [gap_ring][stride]; more than g fronts; only if o > 0
    void * limits = nullptr;                    // [stride]: `base` and the target letters before the diagonal's end
    std::int64_t base = 0;                      // what stands for 0 letters; numbers below are cells not reached
    std::int64_t ready_low = 0, ready_high = 0; // entries of these diagonals are initialised; high is not one of them

    // Which diagonals are left out: those from which the end costs more than `most` in all; and, if `lag` is not 0, the
    // outermost ones that are more than `lag` letters behind, which makes D an upper bound (docs/proofs.md, lemma 24).
    // `toward`: the end's diagonal, or that of a cell, which then takes the place of the end.
    std::int64_t toward = 0, most = INT64_MAX / 4, lag = 0;
    // If there are words: left out are also the outermost diagonals from which a whole path would cost more than
    // words.total.
    Words words;

    // Points may be missing on diagonals between others that are not: fronts that are computed again.
    bool has_gaps = false;

    // The kernel ends when the end is reached, before front `until`, before more than `points` would be computed; of
    // unit costs also when no diagonal is left.  Other fronts may have none, high being less than low, until a gap
    // leads to one again.
    std::int64_t until = 0, points = 0; // `points` is counted down
    KeptFront * kept = nullptr;         // [until - first_kept], or null
    std::int64_t first_kept = 0;        // front
    // If `kept`, for `points` numbers and front_block more (unit costs: front_block per front, and three more); moves
    // on.
    void * room = nullptr;

    // State, and what comes out.
    std::int64_t s = 0; // fronts computed so far
    std::int64_t low = 0, high = 0;
    std::int64_t rows = 0,
                 columns = 0; // the most letters of the query, and of the target, before any cell reached so far
    bool done = false;        // the end has penalty s - 1
    bool is_over = false;     // unit costs: no diagonal is left
    // Unit costs: the last front, which begins with diagonal front_low.
    void * front = nullptr;
    std::int64_t front_low = 0, front_high = -1;

    std::int64_t rings() const { return ring + 2 * gap_ring; } // fronts
    // What has not led on from a diagonal before front s was reached by front s - wait() or later.
    std::int64_t wait() const { return (mismatch > open + extend ? mismatch : open + extend) - 1; }
    // Whether no path that costs words.total leads on from diagonal k, of which `number` is that of front s; it may be
    // inside a gap that is open.
    bool is_too_far(std::int64_t k, std::int64_t number) const
    {
        return s - wait() + words.rest(number - base - k) > words.total + open;
    }
    // `numbers`, of diagonals low .. high, of front s - wait() - 1.
    template <class T>
    void pass_words(T const * numbers, std::int64_t low, std::int64_t high)
    {
        for (; words.passed < words.count; ++words.passed) {
            std::int64_t const k = words.diagonals[words.passed];
            bool const is_reached = low <= k && k <= high && numbers[k] - base >= (words.passed << words.bits) + k;
            if (k != Words::lost && k != Words::often && !is_reached)
                return;
        }
    }
};

constexpr std::int64_t front_block = 64; // entries: no vector has more

} // namespace nwgpu::cpu
