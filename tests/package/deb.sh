#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Debian packages, as bindings/packaging/deb.sh makes them of a build: lintian has nothing to say, and unpacked into a folder they
# are a library to compile with and a command that runs.
#
# Usage: deb.sh <source> <build> <work folder>.  Exit code 77: this is no Debian.
set -euo pipefail
source=$1 build=$2 work=$3/deb

command -v dpkg-shlibdeps >/dev/null || { echo "skipped: there is no dpkg-dev"; exit 77; }
rm -rf "$work"
export DPKG_DEB_COMPRESSOR_LEVEL=1 # quickly
"$source/bindings/packaging/deb.sh" "$build" "$work/dist" >"$work.log"
for package in "$work"/dist/*.deb; do
  dpkg-deb --info "$package" | sed --quiet '/^ Package:\|^ Version:\|^ Depends:/p'
  dpkg-deb --extract "$package" "$work/root"
done

libraries=$(dirname "$(find "$work/root" -name libnwgpu.so)")
export LD_LIBRARY_PATH=$libraries PKG_CONFIG_PATH=$libraries/pkgconfig
sed --quiet '/^```c$/,/^```$/{/^```/!p}' "$source/README.md" >"$work/example.c"
# shellcheck disable=SC2046
cc -std=c99 "$work/example.c" -o "$work/example" $(pkg-config --define-prefix --cflags --libs nwgpu)
got=$("$work/example")
[ "$got" = "score 6, CIGAR 2=1I4=" ] || { echo "FAILED: the README's example printed: $got" >&2; exit 1; }
printf '>a\nGATTACA\n' >"$work/a.fa"
got=$("$work/root/usr/bin/nwgpu" align --format paf "$work/a.fa" "$work/a.fa" | grep -o 'cg:Z:.*')
[ "$got" = "cg:Z:7=" ] || { echo "FAILED: the command printed: $got" >&2; exit 1; }

if command -v lintian >/dev/null; then
  # A build of another prefix than /usr does not lay its files as Debian does.
  suppressed=pkg-config-unavailable-for-cross-compilation
  said=$(lintian --allow-root --suppress-tags "$suppressed" "$work"/dist/*.deb 2>&1) || true
  [ -z "$said" ] || { echo "FAILED: lintian says: $said" >&2; exit 1; }
fi
echo "deb: passed"
