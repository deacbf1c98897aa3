// SPDX-License-Identifier: BSD-3-Clause
// What strips share through global memory: boundaries, progress, the best score so far.
#pragma once

#include "cuda/kernels/sweep_job.hpp"

#include <cuda_runtime.h>

namespace nwgpu::cuda {

// Progress of another strip.  The boundary is read around the first-level cache and only after this load has
// returned; its writer has made it visible before it published the progress.
__device__ inline std::uint32_t load_progress(std::uint32_t const * at)
{
#ifdef __CUDACC__
    std::uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
#else
    return *at; // emulated threads run one at a time
#endif
}
__device__ inline void store_release(std::uint32_t * at, std::uint32_t value)
{
#ifdef __CUDACC__
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#else
    *at = value;
#endif
}

// Boundaries pass from one multiprocessor to another: they go around the first-level caches.
__device__ inline Kept<std::int32_t> load_kept(Kept<std::int32_t> const * at) { return {__ldcg(&at->word)}; }
__device__ inline Kept<std::int64_t> load_kept(Kept<std::int64_t> const * at)
{
    longlong2 const value = __ldcg(reinterpret_cast<longlong2 const *>(at));
    return {value.x, value.y};
}
template <class Score>
__device__ Entry<Score> load_entry(KeptCode<Score> const & code, Kept<Score> const * at)
{
    return code.show(load_kept(at));
}
__device__ inline void store_entry(KeptCode<std::int32_t> const & code, Kept<std::int32_t> * at,
                                   Entry<std::int32_t> entry)
{
    __stcg(&at->word, code.keep(entry).word);
}
__device__ inline void store_entry(KeptCode<std::int64_t> const & code, Kept<std::int64_t> * at,
                                   Entry<std::int64_t> entry)
{
    Kept<std::int64_t> const kept = code.keep(entry);
    __stcg(reinterpret_cast<longlong2 *>(at), make_longlong2(kept.h, kept.gap));
}

// The highest value of a warp's lanes.
__device__ inline std::int32_t warp_max(std::int32_t value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, value);
#else
    for (int apart = 16; apart > 0; apart /= 2)
        value = max(value, __shfl_xor_sync(~0u, value, apart));
    return value;
#endif
}

// Top and bottom boundary of a strip.
template <class Field, class Score>
__device__ Kept<Score> * line_below(SweepJob<Score> const & job, std::uint32_t strip)
{
    bool const last = (strip + 1) * Field::strip_rows >= job.rows;
    if (last || job.strips_apart == 0 || (strip + 1) % job.strips_apart != 0)
        return job.work;
    return job.row_cuts + static_cast<std::int64_t>((strip + 1) / job.strips_apart - 1) * job.row_stride;
}

template <class Field, class Score>
__device__ Kept<Score> const * line_above(SweepJob<Score> const & job, std::uint32_t strip)
{
    return strip == 0 ? job.top : line_below<Field>(job, strip - 1);
}

// The kept boundary right of this many columns.
template <class Score>
__device__ Kept<Score> * col_cut(SweepJob<Score> const & job, std::uint32_t cols)
{
    return job.col_cuts + static_cast<std::int64_t>(cols / job.cols_apart - 1) * job.col_stride;
}

template <class Score>
__device__ bool stopped(SweepArgs<Score> const & args, int lane)
{
    return __shfl_sync(~0u, lane == 0 ? load_progress(args.stop) : 0, 0) != 0;
}

// Whether nothing is computed beside the job that a strip has to wait for.
template <class Score>
__device__ bool has_whole_top(SweepJob<Score> const & job, std::uint32_t strip)
{
    return strip == 0 && !job.top_comes;
}

// Until the strip above has published this many columns; `there`: those known of, all of them if it has_whole_top().
template <class Score>
__device__ bool wait_for_strip_above(SweepArgs<Score> const & args, SweepJob<Score> const & job, std::uint32_t strip,
                                     std::uint32_t cols, int lane, std::uint32_t & there)
{
    for (unsigned tries = 0; there < cols; ++tries) {
        if (tries > 0)
            __nanosleep(20);
        if (tries % 64 == 63 && stopped(args, lane))
            return false;
        std::uint32_t const * const above = args.progress + job.first_strip + strip - 1;
        there = __shfl_sync(~0u, lane == 0 ? load_progress(above) : 0, 0);
    }
    return true;
}

} // namespace nwgpu::cuda
