#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SECONDS TARGET...: replays the seed corpus of each fuzz target, then fuzzes it for SECONDS.  New inputs go to
# a scratch folder; an input that fails is left in the working directory as <target>-crash-*.  The seed is fixed, so that
# a finding belongs to the change that is tested; NWGPU_FUZZ_SEED=0 draws another each time, for longer searches.
set -eu
seconds=${1:?usage: run.sh SECONDS TARGET...}
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for target in "$@"; do
    name=$(basename "$target")
    mkdir -p "$scratch/$name"
    echo "== $name"
    "$target" -seed="${NWGPU_FUZZ_SEED:-1}" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2500 -max_len=4096 \
        -print_final_stats=1 -artifact_prefix="$name-" "$scratch/$name" "$here/corpus/${name#fuzz_}" 2>&1 |
        tee "$scratch/log" |
        grep -E 'DONE|does not hold|ERROR|SUMMARY|stat::number|reproducer|Test unit|Base64' || true
    grep -q '^DONE\|Done [0-9]* runs' "$scratch/log"
done
