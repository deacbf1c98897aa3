# SPDX-License-Identifier: BSD-3-Clause
"""See overhead.c.  The pairs are lists of texts, and the answer is arrays; that of the small pair is an object."""
import sys
import time

import nwgpu

LENGTH, CALLS = 100, 500


def texts(path):
    with open(path) as file:
        letters = file.read()
    return [letters[i:i + LENGTH] for i in range(0, len(letters), LENGTH)]


queries, targets = texts(sys.argv[1]), texts(sys.argv[2])
dna = nwgpu.dna(match=2, mismatch=4, gap_open=4, gap_extend=2)
with nwgpu.Context("cpu", threads=int(sys.argv[3])) as context:
    for line in sys.stdin:
        begun, times = time.perf_counter(), 1
        if line == "batch\n":
            total = int(context.align(queries, targets, scoring=dna, output="arrays").scores.sum())
        else:
            total, times = 0, CALLS
            for _ in range(CALLS):
                total += context.align("GATTACA", "GATACA", scoring=dna)[0].score
        print(f"{(time.perf_counter() - begun) / times:.9f} {total}", flush=True)
