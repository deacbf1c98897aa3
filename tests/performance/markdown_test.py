#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A stored result file becomes the table of docs/benchmarks.md that is expected: `run.py --results --markdown`."""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # the sources stay clean
import report

HERE = pathlib.Path(__file__).resolve().parent
STORED = HERE / "golden/results.tsv"


class MarkdownTest(unittest.TestCase):
    def test_table_of_a_stored_file(self):
        command = [sys.executable, str(HERE / "run.py"), "--results", str(STORED), "--markdown", "-"]
        made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.assertEqual(made, (HERE / "golden/table.md").read_text())

    def test_missed_bars_come_first(self):
        rows = [line for line in (HERE / "golden/table.md").read_text().splitlines() if line.startswith("| ")][1:]
        marks = [0 if "missed" in row else 1 if "met" in row else 2 for row in rows]
        self.assertEqual(marks, sorted(marks))
        self.assertEqual(set(marks), {0, 1, 2})

    def test_a_file_that_was_read_is_written_as_it_was(self):
        with tempfile.NamedTemporaryFile() as file:
            report.read(STORED, argparse.Namespace()).write(file.name)
            self.assertEqual(pathlib.Path(file.name).read_text(), STORED.read_text())


if __name__ == "__main__":
    unittest.main()
