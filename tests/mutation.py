#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Do the tests bite?  Breaks one line at a time, in a scratch copy, and demands that tests fail: of the CPU engine the
conformance tests, of the command its own.  Not part of CI: each mutation compiles the engine, or the command, again.

usage: mutation.py SCRATCH_FOLDER [NUMBER ...]     numbers count both lists, from 0"""

import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent

# File below libnwgpu/, the text, what replaces it, and what that breaks.
MUTATIONS = [
    ("path/walk.hpp", "else if (!local || bits.horizontal(i, j))", "else if (true)", "a local path never stops"),
    ("path/walk.hpp", "; n > 0)", "; n > 0 && !bits.vertical(i, j))", "tie: up before diagonal"),
    ("path/end.hpp", "score <= result_.score", "score < result_.score", "tie: last free end instead of the first"),
    ("path/band.cpp", "(base_ - score) / step_ + 1)", "(base_ - score) / step_)", "a proven band one too narrow"),
    ("cpu/pair.cpp", "*half_width <= probe &&", "*half_width <= probe + 1 &&", "a score of too narrow a band is taken for proven"),
    ("cpu/scheme.cpp", "best + 2 * open - worst <= 128", "best + 2 * open - worst <= 150", "8-bit differences overflow"),
    ("cpu/scheme.cpp", "best + 2 * extend + open <= 127", "best + 2 * extend <= 128", "the same at their upper end"),
    ("cpu/sweep.hpp", "std::fill_n(top.second, next - high, top.second[-1]);", "", "differences beside a band overflow"),
    ("cpu/scheme.cpp", "below + above <= 255)\n            return", "below + above <= 262)\n            return", "8-bit local scores overflow"),
    ("cpu/lane_batch.cpp", "top_score(rows, cols) <= 127", "top_score(rows, cols) <= 128", "the same in lanes"),
    ("cpu/scheme.cpp", "+ open <= 255)", "+ open <= 262)", "the same in lanes with global ends"),
    ("cpu/pair_plan.cpp", "trace_bytes(field, m, n) <= static_cast<double>(plan.max_trace_bytes)", "true", "diagonals are kept where they do not fit"),
    ("cpu/lane_global.cpp", "hn::Gt(opened, from_above)", "hn::Eq(hn::Max(opened, from_above), opened)", "tie: insertions open before they extend, in lanes"),
    ("cpu/lane_global.cpp", "left_shift = hn::Sub(old_corner, seen);", "", "rows of a lane keep the base of the columns before"),
    ("cpu/scheme.cpp", "8 * (open + extend) + 8", "0", "no margin below the 16-bit limit"),
    ("cpu/strip_diff.cpp", "hn::Eq(z, s)", "hn::Eq(t, s)", "the diagonal attains H where only F does"),
    ("cpu/local_strip.cpp", "hn::Eq(new_h, from_diagonal)", "hn::Eq(t, from_diagonal)", "the same, local"),
    ("cpu/lane_tile.cpp", "hn::Gt(from_t, a)", "hn::Eq(hn::Max(from_t, a), from_t)", "tie: deletions open before they extend"),
    ("cpu/lane_tile.cpp", "hn::Eq(h, e)", "hn::Eq(e, e)", "a local path of bytes never stops"),
    ("cpu/path_finder.hpp", "j <= tile_->col_begin", "j < tile_->col_begin", "a gap is looked up beside its tile"),
    ("cpu/scan_strip.cpp", "in.gap = hn::Max(in.gap, t);", "", "insertions end with their lane"),
    ("cpu/scan_strip.cpp", "score == best_ && col < best_col_", "score == best_ && col > best_col_", "tie: last local end"),
    ("cpu/scheme.cpp", "rest = (1 << 16) - 1", "rest = (1 << 16) + 9000", "numbers of all lanes overflow"),
    ("cpu/strip_score.cpp", "hn::Gt(from_h, e[r])", "hn::Ge(from_h, e[r])", "the same, 16 to 64 bits"),
    ("cpu/strip_score.cpp", "std::min(strip.best_col,", "std::max(strip.best_col % strip.cols,", "tie: last local end"),
    ("cpu/sweep.hpp", "corner = next_corner;", "", "tiles use the corner of the first"),
]

# The same below cli/src/.
COMMAND_MUTATIONS = [
    ("engine.cpp", "pair.query % batch_->forward_count", "pair.query", "the strands of a query have a primary record each"),
    ("engine.cpp", "scores[i] > scores[best]", "scores[i] >= scores[best]", "of equal strands or targets the last"),
    ("engine.cpp", "rows.chosen_, &watch_paths", "rows.chosen_, nullptr", "Ctrl-C and the deadline do not end their paths"),
    ("engine.cpp", "rows.chosen_.clear();", "", "paths of competing pairs are looked up by the scores' entries"),
    ("engine.cpp", "== NWGPU_ERROR_DEADLINE", "== NWGPU_OK", "a deadline is an error"),
    ("realign_command.cpp", "end > length)", "end >= length)", "a read on the reference's last letter is refused"),
    ("realign_command.cpp", "std::min(length, end + margin)", "std::min(length - 1, end + margin)", "windows lack that letter"),
]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, **options)


def conformance_passes(build):
    subprocess.run(["ninja", "-C", str(build), "nwgpu_conformance"], check=True, stdout=subprocess.DEVNULL)
    filters = "--gtest_filter=Schemes*:*/SchemesTest*:*Forced*:*LengthsTest*:*BandTest*:LocalBits*:LaneBits*:ScanTest*:DiffBits*:*BatchTest*"
    command = [build / "tests/conformance/nwgpu_conformance", filters, "--gtest_fail_fast", "--gtest_brief=1"]
    return run(*command, timeout=900).returncode == 0


def command_passes(build):
    subprocess.run(["ninja", "-C", str(build), "nwgpu_command"], check=True, stdout=subprocess.DEVNULL)
    tests = "^cli[.](align|checkpoint|errors|formats|golden|realign)$"
    return run("ctest", "--test-dir", build, "-R", tests, "--no-tests=error", "--stop-on-failure").returncode == 0


def survives(passes, build):
    """Whether the tests pass.  A mutation that does not compile is a mistake in the lists above."""
    try:
        return passes(build)
    except subprocess.TimeoutExpired:
        return False  # an endless walk is noticed too


def main():
    scratch = pathlib.Path(sys.argv[1])
    mutations = [("libnwgpu", conformance_passes, *entry) for entry in MUTATIONS]
    mutations += [("cli/src", command_passes, *entry) for entry in COMMAND_MUTATIONS]
    chosen = [int(number) for number in sys.argv[2:]] or range(len(mutations))
    copy, build = scratch / "source", scratch / "build"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns(".git", "build*"))
    run("cmake", "-G", "Ninja", "-S", copy, "-B", build, "-DBUILD_TESTING=ON", check=True)
    for passes in {mutations[number][1] for number in chosen}:
        if not survives(passes, build):
            sys.exit(f"{passes.__name__}: not so without a mutation")
    survivors = []
    for number in chosen:
        folder, passes, name, text, replacement, breaks = mutations[number]
        file = copy / folder / name
        original = file.read_text()
        if original.count(text) != 1:
            sys.exit(f"mutation {number}: {name} has {original.count(text)} times: {text}")
        file.write_text(original.replace(text, replacement))
        alive = survives(passes, build)
        file.write_text(original)
        print(f"{'SURVIVED' if alive else 'killed  '} {number} {name}: {breaks}", flush=True)
        if alive:
            survivors.append(number)
    sys.exit(f"survivors: {survivors}" if survivors else 0)


if __name__ == "__main__":
    main()
