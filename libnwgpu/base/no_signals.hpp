// SPDX-License-Identifier: BSD-3-Clause
// Threads that the library starts take no signals: these are for the program's own.
#pragma once

#include <signal.h>

namespace nwgpu {

// While it lives: of this thread, and for good of threads that it starts.
class NoSignals {
public:
    NoSignals()
    {
        sigset_t all;
        sigfillset(&all);
        blocked_ = pthread_sigmask(SIG_SETMASK, &all, &before_) == 0;
    }
    ~NoSignals()
    {
        if (blocked_)
            pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    NoSignals(NoSignals const &) = delete;

private:
    sigset_t before_{};
    bool blocked_ = false;
};

} // namespace nwgpu
