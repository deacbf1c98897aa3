#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The test of the package: the command aligns, and a C program is compiled with the library.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '>q\nGATTACA\n' >"$work/q.fa"
printf '>t\nGATACA\n' >"$work/t.fa"
nwgpu align --format paf "$work/q.fa" "$work/t.fa" | grep --quiet 'cg:Z:2=1I4='
printf '#include <nwgpu/nwgpu.h>\nint main(void) { return nwgpu_abi_version() != NWGPU_ABI_VERSION; }\n' >"$work/abi.c"
# shellcheck disable=SC2046
"${CC:-cc}" "$work/abi.c" -o "$work/abi" $(pkg-config --cflags --libs nwgpu)
"$work/abi"
