#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian packages and the wheel of a build, installed in a Debian 12 without compiler and development files, align the
# README's example.  Needs root, mmdebstrap and a mirror of Debian; takes minutes.
#
# Usage: clean_root.sh <build> <work folder>.  Exit code 77: mmdebstrap is missing, or could not make the system.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) build=$(realpath "$1") work=$(realpath -m "$2")

skip() { echo "skipped: $*"; exit 77; }
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap"
[ "$(id -u)" -eq 0 ] || skip "only root can change into another system"
rm -rf "$work"
mkdir -p "$work"
"$source/bindings/packaging/deb.sh" "$build" "$work/dist" >/dev/null
"$source/bindings/packaging/wheel.sh" "$build" "$work/dist" >/dev/null
mmdebstrap --quiet --variant=minbase --include=libhts3,libstdc++6,python3-pip bookworm "$work/root" ||
  skip "mmdebstrap could not make a system"
cp "$work"/dist/* "$work/root/tmp"

in_root() { chroot "$work/root" /usr/bin/env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
in_root sh -c 'command -v cc gcc c++ clang cmake' && { echo "FAILED: there is a compiler" >&2; exit 1; }
in_root sh -c 'dpkg --install /tmp/libnwgpu1_*.deb /tmp/nwgpu_*.deb'
in_root sh -c 'printf ">q\nGATTACA\n" >/tmp/q.fa; printf ">t\nGATACA\n" >/tmp/t.fa'
got=$(in_root nwgpu align --format paf /tmp/q.fa /tmp/t.fa | grep -o 'cg:Z:.*')
[ "$got" = "cg:Z:2=1I4=" ] || { echo "FAILED: the command printed: $got" >&2; exit 1; }
in_root dpkg --remove nwgpu libnwgpu1
in_root sh -c 'pip install --quiet --no-index --break-system-packages --root-user-action=ignore /tmp/nwgpu-*.whl'
sed --quiet '/^```python$/,/^```$/{/^```/!p}' "$source/README.md" >"$work/root/tmp/example.py"
got=$(in_root python3 /tmp/example.py)
[ "$got" = "6 2=1I4=" ] || { echo "FAILED: the README's example printed: $got" >&2; exit 1; }
echo "clean root: passed"
rm -rf "$work/root"
