#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Stored output of nwgpu_gpu_benchmark and nwgpu_gpu_batches becomes the tables of docs/benchmarks.md that are expected."""
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent


class TableTest(unittest.TestCase):
    def test_tables_of_stored_output(self):
        command = [sys.executable, str(HERE / "table.py"), "--date", "2026-11-22", str(HERE / "golden/benchmark.txt"),
                   str(HERE / "golden/batches.txt")]
        made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.assertEqual(made, (HERE / "golden/table.md").read_text())

    def test_every_bar_names_a_work(self):
        sys.path.insert(0, str(HERE))
        sys.dont_write_bytecode = True
        import table
        works = (HERE / "benchmark.cpp").read_text()
        for name in {*table.RATE, *table.SECONDS, *table.DEVICE_MIB}:
            self.assertIn(f'"{name}"', works)
        works = (HERE / "batches.cpp").read_text()
        for name in {*table.RATE_OF_PAIRS, *table.PAIRS}:
            self.assertIn(f'"{name}"', works)


if __name__ == "__main__":
    unittest.main()
