#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares three lists of functions: what the library exports, what nwgpu.map names, what the headers declare.

Usage: symbols.py <nm> <libnwgpu.so> <folder capi>
"""
import pathlib
import re
import subprocess
import sys

nm, library, capi = sys.argv[1:]
lines = subprocess.run([nm, "--dynamic", "--defined-only", library], check=True, capture_output=True,
                       text=True).stdout.splitlines()
exported = {name for name in (line.split()[-1] for line in lines) if not name.startswith("NWGPU_")}
exported = {name.split("@")[0] for name in exported}
mapped = set(re.findall(r"^\s+(\w+);", pathlib.Path(capi, "nwgpu.map").read_text(), flags=re.M))
headers = (pathlib.Path(capi, "include/nwgpu", name).read_text() for name in ("nwgpu.h", "nwgpu_experimental.h"))
header = re.sub(r"/\*.*?\*/", "", "".join(headers), flags=re.S)
declared = set(re.findall(r"\b(nwgpu_\w+)\s*\(", header))

failed = False
for name, symbols in (("exported", exported), ("nwgpu.map", mapped)):
    for symbol in sorted(symbols ^ declared):
        where = f"{name}, but not in the headers" if symbol in symbols else f"a header, but not in {name}"
        print(f"{symbol}: in {where}")
        failed = True
sys.exit(failed)
