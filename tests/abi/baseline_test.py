#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""baseline.py finds each kind of change that breaks a program, and lets pass what docs/abi.md allows.

Usage: baseline_test.py <gcc> <folder capi> <work folder>
"""
import pathlib
import re
import shutil
import sys

import baseline

gcc, capi, work = sys.argv[1], *(pathlib.Path(path).resolve() for path in sys.argv[2:])
if not shutil.which("abidiff") or not shutil.which(gcc):
    print("skipped: there is no abidiff or no gcc (./bootstrap.sh --test installs them)")
    sys.exit(77)

# A change of the header: what it is, a regular expression, and what takes its place.
BREAKING = [
    ("a function removed", r"NWGPU_API void nwgpu_host_free\(void \*memory\);", ""),
    ("a function renamed", r"nwgpu_host_free\(", "nwgpu_host_release("),
    ("a parameter of another type", r"int32_t backend, uint64_t index", "int32_t backend, uint32_t index"),
    ("a parameter more", r"nwgpu_host_free\(void \*memory\)", "nwgpu_host_free(void *memory, int32_t more)"),
    ("another result", r"uint64_t nwgpu_matrix_count", "uint32_t nwgpu_matrix_count"),
    ("a field removed", r"int32_t  every_cell;", ""),
    ("the last field removed", r"double   deadline_seconds;", ""),
    ("a field inserted", r"int32_t  ties; ", "int32_t  ties; int32_t more; "),
    ("a field of another sign", r"uint32_t      alphabet_size;", "int32_t alphabet_size;"),
    ("two fields exchanged", r"int32_t       match; (.*\n) *int32_t       mismatch;",
     r"int32_t mismatch; \1 int32_t match;"),
    ("a shorter message", r"message\[252\]", "message[244]"),
    ("another callback", r"\(\*progress\)\(void \*user, uint64_t done", "(*progress)(void *user, uint32_t done"),
    ("a struct without struct_size grows", r"uint64_t query, target;", "uint64_t query, target, more;"),
    ("a constant of another value", r"NWGPU_MODE_LOCAL     = 1", "NWGPU_MODE_LOCAL = 3"),
    ("a status of another value", r"NWGPU_ERROR_DEADLINE             = 33", "NWGPU_ERROR_DEADLINE = 35"),
    ("a constant removed", r"NWGPU_PAIRING_ALL  = 1,", ""),
]
ALLOWED = [
    ("nothing", r"\A", ""),
    ("a function more", r"(NWGPU_API void nwgpu_host_free.*)", r"\1 NWGPU_API void nwgpu_new(int32_t number);"),
    ("a constant more", r"NWGPU_CIGAR_M   = 1 ", "NWGPU_CIGAR_M = 1, NWGPU_CIGAR_N = 2 "),
    ("fields appended", r"\} nwgpu_top;", "double more; uint64_t and_more; } nwgpu_top;"),
    ("a field appended to nwgpu_error", r"\} nwgpu_error;", "uint64_t more; } nwgpu_error;"),
    ("options appended", r"(typedef struct nwgpu_align_options)",
     r"typedef struct nwgpu_new { uint32_t struct_size; float new_one; } nwgpu_new; \1"),
]
HEADER = (capi / "include/nwgpu/nwgpu.h").read_text()


def changed(pattern, replacement):
    text, count = re.subn(pattern, replacement, HEADER, count=1)
    assert count == 1, f"nwgpu.h has no {pattern}"
    if "nwgpu_new {" in text:
        text = text.replace("} nwgpu_align_options;", "const nwgpu_new *more; } nwgpu_align_options;")
    return text


failed = []
for changes, is_breaking in ((BREAKING, True), (ALLOWED, False)):
    for what, pattern, replacement in changes:
        found = baseline.compare(changed(pattern, replacement), capi / "nwgpu.map", gcc, work,
                                 baseline.baseline_of(HEADER))
        if bool(found) != is_breaking:
            failed.append(f"{what}: " + ("not found" if is_breaking else "refused:\n" + "\n".join(found)))
sys.exit("\n".join(failed) or None)
