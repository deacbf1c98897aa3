// SPDX-License-Identifier: BSD-3-Clause
// Matrices that are kept whole, and trace `plain`: the walk over stored scores by the common tie rule.  Trace bits are
// not stored, they are what the scores around a cell tell.
#pragma once

#include <memory>

#include "path/walk.hpp"
#include "published/parts/recurrence.hpp"
#include "published/parts/task.hpp"

namespace nwgpu::published {

// Row by row, with row 0 and column 0.  Not initialised.
class StoredMatrix {
public:
    StoredMatrix(std::uint64_t rows, std::uint64_t cols) :
        stride_{cols + 1}, cells_{std::make_unique_for_overwrite<Score[]>((rows + 1) * stride_)}
    {}
    Score * row(std::uint64_t i) const { return cells_.get() + i * stride_; }
    Score & operator()(std::uint64_t i, std::uint64_t j) const { return row(i)[j]; }
    std::uint64_t stride() const { return stride_; }

private:
    std::uint64_t stride_;
    std::unique_ptr<Score[]> cells_;
};

// Linear gaps.  h(i, j) is H; a gap ends where it is better to open one, that is where no gap attains H.
template <class H>
struct LinearBits {
    H const & h;
    PairView const & pair;
    Scoring const & scoring;

    Score extend() const { return static_cast<Score>(scoring.gap().extend); }
    bool diagonal(std::uint64_t i, std::uint64_t j) const
    {
        return h(i, j) == h(i - 1, j - 1) + scoring.score(pair.query[i - 1], pair.target[j - 1]);
    }
    bool vertical(std::uint64_t i, std::uint64_t j) const { return h(i, j) == h(i - 1, j) - extend(); }
    bool horizontal(std::uint64_t i, std::uint64_t j) const { return h(i, j) == h(i, j - 1) - extend(); }
    bool f_opens(std::uint64_t i, std::uint64_t j) const { return !vertical(i, j); }
    bool e_opens(std::uint64_t i, std::uint64_t j) const { return !horizontal(i, j); }
};

// Affine gaps.  h, e and f are functions of (i, j).
template <class H, class E, class F>
struct AffineBits {
    H const & h;
    E const & e;
    F const & f;
    PairView const & pair;
    Scoring const & scoring;

    Score open() const { return static_cast<Score>(scoring.gap().open); }
    bool diagonal(std::uint64_t i, std::uint64_t j) const
    {
        return h(i, j) == h(i - 1, j - 1) + scoring.score(pair.query[i - 1], pair.target[j - 1]);
    }
    bool vertical(std::uint64_t i, std::uint64_t j) const { return h(i, j) == f(i, j); }
    bool horizontal(std::uint64_t i, std::uint64_t j) const { return h(i, j) == e(i, j); }
    bool f_opens(std::uint64_t i, std::uint64_t j) const { return h(i, j) - open() > f(i, j); }
    bool e_opens(std::uint64_t i, std::uint64_t j) const { return h(i, j) - open() > e(i, j); }
};

// Walks back from the end that `result` has, to its begin and runs.
template <class Bits>
void trace_plain(Task const & task, Bits const & bits, PairResult & result)
{
    path::Cursor cursor{result.span.query_end, result.span.target_end};
    CigarBuilder cigar;
    path::walk(bits, 0, 0, task.pair, task.request.style, task.request.mode.local, cursor, cigar);
    path::finish(task.request.mode, cursor, cigar, result);
}

// Of a global alignment with linear gaps.
template <class H>
PairResult finish_linear(Task const & task, H const & h)
{
    PairResult result;
    result.score = h(task.pair.m, task.pair.n);
    result.span = {0, task.pair.m, 0, task.pair.n};
    if (task.traced())
        trace_plain(task, LinearBits<H>{h, task.pair, task.scoring}, result);
    return result;
}

// Score and end of an affine alignment: the last cell, or the best one if it is local.
inline PairResult affine_end(Task const & task, Score last, Best const & best)
{
    PairResult result;
    bool const local = task.request.mode.local;
    result.score = local ? best.score : last;
    result.span = local ? AlignedSpan{0, best.i, 0, best.j} : AlignedSpan{0, task.pair.m, 0, task.pair.n};
    return result;
}

inline Affine affine_of(Task const & task)
{
    bool const local = task.request.mode.local;
    return {task.open(), task.extend(), local ? 0 : minus_infinity, local};
}

} // namespace nwgpu::published
