#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The recipes for conda, Docker and Apptainer, as far as they can be checked without these programs.

conda: the recipe is YAML, of the library's version, and its scripts install a build into a prefix and test it there.
Docker and Apptainer: both take the same images, run the same script and end with the same packages, and apt knows those.

Usage: recipes.py <source> <build> <work folder> <version>.  Exit code 77: there is no PyYAML for the first check.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

source, build, work = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
version = sys.argv[4]
recipes = source / "bindings/packaging"
work = work / "recipes"
shutil.rmtree(work, ignore_errors=True)


def expect(what, holds):
    if not holds:
        sys.exit(f"FAILED: {what}")


def run(*command, **environment):
    done = subprocess.run(list(map(str, command)), cwd=source, env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(f"{command[0]}:\n{done.stdout}", done.returncode == 0)
    return done.stdout


# conda
text = (recipes / "conda/meta.yaml").read_text()
named = dict(re.findall(r'{% set (\w+) = "(.*?)" %}', text))
expect(f"the recipe's version is {named}", named == {"version": version})
plain = re.sub(r"{%.*?%}", "", text)
plain = re.sub(r"{{ (\w+) }}", lambda found: named[found[1]], plain)
plain = re.sub(r'{{ (\w+)\("(\w+)".*?\) }}', r"\1_\2", plain)
expect("something of Jinja is left in the recipe", "{{" not in plain)
prefix = work / "prefix"
run("bash", recipes / "conda/build.sh", PREFIX=str(prefix), NWGPU_BUILD=str(build))
libraries = next(prefix.rglob("libnwgpu.so")).parent
run("bash", recipes / "conda/test.sh", PATH=f"{prefix}/bin:{os.environ['PATH']}", LD_LIBRARY_PATH=str(libraries),
    PKG_CONFIG_PATH=f"{libraries}/pkgconfig")

# Docker and Apptainer
docker = (recipes / "container/Dockerfile").read_text()
apptainer = (recipes / "container/nwgpu.def").read_text()
images = re.findall(r"^FROM (\S+)", docker, re.M)
expect("the recipes take the same two images", len(images) == 2 and images == re.findall(r"^From: (\S+)", apptainer, re.M))
script = "bindings/packaging/container/build.sh"
for name, recipe in (("Dockerfile", docker), ("nwgpu.def", apptainer)):
    expect(f"{name} runs {script}", len(re.findall(rf"^\s*(?:RUN )?{script}$", recipe, re.M)) == 1)
expect(f"{script} can be run", os.access(source / script, os.X_OK))
run("bash", "-n", source / script)
presets = (source / "CMakePresets.json").read_text()
commands = (source / script).read_text()
for preset in re.findall(r"--preset (\S+)", commands):
    expect(f"there is no preset {preset}", f'"name": "{preset}"' in presets)
for path in re.findall(r"^(?:\./)?([\w/]+\.sh)", commands, re.M):
    expect(f"there is no {path}", os.access(source / path, os.X_OK))
packages = [re.findall(r"install --yes(?: --\S+)* ([a-z0-9. +-]+?)(?: &&|$)", recipe, re.M)
            for recipe in (docker, apptainer)]
expect("the recipes end with the same packages", packages[0] == packages[1] and packages[0])
if shutil.which("apt-cache") and "libc6" in run("apt-cache", "search", "--names-only", "^libc6$"):  # it has lists
    for package in " ".join([*packages[0], *re.findall(r"no-install-recommends (.+)$", commands, re.M)]).split():
        expect(f"apt does not know {package}", package in run("apt-cache", "search", "--names-only", f"^{package}$"))

try:
    import yaml
except ImportError:
    print("skipped: whether the recipe is YAML, there is no PyYAML; the other checks passed")
    sys.exit(77)
recipe = yaml.safe_load(plain)
expect("the recipe names package, source, build, requirements, test and about",
       {"package", "source", "build", "requirements", "test", "about"} <= set(recipe))
expect("the recipe's sources are these", (recipes / "conda" / recipe["source"]["path"]).resolve() == source)
print("recipes: passed")
