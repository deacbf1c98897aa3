#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Predicts a call of many pairs on several GPUs or ranks, as libnwgpu/places/deal.cpp deals them out, from the time of
one: every share is a call of its own, and all end with the slowest.

Usage: scaling_model.py SECONDS_ON_ONE [PAIRS [PLACES...]]     a table: places, seconds, speed-up, part of the ideal
       scaling_model.py rows M N SECONDS_ON_ONE [PLACES...]    the same of one pair of M x N letters, dealt out by rows
                                                               to GPUs, every cell, score alone

What is not in the model: that measured times, not predicted ones, say when the last round begins; the letters that pass
one host's memory, and cores that the places share for their host work; of a pair by rows the way between hosts, skipped
cells and the walk of a path.
"""
import heapq
import math
import sys

CALL_SECONDS = 1.0e-3     # of a share on a GPU: what does not depend on its pairs (cuda/batch_model.cpp)
FILL_SECONDS = 2.0e-3     # of a share: its first chunk comes, its last one goes, with nothing beside it
THREAD_SECONDS = 0.1e-3   # of a call: a thread per place
LEAST_SECONDS = 12e-3     # of a share, where the call is long enough (align/aligner.cpp)
PART = 0.75               # of what a place still has to do: its next share

# Of a pair by rows (libnwgpu/cuda/kernels/kernels.hpp, plan.hpp, sweep/row_share.cpp), a GPU with 132 multiprocessors:
WARPS = 528               # each has a strip
SIZES = (16, 20, 30, 37, 47)  # rows of half a lane; a strip has 64 times as many
LAG_COLS = 220 + 64       # by which a strip follows the one above, slack included
PANEL_COLS = 50           # what it takes to carry a panel


def step_seconds(size):
    """Of one column of a strip (Chip::step_seconds, local with affine gaps)."""
    return 57e-9 + 6.2e-9 * size * (1.1 if size > 40 else 1)


def row_seconds(rows, cols, places):
    """Rounds of strips over all columns; each place begins a panel and the lag of its strips after the one above."""
    panel = min(math.sqrt(PANEL_COLS * cols / max(places - 1, 1)), cols / (4 * places)) if places > 1 else 0
    return min(step_seconds(size) * (math.ceil(rows / (64 * size * WARPS * places)) * cols
                                     + places * LAG_COLS * min(WARPS, rows / (64 * size)) + (places - 1) * panel)
               for size in SIZES)


def shares(seconds, places):
    """The parts of the work, in the order in which they are dealt out: a round has one for each place."""
    left = seconds
    while left > 1e-9:
        rest = left / places
        share = rest if (1 - PART) * rest < PART * LEAST_SECONDS else PART * rest
        for _ in range(places):
            yield min(share, left)
            left -= min(share, left)


def predict(seconds_on_one, places):
    """Seconds of the same call on so many places."""
    work = max(seconds_on_one - CALL_SECONDS - FILL_SECONDS, 0)
    if places == 1 or work < LEAST_SECONDS:
        return seconds_on_one
    ends = [0.0] * places
    for share in shares(work, places):
        heapq.heapreplace(ends, ends[0] + CALL_SECONDS + FILL_SECONDS + share)
    return THREAD_SECONDS + max(ends)


def print_rows(rows, cols, seconds, places):
    """The measured time of one place says how fast this GPU is."""
    print("places    seconds   speed-up   of ideal")
    for count in places:
        predicted = seconds * row_seconds(rows, cols, count) / row_seconds(rows, cols, 1)
        print(f"{count:6}   {predicted:8.3f}   {seconds / predicted:8.2f}   {100 * seconds / predicted / count:7.1f}%")


def main():
    if sys.argv[1] == "rows":
        return print_rows(float(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]),
                          [int(word) for word in sys.argv[5:]] or [1, 2, 4, 8, 16, 64])
    seconds = float(sys.argv[1])
    pairs = float(sys.argv[2]) if len(sys.argv) > 2 else None
    places = [int(word) for word in sys.argv[3:]] or [1, 2, 4, 8, 16, 64]
    print("places    seconds   speed-up   of ideal" + ("   M pairs/s" if pairs else ""))
    for count in places:
        predicted = predict(seconds, count)
        times = seconds / predicted
        rate = f"   {pairs / predicted / 1e6:9.2f}" if pairs else ""
        print(f"{count:6}   {predicted:8.4f}   {times:8.2f}   {100 * times / count:7.1f}%{rate}")


if __name__ == "__main__":
    main()
