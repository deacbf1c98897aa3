#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the interface with the baseline of its ABI number, abi-<number>.abi: docs/abi.md says what may change.

Usage: baseline.py check <gcc> <nm> <libnwgpu.so> <folder capi> <work folder>
       baseline.py write <gcc> <folder capi> <work folder>        a new baseline, for a new ABI number

The functions of nwgpu.h are compiled without bodies and with debug information, which takes no time and knows nothing
of the library's own types; abidiff (package abigail-tools) compares them with the baseline.  The C++ compiler sees to
it that the functions of the library have the header's types; that the library exports them is looked up here.  What may
be added (functions, constants, fields at the end of a struct with struct_size) is left out before the comparison.  Exit
code 77: abidiff or gcc is not there.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent


def baseline_of(header):
    number = re.search(r"#define NWGPU_ABI_VERSION\s+(\d+)", header)[1]
    return HERE / f"abi-{number}.abi"


def describe(header, symbol_map, gcc, work):
    """The interface of a header's text as libabigail's XML."""
    code, count = re.subn(r"(\bNWGPU_API\b[^;{}]*?\))\s*;", r"\1 { __builtin_trap(); }",
                          re.sub(r"/\*.*?\*/", "", header, flags=re.S))
    assert count > 0
    work.mkdir(parents=True, exist_ok=True)
    (work / "nwgpu.c").write_text(code)
    subprocess.run([gcc, "-std=c99", "-g", "-O0", "-w", "-fPIC", "-shared", "-nostdlib",
                    "-fno-eliminate-unused-debug-types",  # no field has the type of a named enum
                    "nwgpu.c", "-o", "nwgpu.so", f"-Wl,--version-script={symbol_map}",
                    f"-Wl,-soname={baseline_of(header).stem}"], check=True, cwd=work)
    return subprocess.run(["abidw", "--load-all-types", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs",
                           "--type-id-style", "hash", "nwgpu.so"], check=True, cwd=work, stdout=subprocess.PIPE,
                          text=True).stdout


def fields(struct):
    return [(member.find("var-decl").get("name"), member) for member in struct.findall("data-member")]


def leave_out_appended(before, now):
    """Takes fields that structs with struct_size have more than in the baseline out of `now`."""
    old = {struct.get("name"): struct for struct in before.iter("class-decl") if len(struct)}
    for struct in now.iter("class-decl"):
        if len(struct) and struct.get("name") in old:
            earlier = old[struct.get("name")]
            names, kept = [name for name, _ in fields(struct)], [name for name, _ in fields(earlier)]
            if kept[:1] == ["struct_size"] and names[:len(kept)] == kept:
                for _, member in fields(struct)[len(kept):]:
                    struct.remove(member)
                struct.set("size-in-bits", earlier.get("size-in-bits"))


def constants(description):
    return {entry.get("name"): entry.get("value") for entry in description.iter("enumerator")}


def compare(header, symbol_map, gcc, work, baseline):
    """What breaks the baseline, as lines of text; empty if nothing does."""
    before = ElementTree.parse(baseline).getroot()
    now = ElementTree.fromstring(describe(header, symbol_map, gcc, work))
    found, expected = constants(now), constants(before)
    lines = [f"{name} was {value}, is {found.get(name, 'gone')}" for name, value in expected.items()
             if found.get(name) != value]
    leave_out_appended(before, now)
    ElementTree.ElementTree(now).write(work / "now.abi")
    done = subprocess.run(["abidiff", "--no-default-suppression", "--no-architecture", "--no-added-syms", "--harmless",
                           "--leaf-changes-only", baseline, work / "now.abi"], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        lines += done.stdout.splitlines() or [f"abidiff ended with {done.returncode}"]
    return lines


def missing(baseline, nm, library):
    """Functions of the baseline that the library does not export, with their version."""
    symbols = {f"{symbol.get('name')}@@{symbol.get('version')}"
               for symbol in ElementTree.parse(baseline).getroot().iter("elf-symbol")}
    printed = subprocess.run([nm, "--dynamic", "--defined-only", library], check=True, stdout=subprocess.PIPE,
                             text=True)
    return [f"{library} does not export {symbol}" for symbol in sorted(symbols - set(printed.stdout.split()))]


def main():
    command, *arguments = sys.argv[1:]
    gcc, work = arguments[0], pathlib.Path(arguments[-1]).resolve()
    capi = pathlib.Path(arguments[-2]).resolve()
    if not shutil.which("abidiff") or not shutil.which(gcc):
        print("skipped: there is no abidiff or no gcc (./bootstrap.sh --test installs them)")
        sys.exit(77)
    header, symbol_map = (capi / "include/nwgpu/nwgpu.h").read_text(), capi / "nwgpu.map"
    baseline = baseline_of(header)
    if command == "write":
        baseline.write_text(describe(header, symbol_map, gcc, work))
        return
    if not baseline.exists():
        sys.exit(f"{baseline.name} is not there: a new ABI number needs a baseline (baseline.py write)")
    _, nm, library = arguments[:3]
    problems = compare(header, symbol_map, gcc, work, baseline) + missing(baseline, nm, library)
    if problems:
        sys.exit("\n".join(["The interface is not what programs were linked against (docs/abi.md):", *problems]))


if __name__ == "__main__":
    main()
