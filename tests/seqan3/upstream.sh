#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SeqAn3's own tests of align_pairwise with the adapter in its place: an outside check, by hand.
#
#   tests/seqan3/upstream.sh SEQAN3_SOURCE LIBRARY_FOLDER [COMPILER_OPTION ...]
#
# SEQAN3_SOURCE is the unpacked source of a SeqAn3 release (Debian: apt-get source seqan3), LIBRARY_FOLDER is where
# libnwgpu.so lies.  Options say where the headers of that release are, if not where the compiler looks, and its C++
# version: -std=c++23 -isystem ... for 3.4.  Two changes: the name of the function, and no debug matrices, which the
# adapter leaves to SeqAn3.  The tests of the edit distance are left out: they call what lies below align_pairwise.
set -euo pipefail
source=$(realpath "$1") library=$(realpath "$2")
shift 2
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp -r "$source/test/unit/alignment/pairwise" "$scratch/tests"
cd "$scratch/tests"
sed --in-place --regexp-extended 's/([^:a-z])seqan3::align_pairwise\(/\1::nwgpu::seqan3::align_pairwise(/g
  s#<seqan3/alignment/pairwise/align_pairwise.hpp>#<nwgpu/seqan3/align_pairwise.hpp>#' ./*.cpp ./*.hpp
sed --in-place '/align_cfg::detail::debug/d; s/output_alignment{}$/&;/; /_matrix_t\b/d' \
  pairwise_alignment_single_test_template.hpp

failed=0
for test in align_pairwise_test.cpp *affine*_test.cpp; do
  echo "== ${test%.cpp}"
  "${CXX:-c++}" -std=c++20 -w "$@" -I"$root/seqan_adapter/include" -I"$root/capi/include" -I"$source/test/include" \
    "$test" -o test -L"$library" -Wl,-rpath,"$library" -lnwgpu -lgtest_main -lgtest -pthread && ./test --gtest_brief=1 ||
    failed=1
done
exit "$failed"
