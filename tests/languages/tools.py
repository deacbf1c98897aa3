# SPDX-License-Identifier: BSD-3-Clause
"""Compilers of five languages, and how a program finds the library of a build."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIPPED = 77
NAMES = {"gcc": ("gcc",), "g++": ("g++",), "clang": ("clang", "clang-14"), "clang++": ("clang++", "clang++-14"),
         "rustc": ("rustc",), "cargo": ("cargo",), "bindgen": ("bindgen",), "go": ("go",),
         "pkg-config": ("pkg-config",)}  # and the names that they go by
SUFFIXES = {"c": ".c", "cpp": ".cpp", "rust": ".rs", "go": ".go", "python": ".py"}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wcast-qual", "-Werror"]
# nwgpu_*_INIT are used in projects that forbid casts of C.
CPP_WARNINGS = ["-Wold-style-cast", "-Wzero-as-null-pointer-constant"]


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def tool(which):
    found = next(filter(None, map(shutil.which, NAMES[which])), None)
    return found or skip(f"there is no {which} (./bootstrap.sh --test installs it)")


def run(*command, folder=None, environment=None):
    """What a command prints; ends the program where it fails."""
    variables = {**os.environ, **(environment or {})}
    if not variables.keys() & {"HOME", "XDG_CACHE_HOME", "GOCACHE"}:  # go wants to know where it may keep things
        variables["GOCACHE"] = os.path.join(tempfile.gettempdir(), "go-build")
    done = subprocess.run(list(map(str, command)), env=variables, cwd=folder,
                          stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}failed with {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


def fixed_addresses():
    """The sanitizers of gcc 12 do not know the wide address randomisation of newer kernels."""
    prefix = ["setarch", "--addr-no-randomize"]
    works = shutil.which("setarch") and subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL).returncode == 0
    return prefix if works else []


class Library:
    """nwgpu.h and libnwgpu.so of a build, as a program sees them that finds an installed one."""

    def __init__(self, include, library, work):
        self.include, self.file, self.work = include, library, work
        self.link = [f"-L{library.parent}", "-lnwgpu", f"-Wl,-rpath,{library.parent}"]

    def compile_c(self, source, program, compiler, *flags):
        run(tool(compiler), *flags, "-O1", *WARNINGS, f"-I{self.include}", source, *self.link, "-pthread", "-o",
            program)

    def environment(self, **more):
        """For cargo, go and Python: a pkg-config file, the path of the library, and what cargo makes in the work folder.
        go keeps what it compiles where it always does: its own library for the race detector takes half a minute."""
        tool("pkg-config")
        (self.work / "nwgpu.pc").write_text(
            "Name: nwgpu\nDescription: of a build\nVersion: 0.1.0\n"
            f"Libs: -L{self.file.parent} -lnwgpu\nLibs.private: -lstdc++ -lm -lpthread\nCflags: -I{self.include}\n")
        return {"PKG_CONFIG_PATH": str(self.work), "LD_LIBRARY_PATH": str(self.file.parent),
                "PYTHONPATH": str(self.file.parent.parent / "bindings/python/package"), "PYTHONDONTWRITEBYTECODE": "1",
                "CARGO_TARGET_DIR": str(self.work / "cargo"),
                "GOFLAGS": "-buildvcs=false", "CGO_ENABLED": "1",
                "CGO_CFLAGS": f"-O1 -Wall -Werror -DNWGPU_BUILD=0x{self.fingerprint()}", **more}

    def fingerprint(self):
        """Changes with the headers and the archive, of which go does not know when it keeps what it has compiled."""
        digest = hashlib.sha256()
        for file in (*sorted((self.include / "nwgpu").iterdir()), self.file.parent / "libnwgpu.a"):
            digest.update(file.read_bytes() if file.exists() else b"")
        return digest.hexdigest()[:16]

    def program(self, language, text):
        """The command that runs a program, which is made of its text in the work folder."""
        source, made = self.work / f"program{SUFFIXES[language]}", self.work / "program"
        source.write_text(text)
        if language == "c" or language == "cpp":
            compiler = ["gcc"] if language == "c" else ["g++", "-std=c++20"]
            run(tool(compiler[0]), *compiler[1:], "-Wall", "-Wextra", "-Werror", f"-I{self.include}", source, *self.link,
                "-pthread", "-o", made)
        elif language == "rust":
            shared, package = self.work.parent / "cargo", self.work.name  # the crates are compiled once for all
            (self.work / "Cargo.toml").write_text(
                f'[package]\nname = "{package}"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[[bin]]\n'
                f'name = "{package}"\npath = "{source}"\n'
                f'[dependencies]\nnwgpu = {{ path = "{ROOT}/bindings/rust/nwgpu" }}\n')
            run(tool("cargo"), "build", "--offline", folder=self.work,
                environment=self.environment(RUSTFLAGS="-Dwarnings", CARGO_TARGET_DIR=str(shared)))
            made = shared / "debug" / package
        elif language == "go":
            (self.work / "go.mod").write_text(
                f"module program\n\ngo 1.19\n\nrequire nwgpu v0.0.0\n\nreplace nwgpu => {ROOT}/bindings/go\n")
            run(tool("go"), "build", "-o", made, source.name, folder=self.work, environment=self.environment())
        else:
            return [self.python(), source]
        return [made]

    def python(self):
        """The interpreter, where the package is built."""
        if not list(self.file.parent.parent.glob("bindings/python/package/nwgpu/_core*")):
            skip("this build has no Python package (needs Python 3.11 with its headers)")
        return sys.executable


def cargo(*arguments, folder, environment, prefix=()):
    run(*prefix, tool("cargo"), *arguments, "--offline", "--locked", folder=folder, environment=environment)
