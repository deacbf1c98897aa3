// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C (SIGINT) and SIGTERM ask the command to stop cleanly; a second one kills it.
#pragma once

namespace cli {

void install_interrupt_handler();
bool interrupted();
// For ranks that are not 0: Ctrl-C is for rank 0, which tells them.
void leave_interrupts_to_others();

} // namespace cli
