#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes a wheel of the Python package with the library inside, for every Python from 3.11 on and every Linux with glibc
# 2.28 or later (auditwheel checks it).  With a build that has the CUDA engine, the wheel has it, too.
#
# Usage: wheel.sh [build [output]]     by default build/release, which is made if it is not there, and build/dist
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath -m "${1:-$root/build/release}") output=$(realpath -m "${2:-$root/build/dist}")

[ -e "$build/CMakeCache.txt" ] || cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
cmake --build "$build" --parallel "$(nproc)" --target nwgpu_portable
"$root/bindings/packaging/python_tools.sh"
PATH=$root/build/tools/bin:$PATH

# A copy, because the build leaves files beside the sources, and the licence is a link there.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -rL "$root/bindings/python" "$work/python"
pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$work" "$work/python" \
  --config-settings "cmake.define.NWGPU_PORTABLE=$root/bindings/packaging/portable/portable.cmake" \
  --config-settings "cmake.define.NWGPU_LIBRARY=$build/capi/portable/libnwgpu.so" \
  --config-settings "cmake.define.NWGPU_INCLUDE=$root/capi/include"
mkdir -p "$output"
LD_LIBRARY_PATH=$build/capi/portable auditwheel repair --plat "manylinux_2_28_$(uname -m)" --wheel-dir "$output" \
  "$work"/nwgpu-*.whl
