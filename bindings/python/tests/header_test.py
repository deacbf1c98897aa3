# SPDX-License-Identifier: BSD-3-Clause
"""The ctypes declarations agree with nwgpu.h and nwgpu_experimental.h: every constant, field and function, and the
versions."""
import ctypes
import pathlib
import re
import unittest

from nwgpu import _library

ROOT = pathlib.Path(__file__).resolve().parents[3]
HEADER = re.sub(r"/\*.*?\*/", "", "".join((ROOT / "capi/include/nwgpu" / name).read_text()
                                          for name in ("nwgpu.h", "nwgpu_experimental.h")), flags=re.S)
SIZES = (ROOT / "tests/abi/header_twice.c").read_text()  # what the C compiler confirms
# What Python does not need: the reason beside it.
NOT_USED = {
    "nwgpu_host_alloc", "nwgpu_host_free", "nwgpu_sequences_create_view",  # letters are copied into the library
    "nwgpu_context_serve",  # for ranks, whose communicators are made in C
    "nwgpu_matrix_letters", "nwgpu_result_failed", "nwgpu_sequences_count", "nwgpu_status_name",  # known without it
    *(f"{struct}_init" for struct in _library.STRUCTS if struct != "nwgpu_pair"),  # ctypes sets fields to zero
}
NUMBERS = {"uint8_t": ctypes.c_uint8, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
           "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64, "double": ctypes.c_double,
           "nwgpu_status": ctypes.c_int32}
ADDRESSES = {"char": ctypes.c_char_p, "void": ctypes.c_void_p, "nwgpu_context": ctypes.c_void_p,
             "nwgpu_matrix": ctypes.c_void_p, "nwgpu_sequences": ctypes.c_void_p, "nwgpu_result": ctypes.c_void_p}
INPUT = {"const uint8_t *", "const uint32_t *"}  # parameters that are passed as plain addresses


def to_ctypes(text, parameter=False):
    """The ctypes type that stands for a type of C."""
    text = re.sub(r"\s+", " ", text).strip()
    if parameter and text in INPUT | {"const uint32_t **"}:
        return ctypes.POINTER(ctypes.c_void_p) if text.endswith("**") else ctypes.c_void_p
    name, stars = text.replace("const ", "").rstrip("*").strip(), text.count("*")
    if stars == 0:
        return None if name == "void" else NUMBERS[name]
    if name in ADDRESSES:
        kind, stars = ADDRESSES[name], stars - 1
    else:
        kind = NUMBERS.get(name) or _library.STRUCTS[name]
    for _ in range(stars):
        kind = ctypes.POINTER(kind)
    return kind


def declared(text):
    """(type, name, length of the array or None) of `const char *name[3]`."""
    kind, name, _, length = re.fullmatch(r"\s*(.*?[\s*])(\w+)(\[(\d+)\])?\s*", text, re.S).groups()
    return kind, name, length and int(length)


def parameters(text):
    return [] if text.strip() in ("void", "") else [declared(part)[0] for part in text.split(",")]


class Header(unittest.TestCase):
    def test_constants(self):
        expected = {name: int(value) for body in re.findall(r"\bNWGPU_ENUM\(\w+\)\s*\{(.*?)\}", HEADER, flags=re.S)
                    for name, value in re.findall(r"(\w+)\s*=\s*(-?\d+)", body)}
        self.assertGreater(len(expected), 35)
        groups = {group: getattr(_library, group) for group in
                  ("BACKEND", "MODE", "FREE", "OUTPUT", "CIGAR", "TIES", "PAIRING", "LOG")}
        ours = {f"NWGPU_{group}_{name.upper()}": value for group, names in groups.items()
                for name, value in names.items()}
        ours.update({f"NWGPU_{s.name}" if s.name in ("OK", "BELOW_MIN_SCORE") else f"NWGPU_ERROR_{s.name}": s.value
                     for s in _library.Status})
        self.assertEqual(ours, expected)

    def test_versions(self):
        numbers = dict(re.findall(r"#define NWGPU_(\w+)\s+(\d+)", HEADER))
        self.assertEqual(_library.VERSION, "{VERSION_MAJOR}.{VERSION_MINOR}.{VERSION_PATCH}".format(**numbers))
        self.assertEqual(_library.ABI_VERSION, int(numbers["ABI_VERSION"]))

    def test_structs(self):
        bodies = {name: body for body, name in re.findall(r"typedef struct \w+\s*\{(.*?)\}\s*(\w+)\s*;", HEADER,
                                                          flags=re.S)}
        self.assertEqual(set(bodies), set(_library.STRUCTS))
        sizes = {name: int(size) for name, size in re.findall(r"SIZE_IS\((nwgpu_\w+), (\d+)\)", SIZES)}
        self.assertEqual(set(sizes), set(bodies))
        for struct, body in bodies.items():
            with self.subTest(struct):
                ours = _library.STRUCTS[struct]
                self.assertEqual(ctypes.sizeof(ours), sizes[struct])
                lines = [line for line in body.split(";") if line.strip()]
                fields = [field for line in lines for field in self.fields_of(line)]
                self.assertEqual([name for name, _ in ours._fields_], [name for name, _ in fields])
                for (name, kind), (_, expected) in zip(ours._fields_, fields):
                    self.assert_same_type(kind, expected, name)

    def fields_of(self, line):
        function = re.fullmatch(r"\s*(\w+)\s*\(\*(\w+)\)\((.*)\)\s*", line, re.S)
        if function:
            result, name, arguments = function.groups()
            yield name, (to_ctypes(result), [to_ctypes(kind) for kind in parameters(arguments)])
            return
        first, *others = line.split(",")
        kind, name, length = declared(first)
        for each in [name, *(other.strip() for other in others)]:
            if length:
                yield each, {"char": ctypes.c_char}[kind.strip()] * length
            else:
                yield each, to_ctypes(kind)

    def assert_same_type(self, kind, expected, name):
        if isinstance(expected, tuple):  # a function: its result and arguments
            self.assertEqual((kind._restype_, list(kind._argtypes_)), expected, name)
        else:
            self.assertIs(kind, expected, name)

    def test_functions(self):
        found = {}
        for result, name, arguments in re.findall(r"NWGPU_API\s+(?:NWGPU_MUST_CHECK\s+)?([\w\s*]+?[\s*])(nwgpu_\w+)"
                                                  r"\s*\((.*?)\);", HEADER, flags=re.S):
            found[name] = (to_ctypes(result), [to_ctypes(kind, parameter=True) for kind in parameters(arguments)])
        self.assertEqual(set(found), set(re.findall(r"\b(nwgpu_\w+)\s*\(", HEADER)))
        self.assertEqual(set(found) - NOT_USED, set(_library.FUNCTIONS))
        self.assertLessEqual(NOT_USED, set(found))
        for name, ours in _library.FUNCTIONS.items():
            with self.subTest(name):
                self.assertEqual(ours, found[name])
                self.assertTrue(hasattr(_library.library, name))

    def test_every_function_is_used(self):
        code = "".join(path.read_text() for path in (ROOT / "bindings/python/nwgpu").glob("*.py"))
        for name in _library.FUNCTIONS:
            self.assertGreater(len(re.findall(rf"\b{name}\b", code)), 1, name)


if __name__ == "__main__":
    unittest.main()
