#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One long pair on several GPUs, with a checkpoint: the process is killed at random moments, and goes on with other GPUs.

Usage: kills.py NWGPU GPUS [KILLS]; NWGPU_SEED reproduces a run.  The output must be the bytes of one GPU without a
checkpoint.  Prints one line per pair; exits 1 where an output differs.
"""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROWS, COLS = 7_600_000, 3_000_000  # three rounds of two GPUs; two of them are saved


def main():
    nwgpu, gpus, kills = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 10
    seed = os.environ.get("NWGPU_SEED", str(random.randrange(2**32)))
    draw = random.Random(seed)
    # A kill must come before the run ends, not while a slow disk takes some gigabytes.
    has_room = os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 20 << 30
    folder = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm" if has_room else None))
    query = draw.choices(b"ACGT", k=ROWS)
    target = query[2_000_000:3_200_000] + draw.choices(b"ACGT", k=600_000) + query[5_000_000:6_200_000]
    for place in draw.sample(range(len(target)), k=len(target) // 7):
        target[place] = draw.choice(b"ACGT")
    for name, letters in (("q", query), ("t", target)):
        (folder / f"{name}.fa").write_bytes(b">%s\n%s\n" % (name.encode(), bytes(letters)))

    def command(devices, mode, *options):
        return [nwgpu, "align", "--device", "cuda:" + devices, "--mode", mode, "--format", "paf", "-q", *options, "-o",
                str(folder / "out.paf"), str(folder / "q.fa"), str(folder / "t.fa")]

    def output():  # of the last run; a run that is killed leaves none, or all
        file = folder / "out.paf"
        text = file.read_bytes() if file.exists() else b""
        file.unlink(missing_ok=True)
        return text

    def finish(*of_command):
        subprocess.run(command(*of_command), check=True)
        return output()

    def some_gpus():
        return ",".join(map(str, draw.sample(range(gpus), k=draw.randint(1, gpus))))

    wrong = resumed = 0
    while kills > 0:
        mode = draw.choice(("global", "local", "semiglobal"))
        expected = finish("0", mode)
        save = ("--checkpoint", str(folder / "run"), "--checkpoint-interval", "0.1", "--resume")
        begin = time.monotonic()
        outputs = [finish(",".join(map(str, range(gpus))), mode, *save)]
        seconds = time.monotonic() - begin
        devices = []
        for _ in range(min(kills, draw.randint(2, 5))):
            kills -= 1
            devices.append(some_gpus())
            with subprocess.Popen(command(devices[-1], mode, *save)) as job:
                time.sleep(draw.uniform(0.3, 1.0) * seconds)
                job.kill()
            outputs.append(output() or expected)
            resumed += any((folder / "run").glob("slab-*.nwgpu"))
        devices.append(some_gpus())
        outputs.append(finish(devices[-1], mode, *save))
        bad = sum(output != expected for output in outputs)
        left = len(list((folder / "run").glob("slab-*.nwgpu")))
        wrong += bad + (left > 0)
        print(f"NWGPU_SEED={seed} {mode}: {seconds:.1f} s; killed on, at last resumed on cuda:{' '.join(devices)}; "
              f"{bad} of {len(outputs)} outputs differ, {left} files left", flush=True)
    print(f"{resumed} kills left something to resume")
    shutil.rmtree(folder)
    return wrong > 0 or resumed == 0


if __name__ == "__main__":
    sys.exit(main())
