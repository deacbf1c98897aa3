# SPDX-License-Identifier: BSD-3-Clause
# Collects medians, puts ours beside the fastest exact peer and beside the targets, prints the table, writes the TSV and
# reads it back.
# A peer whose check failed has an error instead of a time, so that every time here belongs to right answers.
import os
import re
import resource
import subprocess
import sys
import time

import machine
import targets

OURS = "nwgpu"
DISTURBED = 1.15  # slowest repetition over the fastest one, from which on a row should be measured again


def duration(seconds):
    """Three figures and a unit; - for None."""
    if seconds is None:
        return "-"
    for limit, factor, unit in ((1e-3, 1e6, "us"), (1, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.4g} s"


def verdict(ratio, target, at_most=False):
    """The words of the last column."""
    if target is None or ratio is None:
        return ""
    met = ratio <= target if at_most else ratio >= target
    return f"{'<=' if at_most else '>='} {target:g}: {'met' if met else 'MISSED'}"


class Table:
    def __init__(self, options, gigahertz, head):
        self.options, self.gigahertz, self.head = options, gigahertz, head
        self.results = {}  # (workload, peer) -> medians or error
        self.isa, self.extra, self.failed = "", [], 0

    def add(self, results, context):
        self.results.update(results)
        text = context.get("nwgpu", "")
        found = re.search(r"in use cpu:(\w+)", text)
        if found and not self.isa:
            self.isa = found.group(1)
            self.head += [f"nwgpu: {text}", f"peers not built: {context.get('missing_peers', '?')}"]
        for (workload, peer), medians in results.items():
            error = medians.get("error", "")
            if error and not error.startswith("known defect"):
                self.failed = 1
                print(f"{workload}/{peer}: {error}", file=sys.stderr)

    def seconds(self, workload, peer=OURS):
        medians = self.results.get((workload, peer), {})
        several = workload.startswith(("threads/", "scaling/"))
        return medians.get("wall" if several else self.options.clock)

    def fastest_peer(self, workload):
        times = [(self.seconds(name, peer), peer) for name, peer in self.results
                 if name == workload and not peer.startswith(OURS) and self.seconds(name, peer)]
        return min(times) if times else (None, "-")

    def rows(self):
        """workload, ours, GCUPS, fastest exact peer, its time, ratio, verdict, share of the SIMD limit."""
        for workload in dict.fromkeys(name for name, _ in self.results):
            ours = self.seconds(workload)
            theirs, peer = self.fastest_peer(workload)
            ratio = theirs / ours if ours and theirs else None
            speed = self.results[workload, OURS]["gigacells"] / ours if ours else None
            limit = machine.simd_limit(workload, self.isa, self.gigahertz)
            yield (workload, duration(ours), f"{speed:.3g}" if speed else "-", peer, duration(theirs),
                   f"{ratio:.2f}" if ratio else "-", verdict(ratio, targets.speed(workload)),
                   f"{speed / limit:.0%}" if speed and limit else "-")
        yield from self.comparisons()
        yield from self.extra

    def comparisons(self):
        """Ours against BiWFA alone; ours against ours: structure against the full matrix, several threads against one."""
        for workload in [name for name, peer in self.results if peer == OURS]:
            ours = self.seconds(workload)
            bidirectional = self.seconds(workload, "wfa2-ultralow")
            if ours and bidirectional:
                yield (workload, duration(ours), "", "wfa2-ultralow", duration(bidirectional),
                       f"{bidirectional / ours:.2f}", "", "")
            if re.match(r"(structure|unrelated)/[^/]*/global/cigar", workload):
                length = workload.split("/")[1]
                for output in ("score", "cigar"):
                    full = self.seconds(f"unrelated/{length}/global/{output}")
                    if ours and full and workload != f"unrelated/{length}/global/{output}":
                        limit = targets.STRUCTURE_OVER_FULL if output == "score" else None
                        yield (workload, duration(ours), "", f"nwgpu, unrelated, {output}", duration(full),
                               f"{ours / full:.2f}x", verdict(ours / full, limit, at_most=True), "")
            name, threads = workload.rsplit("/t", 1) if re.search(r"/t\d+$", workload) else (workload, "1")
            one = self.seconds(name + "/t1") if threads != "1" else None
            if ours and one:
                yield (workload, duration(ours), "", "nwgpu, one thread", duration(one), f"{one / ours:.2f}",
                       verdict(one / ours, targets.scaling(workload)), "")

    def add_memory(self, measure):
        """Peak memory of a process of its own, and what the path costs over the score."""
        if not re.search(self.options.filter, "memory"):
            return
        cases = [(10000, 15), (100000, 1)] if self.options.quick else [(100000, 5), (100000, 100), (1000000, 5),
                                                                        (1000000, 100)]
        for length, divergence in cases:
            print(f"... memory {length} {divergence} %", file=sys.stderr)
            path, score = measure(length, divergence, "cigar"), measure(length, divergence, "score")
            if not path or not score:
                self.extra.append((f"memory/{length}-{divergence}pct", "failed", "", "", "", "", "", ""))
                continue
            clock = self.options.clock
            self.extra.append((f"memory/{length}-{divergence}pct/global/cigar", duration(path[clock]), "",
                               f"peak {path['peak_kib'] / 1024:.1f} MiB, {path['before_kib'] / 1024:.1f} before",
                               duration(score[clock]) + " score", f"{path[clock] / score[clock]:.2f}x", "", ""))

    def add_command(self, tool, folder):
        """Time of `nwgpu align` on 1000 protein pairs, and the library's part of it."""
        inside = self.seconds("command/protein-1000/global/cigar")
        if not self.options.command or not inside:
            return
        queries, found = os.path.join(folder, "queries.fa"), os.path.join(folder, "targets.fa")
        tool("fasta", queries, found)
        command = ["taskset", "-c", str(self.options.core), self.options.command, "align", "-q", "-t", "1", "--device",
                   "cpu", "--protein", "--pair", "zip", "--format", "tsv", "-o", os.devnull, queries, found]
        def now():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return time.perf_counter() if self.options.clock == "wall" else usage.ru_utime + usage.ru_stime

        times = []
        for _ in range(max(3, self.options.repetitions)):
            start = now()
            if subprocess.run(command, check=False).returncode != 0:
                self.failed = 1
                return
            times.append(now() - start)
        whole = sorted(times)[len(times) // 2]
        self.extra.append(("command/nwgpu-align", duration(whole), "", "nwgpu_align alone", duration(inside),
                           f"{inside / whole:.0%} in alignment", verdict(inside / whole, targets.COMMAND_SHARE), ""))

    def print(self):
        header = ("workload", "nwgpu", "GCUPS", "fastest exact peer", "its time", "ratio", "target", "of SIMD limit")
        rows = [header, *self.rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(len(header))]
        print("\n".join(self.head) + "\n")
        rows.insert(1, tuple("-" * width for width in widths))
        for row in rows:
            print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        for (workload, peer), medians in self.results.items():
            if "error" in medians:
                print(f"not timed: {workload} {peer}: {medians['error']}")
        disturbed = [f"{workload} {peer}" for (workload, peer), medians in self.results.items()
                     if medians.get("spread", 1) > DISTURBED]
        if disturbed:
            print(f"repetitions differ by more than {DISTURBED - 1:.0%} in {len(disturbed)} rows: "
                  "measure again on an idle machine")

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f"# {line}\n" for line in self.head))
            file.write("workload\tpeer\twall_s\tcpu_s\tgcups\tspread\terror\n")
            for (workload, peer), medians in self.results.items():
                if "error" in medians:
                    file.write(f"{workload}\t{peer}\t\t\t\t\t{medians['error']}\n")
                else:
                    file.write(f"{workload}\t{peer}\t{medians['wall']:.9g}\t{medians['cpu']:.9g}\t"
                               f"{medians['gigacells'] / medians['wall']:.6g}\t{medians['spread']:.3f}\t\n")
            for row in (*self.comparisons(), *self.extra):
                file.write("# " + "\t".join(row) + "\n")


def read(path, options):
    """The table that Table.write() has written to `path`; options.clock becomes that of its measurements."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = [line[2:] for line in lines if line.startswith("# ") and "\t" not in line]
    facts = "\n".join(head)
    options.clock = "cpu" if "time: cpu" in facts else "wall"
    gigahertz = re.search(r"clock: ([\d.]+) GHz", facts)
    table = Table(options, float(gigahertz.group(1)) if gigahertz else None, head)
    table.isa = (re.search(r"in use cpu:(\w+)", facts) or ["", ""])[1]
    for row in (line.split("\t") for line in lines if not line.startswith("#")):
        if row[0] == "workload":
            continue
        workload, peer, wall, cpu, gcups, spread, error = row
        table.results[workload, peer] = {"error": error} if error else {
            "wall": float(wall), "cpu": float(cpu), "gigacells": float(gcups) * float(wall), "spread": float(spread)}
    # Table.comparisons() makes the other rows again.
    measured_alone = re.compile(r"# (memory/|command/nwgpu-align\t)")
    table.extra = [tuple(line[2:].split("\t")) for line in lines if measured_alone.match(line)]
    return table
