#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks what no compiler checks: who includes whom, that the library stays silent, guards, file lengths.

Usage: check.py [root of the project].  Prints one line per finding; exits 1 if there is any.
"""
import pathlib
import re
import sys

# What a folder of libnwgpu may include, besides itself.  None: everything in libnwgpu.
MAY_INCLUDE = {
    "base": "", "model": "base", "reference": "base model", "path": "base model",
    "checkpoint": "base model path", "backend": "base model path checkpoint", "cpu": "base model path checkpoint backend",
    "cuda": "base model path checkpoint backend",
    "published": "base model path checkpoint backend cpu cuda", "places": "base model path checkpoint backend", "align": None,
}
# The same between the subfolders of an engine; what lies beside them may include all of them.  Headers of OPEN are
# for all of its subfolders.
INSIDE = {
    "cpu/kernels": "", "cpu/batch": "furthest kernels", "cpu/furthest": "kernels", "cpu/pair": "furthest kernels",
    "cpu/landmarks": "batch furthest kernels pair", "cpu/top": "furthest kernels pair",
    "cuda/device": "", "cuda/kernels": "device", "cuda/plan": "device kernels", "cuda/sweep": "device kernels plan",
    "cuda/batch": "device kernels",
    "published/parts": "swat", "published/thesis": "parts", "published/rowscan": "parts", "published/swat": "parts",
    "published/cudalign": "parts",
}
OPEN = {"cpu/options.hpp", "cuda/options.hpp", "published/registry.hpp", "published/cpu_algorithms.hpp",
        "published/gpu_algorithms.hpp"}
CAPI_MAY_INCLUDE = "base model reference backend published align"
OUTSIDE = ["cli", "seqan_adapter", "bindings"]  # these see nwgpu/nwgpu.h and nothing else of ours
NOISE = r"printf|fprintf|vprintf|puts|putchar|perror|cout|cerr|clog|exit|_Exit|abort|terminate|assert" \
        r"|setlocale|signal|sigaction|cudaDeviceReset"
LONGEST = 400
MAY_BE_LONGER = ["libnwgpu/model/matrices_data.cpp", "capi/include/nwgpu/nwgpu.h"]
SOURCE = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh"}


def allowed(path):
    """The folders of libnwgpu that the file may include from; None where no rule holds."""
    if path.parts[0] == "libnwgpu" and len(path.parts) > 2:
        rule = MAY_INCLUDE.get(path.parts[1], "")
        return set(MAY_INCLUDE) if rule is None else set(rule.split()) | {path.parts[1]}
    if path.parts[0] == "capi":
        return set(CAPI_MAY_INCLUDE.split())
    return set() if path.parts[0] in OUTSIDE else None


def breaks_inside(path, name):
    """Whether a subfolder of an engine includes one that it may not."""
    if path.parts[0] != "libnwgpu" or len(path.parts) < 4:
        return False
    engine, folder, to = path.parts[1], path.parts[2], name.split("/")
    may = {folder, *INSIDE.get(f"{engine}/{folder}", "").split()}
    return to[0] == engine and name not in OPEN and (len(to) < 3 or to[1] not in may)


def findings(path, text):
    code = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', "", text, flags=re.S)
    includes = re.findall(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', text, flags=re.M)
    may = allowed(path)
    for name in includes if may is not None else []:
        folder = name.replace("../", "").removeprefix("libnwgpu/").split("/")[0]
        if ("/" in name and folder in MAY_INCLUDE and folder not in may) or folder == "capi" \
                or breaks_inside(path, name):
            yield f"may not include {name}"
        if path.parts[0] == "libnwgpu" and name.startswith("nwgpu/"):
            yield f"libnwgpu lies below the C ABI and may not include {name}"
    if path.parts[0] == "libnwgpu" or path.parts[:2] == ("capi", "src"):
        for word in sorted(set(re.findall(rf"(?<![\w.<>])({NOISE})\b", code))):
            yield f"the library never prints or ends the process: {word}"
        if re.search(r"#[ \t]*pragma[ \t]+omp|\bomp_\w+\(", code):
            yield "OpenMP ends the process where a thread cannot be started: base/team.hpp"
    if path.suffix in {".h", ".hpp", ".cuh"} and not re.search(r"#pragma once|#\s*define \w+_(H|HPP|CUH)\b", text):
        yield "no include guard"
    if text.count("\n") > LONGEST and path.as_posix() not in MAY_BE_LONGER:
        yield f"{text.count(chr(10))} lines, more than {LONGEST}"


root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
tops = ["libnwgpu", "capi", "tests", *OUTSIDE]
files = sorted(f.relative_to(root) for top in tops for f in (root / top).rglob("*") if f.is_file())
found = [f"{f}: {what}" for f in files if f.suffix in SOURCE for what in findings(f, (root / f).read_text())]
found += [f"{f}: raises the instruction set of common code" for f in files
          if f.name == "CMakeLists.txt" and f.parts[0] != "tests" and re.search(r"^[^#]*(-march|-mavx|-mtune)", (root / f).read_text(), re.M)]
print(*found, f"{len(files)} files, {len(found)} findings", sep="\n")
sys.exit(1 if found or not files else 0)
