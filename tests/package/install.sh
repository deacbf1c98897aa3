#!/usr/bin/env bash
# Installs into a folder of its own and uses what lies there as a stranger would: the README's C and C++ examples with
# pkg-config, a C++ project with find_package(nwgpu), and the command if it was built.
#
# Usage: install.sh <source> <build> <work folder> <ABI number> <version>; CC, CXX and CMAKE name the tools.
set -euo pipefail
source=$1 build=$2 work=$3/work abi=$4 version=$5
: "${CC:=cc}" "${CXX:=c++}" "${CMAKE:=cmake}"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work"
prefix=$work/prefix
"$CMAKE" --install "$build" --prefix "$prefix" >"$work/install.log"
sed 's/^/  /' "$work/install.log"

# What lies there, and where.
pc=$(find "$prefix" -name nwgpu.pc)
[ -f "$pc" ] || fail "no nwgpu.pc"
libraries=$(dirname "$(dirname "$pc")")
[ -e "$libraries/libnwgpu.so" ] || fail "no libnwgpu.so in $libraries"
soname=$(readelf --dynamic "$libraries/libnwgpu.so" | sed --quiet 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = "libnwgpu.so.$abi" ] || fail "soname is $soname"
[ -e "$libraries/$soname" ] || fail "no $soname"
headers=$(cd "$prefix/include" && find . -type f -not -path './nwgpu/seqan3/*' | LC_ALL=C sort | tr '\n' ' ')
[ "$headers" = "./nwgpu/nwgpu.h ./nwgpu/nwgpu.hpp ./nwgpu/nwgpu_experimental.h ./nwgpu/nwgpu_mpi.h " ] || fail "the headers are $headers"
! grep --recursive --files-with-matches --fixed-strings -e "$source" -e "$build" \
  "$libraries/pkgconfig" "$libraries/cmake" || fail "names a folder of the build"
! readelf --dynamic "$libraries/libnwgpu.so" | grep --extended-regexp 'R(UN)?PATH' || fail "has a run path"

export LD_LIBRARY_PATH=$libraries

# A C and a C++ program, with pkg-config: the examples of the README, as they stand there.
export PKG_CONFIG_PATH=$libraries/pkgconfig
[ "$(pkg-config --modversion nwgpu)" = "$version" ] || fail "pkg-config says $(pkg-config --modversion nwgpu)"
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Werror)
try_example() { # <language in the README> <compiler and standard>
  sed --quiet '/^```'"$1"'$/,/^```$/{/^```/!p}' "$source/README.md" >"$work/example.$1"
  [ -s "$work/example.$1" ] || fail "README.md has no example in $1"
  # shellcheck disable=SC2046
  "${@:2}" "${warnings[@]}" "$work/example.$1" -o "$work/example" $(pkg-config --cflags --libs nwgpu)
  got=$("$work/example")
  [ "$got" = "score 6, CIGAR 2=1I4=" ] || fail "the README's example in $1 printed: $got"
}
try_example c "$CC" -std=c99
try_example cpp "$CXX" -std=c++20

# A C++ project, with find_package, from the prefix and after it was moved.
for place in "$prefix" "$work/moved"; do
  [ "$place" = "$prefix" ] || mv "$prefix" "$place"
  export LD_LIBRARY_PATH=$place${libraries#"$prefix"}
  "$CMAKE" -S "$source/tests/package/consumer" -B "$place-consumer" -DCMAKE_PREFIX_PATH="$place" \
    -DCMAKE_CXX_COMPILER="$CXX" -DWANTED_VERSION="$version" >/dev/null
  "$CMAKE" --build "$place-consumer" >/dev/null
  "$place-consumer/consumer"
done

# The SeqAn3 pipeline of docs/examples, with the component seqan3.
if [ "${WITH_SEQAN3:-OFF}" = ON ]; then
  "$CMAKE" -S "$source/docs/examples/seqan3" -B "$work/pipeline" -DCMAKE_PREFIX_PATH="$work/moved" \
    -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS=-O1 >/dev/null
  "$CMAKE" --build "$work/pipeline" >/dev/null
  printf '>ref\nTTTTACGTACGTAAGGCCTTTT\n' >"$work/ref.fa"
  printf '>read1\nACGTACGTAAGGCC\n>read2\nACGTACTAAGGCC\n' >"$work/reads.fa"
  "$work/pipeline/pipeline" "$work/ref.fa" "$work/reads.fa" "$work/out.sam"
  got=$(grep -v '^@' "$work/out.sam" | cut -f 1,3,4,6 | tr '\t\n' ' ;')
  [ "$got" = "read1 ref 5 14=;read2 ref 5 6=1D7=;" ] || fail "the SeqAn3 pipeline wrote: $got"
fi

# The command, and manual pages that man can read.
command=$work/moved/bin/nwgpu
if [ -e "$command" ]; then
  [[ "$("$command" --version)" == *"$version"* ]] || fail "nwgpu --version says $("$command" --version)"
fi
if command -v man >/dev/null; then
  find "$work/moved" -path '*/man/*' -name '*.[13]' | while read -r page; do
    complaints=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$complaints" ] || fail "$page: $complaints"
  done
fi
echo "package: passed"
