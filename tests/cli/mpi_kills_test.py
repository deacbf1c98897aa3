# SPDX-License-Identifier: BSD-3-Clause
"""One pair over ranks, with a checkpoint: ranks are killed at random moments, and other numbers of ranks go on.

NWGPU_KILLS: how many kills for each MPI (4); by hand:
    NWGPU=build/ci/cli/nwgpu NWGPU_KILLS=25 NWGPU_MPIRUN=openmpi=/usr/bin/mpirun.openmpi,mpich=/usr/bin/mpirun.mpich \
        python3 tests/cli/mpi_kills_test.py
"""
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

import support
from ranks import ENVIRONMENT, MPIRUN, ranks_of
from support import NWGPU, fasta

KILLS = int(os.environ.get("NWGPU_KILLS", "4"))


@unittest.skipUnless(MPIRUN, "no mpirun was found: ./bootstrap.sh --test installs Open MPI and MPICH")
class MpiKills(support.CommandTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(78)  # reproduces the sequences
        query = "".join(draw.choices("ACGT", k=50000))
        target = "".join(draw.choice("ACGT") if draw.random() < 0.1 else letter for letter in query)
        self.name = f"run{os.getpid()}"  # of the folder: tells these ranks from others on this machine
        self.file("q.fa", fasta(q=query))
        self.file("t.fa", fasta(t=target[:20000] + target[25000:]))

    def command(self, mode, *options):
        return [NWGPU, "align", "--device", "cpu", "-t", "1", "--mode", mode, "--format", "paf", "--cs",
                "--checkpoint", self.name, "--checkpoint-interval", "0.01", *options, "-o", "out.paf", "q.fa", "t.fa"]

    def start(self, mpi, ranks, mode):
        return subprocess.Popen([MPIRUN[mpi], "-n", str(ranks), *self.command(mode, "--mpi", "--resume")],
                                cwd=self.folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def output(self):
        """What the last run has written; MPICH says on standard output that a rank was killed."""
        file = self.folder / "out.paf"
        text = file.read_text() if file.exists() else ""
        file.unlink(missing_ok=True)
        return text

    def finish(self, mpi, ranks, mode, expected, words):
        """Some ranks, or without an MPI one process, go on to the end."""
        if mpi:
            said = self.start(mpi, ranks, mode).communicate(timeout=100)[0]
        else:
            said = self.run_nwgpu(*self.command(mode, "--resume")[1:]).stderr
        self.assertTrue(self.output() == expected, f"{words}: {said}")
        self.assertEqual(self.slabs(), [], words)

    def slabs(self):
        return sorted(file.name for file in (self.folder / self.name).glob("slab-*.nwgpu"))

    def kill_one(self, mpi, mode, draw, words):
        """Starts some ranks and kills one of them at some moment; the output, if that came before."""
        ranks = draw.randint(1, 4)
        job = self.start(mpi, ranks, mode)
        try:
            found = ranks_of(self.name, ranks)
            time.sleep(draw.random() * self.seconds)
            try:
                os.kill(draw.choice(found), signal.SIGKILL)
            except (ProcessLookupError, IndexError):
                pass
            job.communicate(timeout=100)
        finally:
            job.kill()
        self.assertEqual(ranks_of(self.name, 0), [], words)
        self.assertEqual(self.slabs(), [f"slab-{k:06}.nwgpu" for k in range(len(self.slabs()))], words)
        return self.output()

    def test_kills_at_random_moments(self):
        seed = int(os.environ.get("NWGPU_SEED", random.randrange(2**32)))
        for mpi in MPIRUN:
            draw, left, resumed = random.Random(f"{seed}{mpi}"), KILLS, 0
            while left > 0:
                mode = draw.choice(("global", "local", "semiglobal"))
                words = f"NWGPU_SEED={seed} {mpi} {mode} left={left}"
                expected = self.run_nwgpu("align", "--mode", mode, "--device", "cpu", "--format", "paf", "--cs", "q.fa",
                                          "t.fa").stdout
                begin = time.monotonic()
                self.finish(mpi, 2, mode, expected, words)
                self.seconds = time.monotonic() - begin
                for _ in range(min(left, draw.randint(1, 8))):
                    left -= 1
                    output = self.kill_one(mpi, mode, draw, words)
                    self.assertTrue(output in ("", expected), words)
                    resumed += bool(self.slabs())
                self.finish(draw.choice((mpi, None)), 3, mode, expected, words)
                shutil.rmtree(self.folder / self.name)
            if KILLS >= 10:
                self.assertGreater(resumed, KILLS // 10, "few of the runs had saved anything: kill later")


if __name__ == "__main__":
    unittest.main()
