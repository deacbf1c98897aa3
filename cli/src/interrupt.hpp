// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C (SIGINT) and SIGTERM ask the command to stop cleanly; a second one kills it.
#pragma once

namespace cli {

void install_interrupt_handler();
bool interrupted();

} // namespace cli
