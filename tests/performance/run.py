#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Runs the benchmarks, ours and the peers' repetitions interleaved in one process per family of workloads, pinned to
# one core except where threads are compared, and prints one table of medians (and a TSV file).  Standard library only.
#   tests/performance/run.py --build build/perf          configure, compile (minutes: SeqAn) and run everything
#   tests/performance/run.py --bin build/perf/tests/performance --quick      below two minutes
#   tests/performance/run.py --results performance.tsv --markdown -         a table of docs/benchmarks.md, from a file
import argparse
import datetime
import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the sources stay clean
import machine
import markdown
import report

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def arguments():
    parser = argparse.ArgumentParser(description="Compare nwgpu with its peers.")
    parser.add_argument("--bin", help="folder of nwgpu_perf and nwgpu_perf_tool")
    parser.add_argument("--build", metavar="FOLDER", help="configure and build the benchmarks there first")
    parser.add_argument("--quick", action="store_true", help="short workloads, less time each: below two minutes")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only workloads whose names match")
    parser.add_argument("--repetitions", type=int, default=3, help="medians are taken over these [3]")
    parser.add_argument("--core", type=int, default=0, help="core for single-thread rows [0]")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall",
                        help="time that single-thread rows compare [wall]; cpu on a busy machine")
    parser.add_argument("--huge-pages", action="store_true",
                        help="let malloc of every library ask for huge pages (helps peers with trace tables)")
    parser.add_argument("--data", default=os.path.join(os.path.dirname(ROOT), "shared", "data"),
                        help="folder with genomes/ and proteins/ (gzip) for the real pairs")
    parser.add_argument("--command", metavar="NWGPU", help="the command nwgpu, for its share of time in alignment")
    parser.add_argument("--tsv", default="performance.tsv", help="where every median is written [performance.tsv]")
    parser.add_argument("--markdown", metavar="FILE", help="where the table is written as a section of "
                        "docs/benchmarks.md, missed bars first; - is standard output")
    parser.add_argument("--results", metavar="TSV", help="measure nothing: take what an earlier run has written")
    options = parser.parse_args()
    if options.results:
        return options
    if options.build:
        run(["cmake", "-S", ROOT, "-B", options.build, "-DCMAKE_BUILD_TYPE=Release"])
        run(["cmake", "--build", options.build, "--target", "performance", "--parallel"])
        options.bin = options.bin or os.path.join(options.build, "tests", "performance")
    if not options.bin or not os.path.exists(os.path.join(options.bin, "nwgpu_perf")):
        parser.error("no nwgpu_perf: give --bin or --build")
    return options


def run(command, environment=None, check=True):
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if check and result.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def unpack(options, program, folder):
    """Real data as plain FASTA below `folder`; True if there are any."""
    found = False
    for name in run([program, "--data-files"]).split():
        source = os.path.join(options.data, name + ".gz")
        if os.path.exists(source):
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with gzip.open(source, "rb") as packed, open(os.path.join(folder, name), "wb") as plain:
                shutil.copyfileobj(packed, plain)
            found = True
    return found


def families(plan, options):
    """Workloads to run, grouped: threads/x/global/score/t1 and .../t2 belong together."""
    groups = {}
    for line in plan.splitlines():
        workload, _, quick, _ = line.split("\t")
        if (quick == "1" or not options.quick) and re.search(options.filter, workload):
            group = groups.setdefault("/".join(workload.split("/")[:4]), [])
            if workload not in group:
                group.append(workload)
    return groups


def measure(options, program, environment, workloads):
    """One process: {(workload, peer): {"wall", "cpu", "error"}} and the program's own words about itself."""
    pattern = "^(" + "|".join(workloads) + ")/"  # names hold letters, digits, /, - and . only
    with tempfile.NamedTemporaryFile(suffix=".json") as output:
        command = [program, f"--benchmark_filter={pattern}", f"--benchmark_repetitions={options.repetitions}",
                   f"--benchmark_min_time={0.02 if options.quick else 0.2}",
                   "--benchmark_enable_random_interleaving=true",
                   f"--benchmark_out={output.name}", "--benchmark_out_format=json"]
        if not workloads[0].startswith(("threads/", "scaling/")):
            command = ["taskset", "-c", str(options.core), *command]
        run(command, environment, check=False)
        content = output.read().decode()
    if not content.strip():
        return {(name, "nwgpu"): {"error": "nwgpu_perf died: " + " ".join(command)} for name in workloads}, {}
    document = json.loads(content)
    times, results = {}, {}
    for entry in document["benchmarks"]:
        name = re.sub(r"/(iterations:\d+|repeats:\d+|process_time|real_time)", "", entry["run_name"])
        key = tuple(name.rsplit("/", 1))
        if entry.get("error_occurred"):
            results[key] = {"error": entry["error_message"]}
        elif entry["run_type"] == "iteration":
            times.setdefault(key, []).append((entry["real_time"], entry["cpu_time"], entry["GCUPS"]))
    for key, rows in times.items():
        if key not in results:
            wall, cpu = (statistics.median(row[k] for row in rows) * 1e-6 for k in (0, 1))
            cells = rows[0][0] * 1e-6 * rows[0][2]  # 10^9 cells
            results[key] = {"wall": wall, "cpu": cpu, "gigacells": cells,
                            "spread": max(row[0] for row in rows) / min(row[0] for row in rows)}
    return results, document["context"]


def tool(options, environment, *words):
    """A line of key=value from nwgpu_perf_tool, or None if it failed."""
    command = ["taskset", "-c", str(options.core), os.path.join(options.bin, "nwgpu_perf_tool"), *map(str, words)]
    line = run(command, environment, check=False)
    return {key: float(value) for key, value in re.findall(r"(\w+)=([-\d.]+)", line)} or None


def write_markdown(table, name):
    if name == "-":
        print(markdown.section(table), end="")
    elif name:
        with open(name, "w", encoding="utf-8") as file:
            file.write(markdown.section(table))


def main():
    options = arguments()
    if options.results:
        table = report.read(options.results, options)
        if not options.markdown:
            table.print()
        write_markdown(table, options.markdown)
        return 0
    program = os.path.join(options.bin, "nwgpu_perf")
    environment = dict(os.environ)
    if options.huge_pages:
        environment["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    with tempfile.TemporaryDirectory() as folder:
        if unpack(options, program, folder):
            environment["NWGPU_PERF_DATA"] = folder
        plan = run([program, "--plan"], environment)
        clock = tool(options, environment, "clock")
        head = [f"commit: {machine.commit(ROOT)}; date: {datetime.date.today().isoformat()}", *machine.describe(),
                f"clock: {clock['ghz']:.2f} GHz measured" if clock else "clock: not measured",
                f"time: {options.clock}, median of {options.repetitions}"
                f"{'; huge pages for malloc' if options.huge_pages else ''}{'; quick' if options.quick else ''}"]
        table = report.Table(options, clock["ghz"] if clock else None, head)
        for name, workloads in families(plan, options).items():
            print(f"... {name}", file=sys.stderr)
            table.add(*measure(options, program, environment, workloads))
        table.add_memory(lambda *words: tool(options, environment, "memory", *words))
        table.add_command(lambda *words: tool(options, environment, *words), folder)
    table.print()
    table.write(options.tsv)
    write_markdown(table, options.markdown)
    return table.failed


if __name__ == "__main__":
    sys.exit(main())
