#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Predicts a call of many pairs on several GPUs or ranks, as libnwgpu/places/deal.cpp deals them out, from the time of
one: every share is a call of its own, and all end with the slowest.

Usage: scaling_model.py SECONDS_ON_ONE [PAIRS [PLACES...]]     a table: places, seconds, speed-up, part of the ideal

What is not in the model: the letters that pass one host's memory, and cores that the places share for their host work.
"""
import heapq
import sys

CALL_SECONDS = 1.0e-3     # of a share on a GPU: what does not depend on its pairs (cuda/batch_model.cpp)
FILL_SECONDS = 2.0e-3     # of a share: its first chunk comes, its last one goes, with nothing beside it
THREAD_SECONDS = 0.1e-3   # of a call: a thread per place
LEAST_SECONDS = 10e-3     # of a share, where the call is long enough (align/aligner.cpp)
PART = 0.75               # of what a place still has to do: its next share


def shares(seconds, places):
    """The parts of the work, in the order in which they are dealt out."""
    left, last = seconds, 0
    while left > 1e-9:
        rest = left / places
        share = PART * rest
        if last == 0 and (1 - PART) * rest < PART * LEAST_SECONDS:
            last = rest
        share = min(last or share, left)
        yield share
        left -= share


def predict(seconds_on_one, places):
    """Seconds of the same call on so many places."""
    work = max(seconds_on_one - CALL_SECONDS - FILL_SECONDS, 0)
    if places == 1 or work < LEAST_SECONDS:
        return seconds_on_one
    ends = [0.0] * places
    for share in shares(work, places):
        heapq.heapreplace(ends, ends[0] + CALL_SECONDS + FILL_SECONDS + share)
    return THREAD_SECONDS + max(ends)


def main():
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
