#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a page of docs/languages: its code blocks are one program, its text blocks what that prints.

Usage: pages.py <page, a name of COMMANDS> <work folder> <folder with nwgpu/nwgpu.h> <libnwgpu.so>

Exit code 77: the compiler is not there.
"""
import difflib
import pathlib
import re
import sys

from tools import ROOT, Library, run, tool

name, work, include, library = sys.argv[1], *(pathlib.Path(path).resolve() for path in sys.argv[2:])
work.mkdir(parents=True, exist_ok=True)
built = Library(include, library, work)
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / f"docs/languages/{name}.md").read_text(), re.M | re.S)
source, program = work / f"page.{name}", work / "program"
source.write_text("".join(block for language, block in blocks if language == name))


def compile_c(which, compiler, *flags):
    source.with_suffix(which).write_text(source.read_text())
    run(tool(compiler), *flags, "-Wall", "-Wextra", "-Werror", f"-I{include}", source.with_suffix(which), *built.link,
        "-pthread", "-o", program)
    return [program]


def compile_rust():
    (work / "Cargo.toml").write_text(
        '[package]\nname = "page"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[[bin]]\nname = "page"\n'
        f'path = "{source}"\n[dependencies]\nnwgpu = {{ path = "{ROOT}/bindings/rust/nwgpu" }}\n')
    run(tool("cargo"), "build", "--offline", folder=work, environment=built.environment(RUSTFLAGS="-Dwarnings"))
    return [work / "cargo/debug/page"]


def compile_go():
    (work / "page.go").write_text(source.read_text())
    (work / "go.mod").write_text(
        f"module page\n\ngo 1.19\n\nrequire nwgpu v0.0.0\n\nreplace nwgpu => {ROOT}/bindings/go\n")
    run(tool("go"), "build", "-o", program, "page.go", folder=work, environment=built.environment())
    return [program]


COMMANDS = {
    "c": lambda: compile_c(".c", "gcc"),
    "cpp": lambda: compile_c(".cpp", "g++", "-std=c++20"),
    "rust": compile_rust,
    "go": compile_go,
    "python": lambda: [built.python(), source],
}

printed = run(*COMMANDS[name](), environment=built.environment()).splitlines(keepends=True)
expected = "".join(block for language, block in blocks if language == "text").splitlines(keepends=True)
if printed != expected or not expected:
    sys.stdout.writelines(difflib.unified_diff(expected, printed, f"docs/languages/{name}.md", "printed"))
    sys.exit(1)
