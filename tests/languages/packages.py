#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests of a package of bindings/ against the library of a build.

Usage: packages.py <test, a name of TESTS> <work folder> <folder with nwgpu/nwgpu.h> <libnwgpu.so>

Exit code 77: the compiler is not there.
"""
import difflib
import pathlib
import re
import sys

from tools import ROOT, Library, cargo, fixed_addresses, run, skip, tool

RUST, GO = ROOT / "bindings/rust", ROOT / "bindings/go"

name, work, include, library = sys.argv[1], *(pathlib.Path(path).resolve() for path in sys.argv[2:])
work.mkdir(parents=True, exist_ok=True)
built = Library(include, library, work)


def rust():
    cargo("test", "--workspace", folder=RUST, environment=built.environment())


def rust_sanitized():
    """With the malloc of AddressSanitizer for Rust and the library: finds what is freed twice or never.  The code itself
    is not instrumented: for Rust only a nightly compiler does that."""
    runtime = pathlib.Path(run(tool("gcc"), "-print-file-name=libasan.so").strip()).resolve()
    host = re.search("^host: (.*)$", run(tool("rustc"), "-vV"), re.M)[1]
    runner = f"CARGO_TARGET_{host.upper().replace('-', '_')}_RUNNER"  # rustc links no runtime of gcc's
    cargo("test", "--workspace", "--target", host, "--tests", folder=RUST, prefix=fixed_addresses(),
          environment=built.environment(**{runner: f"env LD_PRELOAD={runtime}"}))


def items(declarations):
    """Rust without the layout, which depends on rustfmt: an item or a field per line."""
    packed = re.sub(r",(?=[)}>])", "", re.sub(r"\s+", "", declarations))
    return re.sub(r"(?<=[;{},])", "\n", packed).splitlines(keepends=True)


def rust_declarations():
    """The declarations of nwgpu-sys are those that bindgen makes of the header."""
    tool("bindgen")
    kept, made = (RUST / "nwgpu-sys/src/bindings.rs").read_text(), run(RUST / "bindings.sh", include)
    if made.splitlines()[0] != kept.splitlines()[0]:
        skip(f"the declarations are of another bindgen: {kept.splitlines()[0]}, here {made.splitlines()[0]}")
    if items(made) != items(kept):
        sys.stdout.writelines(difflib.unified_diff(items(kept), items(made), "bindings.rs", "bindings.sh"))
        sys.exit("bindings/rust/bindings.sh > bindings/rust/nwgpu-sys/src/bindings.rs makes them anew")


def go():
    for command in (["vet", "./..."], ["test", "-count=1", "./..."]):  # go keeps results, not knowing of the library
        run(tool("go"), *command, folder=GO, environment=built.environment())


def go_checked():
    """With the race detector, and with all checks of pointers that are passed to C."""
    go = tool("go")
    version = run(go, "env", "GOVERSION").strip()
    minor = int(version.split(".")[1])
    checks = {"GOEXPERIMENT": "cgocheck2"} if minor >= 21 else {"GODEBUG": "cgocheck=2"}
    # What the race detector asks of Go's own packages is compiled the first time, quicker without optimization.
    run(go, "test", "-count=1", "-race", "-gcflags=std=-N -l", "./...", folder=GO,
        environment=built.environment(**checks))


def without_shared_library():
    if not (library.parent / "libnwgpu.a").exists():
        skip("this build has no libnwgpu.a")
    return built.environment(LD_LIBRARY_PATH="")


def rust_static():
    cargo("test", "--features", "nwgpu/static", "--test", "align", folder=RUST, environment=without_shared_library())


def go_static():
    run(tool("go"), "test", "-count=1", "-tags", "nwgpu_static", "./...", folder=GO,
        environment=without_shared_library())


TESTS = {"rust": rust, "rust_declarations": rust_declarations, "rust_static": rust_static,
         "rust_sanitized": rust_sanitized, "go": go, "go_checked": go_checked, "go_static": go_static}
TESTS[name]()
