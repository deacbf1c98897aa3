#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that code for a newer CPU sits only in functions made for it, so that an old CPU never meets it.

Usage: baseline.py <objdump> <library>...  Highway puts such functions in namespaces N_SSE4, N_AVX2, ...; everything
else, inline functions of the standard library that a kernel happens to use included, must be baseline x86-64.
"""
import re
import subprocess
import sys

MADE_FOR_IT = re.compile(r"N_(SSSE3|SSE4|AVX)")
# VEX and EVEX instructions (v...), their registers, BMI, and what SSSE3 to SSE4.2 added and compilers like to use.
NEWER = re.compile(r"\tv(?!err|erw|mcall|mrun)[a-z]|%[yz]mm|%k[0-7]|\t(andn|bextr|blsi|blsr|mulx|pdep|pext|rorx|sarx"
                   r"|shlx|shrx|popcnt|lzcnt|pshufb|palignr|pabs[bwd]|ptest|pmulld|pblendw|blendvp[sd]|pblendvb"
                   r"|pm(ax|in)(s[bd]|u[wd])|pmov[sz]x[bwd]{2}|pmov[sz]xdq|pins?r[bdq]|pextr[bdq]|round[sp][sd]"
                   r"|packusdw|pcmpeqq|pcmpgtq|crc32[bwlq]?)[ \t]")

found, functions = {}, 0
for library in sys.argv[2:]:
    listing = subprocess.run([sys.argv[1], "-d", "--no-show-raw-insn", library], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    function = ""
    for line in listing.splitlines():
        if line.endswith(">:"):
            function = line.split("<", 1)[1][:-2]
            functions += 1
        elif NEWER.search(line) and not MADE_FOR_IT.search(function):
            found.setdefault(f"{library}: {function}", line.split("\t", 1)[-1].strip())
print(*(f"{where}: {instruction}" for where, instruction in found.items()), f"{functions} functions, {len(found)} findings", sep="\n")
sys.exit(1 if found or not functions else 0)
