#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian packages, the wheel and the archive of a build, installed in a Debian 12 without compiler and development
# files, align the README's example; the archive does so in a Debian 11, too, whose glibc is 2.31.  In a Debian 12 with
# Rust and Go, where the library came from the packages, the tests of the crates and of the module pass.  Needs root,
# mmdebstrap and a mirror of Debian; takes minutes.
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
"$source/bindings/packaging/archive.sh" "$build" "$work/dist" >/dev/null

# make_root <release> <packages>: a new system in $work/root; the loader finds a program's own folder by /proc.
remove_root() {
  ! mountpoint --quiet "$work/root/proc" || umount "$work/root/proc"
  rm -rf --one-file-system "$work/root"
}
trap remove_root EXIT
make_root() {
  remove_root
  mmdebstrap --quiet --variant=minbase --include="$2" "$1" "$work/root" || skip "mmdebstrap could not make a system"
  mount -t proc proc "$work/root/proc" || skip "proc cannot be mounted"
  cp "$work"/dist/* "$work/root/tmp"
}
in_root() { chroot "$work/root" /usr/bin/env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

make_root bookworm libhts3,libstdc++6,python3-pip
in_root sh -c 'command -v cc gcc c++ clang cmake' && { echo "FAILED: there is a compiler" >&2; exit 1; }
in_root sh -c 'dpkg --install /tmp/libnwgpu1_*.deb /tmp/nwgpu_*.deb'
try_command() { # <command>
  in_root sh -c 'printf ">q\nGATTACA\n" >/tmp/q.fa; printf ">t\nGATACA\n" >/tmp/t.fa'
  got=$(in_root "$1" align --format paf /tmp/q.fa /tmp/t.fa | grep -o 'cg:Z:.*')
  [ "$got" = "cg:Z:2=1I4=" ] || { echo "FAILED: $1 printed: $got" >&2; exit 1; }
}
try_archive() {
  in_root sh -c 'mkdir -p /opt/any && tar -xzf /tmp/nwgpu-*.tar.gz -C /opt/any --strip-components=1'
  try_command /opt/any/bin/nwgpu
}
try_command nwgpu
in_root dpkg --remove nwgpu libnwgpu1
in_root sh -c 'pip install --quiet --no-index --break-system-packages --root-user-action=ignore /tmp/nwgpu-*.whl'
sed --quiet '/^```python$/,/^```$/{/^```/!p}' "$source/README.md" >"$work/root/tmp/example.py"
got=$(in_root python3 /tmp/example.py)
[ "$got" = "6 2=1I4=" ] || { echo "FAILED: the README's example printed: $got" >&2; exit 1; }
in_root sh -c 'pip uninstall --quiet --yes --break-system-packages --root-user-action=ignore nwgpu'
try_archive

make_root bullseye ca-certificates
try_archive

make_root bookworm rustc,cargo,golang-go,gcc,libc6-dev,pkg-config
in_root sh -c 'dpkg --install /tmp/libnwgpu1_*.deb /tmp/libnwgpu-dev_*.deb'
cp -rL "$source/bindings/rust" "$source/bindings/go" "$work/root/opt"
in_root sh -c 'cd /opt/rust && HOME=/tmp cargo test --offline --workspace'
in_root sh -c 'cd /opt/go && HOME=/tmp go test ./...'
echo "clean root: passed"
