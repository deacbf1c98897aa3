// SPDX-License-Identifier: BSD-3-Clause
// The program nwgpu: everything is in app.cpp, so that tests can link it.
#include "app.hpp"

int main(int argc, char ** argv) { return cli::run(argc, argv); }
