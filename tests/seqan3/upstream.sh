#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SeqAn3's own tests of align_pairwise with the adapter in its place: an outside check, by hand.
#
#   tests/seqan3/upstream.sh SEQAN3_SOURCE LIBRARY_FOLDER [PART_OF_FILE_NAME]
#
# SEQAN3_SOURCE is a checkout of SeqAn3 or the unpacked source of a release (Debian: apt-get source seqan3), from 3.2 on;
# LIBRARY_FOLDER is where libnwgpu.so lies; with a third argument only files whose names hold it are run.  SeqAn3's unit
# tests, the fixtures of its edit distances, and the examples of its documentation are compiled as they are, with a header
# before SeqAn3's that makes seqan3::align_pairwise the adapter (upstream/).  Each file has to pass as many tests as the
# table below says, and each test has to call the adapter; each example has to print what SeqAn3 says that it prints.
#
# CXX chooses the compiler, which has to know C++23 for SeqAn3 3.4; JOBS says how many run at a time.  SDSL, which SeqAn3
# needs before 3.4, is looked for in the source, beside it, and where Debian has it.
set -euo pipefail
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  sed --quiet 's/^# \{0,1\}//; 3,16p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
source=$(realpath "$1") library=$(realpath "$2") chosen=${3:-}
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
root=$(realpath "$here/../..")

# File in SeqAn3's test/unit/alignment/pairwise, and how many tests it has with 3.2, with 3.3, and from 3.4 on that call
# align_pairwise.  (Those of vectors have empty ones besides.)
test_counts="
align_pairwise_test                                               13  13  13
global_affine_unbanded_test                                       32  36  36
global_affine_unbanded_aa27_test                                  20  20  20
global_affine_unbanded_callback_test                              32  32  32
global_affine_unbanded_collection_test                             4   4   4
global_affine_unbanded_collection_callback_test                    5   5   5
global_affine_unbanded_collection_simd_test                        6   6   6
global_affine_unbanded_collection_simd_aa27_test                   4   4   4
global_affine_banded_test                                         28  29  29
global_affine_banded_collection_simd_test                          1   1   1
semi_global_affine_unbanded_test                                  16  16  16
semi_global_affine_banded_test                                    29  29  29
local_affine_unbanded_test                                        32  32  32
local_affine_banded_test                                          32  32  32
edit_distance/global_edit_distance_unbanded_test                 128 128 160
edit_distance/global_edit_distance_max_errors_unbanded_test      224 224 256
edit_distance/semi_global_edit_distance_unbanded_test            128 128 160
edit_distance/semi_global_edit_distance_max_errors_unbanded_test 256 256 288
"
# Folders with examples whose output SeqAn3 knows, which of them prints what depends on chance, and how many others there
# are.
example_folders=(test/snippet/alignment/configuration test/snippet/alignment/pairwise doc/tutorial/08_pairwise_alignment)
random_example=parallel_align_pairwise_with_callback
example_count=14

version=$(sed --quiet --regexp-extended 's/^#define SEQAN3_VERSION_(MAJOR|MINOR) ([0-9]+)/\2/p' \
  "$source/include/seqan3/version.hpp" | paste --serial --delimiters=.)
case "$version" in
  3.2) column=0 standard=20 ;;
  3.3) column=1 standard=20 ;;
  3.*) column=2 standard=23 ;;
  *) echo "upstream.sh: SeqAn3 ${version:-of unknown version}: needs 3.2 or later" >&2 && exit 2 ;;
esac
test -f "$library/libnwgpu.so" || { echo "upstream.sh: there is no libnwgpu.so in $library" >&2 && exit 2; }

flags=("-std=c++$standard" -w -Wfatal-errors -I"$here/upstream" -I"$root/seqan_adapter/include" -I"$root/capi/include"
  -isystem "$source/include" -isystem "$source/test/include")
