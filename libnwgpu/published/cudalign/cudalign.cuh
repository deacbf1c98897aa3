// SPDX-License-Identifier: BSD-3-Clause
// Paper D, 5: CUDAlign.  B blocks of T threads, 4 rows (alpha) a thread, in linear memory.  A block computes a strip of
// 4 T rows and C = n / B columns; blocks b of strips s with s + b = D are one external diagonal D.  Inside, thread t is
// t columns behind thread 0, so that a step is an internal diagonal.
//
//     strip 0  |D0 |D1 |D2 |
//     strip 1  |D1 |D2 |D3 |
//     strip 2  |D2 |D3 |D4 |
//
// H and F of a strip's last row go down by the horizontal bus, one entry a column; H and E of a block's last columns go
// right by the vertical bus, one entry a thread; inside a block a thread hands H and F down through shared memory.
//
// Cell delegation: a block makes exactly C steps, each with all threads at work.  What its lower threads have not
// reached then, the next block of the strip finishes in its first T - 1 steps; the last block's rest is block 0's, B
// strips later:
//
//     thread 0  # # # # # #|              block b ends like this; then block b + 1, or block 0 in strip s + B
//     thread 1  - # # # # #|#
//     thread 2  - - # # # #|# #
//
// Phase division: a block must not read the horizontal bus where another block of the same diagonal has still to write.
// So a diagonal is two launches: the short phase makes the T - 1 steps of delegated cells, the long phase all others.
// C >= 2 T makes that right; with one block nobody waits for another and C >= T is enough.
//
// The vertical bus exists twice: the short phase reads the neighbour's entries and writes its own into the other one,
// the long phase takes them back.
//
// For the path some rows of the horizontal bus are kept ("special rows"): what a diagonal has made of them is copied
// behind it.  special_rows.hpp walks back over them.
//
// A run that saves checkpoints sweeps slab by slab (slabs.hpp): all external diagonals of some strips, then of those
// below, with what the horizontal bus holds of the row between.
#pragma once

#include "published/cudalign/slabs.hpp"
#include "published/parts/affine_pair.cuh"

namespace nwgpu::published {

namespace cudalign_kernels {

constexpr unsigned alpha = 4;
constexpr unsigned state_words = 2 * alpha + 2;

struct Cudalign {
    AffinePair pair; // m: where the slab ends
    unsigned blocks, threads;
    std::int64_t columns;  // of a block (C)
    std::int64_t above;    // letters of the query above the slab
    std::int64_t strips;   // of the slab
    BusEntry * horizontal; // [blocks * columns]
    Score * vertical[2];   // [state_words][blocks * threads]
    Best * best;           // [blocks * threads]
    Score * last;          // H(m, n)
    BusEntry * special;    // [special rows][width()], every `apart` strips of the slab
    std::int64_t apart;
    __host__ __device__ std::int64_t width() const { return blocks * columns; }
};

// One thread's K-neighbourhood: what its next column needs of the last one.
struct Neighbourhood {
    Score h[alpha], e[alpha];
    Score diagonal; // H above the first row
    Score f;        // of the last row

