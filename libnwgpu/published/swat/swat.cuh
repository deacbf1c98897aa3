// SPDX-License-Identifier: BSD-3-Clause
// What the CUDA algorithms of paper C share: three states a cell (see swat_serial.cpp for the recurrence), kept for the
// whole matrix, its borders included, one minor diagonal after another ("diagonal-major"), each from its top row down:
//
//     (0,0) | (0,1) (1,0) | (0,2) (1,1) (2,0) | ...       with `aligned` every diagonal begins at a multiple of 16
//
// All threads of a launch share the cells of a diagonal and keep the best cell they have seen (find_max); the host
// picks the best of them, copies the matrix, and walks back.
#pragma once

#include "base/ceil_div.hpp"
#include "published/parts/launch.cuh"
#include "published/parts/stored_matrix.hpp"

namespace nwgpu::published {

struct Swat {
    std::uint8_t const * query;
    std::uint8_t const * target;
    Score const * scores;
    std::uint32_t target_letters;
    Affine affine;
    std::uint64_t m, n;
    Score *N, *W, *NW;           // the three states of all cells
    std::uint64_t const * start; // [m + n + 2], of each diagonal
    Best * best;                 // [threads]

    __host__ __device__ std::uint64_t top(std::uint64_t d) const { return d > n ? d - n : 0; }
    __host__ __device__ std::uint64_t cells(std::uint64_t d) const { return (d < m ? d : m) - top(d) + 1; }
    __host__ __device__ std::uint64_t index(std::uint64_t i, std::uint64_t j) const
    {
        return start[i + j] + i - top(i + j);
    }
    __host__ __device__ Score h(std::uint64_t k) const { return larger(NW[k], larger(N[k], W[k])); }
};

// The cells of diagonal d that are the thread's.
__device__ inline void compute_diagonal(Swat const & s, std::uint64_t d)
{
    Best best = s.best[thread_number()];
    for (std::uint64_t k = thread_number(); k < s.cells(d); k += thread_count()) {
        std::uint64_t const i = s.top(d) + k, j = d - i, here = s.start[d] + k;
        if (i == 0 || j == 0) {
            s.N[here] = s.W[here] = minus_infinity;
            s.NW[here] = s.affine.border(static_cast<std::int64_t>(d));
            continue;
        }
        std::uint64_t const up = s.index(i - 1, j), left = s.index(i, j - 1), diagonal = s.index(i - 1, j - 1);
        Score const score = s.scores[s.query[i - 1] * s.target_letters + s.target[j - 1]];
        Score const n = s.affine.gap(s.h(up), s.N[up]), w = s.affine.gap(s.h(left), s.W[left]);
        Score const nw = larger(s.h(diagonal) + score, s.affine.floor);
        s.N[here] = n;
        s.W[here] = w;
        s.NW[here] = nw;
        best.consider(larger(nw, larger(n, w)), static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
    }
    s.best[thread_number()] = best;
}

// Device memory of one pair, and the way back.
class SwatMemory {
public:
    SwatMemory(GpuTask const & task, bool aligned, std::uint64_t threads) :
        task_{task},
        starts_{make_starts(task.task.pair, aligned)},
        start_{task.device, starts_},
        N_{task.device, size()},
        W_{task.device, size()},
        NW_{task.device, size()},
        best_{task.device, std::vector<Best>(threads)}
    {
        for (DeviceArray<Score> const * const states : {&N_, &W_, &NW_})
            clear(task.device, *states); // what lies between diagonals is copied, too
    }

    Swat swat() const
    {
        PairView const & pair = task_.task.pair;
        return {task_.query, task_.target, task_.scores, task_.target_letters, affine_of(task_.task), pair.m,
                pair.n,      N_.data(),    W_.data(),    NW_.data(),           start_.data(),         best_.data()};
    }

    PairResult finish() const
    {
        std::vector<Best> found(best_.size());
        task_.device.download(found.data(), best_.data(), best_.bytes());
        Best best;
        for (Best const & of_thread : found)
            best.consider(of_thread);

        Swat host = swat();
        host.start = starts_.data();
        std::uint64_t const last = host.index(host.m, host.n);
        if (!task_.task.traced()) {
            Score states[3];
            task_.device.download(&states[0], N_.data() + last, sizeof(Score));
            task_.device.download(&states[1], W_.data() + last, sizeof(Score));
            task_.device.download(&states[2], NW_.data() + last, sizeof(Score));
            return affine_end(task_.task, larger(states[0], larger(states[1], states[2])), best);
        }
        std::unique_ptr<Score[]> const N = download(N_), W = download(W_), NW = download(NW_);
        host.N = N.get();
        host.W = W.get();
        host.NW = NW.get();
        auto const h = [&](std::uint64_t i, std::uint64_t j) { return host.h(host.index(i, j)); };
        auto const e = [&](std::uint64_t i, std::uint64_t j) { return host.W[host.index(i, j)]; };
        auto const f = [&](std::uint64_t i, std::uint64_t j) { return host.N[host.index(i, j)]; };
        PairResult result = affine_end(task_.task, host.h(last), best);
        trace_plain(task_.task,
                    AffineBits<decltype(h), decltype(e), decltype(f)>{h, e, f, task_.task.pair, task_.task.scoring},
                    result);
        return result;
    }

private:
    static std::vector<std::uint64_t> make_starts(PairView const & pair, bool aligned)
    {
        Swat shape{};
        shape.m = pair.m;
        shape.n = pair.n;
        std::vector<std::uint64_t> starts{0};
        for (std::uint64_t d = 0; d <= pair.m + pair.n; ++d) {
            std::uint64_t const end = starts.back() + shape.cells(d);
            starts.push_back(aligned ? ceil_div(end, 16) * 16 : end);
        }
        return starts;
    }
    std::uint64_t size() const { return starts_.back(); }
    std::unique_ptr<Score[]> download(DeviceArray<Score> const & from) const
    {
        auto memory = std::make_unique_for_overwrite<Score[]>(from.size());
        task_.device.download(memory.get(), from.data(), from.bytes());
        return memory;
    }

    GpuTask const & task_;
    std::vector<std::uint64_t> starts_;
    DeviceArray<std::uint64_t> start_;
    DeviceArray<Score> N_, W_, NW_;
    DeviceArray<Best> best_;
};

struct SwatGrid {
    unsigned blocks, threads;
    explicit SwatGrid(GpuTask const & task) :
        blocks{static_cast<unsigned>(task.value("blocks"))}, threads{static_cast<unsigned>(task.value("threads"))}
    {
        if (blocks == 0)
            blocks = static_cast<unsigned>(task.device.multiprocessors());
    }
};

namespace {

__global__ void swat_diagonal(Swat s, std::uint64_t d) { compute_diagonal(s, d); }

} // namespace

// swat-offload and swat-coalesced: one launch a diagonal.
inline PairResult swat_by_launches(GpuTask const & task, bool aligned)
{
    SwatGrid const grid{task};
    SwatMemory const memory{task, aligned, std::uint64_t{grid.blocks} * grid.threads};
    Swat const s = memory.swat();
    for (std::uint64_t d = 0; d <= s.m + s.n; ++d)
        launch(task.device, swat_diagonal, {grid.blocks, grid.threads}, s, d);
    return memory.finish();
}

} // namespace nwgpu::published
