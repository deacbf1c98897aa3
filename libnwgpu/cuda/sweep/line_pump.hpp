// SPDX-License-Identifier: BSD-3-Clause
// Carries the boundaries between a share's parts and those of other places while a sweep runs.
//
// A thread with a stream of its own copies columns of a part's top boundary to the device as they come, and then raises
// the progress that the part's first strip looks at; and it asks for the progress of each part's last strip, copies
// what that has published, and hands it on.  The kernel sees nothing of it: for its strips the line above a part is a
// strip above.  Copies by the device's copy engines go through its second-level cache, where strips read boundaries
// and progress; columns have arrived before their progress is written.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "backend/row_share.hpp"
#include "cuda/sweep/sweeper.hpp"

namespace nwgpu::cuda {

template <class S>
class LinePump final : public BesideSweep<S> {
public:
    // Of one sweep, whose jobs are the parts of the task.  `tops`: of each part, on the device; unused where the part
    // is the first of the matrix.  All of them live longer.
    LinePump(Device & device, RowTask const & task, std::vector<Kept<S> *> tops, RowLines & lines, Monitor & monitor);
    ~LinePump() override;

    void begin(SweepArgs<S> const & args, std::vector<SweepJob<S>> const & jobs) override;
    void end() override;
    void stop() noexcept override;

    // Makes the device's buffers, which takes the runtime of all devices: before any of them waits for another.
    static void prepare(Device & device, RowTask const & task);
    // Bytes of host memory.
    static std::uint64_t bytes(RowTask const & task);

private:
    struct LineIn {
        std::size_t part;
        Kept<S> * top;
        std::uint32_t place; // of its progress
        std::uint64_t begin = 0;
        std::uint32_t end = 0; // of what is not 0 so far
    };
    struct LineOut {
        std::size_t part;
        Kept<S> const * bottom;
        std::uint32_t place; // of the last strip
        std::uint64_t begin = 0;
        std::vector<RowEntry> waiting; // for its receiver
    };
    struct Seen { // of a line that goes out
        std::uint32_t progress, begin, end;
    };

    void work() noexcept;
    void carry();
    void raise_stop_flag() noexcept;
    void stop_kernel() noexcept;
    bool carry_in(LineIn & line);
    bool carry_out(LineOut & line, Seen seen);
    void raise_skipped(LineOut & line, WrittenBottom const & written) const;
    Entry<std::int64_t> entry_at(LineOut const & line, std::uint64_t col) const;
    std::vector<Seen> look();
    void share_best();
    template <class T>
    void copy(T * to, T const * from, std::uint64_t count, cudaMemcpyKind kind) const;
    void wait_for_copies() const;

    Device & device_;
    RowTask const & task_;
    std::vector<Kept<S> *> const tops_;
    RowLines & lines_;
    Monitor & monitor_;
    path::MostSteps const steps_;
    SweepArgs<S> args_;
    std::vector<LineIn> in_;
    std::vector<LineOut> out_;
    Owner<cudaStream_t, cudaStreamDestroy> stream_;
    Kept<S> * panel_ = nullptr;       // page-locked, as the others
    std::uint32_t * words_ = nullptr; // numbers on their way
    S * best_ = nullptr;              // that of the device; what is told it
    std::vector<RowEntry> entries_;
    std::atomic<bool> stops_{false}, has_begun_{false}, is_ready_{false};
    std::exception_ptr failure_;
    std::thread thread_;
};

} // namespace nwgpu::cuda
