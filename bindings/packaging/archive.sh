#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes nwgpu-<version>-linux-<machine>.tar.gz: the command, the library, and what programs are compiled with, for any
# folder of every Linux with glibc 2.28 or later.  htslib, the decompressors and libstdc++ are inside the command; cairo
# is loaded where it is, for PNG.
#
# Usage: archive.sh [build [output]]     by default build/release, which is made if it is not there, and build/dist
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath -m "${1:-$root/build/release}") output=$(realpath -m "${2:-$root/build/dist}")

[ -e "$build/CMakeCache.txt" ] || cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
cmake --build "$build" --parallel "$(nproc)" --target nwgpu_installed nwgpu_portable nwgpu_command_portable

number() { sed --quiet "s/^#define NWGPU_$1 *\([0-9]*\).*/\1/p" "$root/capi/include/nwgpu/nwgpu.h"; }
version=$(number VERSION_MAJOR).$(number VERSION_MINOR).$(number VERSION_PATCH)
name=nwgpu-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
folder=$work/$name
cmake --install "$build" --prefix "$folder" >/dev/null
rm -rf "$(dirname "$(find "$folder" -name libnwgpu.so)")"/{nwgpu,libnwgpu.a} # for the MPI and the compiler of this system
cp "$build/cli/portable/nwgpu" "$folder/bin/nwgpu"
cp "$build/capi/portable/libnwgpu.so.$version" "$(find "$folder" -name "libnwgpu.so.$version")"
strip "$folder/bin/nwgpu"
find "$folder" -name "libnwgpu.so.$version" -exec strip --strip-unneeded {} +

# The licences of what is inside, as Debian has them.
licences=$folder/share/doc/nwgpu/licences
mkdir -p "$licences"
for package in libhwy-dev libhts-dev libhtscodecs-dev libdeflate-dev libbz2-dev liblzma-dev libzstd-dev zlib1g-dev \
  libcli11-dev gcc-12-base; do
  [ ! -e "/usr/share/doc/$package/copyright" ] || cp -L "/usr/share/doc/$package/copyright" "$licences/$package"
done

mkdir -p "$output"
seconds=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
tar --create --directory "$work" --sort=name --mtime="@$seconds" --owner=0 --group=0 --numeric-owner "$name" |
  gzip --no-name >"$output/$name.tar.gz"
echo "$output/$name.tar.gz"
