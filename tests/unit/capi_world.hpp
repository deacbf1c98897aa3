// SPDX-License-Identifier: BSD-3-Clause
// Ranks as threads of one process, through the C interface.
#pragma once

#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/c_handles.hpp"
#include "support/ranks.hpp"

namespace nwgpu::test {

// What became of a rank that serves.
struct Served {
    nwgpu_error error = NWGPU_ERROR_INIT;
    std::mutex mutex;
    nwgpu_context * context = nullptr; // while it serves

    void set(nwgpu_context * now)
    {
        std::lock_guard const lock{mutex};
        context = now;
    }
    // Whether it serves still.
    bool cancel()
    {
        std::lock_guard const lock{mutex};
        nwgpu_context_cancel(context);
        return context != nullptr;
    }
};

inline nwgpu_context_options options_of(nwgpu_communicator const & table)
{
    nwgpu_context_options options = cpu_options(1);
    options.communicator = &table;
    return options;
}

// Makes the contexts of all ranks; runs work(context) on rank 0, serves on the others.
class WorldTest : public testing::Test {
protected:
    void run(Ranks & ranks, int size, std::function<void(Context &)> const & work,
             std::function<void(int, nwgpu_context_options &)> const & change = {}, std::uint64_t odd_fingerprint = 0)
    {
        served_ = std::vector<Served>(static_cast<std::size_t>(size));
        std::vector<std::thread> threads;
        for (int rank = 1; rank < size; ++rank)
            threads.emplace_back([&, rank] {
                nwgpu_communicator const table = ranks.table(rank, rank == size - 1 ? odd_fingerprint : 0);
                nwgpu_context_options options = options_of(table);
                if (change)
                    change(rank, options);
                nwgpu_context * context = nullptr;
                Served & served = served_[static_cast<std::size_t>(rank)];
                if (nwgpu_context_create(&options, &context, &served.error) == NWGPU_OK) {
                    served.set(context);
                    nwgpu_status const status = nwgpu_context_serve(context, &served.error);
                    EXPECT_EQ(status, served.error.status);
                }
                served.set(nullptr);
                nwgpu_context_destroy(context);
            });
        nwgpu_communicator const table = ranks.table(0);
        nwgpu_context_options options = options_of(table);
        if (change)
            change(0, options);
        nwgpu_context * handle = nullptr;
        if (nwgpu_context_create(&options, &handle, &served_[0].error) == NWGPU_OK) {
            Context context{handle};
            work(context);
        }
        for (std::thread & thread : threads)
            thread.join();
    }
    nwgpu_error const & error(int rank) const { return served_[static_cast<std::size_t>(rank)].error; }

    std::vector<Served> served_;
};

} // namespace nwgpu::test
