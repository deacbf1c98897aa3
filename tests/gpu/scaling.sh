#!/usr/bin/env bash
# What several GPUs of one host do, on as many as there are: batches of reads and of kilobases dealt out to 1, 2, 4 ... of
# them, every answer compared with the CPU's; one pair dealt out to them by rows, its answer compared with that of one;
# the bytes of the command's output with each number; ranks over MPI where it is installed.  Prints one table beside the
# predictions of docs/scaling_model.py, and keeps the full output.
#
#   tests/gpu/scaling.sh [folder of nwgpu_gpu_batches [the command nwgpu [folder for the output]]]
#
# RUN="batches rows kills chromosome bytes": some of these parts alone, where the machine is lent for minutes.
# SCALING_PAIRS=N: long pairs of the part with the command (5 Mbp each, 2 per GPU if not given; 0: left out).
# SCALING_KILLS=N: kills of a pair with a checkpoint (10 if not given).
# SCALING_CHROMOSOME=SECONDS: chromosomes for so long on all GPUs, then resumed for as long on half of them (0, left out, if
# not given; some 100 GB of files an hour and GPU).
# SCALING_ROWS="A;B": works of nwgpu_gpu_benchmark for the part with one pair ("local score 20M", "local path 20M 5%",
# "local path 33M x 47M"; if not given, those of 5M letters, half a minute in all).
set -uo pipefail
here=${1:-build/ci/tests/gpu}
command=${2:-build/ci/cli/nwgpu}
out=${3:-build/scaling}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$out"
failed=0
gpus=$("$command" doctor | grep -c '^GPU cuda:')
if [ "$gpus" -eq 0 ]; then
  echo "no GPU: $("$command" doctor | grep '^GPU')"
  exit 77
fi
counts=()
for ((count = 1; count < gpus; count *= 2)); do counts+=("$count"); done
counts+=("$gpus")
list() { seq -s, 0 "$(($1 - 1))"; } # the first so many GPUs
check() { # check <what> <status>
  if [ "$2" -eq 0 ]; then echo "passed: $1"; else echo "FAILED: $1"; failed=1; fi
}

part_batches() {
  echo "== batches on ${counts[*]} of $gpus GPUs"
  for count in "${counts[@]}"; do
    [ "$count" -eq 1 ] && [ "$gpus" -gt 1 ] && continue # each line has the time of one GPU, too
    "$here/nwgpu_gpu_batches" --repeat 5 --devices "$(list "$count")" "150 x 200 global cigar" "150 x 200 local cigar" \
      "1 kb" "2.4 kb" > "$out/batches.$count.txt"
    check "batches on $count GPUs" $?
    ! grep -E '[1-9][0-9]* of [0-9]+ wrong' "$out/batches.$count.txt"
    check "each answer is the CPU's" $?
    sed -n 's/^\(.\{46\}\) *\([0-9.]*\) ms.*one GPU *\([0-9.]*\) ms: *\([0-9.]*\) x.*/\1 \2 \3 \4/p' \
      "$out/batches.$count.txt" |
      while read -r line; do
        set -- $line
        one=${*: -2:1}
        predicted=$(python3 "$root/docs/scaling_model.py" "$(awk "BEGIN {print $one / 1000}")" 1 "$count" |
          awk 'END {print $3}')
        echo "$count GPUs: $line x, predicted $predicted x" | tee -a "$out/table.txt"
      done
  done
}

part_rows() {
  echo "== one pair by rows on ${counts[*]} of $gpus GPUs"
  IFS=';' read -r -a works <<< "${SCALING_ROWS:-local score 5M;local path 5M}"
  for count in "${counts[@]}"; do
    [ "$count" -eq 1 ] && continue # each line has the time of one GPU, too
    for way in "" --full; do
      "$here/nwgpu_gpu_benchmark" $way --repeat 1 --devices "$count" "${works[@]}" > "$out/rows.$count$way.txt"
      check "one pair on $count GPUs $way" $?
      ! grep "ANOTHER RESULT" "$out/rows.$count$way.txt"
      check "its answer is that of one" $?
      awk -v way="${way:+every cell}" '
        / ms .* score / { match($0, /  +[0-9.]+ ms/); name = substr($0, 1, RSTART); one = $0
                          sub(/ ms.*/, "", one); sub(/.* /, "", one) }
        / devices: / { several = $1; count = $0; sub(/ devices: .*/, "", count); sub(/.* /, "", count)
                       printf "%s %s: one GPU %.2f s, %s GPUs %.2f s: %.2f x\n", name, way, one / 1e3, count,
                              several / 1e3, one / several }' "$out/rows.$count$way.txt" | tee -a "$out/table.txt"
    done
  done
  if [ "$gpus" -gt 1 ] && one=$(grep -m 1 '^local score 5M  ' "$out/rows.$gpus--full.txt" | grep -o '[0-9.]* ms ' | head -n 1); then
    python3 "$root/docs/scaling_model.py" rows 5e6 5e6 "$(awk "BEGIN {print ${one%% *} / 1000}")" "${counts[@]}" |
      sed 's/^/predicted, 5M x 5M, every cell: /' | tee -a "$out/table.txt"
  fi
}