    __device__ void load(Score const * bus, unsigned entries, unsigned entry)
    {
        for (unsigned r = 0; r < alpha; ++r) {
            h[r] = bus[r * entries + entry];
            e[r] = bus[(alpha + r) * entries + entry];
        }
        diagonal = bus[2 * alpha * entries + entry];
        f = bus[(2 * alpha + 1) * entries + entry];
    }
    __device__ void store(Score * bus, unsigned entries, unsigned entry) const
    {
        for (unsigned r = 0; r < alpha; ++r) {
            bus[r * entries + entry] = h[r];
            bus[(alpha + r) * entries + entry] = e[r];
        }
        bus[2 * alpha * entries + entry] = diagonal;
        bus[(2 * alpha + 1) * entries + entry] = f;
    }
    // At column 0, below row `row`.
    __device__ void start_line(Affine const & affine, std::int64_t row)
    {
        diagonal = affine.border(row);
        for (unsigned r = 0; r < alpha; ++r) {
            h[r] = affine.border(row + r + 1);
            e[r] = minus_infinity;
        }
        f = minus_infinity;
    }
};

__global__ void start_bus(Cudalign c)
{
    for (std::uint64_t j = thread_number(); j < static_cast<std::uint64_t>(c.width()); j += thread_count())
        c.horizontal[j] = {c.pair.affine.border(static_cast<std::int64_t>(j) + 1), minus_infinity};
}

// The internal diagonals begin .. end - 1 of external diagonal D.
template <bool short_phase>
__global__ void process_blocks(Cudalign c, std::int64_t D, std::int64_t begin, std::int64_t end)
{
    unsigned const t = threadIdx.x, entries = c.blocks * c.threads, own = blockIdx.x * c.threads + t;
    std::int64_t strip = D - blockIdx.x;
    auto const in_matrix = [&](std::int64_t s) { return s >= 0 && s < c.strips; };
    bool const delegated = short_phase && blockIdx.x == 0 && in_matrix(strip - c.blocks);
    if (!in_matrix(strip) && !delegated)
        return;

    BusEntry * const down = shared_memory<BusEntry>(); // [2][threads], by parity of the step
    unsigned const neighbour = (blockIdx.x + c.blocks - 1) % c.blocks * c.threads + t;
    Neighbourhood k;
    k.load(c.vertical[short_phase ? 0 : 1], entries, short_phase ? neighbour : own);
    down[(begin + 1) % 2 * c.threads + t] = {k.h[alpha - 1], k.f};

    std::int64_t j = blockIdx.x * c.columns + begin - t;
    if (j < 0) { // the rest of the last block, of a strip before
        j += c.width();
        strip -= c.blocks;
    }
    std::int64_t const rows = static_cast<std::int64_t>(alpha) * c.threads;
    std::int64_t row = c.above + strip * rows + t * alpha; // letters above the thread's rows
    if (j == 0)
        k.start_line(c.pair.affine, row);
    Best best = c.best[own];
    __syncthreads();
#pragma unroll 2
    for (std::int64_t step = begin; step < end; ++step) {
        if (in_matrix(strip)) {
            BusEntry const up = t == 0 ? c.horizontal[j] : down[(step + 1) % 2 * c.threads + t - 1];
            Score diagonal = k.diagonal, above = up.h, f = up.f;
            for (unsigned r = 0; r < alpha; ++r) {
                f = c.pair.affine.gap(above, f);
                k.e[r] = c.pair.affine.gap(k.h[r], k.e[r]);
                above = c.pair.affine.h(diagonal, c.pair.score(row + r + 1, j + 1), k.e[r], f);
                diagonal = k.h[r];
                k.h[r] = above;
                if (row + r < static_cast<std::int64_t>(c.pair.m) && j < static_cast<std::int64_t>(c.pair.n)) {
                    best.consider(above, static_cast<std::uint32_t>(row + r + 1), static_cast<std::uint32_t>(j + 1));
                    if (row + r + 1 == static_cast<std::int64_t>(c.pair.m) &&
                        j + 1 == static_cast<std::int64_t>(c.pair.n))
                        *c.last = above;
                }
            }
            k.diagonal = up.h;
            k.f = f;
            down[step % 2 * c.threads + t] = {above, f};
            if (t == c.threads - 1)
                c.horizontal[j] = {above, f};
        }
        ++j;
        if (short_phase && j == c.width()) {
            j = 0;
            strip += c.blocks;
            row += c.blocks * rows;
            k.start_line(c.pair.affine, row);
        }
        __syncthreads();
    }
    c.best[own] = best;
    k.store(c.vertical[short_phase ? 1 : 0], entries, own);
}

// What external diagonal D has made of special rows.  Block b has gone down to the strip's last row in these columns;
// the one behind the last is block 0 with the rest of strip D - blocks.
__global__ void keep_rows(Cudalign c, std::int64_t D)
{
    std::int64_t const b = blockIdx.x, strip = D - b, delegated = c.threads - 1;
    if (strip < 0 || strip + 1 >= c.strips || (strip + 1) % c.apart != 0)
        return;
    BusEntry * const row = c.special + ((strip + 1) / c.apart - 1) * c.width();
    std::int64_t const begin = b * c.columns - delegated, end = begin + c.columns;
    for (std::int64_t j = (begin < 0 ? 0 : begin) + threadIdx.x; j < (end < c.width() ? end : c.width());
         j += blockDim.x)
        row[j] = c.horizontal[j];
}

class Sweeper final : public RowSweeper {
public:
    explicit Sweeper(GpuTask const & task) :
        task_{task},
        c_{grid_of(task)},
        horizontal_{task.device, static_cast<std::uint64_t>(c_.width())},
        vertical_{task.device, 2 * state_words * std::uint64_t{entries()}},
        last_{task.device, 1},
        bests_{task.device, std::vector<Best>(entries())}
    {
        clear(task.device, vertical_);
        clear(task.device, last_);
        c_.horizontal = horizontal_.data();
        c_.vertical[0] = vertical_.data();
        c_.vertical[1] = vertical_.data() + std::uint64_t{state_words} * entries();
        c_.best = bests_.data();
        c_.last = last_.data();
        launch(task.device, start_bus, {std::min<std::uint64_t>(ceil_div(c_.width(), 256), 65535), 256}, c_);
    }

