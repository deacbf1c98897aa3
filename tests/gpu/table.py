#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What nwgpu_gpu_benchmark and nwgpu_gpu_batches have printed, as a section of docs/benchmarks.md: a table of single
pairs and one of many pairs, missed bars first.

Usage: table.py [--date DATE] BENCHMARK.TXT [BATCHES.TXT]   to standard output; run.sh calls it
"""
import argparse
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

# The same of many pairs: 10^12 cells, or 10^6 pairs per second.
RATE_OF_PAIRS = {"reads 150 x 200 global score, locked": 3.8, "reads 150 x 200 local end, locked": 3.3,
                 "reads 150 x 200 global cigar, locked": 2.4, "reads 150 x 200 local cigar, locked": 2.4,
                 "reads 150 x 200 global cigar": 1.6, "reads 150 x 200 local cigar": 1.6,
                 "mixed 50..300 x 100..400 global cigar, locked": 1.9,
                 "mixed 50..300 x 100..400 local cigar, locked": 1.9,
                 "reads 10 kb x 12 kb semi-global cigar": 2.5, "protein pairs 100..600 local cigar": 1.5,
                 "protein 144 against 40..680 local score": 4.3, "protein 375 against 40..680 local score": 4.3,
                 "protein 400 against 100..600 local score": 4.3, "protein 1000 against 40..680 local score": 4.3,
                 "protein 2368 against 40..680 local score": 4.3, "32 proteins against 40..680 local score": 5.2,
                 "32 proteins against 40..680 local 10 best": 5.2}
PAIRS = {"1 kb 5% global cigar, locked": 6, "1 kb 5% local cigar, locked": 3, "10 kb 5% global cigar, locked": 0.2,
         "10 kb 1% global cigar, locked": 0.5, "100 kb 5% global cigar": 0.0015}

HEADER = ("work", "time", "10^12 cells per second", "predicted", "device memory, at most", "bar")
WORK = re.compile(r"(?P<name>\S.*?) +(?P<ms>[\d.]+) ms +(?P<rate>[\d.]+) T  score .*?  predicted (?P<predicted>[\d.]+) ms, "
                  r"(?P<mib>\d+) MiB: ")
HEADER_OF_PAIRS = ("work", "time", "10^6 pairs per second", "10^12 cells per second", "predicted",
                   "CPU, 10^6 pairs per second", "bar")
PAIRS_WORK = re.compile(r"(?P<name>\S.*?) +(?P<ms>[\d.]+) ms \(predicted +(?P<predicted>[\d.]+)\) +(?P<pairs>[\d.]+) M pairs/s"
                        r" +(?P<rate>[\d.]+) T  (?P<wrong>\d+) of \d+ wrong(?:.*  CPU +(?P<cpu>[\d.]+) M pairs/s)?")
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


def rows_of_pairs(lines):
    for line in lines:
        if work := PAIRS_WORK.match(line):
            name, rate, pairs = work["name"], float(work["rate"]), float(work["pairs"])
            words = []
            if name in RATE_OF_PAIRS:
                words.append(report.verdict(rate, RATE_OF_PAIRS[name]).replace(":", " T:", 1))
            if name in PAIRS:
                words.append(report.verdict(pairs, PAIRS[name]).replace(":", " M pairs/s:", 1))
            if work["wrong"] != "0":
                words.append(f"**{work['wrong']} wrong**")
            yield (name, report.duration(float(work["ms"]) / 1e3), f"{pairs:.3g}", f"{rate:.3g}",
                   report.duration(float(work["predicted"]) / 1e3), work["cpu"] or "", "; ".join(words))


def section(text, date):
    lines = text.splitlines()
    made = f"### {lines[0]}\n\n{date}; the best of the calls on a warm context.\n\n" \
        + markdown.table(HEADER, list(rows(lines)), HEADER.index("bar"))
    if of_pairs := list(rows_of_pairs(lines)):
        made += "\nMany pairs:\n\n" + markdown.table(HEADER_OF_PAIRS, of_pairs, HEADER_OF_PAIRS.index("bar"))
    return made


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--date", default=datetime.date.today().isoformat())
    options.add_argument("files", nargs="+", type=pathlib.Path)
    given = options.parse_args()
    print(section("".join(file.read_text(encoding="utf-8") for file in given.files), given.date), end="")
