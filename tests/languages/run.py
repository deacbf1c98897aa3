#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds a program of this folder, runs it and compares what it prints with expected.txt.

Usage: run.py <program, a name of PROGRAMS> <work folder> <folder with nwgpu/nwgpu.h> <libnwgpu.so>

Exit code 77: the compiler is not there.
"""
import difflib
import pathlib
import sys

from tools import CPP_WARNINGS, HERE, Library, fixed_addresses, run, tool

SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]

name, work, include, library = sys.argv[1], *(pathlib.Path(path).resolve() for path in sys.argv[2:])
program = work / name
built = Library(include, library, work)


def compile_c(source, compiler, *flags):
    built.compile_c(HERE / source, program, compiler, *flags)


def compile_rust(declarations):
    run(tool("rustc"), "--edition", "2021", "-D", "warnings", f"-Lnative={library.parent}", "-ldylib=nwgpu",
        f"-Clink-arg={built.link[-1]}", HERE / "job.rs", "-o", program,
        environment={"NWGPU_DECLARATIONS": str(declarations)})


def compile_rust_bindgen():
    bindgen = tool("bindgen")
    tool("rustc")
    run(bindgen, "--no-prepend-enum-name", "--allowlist-function=nwgpu_.*", "--allowlist-type=nwgpu_.*",
        "--allowlist-var=NWGPU_.*", "-o", work / "bindings.rs", include / "nwgpu/nwgpu.h", "--", f"-I{include}")
    compile_rust(work / "bindings.rs")


def compile_go():
    run(tool("go"), "build", "-o", program, HERE / "job.go", environment={
        "GO111MODULE": "off", "CGO_ENABLED": "1",
        "CGO_CFLAGS": f"-I{include} -O1 -Wall -Werror -DNWGPU_BUILD=0x{built.fingerprint()}",
        "CGO_LDFLAGS": " ".join(built.link)})


PROGRAMS = {  # how each is made
    "c_gcc": lambda: compile_c("job.c", "gcc", "-std=c99"),
    "c_clang": lambda: compile_c("job.c", "clang", "-std=c99"),
    "c_sanitized": lambda: compile_c("job.c", "gcc", "-std=c99", *SANITIZED),
    "cpp_gcc": lambda: compile_c("job.cpp", "g++", "-std=c++20", *CPP_WARNINGS),
    "cpp_clang": lambda: compile_c("job.cpp", "clang++", "-std=c++20", *CPP_WARNINGS),
    "cpp_sanitized": lambda: compile_c("job.cpp", "g++", "-std=c++20", *CPP_WARNINGS, *SANITIZED),
    "rust_bindgen": compile_rust_bindgen,
    "rust_declared": lambda: compile_rust(HERE / "declared.rs"),
    "go_cgo": compile_go,
    "python_ctypes": lambda: None,
}

work.mkdir(parents=True, exist_ok=True)
PROGRAMS[name]()
command = [program] if program.exists() else [sys.executable, HERE / "job.py", library]
if name.endswith("_sanitized"):
    command = [*fixed_addresses(), *command]
printed = run(*command).splitlines(keepends=True)
expected = (HERE / "expected.txt").read_text().splitlines(keepends=True)
if printed != expected:
    sys.stdout.writelines(difflib.unified_diff(expected, printed, "expected", "printed"))
    sys.exit(1)
