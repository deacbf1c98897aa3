#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What Rust, Go and Python add to the C call, measured side by side in one run, and the bars that it must keep.

Two jobs, from letters to CIGARs: 100 000 pairs of 100 letters in one call, and a call for one small pair.  The programs
run at the same time and take turns, one repetition each, so that a slow phase of the machine meets all of them; shares
and differences are those of the fastest repetitions, because whatever disturbs a repetition makes it longer.  One of
small pairs takes 2 ms, which a busy machine leaves alone now and then, so there are 40 times as many.

Usage: run.py <folder with nwgpu/nwgpu.h> <libnwgpu.so> <work folder> [--threads N] [--repetitions N] [--pairs N]

Exit code 1: a bar is missed, or the answers differ.
"""
import argparse
import pathlib
import random
import statistics
import subprocess
import os
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "languages"))
from tools import Library, cargo, run, tool  # noqa: E402

SHARES = {"rust": 1.02, "go": 1.02, "python": 1.30}  # of the time of C, for the batch
MORE = {"rust": 0.1e-6, "go": 1e-6, "python": 10e-6}  # seconds over the time of C, for the small pair


def write_pairs(queries, targets, count, length=100):
    chance = random.Random(23)
    with open(queries, "w") as q, open(targets, "w") as t:
        for _ in range(count):
            letters = chance.choices("ACGT", k=length + 5)
            q.write("".join(letters[:length]))
            for _ in range(5):
                letters[chance.randrange(length)] = chance.choice("ACGT")
            del letters[chance.randrange(length)]
            t.write("".join(letters[:length]))


def commands(built, work):
    built.compile_c(HERE / "overhead.c", work / "c", "gcc", "-std=gnu99")
    cargo("build", "--release", folder=HERE, environment=built.environment())
    run(tool("go"), "build", "-o", work / "go_program", folder=HERE / "go", environment=built.environment())
    return {"c": [work / "c"], "rust": [work / "cargo/release/overhead"], "go": [work / "go_program"],
            "python": [built.python(), HERE / "overhead.py"]}


def measure(programs, job, repetitions):
    """Seconds of each repetition of each language; the first one is not counted."""
    seconds, answers = {name: [] for name in programs}, set()
    for repetition in range(repetitions + 1):
        names = list(programs)
        for name in names[repetition % len(names):] + names[:repetition % len(names)]:
            program = programs[name]
            program.stdin.write(job + "\n")
            program.stdin.flush()
            spent, answer = program.stdout.readline().split()
            answers.add(answer)
            if repetition:
                seconds[name].append(float(spent))
    if len(answers) != 1:
        sys.exit(f"{job}: the answers differ: {answers}")
    return seconds


parser = argparse.ArgumentParser()
for name in ("include", "library", "work"):
    parser.add_argument(name, type=lambda path: pathlib.Path(path).resolve())
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--repetitions", type=int, default=15)
parser.add_argument("--pairs", type=int, default=100_000)
options = parser.parse_args()
work = options.work
work.mkdir(parents=True, exist_ok=True)
built = Library(options.include, options.library, work)
write_pairs(work / "queries.txt", work / "targets.txt", options.pairs)
environment = {**os.environ, **built.environment()}
programs = {
    name: subprocess.Popen([*map(str, command), str(work / "queries.txt"), str(work / "targets.txt"), str(options.threads)],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    for name, command in commands(built, work).items()}
missed = False
for job, title in (("batch", f"{options.pairs} pairs of 100 letters"), ("small", "one small pair")):
    repetitions = options.repetitions * (1 if job == "batch" else 40)
    seconds = measure(programs, job, repetitions)
    least = {name: min(times) for name, times in seconds.items()}
    print(f"{title}, {options.threads} threads: {repetitions} repetitions, from letters to CIGARs")
    for name, times in seconds.items():
        scale, unit = (1e3, "ms") if job == "batch" else (1e6, "us")
        row = f"  {name:8}{least[name] * scale:9.3f} {unit}  (median {statistics.median(times) * scale:9.3f})"
        if name != "c":
            share, more = least[name] / least["c"], least[name] - least["c"]
            kept = share <= SHARES[name] if job == "batch" else more <= MORE[name]
            bar = f"x {SHARES[name]}" if job == "batch" else f"+ {MORE[name] * 1e6:g} us"
            row += f"  x {share:.3f}  + {more * scale:.3f} {unit}  {'keeps' if kept else 'MISSES'} {bar}"
            missed |= not kept
        print(row, flush=True)
for program in programs.values():
    program.stdin.close()
    program.wait()
sys.exit(missed)
