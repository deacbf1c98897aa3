// SPDX-License-Identifier: BSD-3-Clause
// The whole command line: subcommands, help, version, exit codes.
#pragma once

namespace cli {

int run(int argc, char ** argv);
// Within a catch block: tells the error on standard error; returns the exit code.
int report_error();

} // namespace cli
