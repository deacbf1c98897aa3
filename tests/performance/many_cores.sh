#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# How the command and the library scale on a machine that has nothing but glibc, in about three minutes.
#   many_cores.sh pack BUILD TO       copy what it needs into the folder TO, itself included
#   TO/many_cores.sh run [READS]      there: measure; READS pairs of short reads, two million unless told
# RUN="command library processes": some of these parts alone, where the machine is lent for minutes.
# The command: pairs of 10^6 per second and times one thread, medians of three but for one thread, processor time per
# pair; whether the output is that of one thread.  The library: nwgpu_perf_tool scaling, which also says what a thread
# takes longer beside one more: the factor that predictions have for it (slower_beside of cpu/estimate.cpp).
# Processes: as many of one thread each as there are cores, all at once, share nothing: what they gain over one alone
# is what the machine allows, whatever a library does.
set -eu

pack() {
    local build=$1 to=$2
    mkdir -p "$to"
    cp "$build"/cli/nwgpu "$build"/tests/performance/nwgpu_perf_tool "$0" "$to"
    for program in "$build"/cli/nwgpu "$build"/tests/performance/nwgpu_perf_tool; do
        ldd "$program" | awk '$2 == "=>" && $1 !~ /^(libc|libm|libpthread|libdl|librt)\.so/ {print $3}'
    done | sort -u | xargs -I{} cp -L {} "$to"
    local isal
    isal=$(ldconfig -p | awk '$1 == "libisal.so.2" {print $NF; exit}')
    if [ -n "$isal" ]; then cp -L "$isal" "$to"; fi
    strip "$to"/nwgpu "$to"/nwgpu_perf_tool
    du -sh "$to"
}

# FORMAT SUFFIX THREADS REPEATS: a line of the table, and the output of the last run in $work/THREADS.FORMAT.
row() {
    local format=$1 suffix=$2 threads=$3 repeats=$4 times=()
    local out=$work/$threads.$format command
    command=("$here/nwgpu" align --pair zip --mode semiglobal --device cpu -q -t "$threads" --format "$format" -o "$out"
             "$work/q.fq$suffix" "$work/t.fa$suffix")
    local TIMEFORMAT='%R %U %S'
    for ((i = 0; i < repeats; ++i)); do
        rm -f "$out" # in its place a new file would be written out before it gets its name
        times+=("$( { time "${command[@]}" 1>&2; } 2>&1)")
    done
    local median
    median=$(printf '%s\n' "${times[@]}" | sort -n | sed -n "$((repeats / 2 + 1))p")
    local equal=-
    if [ "$threads" -ne 1 ]; then
        equal=NO
        if same "$format" "$work/1.$format" "$out"; then equal=yes; fi
    fi
    echo "$median" | awk -v reads="$reads" -v format="$format" -v input="plain$suffix" -v threads="$threads" \
        -v one="${one[$format]:-0}" -v equal="$equal" '{
        printf("%-6s %-9s %7d %8.2f s %6.2f M/s %6.2f x %6.2f us/pair %6s\n", format, input, threads, $1,
               reads / $1 / 1e6, (one > 0) ? one / $1 : 1, ($2 + $3) / reads * 1e6, equal)}'
    if [ "$threads" -eq 1 ] && [ -z "$suffix" ]; then one[$format]=${median%% *}; fi
}

# Of BAM, the records: headers tell the command.
same() {
    if [ "$1" != bam ]; then cmp -s "$2" "$3"; return; fi
    python3 - "$2" "$3" <<'END'
import gzip, hashlib, struct, sys
from concurrent.futures import ProcessPoolExecutor

def records(path):
    with gzip.open(path) as file:
        size = struct.unpack("<4xi", file.read(8))[0]
        file.read(size)
        for _ in range(struct.unpack("<i", file.read(4))[0]):
            file.read(struct.unpack("<i", file.read(4))[0] + 4)
        digest = hashlib.sha256()
        while part := file.read(1 << 20):
            digest.update(part)
        return digest.hexdigest()

with ProcessPoolExecutor() as pool:
    a, b = pool.map(records, sys.argv[1:])
sys.exit(a != b)
END
}

wanted() { [[ " ${RUN:-command library processes} " == *" $1 "* ]]; }

command_part() {
    "$here/nwgpu_perf_tool" reads "$reads" "$work/q.fq" "$work/t.fa"
    gzip -1 -k "$work/q.fq" & gzip -1 -k "$work/t.fa" & wait
    echo "== command, $reads pairs of reads, $cores cores; ready after $SECONDS s"
    for format in tsv paf bam; do
        row $format "" 1 1
        for threads in 4 "$cores"; do row $format "" "$threads" 3; done
        if [ "$cores" -gt 16 ]; then row $format "" 16 3; fi
        row $format .gz "$cores" 3
        rm -f "$work"/*.$format
    done
}

# The rows of the library that take less than five seconds with one thread: each process calls for two seconds.
processes_part() {
    local name alone core ms
    while read -r name alone; do
        for ((core = 0; core < cores; ++core)); do
            taskset -c "${allowed[core]}" "$here/nwgpu_perf_tool" scaling 1000 1 "$name" > "$work/process.$core" &
        done
        wait
        ms=$(cat "$work"/process.* | awk -v name="$name" '$1 == name {sum += $3; ++n} END {print sum / n}')
        echo "$name $alone $ms" | awk -v cores="$cores" '{
            printf("%-36s %8d processes %10.2f ms each, %10.2f alone: %6.2f x\n", $1, cores, $3, $2, cores * $2 / $3)}'
    done < <(awk '$2 == 1 && $3 < 5000 {print $1, $3}' "$work/library")
}

run() {
    here=$(cd "$(dirname "$0")" && pwd)
    reads=${1:-2000000}
    work=$(mktemp -d)
    trap 'rm -r "$work"' EXIT
    export LD_LIBRARY_PATH=$here
    declare -A one
    cores=$(nproc)
    mapfile -t allowed < <(taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r a b; do seq "$a" "${b:-$a}"; done)
    lscpu | grep 'Model name' || true
    "$here/nwgpu" doctor | head -8
    if wanted command; then command_part; fi
    echo "== library; after $SECONDS s"
    local counts=1
    if wanted library; then counts="1 4 8 16"; fi
    "$here/nwgpu_perf_tool" scaling 5 $counts | tee "$work/library"
    echo "== processes; after $SECONDS s"
    if wanted processes; then processes_part; fi
    echo "== end after $SECONDS s"
}

case ${1:-} in
pack) pack "$2" "$3" ;;
run) run "${@:2}" ;;
*) sed -n '3,11p' "$0"; exit 2 ;;
esac
