// SPDX-License-Identifier: BSD-3-Clause
// The handler only sets a flag; the progress callback of nwgpu_align reads it at least every 100 ms.
#include "interrupt.hpp"

#include <csignal>

namespace cli {

namespace {

volatile std::sig_atomic_t stop_asked = 0;

void ask_stop(int) { stop_asked = 1; }

} // namespace

void install_interrupt_handler()
{
    struct sigaction action {};
    action.sa_handler = ask_stop;
    // SA_RESETHAND: the second signal has its default effect, should the clean end take too long.
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void leave_interrupts_to_others()
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
}

bool interrupted() { return stop_asked != 0; }

} // namespace cli
