# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the command share: running it, making input files, and an independent look at alignments."""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

NWGPU = os.environ.get("NWGPU", "nwgpu")
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
SHARED_DATA = pathlib.Path(os.environ.get("NWGPU_SHARED_DATA") or DATA.parents[2] / "shared/data")  # larger, optional
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
FREE_ENDS = ["query-begin", "query-end", "target-begin", "target-end"]  # the order of small_pairs.tsv
needs_samtools = unittest.skipUnless(shutil.which("samtools"), "samtools is not installed")
needs_bcftools = unittest.skipUnless(shutil.which("bcftools"), "bcftools is not installed")
needs_picard = unittest.skipUnless(shutil.which("PicardCommandLine"), "picard is not installed")


class CommandTest(unittest.TestCase):
    """A test with a folder of its own, in which the command runs."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def file(self, name, content):
        if isinstance(content, str):
            content = content.encode()
        (self.folder / name).write_bytes(content)
        return name

    def run_nwgpu(self, *arguments, code=0, stdin=None, stdout=subprocess.PIPE, env=None):
        """Runs the command; returns the completed process with text in stdout and stderr."""
        done = subprocess.run([NWGPU, *map(str, arguments)], cwd=self.folder, input=stdin, text=True, stdout=stdout,
                              stderr=subprocess.PIPE, timeout=250, env=env)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def rows(self, *arguments, **options):
        """The lines of the tsv output as dictionaries."""
        lines = self.run_nwgpu("align", *arguments, **options).stdout.splitlines()
        header = lines[0].split("\t")
        return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]

    def samtools(self, *arguments):
        return subprocess.run(["samtools", *map(str, arguments)], cwd=self.folder, check=True, text=True,
                              capture_output=True).stdout

    def picard(self, name, reference=None):
        """The lines of ValidateSamFile's histogram: kinds of errors and their counts, an empty dictionary for none."""
        self.samtools("faidx", reference) if reference else None
        arguments = ["PicardCommandLine", "ValidateSamFile", "-I", name, "-MODE", "SUMMARY"]
        arguments += ["-R", reference] if reference else []
        done = subprocess.run(arguments, cwd=self.folder, text=True, capture_output=True, timeout=250)
        if "No errors found" in done.stdout:
            return {}
        found = dict(line.split("\t") for line in done.stdout.splitlines() if re.match(r"(ERROR|WARNING):\w+\t", line))
        assert found, done.stdout + done.stderr
        return found


def fasta(**records):
    return "".join(f">{name}\n{letters}\n" for name, letters in records.items())


def read_fasta(text):
    records = {}
    for line in text.splitlines():
        if line.startswith(">"):
            name = line[1:].split()[0]
            records[name] = ""
        else:
            records[name] += line
    return records


def bgzf(data, block=300, end=True):
    """data as a bgzf file of small blocks, with or without the empty block at its end."""
    pieces = [data[i:i + block] for i in range(0, len(data), block)] + ([b""] if end else [])
    out = b""
    for piece in pieces:
        deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = deflate.compress(piece) + deflate.flush()
        out += struct.pack("<4BI2BH2B2H", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(packed) + 25)
        out += packed + struct.pack("<2I", zlib.crc32(piece), len(piece))
    return out


def runs(cigar):
    """[(length, operation), ...]; the text must be a CIGAR without leftovers and without equal neighbours."""
    found = [(int(length), op) for length, op in re.findall(r"(\d+)([MIDNSHP=X])", cigar)]
    assert "".join(f"{length}{op}" for length, op in found) == ("" if cigar == "*" else cigar), cigar
    assert all(a[1] != b[1] for a, b in zip(found, found[1:])), cigar
    return found


def columns(cigar, query, target, query_begin=0, target_begin=0):
    """The aligned letters, column by column, '-' for gaps; clips move on in the query."""
    i, j = query_begin, target_begin
    for length, op in runs(cigar):
        for _ in range(length):
            if op == "S":
                i += 1
            elif op == "I":
                yield query[i], "-"
                i += 1
            elif op == "D":
                yield "-", target[j]
                j += 1
            elif op in "M=X":
                yield query[i], target[j]
                i, j = i + 1, j + 1


def affine_score(pairs, match=2, mismatch=4, gap_open=4, gap_extend=2, ambiguous=1):
    """The score of columns of DNA, from the definition."""
    score, last = 0, ""
    for a, b in pairs:
        kind = "I" if b == "-" else "D" if a == "-" else "M"
        if kind == "M":
            if not {a.upper(), b.upper()} <= set("ACGTU"):
                score -= ambiguous
            else:
                score += match if a.upper() == b.upper() else -mismatch
        else:
            score -= gap_extend + (gap_open if kind != last else 0)
        last = kind
    return score


def edits_and_md(pairs):
    """NM and MD as the SAM specification tells them."""
    edits, md, matches, deleting = 0, "", 0, False
    for a, b in pairs:
        a, b = a.upper().replace("U", "T"), b.upper().replace("U", "T")
        same = a == b and a in "ACGT"
        edits += not same
        if b == "-":
            continue
        if same:
            matches += 1
        elif a == "-" and deleting:
            md += b
        else:
            md += f"{matches}^{b}" if a == "-" else f"{matches}{b}"
            matches = 0
        deleting = a == "-"
    return edits, md + str(matches)


def sam_records(text):
    """Dictionaries of the fields and tags of SAM lines."""
    names = ["qname", "flag", "rname", "pos", "mapq", "cigar", "rnext", "pnext", "tlen", "seq", "qual"]
    records = []
    for line in text.splitlines():
        if line.startswith("@"):
            continue
        fields = line.split("\t")
        record = dict(zip(names, fields))
        record["tags"] = {tag[:2]: tag[5:] for tag in fields[11:]}
        records.append(record)
    return records
