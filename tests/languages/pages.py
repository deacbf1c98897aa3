#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs what the documents show in a language, and compares what it prints.

Usage: pages.py page_<language>|example_<language> <work folder> <folder with nwgpu/nwgpu.h> <libnwgpu.so>

`page`: the page of docs/languages; its code blocks are one program, its text blocks what that prints.  `example`: the
program of docs/examples that is there in each language; all print batch.txt.  Exit code 77: the compiler is not there, or a package
of Python that the page takes.
"""
import difflib
import importlib.util
import pathlib
import re
import sys

from tools import ROOT, SUFFIXES, Library, run

name, work, include, library = sys.argv[1], *(pathlib.Path(path).resolve() for path in sys.argv[2:])
work.mkdir(parents=True, exist_ok=True)
built = Library(include, library, work)
kind, language = name.split("_")
if kind == "page":
    page = (ROOT / f"docs/languages/{language}.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.M | re.S)
    program, expected = ("".join(block for written, block in blocks if written == wanted) for wanted in (language, "text"))
else:
    examples = ROOT / "docs/examples"
    program, expected = ((examples / f"batch{suffix}").read_text() for suffix in (SUFFIXES[language], ".txt"))

if language == "python" and "output=\"arrays\"" in program and not importlib.util.find_spec("numpy"):
    print("numpy is not there")
    sys.exit(77)
printed = run(*built.program(language, program), environment=built.environment())
if printed != expected or not expected:
    printed, expected = printed.splitlines(keepends=True), expected.splitlines(keepends=True)
    sys.stdout.writelines(difflib.unified_diff(expected, printed, "expected", "printed"))
    sys.exit(1)
