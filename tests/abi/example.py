#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs an example and compares its output with what the last comment of its source promises.

Usage: example.py <source> <program>
"""
import pathlib
import re
import subprocess
import sys

source, program = sys.argv[1:]
promised = re.findall(r"/\* Prints:\n(.*?)\s*\*/", pathlib.Path(source).read_text(), flags=re.S)[-1]
promised = [line.removeprefix(" *").strip() for line in promised.splitlines()]
printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
printed = [line.strip() for line in printed]
if printed != promised:
    sys.exit("printed:\n" + "\n".join(printed) + "\npromised:\n" + "\n".join(promised))
