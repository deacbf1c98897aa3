// SPDX-License-Identifier: BSD-3-Clause
// The whole command line: subcommands, help, version, exit codes.
#pragma once

#include <string>

namespace cli {

int run(int argc, char ** argv);
// Within a catch block: tells the error on standard error; returns the exit code.  `who`: a rank and its host; empty:
// the only process.
int report_error(std::string const & who = {});

} // namespace cli
