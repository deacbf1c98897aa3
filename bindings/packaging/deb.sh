#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes Debian packages for the system that it runs on: libnwgpu1 (the library), libnwgpu-dev (headers, manual pages,
# what pkg-config and CMake read) and nwgpu (the command).
#
# Usage: deb.sh [build [output]]     by default build/deb, which is made if it is not there, and build/dist
#
# A build of another prefix than /usr serves as well; its libraries then lie in /usr/lib.  Needs dpkg-dev.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath -m "${1:-$root/build/deb}") output=$(realpath -m "${2:-$root/build/dist}")
architecture=$(dpkg --print-architecture)

[ -e "$build/CMakeCache.txt" ] ||
  cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX=/usr \
    -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture --query DEB_HOST_MULTIARCH)"
cmake --build "$build" --parallel "$(nproc)" --target nwgpu_installed

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
cmake --install "$build" --prefix "$work/all/usr" --strip >/dev/null
find "$work/all" -name libnwgpu_mpi.so -exec strip --strip-unneeded {} + # a file like any other for CMake
number() { sed --quiet "s/^#define NWGPU_$1 *\([0-9]*\).*/\1/p" "$root/capi/include/nwgpu/nwgpu.h"; }
version=$(number VERSION_MAJOR).$(number VERSION_MINOR).$(number VERSION_PATCH)-0nwgpu1 abi=$(number ABI_VERSION)
seconds=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
date=$(date --utc --rfc-email --date "@$seconds")
maintainer="The libnwgpu authors <nwgpu@example.org>"

# take <package> <pattern below usr>...: moves what lies there into the package.
take() {
  local package=$1 path
  (cd "$work/all" && find usr "${@:2}") | while read -r path; do
    mkdir -p "$work/$package/$(dirname "$path")"
    mv "$work/all/$path" "$work/$package/$path"
  done
}
take "libnwgpu$abi" -name 'libnwgpu.so.*'
take nwgpu -path 'usr/bin/*' -o -path '*/man1/*.1' -o -name libnwgpu_mpi.so
rm -r "$work"/all/usr/share/doc
take libnwgpu-dev -not -type d
find "$work/nwgpu/usr/bin" -type f -printf 'file(RPATH_REMOVE FILE "%p")\n' >"$work/rpath.cmake" # the loader finds it
cmake -P "$work/rpath.cmake"

mkdir -p "$work/debian" "$output"
cat >"$work/debian/control" <<END
Source: libnwgpu

Package: libnwgpu$abi
Architecture: any
END
# What else the files of a package link.
depends() { # <package>
  (cd "$work" && find "$1" -type f \( -path '*/bin/*' -o -name '*.so.*' \) -exec \
    dpkg-shlibdeps -O --ignore-missing-info "-l$(dirname "$(find "$work" -name "libnwgpu.so.$abi")")" \
    -x"libnwgpu$abi" {} + 2>/dev/null) | sed --quiet 's/^shlibs:Depends=//p'
}

pack() { # <package> <section> <depends> <summary> <description>
  local folder=$work/$1
  find "$folder" -path '*/man/*' -type f -exec gzip --best --no-name {} +
  mkdir -p "$folder/usr/share/doc/$1" "$folder/DEBIAN"
  {
    echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    echo "Upstream-Name: libnwgpu"
    printf '\nFiles: *\nCopyright: 2026, the libnwgpu authors\nLicense: BSD-3-Clause\n'
    sed '1,/^Redistribution/{/^Redistribution/!d}; s/^$/./; s/^/ /' "$root/LICENSE"
  } >"$folder/usr/share/doc/$1/copyright"
  printf 'libnwgpu (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n -- %s  %s\n' "$version" \
    "$maintainer" "$date" | gzip --best --no-name >"$folder/usr/share/doc/$1/changelog.Debian.gz"
  cat >"$folder/DEBIAN/control" <<END
Package: $1
Source: libnwgpu
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du --summarize --apparent-size --block-size=1024 "$folder" | cut -f 1)
Depends: $3
Section: $2
Priority: optional
Description: $4
$(fold --spaces --width=75 <<<"$5" | sed 's/ *$//; s/^/ /')
END
  if [ "$1" = "libnwgpu$abi" ]; then
    echo "libnwgpu $abi $1 (>= ${version%-*})" >"$folder/DEBIAN/shlibs"
    echo "activate-noawait ldconfig" >"$folder/DEBIAN/triggers"
  fi
  (cd "$folder" && find usr -type f -print0 | LC_ALL=C sort --zero-terminated | xargs --null md5sum) >"$work/md5sums"
  mv "$work/md5sums" "$folder/DEBIAN"
  chmod -R u=rwX,go=rX "$folder"
  dpkg-deb --root-owner-group --build "$folder" "$output/$1_${version}_$architecture.deb"
}

exact="Pairs of sequences, DNA or proteins, are aligned from end to end, locally or with free ends, with linear or \
affine gaps. The score is always the optimum, and the alignment does not depend on the machine."
pack "libnwgpu$abi" libs "$(depends "libnwgpu$abi")" "exact pairwise sequence alignment - library" "$exact"
pack libnwgpu-dev libdevel "libnwgpu$abi (= $version)" "exact pairwise sequence alignment - development files" \
  "$exact This package has the headers for C and C++, manual pages, and what pkg-config and CMake read."
pack nwgpu science "libnwgpu$abi (= $version), $(depends nwgpu)" "exact pairwise sequence alignment - command" \
  "$exact This package has the command."
