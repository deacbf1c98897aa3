#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What nwgpu_gpu_benchmark has printed, as a section of docs/benchmarks.md: one table, missed bars first.

Usage: table.py BENCHMARK.TXT [DATE]   to standard output; run.sh calls it
"""
import datetime
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # the sources stay clean
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "performance"))
import markdown
import report

# What one H200 has to reach: 10^12 cells per second at least, seconds or MiB of device memory at most.
RATE = {"local score 1M": 3.0, "local score 5M": 4.2, "local score 5M 5%": 5.0, "global affine score 5M": 5.0,
        "global linear score 5M": 7.8}
SECONDS = {"local path 1M 5%": 0.5, "local path 5M 5%": 6.5, "global path 5M 1%": 1.5, "protein affine path 23K": 0.010,
           "protein linear path 23K": 0.008}
DEVICE_MIB = {"local path 5M 5%": 4096}

HEADER = ("work", "time", "10^12 cells per second", "predicted", "device memory, at most", "bar")
WORK = re.compile(r"(?P<name>\S.*?) +(?P<ms>[\d.]+) ms +(?P<rate>[\d.]+) T  score .*?  predicted (?P<predicted>[\d.]+) ms, "
                  r"(?P<mib>\d+) MiB: ")
BY_CPU = re.compile(r" +(?P<ms>[\d.]+) ms on the CPU, (?P<threads>\d+) threads: (?P<answer>.*)")


def bars(name, seconds, rate, mib):
    """The words of the last column."""
    words = []
    if name in RATE:
        words.append(report.verdict(rate, RATE[name]).replace(":", " T:", 1))
    if name in SECONDS:
        words.append(report.verdict(seconds, SECONDS[name], at_most=True).replace(":", " s:", 1))
    if name in DEVICE_MIB:
        words.append(report.verdict(mib, DEVICE_MIB[name], at_most=True).replace(":", " MiB:", 1))
    return "; ".join(words)


def rows(lines):
    name = ""
    for line in lines:
        if work := WORK.match(line):
            name, seconds, rate, mib = work["name"], float(work["ms"]) / 1e3, float(work["rate"]), int(work["mib"])
            yield (name, report.duration(seconds), f"{rate:.3g}", report.duration(float(work["predicted"]) / 1e3),
                   f"{mib} MiB", bars(name, seconds, rate, mib))
        elif by_cpu := BY_CPU.match(line):
            yield (f"{name}, CPU engine, {by_cpu['threads']} threads ({by_cpu['answer']})",
                   report.duration(float(by_cpu["ms"]) / 1e3), "", "", "", "")


def section(text, date):
    lines = text.splitlines()
    return f"### {lines[0]}\n\n{date}; the best of the calls on a warm context.\n\n" \
        + markdown.table(HEADER, list(rows(lines)), HEADER.index("bar"))


if __name__ == "__main__":
    when = sys.argv[2] if len(sys.argv) > 2 else datetime.date.today().isoformat()
    print(section(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), when), end="")
