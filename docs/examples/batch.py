# SPDX-License-Identifier: BSD-3-Clause
"""batch.c in Python: places reads in a reference, in one call; a read with a letter that is no nucleotide fails alone
and says why."""
import nwgpu

reads, reference = ["ACGTAC", "ACG?", "GATACA", ""], "TTTACGTACCCGGATTACAGGTTT"
scoring = nwgpu.dna(match=1, mismatch=4, gap_open=0, gap_extend=2)
for read, a in enumerate(nwgpu.align(reads, reference, scoring=scoring, pairs="all", mode="semiglobal")):
    if a.status != nwgpu.Status.OK:
        print(f"read {read}: {a.message}")
    else:
        print(f"read {read}: at {a.target_begin}-{a.target_end}, score {a.score}, {a.cigar or '*'}")
