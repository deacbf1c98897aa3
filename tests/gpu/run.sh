#!/usr/bin/env bash
# All that needs a GPU: the tests, compute-sanitizer on some of them, and the benchmarks.  Prints what passed, and one
# table; keeps the full output.  Needs nothing but the programs and, for the second part, compute-sanitizer, for the
# table Python.
#
#   tests/gpu/run.sh [folder of the programs [folder for the output]]
#
# RUN="tests sanitizers killed benchmarks": some of these alone, where the machine is lent for minutes; all if not given.
#
# The programs are those of this folder, and nwgpu_conformance and nwgpu_published_tests, whose tests are repeated for
# each engine: beside the others, or where the build has them.
set -uo pipefail
here=${1:-build/ci/tests/gpu}
out=${2:-build/gpu}
export NWGPU_THOROUGH=1
mkdir -p "$out"
failed=0
wanted() { [[ " ${RUN:-tests sanitizers killed benchmarks} " == *" $1 "* ]]; }

report() { # report <name> <status>
  if [ "$2" -eq 0 ]; then echo "passed: $1"; else echo "FAILED: $1 (status $2)"; failed=1; fi
}

program() { # program <name> <folder of the build>
  if [ -x "$here/$1" ]; then echo "$here/$1"; else echo "$here/../$2/$1"; fi
}
conformance=$(program nwgpu_conformance conformance)
published=$(program nwgpu_published_tests published)

if wanted tests; then
  # Most of the time goes to the oracle and the CPU engine: in four parts at once, what measures time or memory by itself.
  alone='GpuMemory.KeptMemoryIsFree:GpuCancel.*:GpuBand.IsUsed:GpuProcess.ReportsWhileTheFirstSweepRuns'
  parts=4 cores=$(nproc)
  tests_of_part() { # tests_of_part <number> : all programs, however the one before ended
    local failed=0
    export GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$1
    "$here/nwgpu_gpu_tests" --gtest_filter="-$alone" || failed=1
    "$conformance" --gtest_filter='*/cuda*' || failed=1
    "$published" --gtest_filter='Gpu/*' || failed=1
    return $failed
  }
  export -f tests_of_part
  export here alone parts conformance published
  declare -A running
  for ((part = 0; part < parts; ++part)); do
    taskset --cpu-list "$((part * cores / parts))-$(((part + 1) * cores / parts - 1))" bash -c "tests_of_part $part" \
      > "$out/tests.$part.txt" 2>&1 &
    running[$part]=$!
  done
  for ((part = 0; part < parts; ++part)); do
    wait "${running[$part]}"
    report "tests against the oracle and the CPU engine, part $((part + 1)) of $parts" $?
    grep -hE '^\[  (PASSED|SKIPPED|FAILED)' "$out/tests.$part.txt"
  done
  "$here/nwgpu_gpu_tests" --gtest_filter="$alone" > "$out/alone.txt" 2>&1
  report "calls report and end soon after they are cancelled; bands save time" $?
fi

errors_elsewhere() { # errors_elsewhere <output of initcheck> : where they are, but for reads of other strips' boundaries
  grep -E '^=+ +at ' "$1" | grep -v 'sweep_kernel<'
  grep -E '^\[  FAILED' "$1"
}

if wanted sanitizers; then
  # Under the sanitizers a kernel runs a hundred times slower, most of it on the host: all at once.
  if command -v compute-sanitizer > /dev/null; then
    declare -A tools
    for tool in memcheck racecheck initcheck synccheck; do
      timeout 500 compute-sanitizer --tool $tool --error-exitcode 9 "$here/nwgpu_gpu_tests" --gtest_filter="GpuSmall.*" \
        > "$out/$tool.txt" 2>&1 &
      tools[$tool]=$!
    done
    for tool in "${!tools[@]}"; do
      wait "${tools[$tool]}"
      status=$?
      if [ $tool = initcheck ] && [ $status -eq 9 ] && [ -z "$(errors_elsewhere "$out/initcheck.txt")" ]; then
        echo "initcheck: only reads of sweep_kernel, which are no errors (docs/notes/gpu.md)"
        status=0
      fi
      report "$tool" $status
      tail -n 1 "$out/$tool.txt"
    done
    if [ "$(nvidia-smi -L 2> /dev/null | grep -c '^GPU')" -ge 2 ]; then
      grep -q 'OK \] GpuSmall.RowscanOnTwoGpus' "$out/memcheck.txt"
      report "several GPUs under memcheck" $?
    else
      echo "left out: several GPUs, there is one here"
    fi
  else
    echo "left out: compute-sanitizer is not here"
  fi
fi

if wanted killed; then
  # A run that is killed after some seconds and goes on: the same score and the same CIGAR, by its hash.
  answer() { "$here/nwgpu_gpu_benchmark" --full --repeat 1 "$@" "local path 5M" | grep -o 'score .* cigar [0-9a-f]*'; }
  saved=$(mktemp -d)
  expected=$(answer)
  timeout --signal KILL 5 "$here/nwgpu_gpu_benchmark" --full --checkpoint "$saved/run" 1 "local path 5M" > "$out/killed.txt" 2>&1
  killed=$?
  slabs=$(find "$saved" -name 'slab-*.nwgpu' | wc -l)
  resumed=$(answer --checkpoint "$saved/run" 1)
  echo "killed with status $killed after $slabs slabs; resumed: $resumed; expected: $expected"
  [ "$killed" -eq 137 ] && [ "$slabs" -gt 0 ] && [ -n "$expected" ] && [ "$resumed" = "$expected" ]
  report "a killed run goes on from its checkpoint" $?
  rm -rf "$saved"
fi

if wanted benchmarks; then
  "$here/nwgpu_gpu_benchmark" --repeat 2 | tee "$out/benchmark.txt"
  report "benchmarks" "${PIPESTATUS[0]}"
  "$here/nwgpu_gpu_batches" --cpu | tee "$out/batches.txt"
  report "benchmarks of batches" "${PIPESTATUS[0]}"
  ! grep -q "[1-9][0-9]* of [0-9]* wrong" "$out/batches.txt"
  report "their answers are those of the CPU engine" $?
  if command -v python3 > /dev/null; then # a section of docs/benchmarks.md
    python3 "$(dirname "${BASH_SOURCE[0]}")/table.py" "$out/benchmark.txt" "$out/batches.txt" | tee "$out/benchmark.md"
    report "the table of the benchmarks" "${PIPESTATUS[0]}"
  fi
  if [ -x "$here/nwgpu_gpu_barrier" ]; then "$here/nwgpu_gpu_barrier" | tee "$out/barrier.txt"; fi
  if [ -x "$here/nwgpu_gpu_occupancy" ]; then "$here/nwgpu_gpu_occupancy" | tee "$out/occupancy.tsv"; fi
fi
exit $failed