part_kills() {
  if [ "$gpus" -eq 1 ] || [ "${SCALING_KILLS:-10}" -eq 0 ]; then return; fi
  echo "== one pair on $gpus GPUs, killed and resumed"
  python3 "$root/tests/gpu/kills.py" "$command" "$gpus" "${SCALING_KILLS:-10}" | tee "$out/kills.txt"
  check "killed runs go on from their checkpoints" "${PIPESTATUS[0]}"
}

part_chromosome() {
  if [ "${SCALING_CHROMOSOME:-0}" -eq 0 ]; then return; fi
  echo "== chromosomes of 250 and 230 Mbp, local, with path, every cell: $SCALING_CHROMOSOME s on $gpus GPUs, then on less"
  saved=$(mktemp -d)
  every=$((SCALING_CHROMOSOME < 240 ? SCALING_CHROMOSOME / 4 : 60))
  for count in "$gpus" $((gpus > 1 ? gpus / 2 : 1)); do
    timeout --signal KILL "$SCALING_CHROMOSOME" "$here/nwgpu_gpu_benchmark" --full --repeat 1 --devices "$count" \
      --together --checkpoint "$saved/run" "$every" "local path 250M" > "$out/chromosome.$count.txt" 2>&1
    echo "$count GPUs: status $? (137: killed), $(find "$saved" -name 'slab-*.nwgpu' | wc -l) files," \
      "$(du -sm "$saved" | cut -f1) MB are saved" | tee -a "$out/table.txt"
    python3 - "$saved/run" >> "$out/table.txt" << 'PYTHON'
import pathlib, struct, sys
files = sorted(pathlib.Path(sys.argv[1]).glob("slab-*.nwgpu"))
if files:  # docs/checkpoints.md: magic, version, two lengths, three fingerprints, number, row, rows
    row, rows = struct.unpack_from("<2Q", files[-1].open("rb").read(80), 64)
    print(f"    {row + rows} of 250000000 rows are done")
PYTHON
  done
  rm -rf "$saved"
}

part_bytes() {
  pairs=${SCALING_PAIRS:-$((2 * gpus))}
  if [ "$pairs" -eq 0 ]; then return; fi
  echo "== $pairs pairs of 5 Mbp, 5 % different, local, with path"
  python3 - "$out" "$pairs" << 'PYTHON'
import random
import sys
folder, count = sys.argv[1], int(sys.argv[2])
source = random.Random(1)
with open(f"{folder}/a.fa", "w") as a, open(f"{folder}/b.fa", "w") as b:
    for k in range(count):
        letters = source.choices("ACGT", k=5_000_000)
        a.write(f">a{k}\n" + "".join(letters) + "\n")
        for place in source.sample(range(len(letters)), k=len(letters) // 20):
            letters[place] = source.choice(["A", "C", "G", "T", "", "AC"])
        b.write(f">b{k}\n" + "".join(letters) + "\n")
PYTHON
  for count in "${counts[@]}"; do
    begin=$(date +%s.%N)
    "$command" align --device "cuda:$(list "$count")" --pair zip --mode local --format paf "$out/a.fa" "$out/b.fa" \
      > "$out/long.$count.paf"
    check "long pairs on $count GPUs" $?
    echo "$count GPUs: $(awk "BEGIN {print $(date +%s.%N) - $begin}") s, reading and writing included" |
      tee -a "$out/table.txt"
    cmp "$out/long.1.paf" "$out/long.$count.paf"
    check "the bytes are those of one GPU" $?
  done
  for mpi in openmpi mpich; do
    command -v mpirun.$mpi > /dev/null || continue
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun.$mpi -n 2 \
      "$root/tests/gpu/rank.sh" "$command" align --mpi --device cuda --pair zip --mode local --format paf \
      "$out/a.fa" "$out/b.fa" > "$out/ranks.$mpi.paf"
    check "two ranks of $mpi, a GPU each" $?
    cmp "$out/long.1.paf" "$out/ranks.$mpi.paf"
    check "the bytes are those of one GPU" $?
  done
}

for part in ${RUN:-batches rows kills chromosome bytes}; do "part_$part"; done
exit $failed
