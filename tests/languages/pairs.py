#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Aligns the same 10 000 pairs in a language, and compares what it prints with pairs/expected.txt.

Then allocations of the library fail, one after the other: the program says so, in the line of a pair or at its end, and
does not crash.

Usage: pairs.py <language> <work folder> <folder with nwgpu/nwgpu.h> <libnwgpu.so>

expected.txt has a line per section of pairs: section, entries, failed ones, sum of scores, SHA-256 of the lines.  The
lines themselves are left in the work folder: those of two languages can be compared with diff.  Exit code 77: the
compiler is not there.
"""
import difflib
import hashlib
import itertools
import os
import pathlib
import subprocess
import sys

from tools import CPP_WARNINGS, HERE, Library, cargo, run, tool

PAIRS = HERE / "pairs"
MOST_FAULTS = 100
sys.path.append(str(PAIRS))
import make  # noqa: E402

language, work, include, library = sys.argv[1], *(pathlib.Path(path).resolve() for path in sys.argv[2:])
work.mkdir(parents=True, exist_ok=True)
built = Library(include, library, work)
program = work / "program"


def compile_rust():
    cargo("build", folder=PAIRS / "rust", environment=built.environment())
    return [work / "cargo/debug/pairs"]


def compile_go():
    run(tool("go"), "build", "-o", program, folder=PAIRS / "go", environment=built.environment())
    return [program]


def compile_c(source, compiler, *flags):
    built.compile_c(PAIRS / source, program, compiler, *flags)
    return [program]


COMMANDS = {
    "c": lambda: compile_c("pairs.c", "gcc", "-std=c99"),
    "cpp": lambda: compile_c("pairs.cpp", "g++", "-std=c++20", *CPP_WARNINGS),
    "rust": compile_rust,
    "go": compile_go,
    "python": lambda: [built.python(), PAIRS / "pairs.py"],
}


def summary(lines):
    for section, group in itertools.groupby(lines, lambda line: line.split(" ", 1)[0]):
        group = list(group)
        answers = [line.split(" ", 3)[2] for line in group]
        scores = [int(answer) for answer in answers if not answer.startswith("NWGPU_")]
        digest = hashlib.sha256("".join(group).encode()).hexdigest()
        yield f"{section} {len(group)} {len(group) - len(scores)} {sum(scores)} {digest}\n"


def survive(command):
    """Runs a few pairs again and again, and each time lets another allocation of the library fail."""
    few, preload, count = work / "few.txt", work / "faults.so", work / "count.txt"
    make.write(few, sections=(0, 1, 72), count=4)
    run(tool("g++"), "-std=c++20", "-O1", "-shared", "-fPIC", PAIRS / "faults.cpp", "-o", preload)

    def attempt(fail_at):
        environment = built.environment(LD_PRELOAD=str(preload), NWGPU_COUNT_FILE=str(count),
                                        NWGPU_FAIL_AT=str(fail_at))
        return subprocess.run([*map(str, command), few], env={**os.environ, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    usual = attempt(0)
    allocations, usual_lines, told = int(count.read_text()), set(usual.stdout.splitlines()), 0
    for fail_at in range(1, allocations + 1, max(1, allocations // MOST_FAULTS)):
        done = attempt(fail_at)
        other = set(done.stdout.splitlines()) - usual_lines
        told += done.returncode == 1 or bool(other)
        # The message of a pair that fails anyway may be what there is no memory for.
        fine = all("OUT_OF_HOST_MEMORY" in line or line.endswith(" out of memory") for line in other)
        if done.returncode not in (0, 1) or done.returncode == 0 and not fine:
            sys.exit(f"{done.stdout}{done.stderr}NWGPU_FAIL_AT={fail_at} ended with {done.returncode}")
    if usual.returncode != 0 or told == 0:
        sys.exit(f"{usual.stdout}{usual.stderr}of {allocations} failures none was told")


command = COMMANDS[language]()
make.write(work / "pairs.txt")
printed = run(*command, work / "pairs.txt", environment=built.environment())
(work / "printed.txt").write_text(printed)
expected = (PAIRS / "expected.txt").read_text().splitlines(keepends=True)
found = list(summary(printed.splitlines(keepends=True)))
if found != expected:
    sys.stdout.writelines(difflib.unified_diff(expected, found, "expected", "printed"))
    sys.exit(f"what was printed is in {work}/printed.txt")
survive(command)
