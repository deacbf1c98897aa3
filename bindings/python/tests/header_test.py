# SPDX-License-Identifier: BSD-3-Clause
"""What Python code repeats of nwgpu.h agrees with it: statuses and versions.  The rest is compiled with the header."""
import pathlib
import re
import unittest

import nwgpu
from nwgpu import _core

ROOT = pathlib.Path(__file__).resolve().parents[3]
HEADER = (ROOT / "capi/include/nwgpu/nwgpu.h").read_text()
# Functions of the headers that Python does not need: the reason beside them.
NOT_USED = {
    "nwgpu_host_alloc", "nwgpu_host_free",  # letters lie in memory of Python's
    "nwgpu_context_serve",  # for ranks, whose communicators are made in C
    "nwgpu_matrix_letters", "nwgpu_result_failed", "nwgpu_sequences_count", "nwgpu_status_name",  # known without it
}


class Header(unittest.TestCase):
    def test_statuses(self):
        body = re.search(r"NWGPU_ENUM\(nwgpu_status_code\)\s*\{(.*?)\}", HEADER, flags=re.S)[1]
        expected = {name: int(value) for name, value in re.findall(r"NWGPU_(\w+)\s*=\s*(\d+)", body)}
        self.assertGreater(len(expected), 15)
        self.assertEqual({s.name if s.name in ("OK", "BELOW_MIN_SCORE") else f"ERROR_{s.name}": s.value for s in nwgpu.Status}, expected)

    def test_versions(self):
        numbers = dict(re.findall(r"#define NWGPU_(\w+)\s+(\d+)", HEADER))
        self.assertEqual(nwgpu.__version__, "{VERSION_MAJOR}.{VERSION_MINOR}.{VERSION_PATCH}".format(**numbers))
        self.assertEqual((_core.ABI_VERSION, _core.abi_version()), (int(numbers["ABI_VERSION"]),) * 2)

    def test_every_function_is_used(self):
        headers = HEADER + (ROOT / "capi/include/nwgpu/nwgpu_experimental.h").read_text()
        functions = set(re.findall(r"\b(nwgpu_\w+)\s*\(", re.sub(r"/\*.*?\*/", "", headers, flags=re.S)))
        sources = "".join(path.read_text() for path in (ROOT / "bindings/python/src").iterdir())
        used = set(re.findall(r"\bnwgpu_\w+\b", sources)) & functions
        self.assertGreater(len(used), 30)
        self.assertEqual({name for name in functions - used if not name.endswith("_init")}, NOT_USED)


if __name__ == "__main__":
    unittest.main()
