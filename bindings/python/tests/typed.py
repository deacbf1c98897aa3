# SPDX-License-Identifier: BSD-3-Clause
"""Not run: what a type checker says of the package (tests/package/wheel.sh).  Each `ignore` stands for an error."""
import typing

import nwgpu

found = nwgpu.align("GATTACA", b"GATACA", scoring=nwgpu.dna(), mode="local")
typing.assert_type(found, list[nwgpu.Alignment])
typing.assert_type(found[0].score, int | None)
typing.assert_type(found[0].status, nwgpu.Status)

columns = nwgpu.align(["GATTACA"], ["GATACA"], scoring="BLOSUM62", output="arrays", pairs="all")
typing.assert_type(columns, nwgpu.Arrays)
typing.assert_type(columns.cigar(0), str | None)

with nwgpu.Context("cpu", threads=2) as context:
    typing.assert_type(context, nwgpu.Context)
    with context.sequences(["GATTACA"]) as queries:
        typing.assert_type(queries, nwgpu.Sequences)
        typing.assert_type(context.align(queries, queries, scoring="dna", band=(-2, 2)), list[nwgpu.Alignment])
        scores = context.arrays(queries, queries, scoring="dna", output="score", progress=lambda done, total: None)
        typing.assert_type(context.traceback(queries, queries, scores, [0]), nwgpu.Arrays)
        typing.assert_type(context.estimate(queries, queries, scoring="dna").seconds, float)

nwgpu.align("A", "C", scoring="dna", mode="lokal")  # type: ignore[arg-type]
nwgpu.align("A", "C", scoring="dna", modus="local")  # type: ignore[call-overload]
nwgpu.align("A", "C")  # type: ignore[call-overload]
nwgpu.dna(mismatch=1.5)  # type: ignore[arg-type]
nwgpu.uniform(1, 1, 1, 1, alphabet="rna")  # type: ignore[arg-type]
