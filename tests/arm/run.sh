#!/usr/bin/env bash
# The tests of the library on 64-bit ARM, whose kernels are NEON's: a cross compiler makes them, QEMU runs them, some
# fifty times slower than a processor would.  Debian 12 on x86; installs what it needs (and, for apt, adds the
# architecture arm64).  Not a part of CI: call it after changes to libnwgpu/cpu.
#
#   tests/arm/run.sh [regular expression of the tests to leave out]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
left_out=${1:-Long|BeyondOracle|Extreme|Limits|abi.example} # slow ones, and those that python3 would start
build=build/arm
export NWGPU_ARM_PACKAGES=$PWD/$build/packages

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }
if ! [ -d "$NWGPU_ARM_PACKAGES/usr" ]; then
  as_root dpkg --add-architecture arm64
  as_root apt-get update --quiet --quiet
  as_root apt-get install --yes --quiet --quiet --no-install-recommends g++-aarch64-linux-gnu qemu-user-static
  mkdir -p "$NWGPU_ARM_PACKAGES"
  (cd "$NWGPU_ARM_PACKAGES" &&
    apt-get download libhwy-dev:arm64 libhwy1:arm64 libgtest-dev:arm64 libgmock-dev:arm64 zlib1g-dev:arm64 zlib1g:arm64 &&
    for package in *.deb; do dpkg --extract "$package" .; done &&
    cp --no-dereference lib/aarch64-linux-gnu/* usr/lib/aarch64-linux-gnu/)
fi

PKG_CONFIG_LIBDIR=$NWGPU_ARM_PACKAGES/usr/lib/aarch64-linux-gnu/pkgconfig cmake -G Ninja -S . -B $build \
  -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/arm/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DNWGPU_CUDA=OFF \
  -DNWGPU_CLI=OFF -DBUILD_TESTING=ON '-DNWGPU_TEST_FOLDERS=unit;abi;conformance'
cmake --build $build
NWGPU_TEST_PAIRS=${NWGPU_TEST_PAIRS:-300} ctest --test-dir $build --parallel "$(nproc)" --output-on-failure \
  --exclude-regex "$left_out"
