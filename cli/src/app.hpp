// SPDX-License-Identifier: BSD-3-Clause
// The whole command line: subcommands, help, version, exit codes.
#pragma once

namespace cli {

int run(int argc, char ** argv);

} // namespace cli
