#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes one table of what tests/gpu/counters.sh has measured (paper A, graphs 6 to 10).

Usage: counters_table.py FOLDER > counters.tsv     the folder of its output: ALGORITHM.csv and ALGORITHM.tsv

One line for each graph of launches, or for each kernel that is in none.  Of several launches of a kernel counts are
added up, and shares and means weighted: occupancy by time, the others by instructions.
"""
import csv
import pathlib
import sys

TIME = "gpu__time_duration.sum"  # nanoseconds
INSTRUCTIONS = "smsp__inst_executed.sum"
BRANCHES = "smsp__inst_executed_op_branch.sum"
WEIGHTED = {"occupancy_percent": ("sm__warps_active.avg.pct_of_peak_sustained_active", TIME),
            "cycles_per_instruction": ("smsp__average_warp_latency_per_inst_issued.ratio", INSTRUCTIONS),
            "threads_per_warp": ("smsp__thread_inst_executed_per_inst_executed.ratio", INSTRUCTIONS)}


def measured(path):
    """The launches of one file of ncu's: {"Kernel Name": ..., metric: number}."""
    lines = path.read_text().splitlines()
    first = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), None)
    if first is None:
        return []
    rows = [row for row in csv.DictReader(lines[first:]) if row["ID"].isdigit()]  # not the line of units
    for row in rows:
        for metric in (TIME, INSTRUCTIONS, BRANCHES, *(metric for metric, _ in WEIGHTED.values())):
            try:
                row[metric] = float(row[metric].replace(",", ""))
            except ValueError:  # n/a
                row[metric] = float("nan")
    return rows


def launches_of(path):
    """What nwgpu_gpu_occupancy printed: lengths, and the launches of each kernel."""
    lines = [line for line in path.read_text().splitlines() if "\t" in line]
    return {row["kernel"]: row for row in csv.DictReader(lines, delimiter="\t")}


def main(folder):
    table = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    table.writerow(["algorithm", "query_length", "target_length", "counted", "launches", "measured", "milliseconds",
                    *WEIGHTED, "instructions", "branches", "branch_percent"])
    number = lambda path: int(path.stem[3:path.stem.index("-")])  # gpu10-mlsp-supertile
    for path in sorted(folder.glob("gpu*.csv"), key=number):
        launches = launches_of(path.with_suffix(".tsv"))
        lengths = next(iter(launches.values()))
        by_kernel = {}
        for row in measured(path):
            by_kernel.setdefault(row["Kernel Name"], []).append(row)
        for kernel, rows in by_kernel.items():
            known = launches.get(kernel)
            total = lambda metric: sum(row[metric] for row in rows)
            scale = int(known["launches"]) / len(rows) if known else 1  # some launches stand for all
            means = [sum(row[metric] * row[weight] for row in rows) / total(weight) for metric, weight in WEIGHTED.values()]
            table.writerow([path.stem, lengths["query_length"], lengths["target_length"], kernel if known else "graph",
                            known["launches"] if known else sum(int(each["launches"]) for each in launches.values()),
                            len(rows), f"{scale * total(TIME) / 1e6:.4g}", *(f"{mean:.4g}" for mean in means),
                            f"{scale * total(INSTRUCTIONS):.0f}", f"{scale * total(BRANCHES):.0f}",
                            f"{100 * total(BRANCHES) / total(INSTRUCTIONS):.3g}"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