    std::uint64_t strip_rows() const override { return std::uint64_t{alpha} * c_.threads; }
    std::uint64_t diagonals_to_drain() const override { return c_.blocks; }

    void start_below(std::vector<BusEntry> const & row, Best const & best) override
    {
        task_.device.upload(c_.horizontal, row.data(), row.size() * sizeof(BusEntry));
        task_.device.upload(c_.best, &best, sizeof best);
    }

    Swept sweep(std::uint64_t row, std::uint64_t rows, std::uint64_t apart, bool with_bottom) override
    {
        Device & device = task_.device;
        c_.pair.m = row + rows;
        c_.above = static_cast<std::int64_t>(row);
        c_.strips = static_cast<std::int64_t>(ceil_div(rows, strip_rows()));
        c_.apart = static_cast<std::int64_t>(apart);
        std::uint64_t const kept = apart == 0 ? 0 : static_cast<std::uint64_t>((c_.strips - 1) / c_.apart),
                            width = static_cast<std::uint64_t>(c_.width());
        check_path_memory(task_, static_cast<double>(kept * width) * sizeof(BusEntry));
        DeviceArray<BusEntry> const special{device, kept * width};
        c_.special = special.data();

        std::size_t const shared = 2 * c_.threads * sizeof(BusEntry);
        std::int64_t const short_steps = c_.threads - 1;
        for (std::int64_t D = 0; D < c_.strips + c_.blocks; ++D) {
            launch(device, process_blocks<true>, {c_.blocks, c_.threads, shared}, c_, D, std::int64_t{0}, short_steps);
            launch(device, process_blocks<false>, {c_.blocks, c_.threads, shared}, c_, D, short_steps, c_.columns);
            if (kept > 0)
                launch(device, keep_rows, {c_.blocks + 1, 256}, c_, D);
        }
        Swept swept;
        for (Best const & of_thread : download(device, bests_))
            swept.best.consider(of_thread);
        swept.corner = download(device, last_)[0];
        if (with_bottom)
            swept.bottom = download(device, horizontal_, task_.task.pair.n);
        swept.special = download(device, special);
        swept.width = width;
        return swept;
    }

private:
    // Of the pair; smaller than asked for where the sequences are short.
    static Cudalign grid_of(GpuTask const & task)
    {
        Cudalign c{};
        c.pair = affine_pair(task);
        c.blocks = static_cast<unsigned>(task.value("blocks"));
        c.threads = static_cast<unsigned>(task.value("threads"));
        while (c.blocks > 1 && c.pair.n < std::uint64_t{2} * c.blocks * c.threads)
            c.blocks /= 2;
        while (c.threads > c.pair.n)
            c.threads /= 2;
        c.columns = static_cast<std::int64_t>(ceil_div(c.pair.n, c.blocks));
        return c;
    }
    unsigned entries() const { return c_.blocks * c_.threads; }

    GpuTask const & task_;
    Cudalign c_;
    DeviceArray<BusEntry> const horizontal_;
    DeviceArray<Score> const vertical_, last_;
    DeviceArray<Best> const bests_;
};

} // namespace cudalign_kernels

PairResult cudalign(GpuTask const & task)
{
    using namespace cudalign_kernels;
    Sweeper sweeper{task};
    return align_by_slabs(task.task, sweeper);
}

} // namespace nwgpu::published
