#!/usr/bin/env bash
# Hardware counters of the thesis's algorithms (paper A, graphs 6 to 10: occupancy, cycles an instruction, threads a warp,
# branches), by Nsight Compute.  Needs nothing but nwgpu_gpu_occupancy and ncu, and leave to read the counters.
#
#   tests/gpu/counters.sh [folder of nwgpu_gpu_occupancy [folder for the output [letters of both sequences [node]]]]
#
# A graph of launches is measured as a whole, as the thesis did; with `node` each kernel by itself, one launch of ten or,
# of many, of a hundred.  docs/counters_table.py makes a table of the files, one for each algorithm.
set -uo pipefail
here=${1:-build/ci/tests/gpu}
out=${2:-build/gpu/counters}
letters=${3:-5000}
mode=${4:-graph}
mkdir -p "$out"
command -v ncu > /dev/null || { echo "left out: ncu is not here"; exit 0; }
metrics=gpu__time_duration.sum,sm__warps_active.avg.pct_of_peak_sustained_active
metrics+=,smsp__average_warp_latency_per_inst_issued.ratio,smsp__thread_inst_executed_per_inst_executed.ratio
metrics+=,smsp__inst_executed.sum,smsp__inst_executed_op_branch.sum
failed=0
for name in gpu1-ml-diag gpu2-ml-diagrow2pass gpu3-ml-diagdiag gpu4-ml-diagdiag2pass gpu5-coop-diagdiag \
  gpu6-coop-diagdiag2pass gpu7-mlsp-diagdiag gpu8-mlsp-diagdiag gpu9-mlsp-diagdiagdiag gpu10-mlsp-supertile; do
  some=()
  if [ "$mode" = node ]; then
    case $name in gpu1-* | gpu2-*) some=(--kernel-id ':::1|.*50') ;; *) some=(--kernel-id ':::1|.*5') ;; esac
  fi
  timeout 240 ncu --csv --page raw --print-units base --print-kernel-base function --clock-control none \
    --graph-profiling "$mode" "${some[@]}" --metrics $metrics --log-file "$out/$name.csv" \
    "$here/nwgpu_gpu_occupancy" "$name" "${letters}x$letters" > "$out/$name.tsv" 2>&1
  status=$?
  if [ $status -eq 0 ] && grep -q '^"[0-9]' "$out/$name.csv"; then
    echo "measured: $name"
  else
    echo "FAILED: $name (status $status)"
    tail -n 3 "$out/$name.csv"
    failed=1
  fi
done
exit $failed
