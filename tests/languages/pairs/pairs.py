# SPDX-License-Identifier: BSD-3-Clause
"""Aligns the pairs of a file that make.py wrote (../README.md), with the package nwgpu."""
import sys

import nwgpu

MODES, ENDS = ("global", "local"), ("query_begin", "query_end", "target_begin", "target_end")


def text(value):
    return "-" if value is None else str(value)


def run_section(context, first, lines):
    *numbers, count = first.split()[1:]
    section, mode, ends, output, style, ties, has_band, lower, upper, top = map(int, numbers[:10])
    name, costs = numbers[10], list(map(int, numbers[11:]))
    if name in ("bytes", "dna", "protein"):
        scoring = nwgpu.uniform(*costs, alphabet=None if name == "bytes" else name)
    else:
        scoring = nwgpu.matrix(name, gap_open=costs[2], gap_extend=costs[3])
    queries, targets = zip(*(next(lines).rstrip("\n").split("\t") for _ in range(int(count))))
    for a in context.align(queries, targets, scoring=scoring, top=top, band=(lower, upper) if has_band else None,
                           mode=MODES[mode] if mode < 2 else [end for bit, end in enumerate(ENDS) if ends >> bit & 1],
                           output=("score", "end", "span", "cigar")[output], cigar_style=("eqx", "m")[style],
                           ties=("first", "last_end", "gaps_first")[ties]):
        if a.status == nwgpu.Status.OK:
            print(section, a.query, a.score, *map(text, (a.query_begin, a.query_end, a.target_begin, a.target_end)),
                  text(a.cigar))
        else:
            print(section, a.query, f"NWGPU_ERROR_{a.status.name}", a.message)


with open(sys.argv[1]) as file, nwgpu.Context("cpu", threads=2) as shared:
    for line in file:
        run_section(shared, line, file)
