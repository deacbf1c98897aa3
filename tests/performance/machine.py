# SPDX-License-Identifier: BSD-3-Clause
# What the machine is and what its vector units could do at most; run.py prints this with every table.
# INSTRUCTIONS and ISSUE are the one place for the constants behind the column "share of SIMD limit".
import os
import re
import subprocess

# Arithmetic vector instructions of the inner loop per vector of cells, counted in the kernel that a workload runs, and
# the bits of one cell; the first pattern that matches a workload's name counts.  A matrix's lookup is 7 of them: for 16
# rows of 64 lanes 48 insertions of slices and 64 shuffles; comparison and blend of two costs are 2.  Similar DNA is in
# a band, so that its share may be above 1.
INSTRUCTIONS = [
    # (pattern, instructions per vector of cells, bits per cell)
    (r"^one/protein-400/(global|local)/score", 17, 8),  # strip_diff.cpp, local_strip.cpp
    (r"^one/protein.*/global/score", 7, 8),  # scan_strip.cpp
    (r"^one/protein.*/local/score", 9, 8),  # the same with a floor
    (r"^(one|threads)/dna.*/(global|local)/score", 12, 8),
    (r"^batch/.*/(global|semiglobal)/score", 8, 8),  # batch_global.cpp
    (r"^batch/.*/local/score", 12, 8),  # batch_local.cpp
]
# Bits of a vector and vector integer instructions per cycle, by the name after "cpu:" of the backend in use.
ISSUE = {"avx3": (512, 2), "avx2": (256, 3), "sse4": (128, 3), "sse2": (128, 3), "neon": (128, 4)}


def simd_limit(workload, isa, gigahertz):
    """Cells per nanosecond that one core cannot exceed with today's kernel, or None where nothing is counted."""
    if isa not in ISSUE or not gigahertz:
        return None
    bits, per_cycle = ISSUE[isa]
    for pattern, instructions, cell_bits in INSTRUCTIONS:
        if re.search(pattern, workload):
            return gigahertz * per_cycle * (bits // cell_bits) / instructions if instructions else None
    return None


def describe():
    """Lines about the processor: model, instruction sets, cores in reach, load."""
    model, flags = "unknown", ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            text = file.read()
        model = re.search(r"^(?:model name|Model)\s*:\s*(.*)$", text, re.M).group(1)
        flags = re.search(r"^(?:flags|Features)\s*:\s*(.*)$", text, re.M).group(1)
    except (OSError, AttributeError):
        pass
    known = "sse2 sse4_1 avx2 avx512f avx512bw avx512vl avx512_vbmi asimd sve".split()
    isa = " ".join(name for name in known if name in flags.split())
    return [
        f"processor: {model}; {isa}",
        f"cores in reach: {len(os.sched_getaffinity(0))}; load when started: {os.getloadavg()[0]:.2f}",
    ]


def commit(folder):
    """The commit of the source tree, with a + if tracked files differ from it; 'unknown' outside a checkout."""
    def git(*arguments):
        return subprocess.run(["git", "-C", folder, *arguments], capture_output=True, text=True, check=False).stdout
    name = git("rev-parse", "--short", "HEAD").strip()
    return name + ("+" if git("status", "--porcelain", "-uno").strip() else "") if name else "unknown"
