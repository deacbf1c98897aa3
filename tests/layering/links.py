#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks what documents and comments name: links, documents, source files, and the lemmas of docs/proofs.md.

Usage: links.py [root of the project].  Prints one line per finding; exits 1 if there is any.
"""
import pathlib
import re
import sys

CODE = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".txt", ".go", ".rs"}
SOURCE_NAME = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:c|h|cpp|hpp|cu|cuh|py|sh))`")
CITED = re.compile(r"docs/proofs\.md,\s+(?://\s+)?lemmas?\s+(?://\s+)?(\d+(?:(?: to |, | and )\d+)*)")


def anchors(text):
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def numbers(text):
    """ "1 to 3 and 8" -> {1, 2, 3, 8} """
    found = {int(n) for n in re.findall(r"\d+", text)}
    for first, last in re.findall(r"(\d+) to (\d+)", text):
        found.update(range(int(first), int(last) + 1))
    return found


def in_document(root, path, text):
    for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text):
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists():
            yield f"links to {target}, which does not exist"
        elif anchor and anchor not in anchors(file.read_text()):
            yield f"links to {target}, but the document has no such heading"
    for name in SOURCE_NAME.findall(text):
        if not any((folder / name).exists() for folder in (root, root / "libnwgpu", path.parent)):
            yield f"names {name}, which does not exist"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    tops = [root / top for top in ("libnwgpu", "capi", "cli", "seqan_adapter", "bindings", "tests", "docs")]
    files = sorted([f for top in tops for f in top.rglob("*") if f.is_file() and "build" not in f.parts[len(root.parts):]]
                   + list(root.glob("*.md")))
    proofs = (root / "docs/proofs.md").read_text()
    lemmas = {int(n) for n in re.findall(r"^### Lemma (\d+):", proofs, re.M)}
    found, cited = [], set()
    for path in files:
        name = path.relative_to(root).as_posix()
        if path.suffix == ".md":
            found += [f"{name} {what}" for what in in_document(root, path, path.read_text())]
        elif path.suffix in CODE:
            text = path.read_text(errors="replace")
            found += [f"{name} names {document}, which does not exist" for document in
                      sorted(set(re.findall(r"\bdocs/[\w/-]+\.md\b", text))) if not (root / document).exists()]
            of_file = set().union(*(numbers(n) for n in CITED.findall(text)))
            found += [f"{name} cites lemma {n}, which docs/proofs.md does not have" for n in sorted(of_file - lemmas)]
            cited |= of_file if name.startswith("libnwgpu/") else set()
    found += [f"docs/proofs.md has lemma {n}, which no code cites" for n in sorted(lemmas - cited)]
    print(*found, f"{len(files)} files, {len(lemmas)} lemmas, {len(found)} findings", sep="\n")
    return 1 if found or not lemmas else 0


if __name__ == "__main__":
    sys.exit(main())
