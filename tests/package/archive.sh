#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The archive that bindings/packaging/archive.sh makes of a build: unpacked into a folder of any name, it is a command that runs and
# a library to compile with; nothing in it needs a glibc after 2.28, a libstdc++, or a library that systems do not have;
# and moved on, it works as before.
#
# Usage: archive.sh <source> <build> <work folder>.  Exit code 77: htslib or a decompressor is not there as an archive.
set -euo pipefail
source=$1 build=$2 work=$3/archive

fail() { echo "FAILED: $*" >&2; exit 1; }

for library in hts bz2 lzma zstd z; do
  found=$(cc "-print-file-name=lib$library.a")
  [ -e "$found" ] || { echo "skipped: there is no lib$library.a"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work"
"$source/bindings/packaging/archive.sh" "$build" "$work/dist" >"$work/log" || { cat "$work/log"; fail "no archive"; }
ls -l "$work/dist"
mkdir "$work/a folder"
tar --extract --gzip --file "$work"/dist/nwgpu-*.tar.gz --directory "$work/a folder"
mv "$work/a folder"/nwgpu-* "$work/moved"

# What its machine code needs of the system.
find "$work/moved" -type f '(' -path '*/bin/*' -o -name '*.so*' ')' >"$work/binaries"
[ "$(wc -l <"$work/binaries")" -eq 2 ] || fail "not a command and a library, but $(cat "$work/binaries")"
while read -r file; do
  newest=$(readelf --version-info --wide "$file" | grep --only-matching 'GLIBC_2[0-9.]*' | sort --version-sort --unique | tail -n 1)
  echo "${file#"$work/"}: $newest"
  [ "$(printf '%s\nGLIBC_2.28\n' "$newest" | sort --version-sort | tail -n 1)" = GLIBC_2.28 ] || fail "$file needs $newest"
  readelf --dynamic "$file" | sed --quiet 's/.*NEEDED.*\[\(.*\)\]/\1/p' >"$work/needed"
  other=$(grep --invert-match --extended-regexp --line-regexp \
    'libnwgpu\.so\.1|ld-linux.*|lib(c|m|gcc_s|pthread|dl|rt)\.so\.[0-9]+' "$work/needed") || true
  [ -z "$other" ] || fail "$file needs $other"
  ! strings "$file" | grep --fixed-strings -e "$build" || fail "$file names a folder of the build"
done <"$work/binaries"

# The command, with nothing of the build in sight; compressed input is read by what is linked into it.
printf '>q\nGATTACA\n' >"$work/q.fa"
printf '>t\nGATACA\n' >"$work/t.fa"
gzip --keep "$work/t.fa"
run() { env --ignore-environment PATH=/nonexistent "$work/moved/bin/nwgpu" "$@"; }
got=$(run align --format paf "$work/q.fa" "$work/t.fa.gz" | grep -o 'cg:Z:.*')
[ "$got" = "cg:Z:2=1I4=" ] || fail "the command printed: $got"
for format in sam bam cram; do
  run align -o "$work/out.$format" "$work/q.fa" "$work/t.fa" || fail "no .$format"
done

# The README's example in C and C++, with pkg-config.
libraries=$(dirname "$(find "$work/moved" -name libnwgpu.so)")
export LD_LIBRARY_PATH=$libraries PKG_CONFIG_PATH=$libraries/pkgconfig
sed --quiet '/^```c$/,/^```$/{/^```/!p}' "$source/README.md" >"$work/example.c"
sed --quiet '/^```cpp$/,/^```$/{/^```/!p}' "$source/README.md" >"$work/example.cpp"
# shellcheck disable=SC2046
cc -std=c99 "$work/example.c" -o "$work/example_c" $(pkg-config --cflags --libs nwgpu)
# shellcheck disable=SC2046
c++ -std=c++20 "$work/example.cpp" -o "$work/example_cpp" $(pkg-config --cflags --libs nwgpu)
for program in example_c example_cpp; do
  got=$("$work/$program")
  [ "$got" = "score 6, CIGAR 2=1I4=" ] || fail "$program printed: $got"
done
echo "archive: passed"