if [ "$standard" = 20 ]; then
  sdsl=
  for folder in "$source/submodules/sdsl-lite/include" "$source/../sdsl-lite/include" \
    /usr/include/seqan3/submodules/sdsl-lite/include /usr/local/include /usr/include; do
    if [ -z "$sdsl" ] && [ -f "$folder/sdsl/version.hpp" ]; then sdsl=$folder; fi
  done
  if [ -z "$sdsl" ]; then
    echo "upstream.sh: SDSL not found: neither in $source nor beside it nor in /usr (Debian: libseqan3-dev)" >&2
    exit 2
  fi
  case "$sdsl" in /usr/include | /usr/local/include) ;; *) flags+=(-isystem "$sdsl") ;; esac
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The tests of edit distances look for their template above their folder, where ours is to be.
cp -r "$source/test/unit/alignment/pairwise" "$scratch/pairwise"
cp "$here/upstream/edit_distance_unbanded_test_template.hpp" "$scratch/pairwise"

compile() { # SOURCE PROGRAM [LIBRARY ...]
  "${CXX:-c++}" "${flags[@]}" "$1" -o "$2" "${@:3}" -L"$library" -Wl,-rpath,"$library" -lnwgpu -pthread
}

failure() { # LOG TEXT
  echo "FAILED  $2"
  tail --lines=40 "$1"
}

run_tests() { # FILE EXPECTED_COUNT
  local program=$scratch/${1//\//-} passed=none
  local log=$program.log
  if compile "$scratch/pairwise/$1.cpp" "$program" "$scratch/main.o" -lgtest &>"$log" &&
    "$program" --gtest_brief=1 &>>"$log"; then
    passed=$(sed --quiet 's/^passed through the adapter: //p' "$log")
  fi
  rm -f "$program"
  if [ "$passed" = "$2" ]; then
    echo "ok      $1: $2 tests"
  else
    failure "$log" "$1: $2 tests should pass through the adapter, not $passed"
  fi
}

run_example() { # FILE
  local program=$scratch/${1//\//-} known=0
  local log=$program.log
  if compile "$source/$1.cpp" "$program" &>"$log" && "$program" >"$program.out" 2>"$program.err"; then
    for stream in out err; do
      if [ -f "$source/$1.$stream" ]; then
        diff "$source/$1.$stream" "$program.$stream" &>>"$log" && known=$((known + 1)) || known=-9
      fi
    done
  fi
  rm -f "$program"
  if [ "$known" -gt 0 ]; then echo "ok      $1"; else failure "$log" "$1: does not print what SeqAn3 prints"; fi
}

# Runs a command in the background once fewer than JOBS do; its report is printed as a whole when it is done.
reports=0
begin() { # COMMAND FILE [ARGUMENT]
  if [[ "$2" != *"$chosen"* ]]; then return; fi
  while [ "$(jobs -rp | wc --lines)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
  reports=$((reports + 1))
  { "$@" >"$scratch/report.$reports" && cat "$scratch/report.$reports"; } &
}

echo "== SeqAn3 $version in C++$standard through the adapter"
"${CXX:-c++}" "${flags[@]}" -c "$here/upstream/main.cpp" -o "$scratch/main.o"
while read -r file counts; do
  read -r -a counts <<<"$counts"
  if [ -n "$file" ]; then begin run_tests "$file" "${counts[$column]}"; fi
done <<<"$test_counts"
examples=0
for folder in "${example_folders[@]}"; do
  for file in "$source/$folder"/*.cpp; do
    file=${file%.cpp}
    if [ "${file##*/}" != "$random_example" ] && grep --quiet 'align_pairwise *(' "$file.cpp" && [ -f "$file.out" -o -f "$file.err" ]; then
      begin run_example "${file#"$source/"}"
      examples=$((examples + 1))
    fi
  done
done
wait

passed=$(cat "$scratch"/report.* | grep --count '^ok ' || true)
echo "== $passed of $reports files and examples passed"
if [ "$examples" -ne "$example_count" ]; then
  echo "FAILED  $examples examples where there should be $example_count"
  exit 1
fi
[ "$passed" -eq "$reports" ]
