# SPDX-License-Identifier: BSD-3-Clause
# What the library has promised to reach, by workload name (the first pattern that matches counts).  "Speed" targets
# are the time of the fastest exact peer over ours, at least; the other tables are explained where they are used.
import re

SPEED = [
    (r"^one/protein-400/[^/]*/score", 2.0),
    (r"^one/", 3.0),
    (r"^batch/reads-[^/]*/local/score", 4.0),
    (r"^batch/reads-[^/]*/[^/]*/score", 2.0),
    (r"^batch/reads-[^/]*/[^/]*/cigar", 3.0),
    (r"^similar/[^/]*-15pct/", 4.0),
    (r"^(similar|penalties|edit)/", 2.0),
]
STRUCTURE_OVER_FULL = 1.3  # time with CIGAR over time of the full matrix, at most
SCALING = [                # time with one thread over time with several, at least
    (r"^threads/.*/t2$", 1.8),
    (r"^scaling/reads-[^/]*/[^/]*/score/t16$", 11),
    (r"^scaling/reads-[^/]*/[^/]*/cigar/t16$", 12),
    (r"^scaling/dna-100k/.*/t16$", 13),
    (r"^scaling/(band|last-end)-.*/t16$", 13),
    (r"^scaling/(dna|protein)-.*/t16$", 13.5),
    (r"^scaling/one-200k/.*/score/t16$", 12),
    (r"^scaling/one-200k/.*/cigar/t16$", 11),
    (r"^scaling/one-1m-.*/t16$", 8),
]
COMMAND_SHARE = 0.9        # of the command's time that aligning takes, at least


def scaling(workload):
    """The least gain by threads for a workload, or None."""
    return next((value for pattern, value in SCALING if re.search(pattern, workload)), None)


def speed(workload):
    """The least ratio for a workload, or None."""
    return next((value for pattern, value in SPEED if re.search(pattern, workload)), None)
