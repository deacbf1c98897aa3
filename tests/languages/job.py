#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The job of this folder (README.md) in Python, with ctypes alone.  (The package nwgpu is in bindings/python.)

Usage: job.py <libnwgpu.so>
"""
import ctypes
import itertools
import sys
import threading
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int32, c_int64, c_uint8, c_uint32, c_uint64, c_void_p

OK, CPU, LOCAL, CIGAR = 0, 1, 1, 3  # NWGPU_OK, NWGPU_BACKEND_CPU, NWGPU_MODE_LOCAL, NWGPU_OUTPUT_CIGAR
library = ctypes.CDLL(sys.argv[1])


def struct(name, **fields):
    """A class for a struct of nwgpu.h, which begins as nwgpu_*_init says."""
    def init(self):
        getattr(library, f"{name}_init")(byref(self), c_uint64(ctypes.sizeof(self)))
    return type(name, (ctypes.Structure,), {"_fields_": [("struct_size", c_uint32), *fields.items()], "__init__": init})


Error = struct("nwgpu_error", status=c_int32, pair_index=c_uint64, cuda_code=c_int32, message=c_char * 252)
ContextOptions = struct("nwgpu_context_options", backend=c_int32, device=c_int32, cpu_threads=c_int32,
                        max_device_bytes=c_uint64, max_host_bytes=c_uint64, cuda_stream=c_void_p, log=c_void_p,
                        log_user=c_void_p, cpu_isa=c_char_p, devices=c_void_p, device_count=c_uint64,
                        communicator=c_void_p)
Scoring = struct("nwgpu_scoring", match=c_int32, mismatch=c_int32, gap_open=c_int32, gap_extend=c_int32,
                 alphabet_size=c_uint32, matrix=POINTER(c_int32), letter_codes=POINTER(c_uint8))
Top = struct("nwgpu_top", alignments=c_uint64)
Control = struct("nwgpu_control", progress=c_void_p, progress_user=c_void_p, deadline_seconds=c_double)
AlignOptions = struct("nwgpu_align_options", mode=c_int32, free_ends=c_int32, output=c_int32, cigar_style=c_int32,
                      ties=c_int32, pairing=c_int32, every_cell=c_int32, band=c_void_p, top=POINTER(Top),
                      checkpoint=c_void_p, control=POINTER(Control))

for name, result in {"nwgpu_status_name": c_char_p, "nwgpu_matrix_scores": POINTER(c_int32),
                     "nwgpu_matrix_letter_codes": POINTER(c_uint8), "nwgpu_alphabet_letter_codes": POINTER(c_uint8),
                     "nwgpu_result_count": c_uint64, "nwgpu_result_failed": c_uint64,
                     "nwgpu_result_pairs": POINTER(c_uint64), "nwgpu_result_scores": POINTER(c_int64)}.items():
    getattr(library, name).restype = result


def refused(what, name, *arguments):
    """Calls a function that reports by status, with room for its message, which is printed."""
    error = Error()
    status = getattr(library, name)(*arguments, byref(error))
    if status != OK:
        print(f"{what}: {library.nwgpu_status_name(status).decode()}: {error.message.decode()}")
    return status


def check(name, *arguments):
    if refused("failed", name, *arguments) != OK:
        sys.exit(1)


def handle(name, *arguments):
    """The handle that a function makes."""
    made = c_void_p()
    check(name, *arguments, byref(made))
    return made


def print_entry(result, entry, cigar):
    error = Error()
    library.nwgpu_result_pair_error(result, c_uint64(entry), byref(error))
    failed = f"{library.nwgpu_status_name(error.status).decode()}: {error.message.decode()}"
    answer = f"{library.nwgpu_result_scores(result)[entry]} {cigar}" if error.status == OK else failed
    print(f"pair {library.nwgpu_result_pairs(result)[entry]}: {answer}")


def print_cigars(result):
    runs, offsets, text = c_void_p(), POINTER(c_uint64)(), ctypes.create_string_buffer(64)
    check("nwgpu_result_cigars", result, byref(runs), byref(offsets))
    for entry in range(library.nwgpu_result_count(result)):
        count = c_uint64(offsets[entry + 1] - offsets[entry])
        library.nwgpu_cigar_to_text(c_void_p(runs.value + 4 * offsets[entry]), count, text, c_uint64(len(text)))
        print_entry(result, entry, text.value.decode())


def sequences(context, *texts):
    offsets = (c_uint64 * (len(texts) + 1))(*itertools.accumulate(map(len, texts), initial=0))
    return handle("nwgpu_sequences_create", context, b"".join(texts), offsets, c_uint64(len(texts)))


def batch(context, scoring):
    """Scores of a batch first, then the alignments of some of its pairs."""
    queries = sequences(context, b"GATTACA", b"GAT-ACA", b"", b"ACGTACGT")
    targets = sequences(context, b"GATACA", b"GATACA", b"AC", b"ACGT")
    result = handle("nwgpu_align", context, queries, targets, None, c_uint64(0), byref(scoring), None)
    count = library.nwgpu_result_count(result)
    print(f"{count} pairs, {library.nwgpu_result_failed(result)} failed")
    for entry in range(count):
        print_entry(result, entry, "-")
    refused("no CIGARs", "nwgpu_result_cigars", result, byref(c_void_p()), byref(c_void_p()))

    scores, chosen = library.nwgpu_result_scores(result), (c_uint64 * 3)(3, 1, 0)
    traced = handle("nwgpu_traceback", context, queries, targets, result, chosen, c_uint64(3), None)
    print_cigars(traced)
    for owned in (queries, targets):
        library.nwgpu_sequences_destroy(owned)
    library.nwgpu_result_destroy(traced)
    print("the first scores:", *scores[:4])
    library.nwgpu_result_destroy(result)


def top(context):
    """Several local alignments, with an option struct inside the options."""
    refused("no matrix", "nwgpu_matrix_create", b"BLOSUM63", byref(c_void_p()))
    matrix = handle("nwgpu_matrix_create", b"blosum62")
    scoring, best, options = Scoring(), Top(), AlignOptions()
    scoring.gap_open, scoring.gap_extend = 11, 1
    scoring.alphabet_size = library.nwgpu_matrix_alphabet_size(matrix)
    scoring.matrix = library.nwgpu_matrix_scores(matrix)
    scoring.letter_codes = library.nwgpu_matrix_letter_codes(matrix)
    best.alignments = 2
    options.mode, options.output, options.top = LOCAL, CIGAR, ctypes.pointer(best)
    query, target = sequences(context, b"WLKAWL"), sequences(context, b"AWLKWL")
    result = handle("nwgpu_align", context, query, target, None, c_uint64(0), byref(scoring), byref(options))
    print_cigars(result)
    library.nwgpu_result_destroy(result)
    for owned in (query, target):
        library.nwgpu_sequences_destroy(owned)
    library.nwgpu_matrix_destroy(matrix)


def cancelled(context, scoring):
    """A call of minutes, ended by another thread."""
    bytewise, control, options, letters = Scoring(), Control(), AlignOptions(), bytes(1_000_000)
    for name in ("match", "mismatch", "gap_open", "gap_extend"):
        setattr(bytewise, name, getattr(scoring, name))
    control.deadline_seconds = 60  # should cancelling fail
    options.every_cell, options.control = 1, ctypes.pointer(control)
    view = handle("nwgpu_sequences_create_view", context, letters, (c_uint64 * 2)(0, len(letters)), c_uint64(1))
    ended = threading.Event()

    def cancel():  # the call may not have begun: asks again until it has ended
        while not ended.wait(0.001):
            library.nwgpu_context_cancel(context)

    thread = threading.Thread(target=cancel)
    thread.start()
    refused("cancelled", "nwgpu_align", context, view, view, None, c_uint64(0), byref(bytewise), byref(options),
            byref(c_void_p()))
    ended.set()
    thread.join()
    library.nwgpu_sequences_destroy(view)


def main():
    print("ABI", library.nwgpu_abi_version())
    options, dna = ContextOptions(), Scoring()
    options.backend, options.cpu_threads = CPU, 2
    context = handle("nwgpu_context_create", byref(options))
    dna.match, dna.mismatch, dna.gap_open, dna.gap_extend = 2, 4, 4, 2
    dna.letter_codes = library.nwgpu_alphabet_letter_codes(b"dna")
    batch(context, dna)
    top(context)
    cancelled(context, dna)
    library.nwgpu_context_destroy(context)


main()
