#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# conda-build runs this in the sources, with PREFIX and CMAKE_ARGS set.  NWGPU_BUILD names a build that there is already.
set -euo pipefail
build=${NWGPU_BUILD:-build/conda}
if [ ! -e "$build/CMakeCache.txt" ]; then
  # shellcheck disable=SC2086
  cmake -S . -B "$build" -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_TESTING=OFF -DNWGPU_CUDA=OFF -DNWGPU_CLI=ON
fi
cmake --build "$build" --parallel "${CPU_COUNT:-$(nproc)}" --target nwgpu_installed
cmake --install "$build" --prefix "$PREFIX"
