#!/bin/sh
# Writes the declarations of nwgpu.h with bindgen to standard output; nwgpu-sys/src/bindings.rs holds what Debian 12's
# bindgen 0.60.1 says, formatted by rustfmt, and the test languages.package_rust_declarations compares them.
#
# Usage: bindings.sh [folder with nwgpu/nwgpu.h] > nwgpu-sys/src/bindings.rs
set -eu
include=${1:-$(dirname "$0")/../../capi/include}
bindgen --no-prepend-enum-name --no-layout-tests --allowlist-function 'nwgpu_.*' \
  --allowlist-type 'nwgpu_.*' --allowlist-var 'NWGPU_.*' "$include/nwgpu/nwgpu.h" -- "-I$include"
